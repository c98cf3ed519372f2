"""Articles read from files: what they say of themselves, and what is refused by file and line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from urllib.parse import unquote

import pytest

from memory.errors import FolderUnreadable
from memory.knowledge.articles import Article, address_of, article_of, turns_of
from memory.knowledge.folder import MOST_BYTES, BadFile, Written, paths_in, read
from memory.knowledge.front_matter import Unreadable, split
from memory.model import Visibility

TOKYO = timezone(timedelta(hours=9))
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def article(text: str, *, path: str = "net/vpn.md") -> Article:
    changed = datetime(2026, 5, 1, tzinfo=UTC)
    return article_of(text, collection="it", path=path, changed=changed, zone=TOKYO, now=NOW)


def test_an_article_says_its_title_its_author_and_its_day() -> None:
    found = article("---\ntitle: VPN の設定\nauthor: okabe\nupdated: 2026-03-02\ntags: [a]\n---\n# Other\nwords\n")
    assert (found.title, found.author) == ("VPN の設定", "okabe")
    assert found.updated == datetime(2026, 3, 2, tzinfo=TOKYO)


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("date: 2026-03-02T10:00:00+00:00", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        ("date: '2026-03-02 10:00'", datetime(2026, 3, 2, 10, tzinfo=TOKYO)),
        ("date: soon", datetime(2026, 5, 1, tzinfo=UTC)),
        ("updated: 2031-01-01", NOW),
    ],
    ids=["with offset", "in the zone of the desk", "no time at all", "not later than now"],
)
def test_the_day_of_an_article_is_one_that_can_be_believed(written: str, moment: datetime) -> None:
    assert article(f"---\n{written}\n---\nwords\n").updated == moment


def test_without_front_matter_heading_file_and_collection_speak() -> None:
    assert article("# Guest Wi-Fi\nwords\n").title == "Guest Wi-Fi"
    plain = article("words\n")
    assert (plain.title, plain.author, plain.updated) == ("vpn", "it", datetime(2026, 5, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: [a\n---\nwords\n", 3),
        ("---\ntitle: VPN\nwords\n", 1),
        ("---\n- a\n---\nwords\n", 2),
        ("---\na: &x 1\nb: *y\n---\n", 3),
    ],
    ids=["bracket", "no end", "no names", "alias"],
)
def test_broken_front_matter_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(Unreadable) as refused:
        split(text, TOKYO)
    assert refused.value.line == line


def test_each_section_is_a_turn_in_the_order_of_the_file() -> None:
    turns = turns_of(article("# VPN\nfirst\n## Mac\nsecond\n"), edition=3, gone=())
    assert [(turn.message, turn.title, turn.text) for turn in turns] == [
        ("vpn", "VPN", "# VPN\nfirst"),
        ("vpn/mac", "VPN › Mac", "## Mac\nsecond"),
    ]
    assert turns[0].said_at < turns[1].said_at
    assert {turn.visibility for turn in turns} == {Visibility.COLLECTION}
    assert {turn.status for turn in turns} == {"edition 3"}


def test_a_section_is_read_under_its_own_heading_and_above_the_first_at_the_beginning_of_the_page() -> None:
    sections = turns_of(
        article(
            "---\ntitle: VPN at home\n---\nNamiLink connects.\n\n"
            "## Windows\n\n### Renew the certificate\n\nOpen Gearbox.\n\n"
            "## Mac\n\n### Renew the certificate\n\nOpen Keyring.\n\n"
            "## 更新\n\n菱形を押します。\n\n## 更新\n\n丸を押します。\n"
        ),
        edition=1,
        gone=(),
    )
    assert [unquote(address_of(one, sections, "https://wiki.example/it/")) for one in sections] == [
        "https://wiki.example/it/net/vpn.md",
        "https://wiki.example/it/net/vpn.md#renew-the-certificate",
        "https://wiki.example/it/net/vpn.md#renew-the-certificate-1",
        "https://wiki.example/it/net/vpn.md#更新",
        "https://wiki.example/it/net/vpn.md#更新-1",
    ]


def test_a_section_whose_name_was_taken_back_gets_another_one() -> None:
    [turn] = turns_of(article("# VPN\nfirst\n"), edition=1, gone=("vpn", "vpn@2"))
    assert turn.message == "vpn@3"


def test_markdown_below_the_folder_is_found_but_nothing_hidden(tmp_path: Path) -> None:
    for name in ("b.md", "a/x.MD", "a/y.markdown", ".git/z.md", "note.txt", ".hidden.md"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("words", encoding="utf-8")
    assert paths_in(tmp_path) == ["a/x.MD", "a/y.markdown", "b.md"]


def test_a_folder_that_is_not_there_is_not_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(FolderUnreadable):
        paths_in(tmp_path / "none")


def test_what_cannot_be_taken_in_is_told_by_file_and_line(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    (inside / "link.md").symlink_to(tmp_path / "secret.md")
    (inside / "own.md").symlink_to(inside / "good.md")
    (inside / "good.md").write_text("\ufeffwords", encoding="utf-8")
    (inside / "sjis.md").write_bytes("一行目\n二行目".encode() + b"\xff")
    (inside / "long.md").write_bytes(b"a" * (MOST_BYTES + 1))
    (inside / "folder.md").mkdir()
    found = {one.path: one for one in read("it", inside, ["link.md", "own.md", "good.md", "sjis.md", "long.md"])}
    good, own = found.pop("good.md"), found.pop("own.md")
    assert isinstance(good, Written)
    assert isinstance(own, Written)
    assert good.text == "words"
    assert {path: (one.line, one.reason) for path, one in found.items() if isinstance(one, BadFile)} == {
        "link.md": (1, "is a link out of the folder"),
        "sjis.md": (2, "is not UTF-8; save it as UTF-8"),
        "long.md": (1, "has more than 512 KB"),
    }
    (inside / "loop.md").symlink_to(inside / "loop.md")
    [loop] = read("it", inside, ["loop.md"])
    assert isinstance(loop, BadFile)
    [gone] = read("it", inside, ["gone.md"])
    assert str(gone) == "it: gone.md, line 1: is not a file"
