"""What the words of a status mean, whatever tool and language they come from."""

from __future__ import annotations

import pytest

from memory.text.statuses import is_settled, is_solved, state_of
from memory.tickets import UNSETTLED, State

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


@pytest.mark.parametrize("state", State)
def test_the_status_that_this_program_writes_means_itself(state: State) -> None:
    assert state_of(state.value) is state


@pytest.mark.parametrize("status", [*SOLVED, *GIVEN_UP, *OPEN, *NOT_YET, None, ""])
def test_a_state_is_settled_where_the_status_says_so(status: str | None) -> None:
    assert (state_of(status) not in UNSETTLED) is is_settled(status)


STATES = {
    State.OPEN: "open new 新規 未対応 未着手 受付済み 保留 着手前",
    State.WAITING_FOR_USER: (
        "waiting_for_customer Awaiting_reply pending_user_response on_hold_-_awaiting_caller waiting_on_requester "
        "more_info_needed need_info waiting_for_feedback "
        "回答待ち 返信待ち ユーザー待ち ユーザ確認待ち お客様対応待ち 依頼者回答待ち 申請者確認待ち 連絡待ち"
    ),
    State.WAITING_FOR_SUPPORT: (
        "in_progress In_Progress assigned WIP work_in_progress investigating waiting_for_support waiting_on_vendor "
        "対応中 調査中 作業中 処理待ち 対応待ち サポート回答待ち ベンダー待ち メーカー回答待ち 担当者待ち 部品待ち "
        "担当割当済 着手済み"
    ),
    State.REOPENED: "reopened re-opened closed,_then_reopened 再開 再オープン 解決済み（再オープン）",
    State.RESOLVED: "resolved Solved Fixed done 解決 解決済み 対応済み 回答済み",
    State.CLOSED: "closed auto-closed cancelled 完了 対応完了 クローズ 終了 取り下げ",
}


@pytest.mark.parametrize(
    ("state", "status"), [(state, one) for state, all_of in STATES.items() for one in all_of.split()]
)
def test_what_a_ticket_waits_for_is_read_off_its_status(state: State, status: str) -> None:
    assert state_of(status) is state
