"""Articles cut into sections: nothing is lost, nothing is torn apart that belongs together."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.knowledge.sections import anchor, sections_of

PIECES = st.sampled_from(
    [
        "# VPN\n",
        "## 設定\n",
        "###   Windows 11 ###\n",
        "Title\n=====\n",
        "words of a paragraph\n",
        "一つの段落です。",
        "\n",
        "\r\n",
        "```sh\n# no heading\n",
        "```\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "- item\n  # no heading\n",
        "> quoted\n",
        "    # code\n",
        "\x0b",
        "\u2028",
        "\x00",
        "<!-- # -->\n",
        "#",
    ]
)


@settings(max_examples=200, deadline=None)
@given(pieces=st.lists(PIECES, max_size=25), longest=st.sampled_from([1, 40, 1_000]))
def test_the_sections_together_are_the_file(pieces: list[str], longest: int) -> None:
    text = "".join(pieces)
    found = sections_of(text, longest=longest)
    assert "".join(section.text for section in found) == text
    assert len({section.slug for section in found}) == len(found)


@settings(max_examples=200, deadline=None)
@given(text=st.text(alphabet="#`|-> \n\r\tab漢\x0b\x85=*", max_size=80))
def test_whatever_stands_in_a_file_is_in_its_sections(text: str) -> None:
    assert "".join(section.text for section in sections_of(text)) == text


def test_a_section_has_the_path_of_its_headings() -> None:
    found = sections_of("intro\n\n# VPN\nfirst\n## Windows\nsecond\n### 証明書\nthird\n## Mac\nfourth\n")
    assert [(section.headings, section.slug) for section in found] == [
        ((), "beginning"),
        (("VPN",), "vpn"),
        (("VPN", "Windows"), "vpn/windows"),
        (("VPN", "Windows", "証明書"), "vpn/windows/証明書"),
        (("VPN", "Mac"), "vpn/mac"),
    ]
    assert found[3].text == "### 証明書\nthird\n"


def test_a_heading_with_nothing_under_it_goes_with_the_section_below() -> None:
    [only] = sections_of("# VPN\n\n## Windows\nwords\n")
    assert (only.headings, only.text) == (("VPN", "Windows"), "# VPN\n\n## Windows\nwords\n")


def test_what_looks_like_a_heading_in_code_or_in_a_list_is_none() -> None:
    [only] = sections_of("# Setup\n```\n# a comment\n```\n- step\n\n  ## no heading\n")
    assert only.headings == ("Setup",)


def test_headings_of_the_same_name_are_two_sections() -> None:
    assert [section.slug for section in sections_of("# A\nx\n# A\ny\n")] == ["a", "a~2"]


def test_the_name_of_a_section_does_not_depend_on_what_stands_before_it() -> None:
    before = sections_of("# VPN\na\n## Mac\nb\n")
    after = sections_of("# VPN\na, and more\n\n## Windows\nnew\n## Mac\nb\n")
    assert before[-1].slug == after[-1].slug == "vpn/mac"


@pytest.mark.parametrize(
    "block",
    [
        "```sh\n" + "echo one\n" * 60 + "```\n",
        "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 60,
        "- one\n" * 60,
    ],
    ids=["code", "table", "list"],
)
def test_a_long_section_is_cut_between_its_blocks_only(block: str) -> None:
    text = f"# Setup\n\n{'First. ' * 20}\n\n{block}\n{'Last. ' * 20}\n"
    found = sections_of(text, longest=300)
    assert [section.slug for section in found] == ["setup", "setup.2", "setup.3"]
    assert found[1].text.strip() == block.strip()
    assert {section.headings for section in found} == {("Setup",)}


def test_a_heading_is_never_cut_from_what_follows_it() -> None:
    [only] = sections_of("# Setup\n\n" + "one very long paragraph " * 20 + "\n", longest=100)
    assert only.text.startswith("# Setup\n\none very long")


def test_a_heading_is_known_by_its_words_without_their_looks() -> None:
    [only] = sections_of("# The **new** `vpn1` [portal](http://x) › A\nwords\n")
    assert only.headings == ("The new vpn1 portal > A",)


@pytest.mark.parametrize(
    ("heading", "fragment"),
    [
        ("How to register a guest", "how-to-register-a-guest"),
        ("Q&A: VPN 1.2", "qa-vpn-12"),
        ("ＶＰＮ の設定！", "ｖｐｎ-の設定"),
    ],
)
def test_the_anchor_of_a_heading_is_the_one_that_web_pages_have(heading: str, fragment: str) -> None:
    assert anchor(heading) == fragment
