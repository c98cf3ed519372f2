"""What the words of a status mean, whatever tool and language they come from."""

from __future__ import annotations

import pytest

from memory.text.statuses import is_settled, is_solved

SOLVED = (
    "resolved Closed DONE Fixed complete Completed solved Ｃｌｏｓｅｄ auto-closed resolved済み "
    "解決 解決済 解決済み 完了 対応完了 クローズ ｸﾛｰｽﾞ 対応済み 処理済 済 終了".split()
)
GIVEN_UP = (
    "cancelled Canceled withdrawn rejected duplicate wontfix "
    "キャンセル 取消 取り消し 取消し 取り下げ 取下げ 却下 対応不要".split()
)
OPEN = (
    "open new in_progress waiting pending assigned reopened unresolved unsolved incomplete abandonment "
    "partially_completed "
    "未解決 未完了 未処理 未済 未対応 対応中 受付済み 担当割当済 確認中 完了待ち 承認待ち 解決予定 一部完了 "
    "再オープン 保留 新規 解決済み（再オープン）".split()
)
NOT_YET = (
    "not fixed",
    "Not yet resolved",
    "to be closed",
    "closed, then re-opened",
    "partly done",
    "Waiting to be cancelled",
    "resolved, awaiting confirmation",
)


@pytest.mark.parametrize("status", [*SOLVED, "Closed (not reproducible)", "done!", " Resolved \n"])
def test_what_is_done_is_solved_and_settled(status: str) -> None:
    assert (is_solved(status), is_settled(status)) == (True, True)


@pytest.mark.parametrize("status", [*GIVEN_UP, "won't fix", "Won’t do"])
def test_what_was_given_up_is_settled_but_not_solved(status: str) -> None:
    assert (is_solved(status), is_settled(status)) == (False, True)


@pytest.mark.parametrize("status", [*OPEN, *NOT_YET, None, ""])
def test_what_is_not_done_yet_is_neither(status: str | None) -> None:
    assert (is_solved(status), is_settled(status)) == (False, False)
