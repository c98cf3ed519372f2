"""Which names could stand in a text."""

from __future__ import annotations

from memory.text.mentions import mentions


def test_every_run_of_words_could_be_a_name() -> None:
    assert mentions("the vpn gateway") == ["the vpn gateway", "vpn gateway", "gateway", "the vpn", "the", "vpn"]


def test_a_name_does_not_begin_or_end_within_a_word() -> None:
    assert mentions("room 101") == ["room 101", "room", "101"]


def test_an_address_is_a_name_and_so_are_its_parts() -> None:
    found = mentions("srv-db01.example.com down")
    assert {"srv-db01.example.com", "srv-db01", "example.com", "srv"} <= {*found}
    assert "srv-db0" not in found
    assert "db0" not in found


def test_in_japanese_a_name_may_begin_and_end_anywhere() -> None:
    assert mentions("本社の鍵") == ["本社の鍵", "本社の", "社の鍵", "の鍵", "本社", "社の"]


def test_names_of_both_scripts_and_with_numbers_are_found() -> None:
    assert {"プリンタ3号機", "プリンタ", "vpn接続"} <= {*mentions("プリンタ3号機とvpn接続")}
    assert "01号室" not in mentions("101号室")


def test_a_name_has_at_most_twelve_parts() -> None:
    found = mentions("あいうえおかきくけこさしす")
    assert max(map(len, found)) == 12
    assert len(found) == sum(min(12, 13 - start) - 1 for start in range(12))


def test_one_character_is_no_name() -> None:
    assert mentions("a 鍵 1 !") == ["a 鍵 1 !", "a 鍵 1", "鍵 1 !", "1 !", "a 鍵", "鍵 1"]
    assert mentions("") == mentions(" ") == mentions("x") == []


def test_the_work_is_bounded_whatever_is_pasted() -> None:
    words = [f"w{number}" for number in range(5_000)]
    found = mentions(" ".join(words))
    assert len(found) == 12 * 389 + sum(range(1, 12))
    assert "w399" in found
    assert "w400" not in found
