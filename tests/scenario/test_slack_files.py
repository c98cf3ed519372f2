"""Files that come with a message in Slack: read as the text they are, or the person is told that they were not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from handlers.files import LONGEST
from tests.fakes.slack import AYA
from tests.fakes.slack.world import Json
from tests.fakes.slack_acts import idle
from tests.fakes.slack_place import Place, opened

LOG = "エラー QX-77：接続できません"
PAGE = "<html><body>手順 QX-77</body></html>"


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with opened(tmp_path) as place:
        yield place


async def told(place: Place, files: Sequence[Json], text: str = "これです") -> tuple[str, str]:
    """What the memory was asked, and what the person was answered."""
    async with place.running():
        asked = await place.slack.say(AYA, place.slack.dm(AYA), text, files=list(files))
        await place.slack.answered(place.slack.dm(AYA), asked)
        await place.slack.settled()
        await idle()
    said = place.slack.answers(place.slack.dm(AYA), asked)
    return place.answers.questions[0].text, "\n".join(str(one["blocks"]) for one in said)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp932", "euc_jp"])
async def test_a_text_is_read_in_the_encoding_that_it_has(place: Place, encoding: str) -> None:
    question, answer = await told(place, [place.slack.file("vpn.log", LOG.encode(encoding))])
    assert question == f"これです [file: vpn.log]\n[file: vpn.log]\n{LOG}"
    assert "添付ファイル" not in answer


@pytest.mark.parametrize("name", ["vpn.log", "vpn.TXT", "vpn.csv"])
async def test_a_text_of_no_known_type_is_known_by_its_name(place: Place, name: str) -> None:
    question, _ = await told(place, [place.slack.file(name, LOG.encode(), mimetype="application/octet-stream")])
    assert question.endswith(f"[file: {name}]\n{LOG}")


async def test_every_file_that_is_not_read_is_named_with_its_reason(place: Place) -> None:
    files = [
        place.slack.file("screen.png", b"\x89PNG", mimetype="image/png"),
        place.slack.file("plan.pdf", b"%PDF", mimetype="application/pdf"),
        place.slack.file("core.log", b"\x00\x01", mimetype="application/octet-stream"),
        place.slack.file("latin.txt", "déjà vu".encode("latin-1")),
        *(place.slack.file(f"part{number}.txt", b"ok") for number in range(5)),
    ]
    question, answer = await told(place, files)
    assert "\n[file: part2.txt]\nok" in question
    assert "\n[file: part3.txt]" not in question
    assert "添付ファイル screen.png、plan.pdf は読んでいません（読めるのはテキストだけです）" in answer
    assert "添付ファイル core.log、latin.txt は文字として読めませんでした" in answer
    assert "添付ファイル part3.txt、part4.txt は読んでいません（一度に読めるのは5つまでです）" in answer


async def test_a_long_text_is_cut_and_the_reply_says_so(place: Place) -> None:
    question, answer = await told(place, [place.slack.file("long.log", ("障" * 20_000).encode())])
    assert question.count("障") == LONGEST
    assert "添付ファイル long.log は長いため、はじめの部分だけを読みました（1つにつき8,000文字まで）" in answer


async def test_long_texts_together_are_cut_to_what_a_message_may_have(place: Place) -> None:
    files = [place.slack.file(f"{number}.log", b"x" * 8_000) for number in range(4)]
    question, answer = await told(place, files)
    assert len(question) <= 20_000
    assert "2.log、3.log は長いため" in answer


@pytest.mark.parametrize(("name", "mimetype"), [("vpn.log", "text/plain"), ("page.html", "text/html")])
async def test_the_sign_in_page_is_never_taken_for_the_file(place: Place, name: str, mimetype: str) -> None:
    place.slack.api.granted -= {"files:read"}
    question, answer = await told(place, [place.slack.file(name, PAGE.encode(), mimetype=mimetype)])
    assert question == f"これです [file: {name}]"
    assert f"添付ファイル {name} の代わりに Slack のログイン画面が返ってきました" in answer


async def test_a_page_that_is_a_file_is_read(place: Place) -> None:
    question, _ = await told(place, [place.slack.file("page.html", PAGE.encode(), mimetype="text/html")])
    assert question.endswith(f"[file: page.html]\n{PAGE}")


@pytest.mark.parametrize("words", ["", "QX-77"])
async def test_what_is_said_of_files_is_in_the_language_of_the_answer(place: Place, words: str) -> None:
    """Also where the message itself has no words of any language."""
    dm = place.slack.dm(AYA)
    place.answers.language = "en"
    async with place.running():
        root = await place.slack.say(AYA, dm, "The VPN is down since this morning")
        await place.slack.answered(dm, root)
        picture = place.slack.file("screen.png", b"\x89PNG", mimetype="image/png")
        await place.slack.say(AYA, dm, words, thread=root, files=[picture])
        await place.slack.answered(dm, root, count=2)
        await place.slack.settled()
        await idle()
    answer = str(place.slack.answers(dm, root)[-1]["blocks"])
    assert "Attached, but not read: screen.png (I can only read text)" in answer
    assert "添付" not in answer
