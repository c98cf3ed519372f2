"""What of a message is said about its files by the next process."""

from __future__ import annotations

from handlers.files import named_once, unread_of, unread_sentences, without_files
from handlers.wording_actions import ENGLISH, JAPANESE
from tests.fakes.turns import turn


def test_files_that_a_dead_process_left_unread_are_named() -> None:
    unread = unread_of(turn(text="見てください [file: a.log] [file: b.log]"))
    assert unread_sentences(unread, JAPANESE) == (
        "添付ファイル a.log、b.log は、私が再起動したため読んでいません。もう一度送ってください。",
    )
    assert unread_sentences(unread, ENGLISH) == (
        "Attached, but not read, because I was restarted: a.log, b.log. Please send it again.",
    )


def test_files_that_it_had_read_are_not_named_and_no_files_are_no_matter() -> None:
    assert unread_sentences(unread_of(turn(text="look [file: a.log]\n[file: a.log]\nerror")), ENGLISH) == ()
    assert unread_sentences(unread_of(turn(text="look")), ENGLISH) == ()


def test_a_file_that_was_read_is_named_once_where_its_text_begins() -> None:
    words = "見て [file: 手順.txt] [file: 図.png]\n[file: 手順.txt]\n手順書: 再起動"
    assert named_once(words) == "見て [file: 図.png]\n[file: 手順.txt]\n手順書: 再起動"
    assert named_once("見て [file: 手順.txt]") == "見て [file: 手順.txt]"


def test_the_language_is_that_of_the_person_and_not_of_the_file() -> None:
    assert without_files("見て [file: a.log]\n[file: a.log]\nconnection refused").strip() == "見て"
