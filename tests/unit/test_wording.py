"""What the bot says: whole texts, because people read whole texts."""

from __future__ import annotations

import string
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo

import pytest

from handlers.acts.aside_replies import person_reply
from handlers.quote_lines import moment_text
from handlers.replies import answer_reply, answer_text, regret_text
from handlers.wording import ENGLISH, JAPANESE, Phrases
from handlers.wordings import SHIPPED
from memory.answers import Answer, AnswerKind, Degraded, Passage
from memory.errors import (
    Busy,
    EncoderUnavailable,
    HelpdeskError,
    IndexDamaged,
    ModelTimeout,
    StoreUnavailable,
)
from memory.recall.pathways import Pathway
from memory.recall.rerank import WEIGHTS
from tests.fakes.answers import JST, abstained, evidence

MORNING = datetime(2026, 11, 22, 10, 5, tzinfo=JST)
#: In UTC it is still the day before.
EARLY = datetime(2026, 11, 24, 8, 52, tzinfo=JST)


def test_a_moment_is_written_as_people_write_it_in_the_zone_of_the_asker() -> None:
    moment = datetime(2026, 11, 22, 1, 5, tzinfo=UTC)
    assert moment_text(moment, zone=JST, said=JAPANESE) == "2026年11月22日(日) 10:05"
    assert moment_text(moment, zone=JST, said=ENGLISH) == "Sun 22 Nov 2026, 10:05"
    late = datetime(2026, 12, 31, 15, 0, tzinfo=UTC)
    assert moment_text(late, zone=JST, said=JAPANESE) == "2027年1月1日(金) 00:00"
    assert moment_text(late, zone=JST, said=ENGLISH) == "Fri 1 Jan 2027, 00:00"


def test_a_written_answer_numbers_its_sources_below_it() -> None:
    answer = Answer(
        kind=AnswerKind.WRITTEN,
        language="ja",
        body="証明書を入れ直すと直りました。",
        cited=(
            evidence("証明書が切れていました。", at=MORNING),
            evidence("直りました", ticket="INC-1100", speaker="sato", at=MORNING),
        ),
    )
    assert answer_text(answer, zone=JST) == (
        "証明書を入れ直すと直りました。\n\n"
        "出典:\n"
        "[1] INC-1067, 2026年11月22日(日) 10:05, okabe: 「証明書が切れていました。」\n"
        "[2] INC-1100, 2026年11月22日(日) 10:05, sato: 「直りました」"
    )


@pytest.mark.parametrize("zone", [UTC, JST, timezone(timedelta(hours=-8))], ids=str)
def test_a_quote_and_the_days_that_it_names_are_dated_by_the_clock_of_whoever_said_it(zone: tzinfo) -> None:
    said = evidence("昨日の夜まで使えました", at=EARLY)
    answer = Answer(kind=AnswerKind.QUOTES, language="ja", cited=(said,))
    assert answer_text(answer, zone=zone).endswith(
        "\n2026-11-24 INC-1067 okabe: 「昨日の夜まで使えました」（昨日の夜 = 2026年11月23日）"
    )


def test_a_source_names_its_clock_to_who_has_another() -> None:
    answer = Answer(kind=AnswerKind.WRITTEN, language="en", body="It works.", cited=(evidence("Works", at=EARLY),))
    assert answer_text(answer, zone=JST).endswith("[1] INC-1067, Tue 24 Nov 2026, 08:52, okabe: “Works”")
    assert answer_text(answer, zone=UTC).endswith("[1] INC-1067, Tue 24 Nov 2026, 08:52 (UTC+09:00), okabe: “Works”")
    japanese = answer_text(replace(answer, language="ja"), zone=UTC)
    assert japanese.endswith("[1] INC-1067, 2026年11月24日(火) 08:52 (UTC+09:00), okabe: 「Works」")


def test_what_belongs_to_no_ticket_is_named_by_day_and_speaker_alone() -> None:
    chat = evidence("証明書です。", ticket="1796029634.718720", message="1796029634.718720", ticketed=False, at=MORNING)
    written = Answer(kind=AnswerKind.WRITTEN, language="ja", body="証明書です。", cited=(chat,))
    assert answer_text(written, zone=JST).endswith("\n[1] 2026年11月22日(日) 10:05, okabe: 「証明書です。」")
    quoted = Answer(kind=AnswerKind.QUOTES, language="en", evidence=(chat,))
    assert answer_text(quoted, zone=UTC).endswith("\n2026-11-22 okabe: “証明書です。”")


def test_what_was_said_in_a_channel_outside_of_tickets_is_named_by_the_channel() -> None:
    chat = evidence("証明書です。", ticket="1796029634.718720", ticketed=False, room="it-help", at=MORNING)
    written = Answer(kind=AnswerKind.WRITTEN, language="ja", body="証明書です。", cited=(chat,))
    assert answer_text(written, zone=JST).endswith("\n[1] #it-help, 2026年11月22日(日) 10:05, okabe: 「証明書です。」")
    quoted = Answer(kind=AnswerKind.QUOTES, language="en", evidence=(chat,))
    assert answer_text(quoted, zone=UTC) == (
        "These are quotes from past conversations that seem to fit:\n\n2026-11-22 #it-help okabe: “証明書です。”"
    )
    ticket = Answer(kind=AnswerKind.QUOTES, language="en", evidence=(evidence("Yes", room="it-help"),))
    assert answer_text(ticket, zone=UTC).endswith("\n2026-11-22 INC-1067 okabe: “Yes”")


def test_what_was_said_right_here_is_not_called_a_past_ticket() -> None:
    said = evidence("机は8Fです", ticket="t", ticketed=False, room="it-help", here=True)
    assert answer_text(Answer(kind=AnswerKind.QUOTES, language="ja", cited=(said,)), zone=JST) == (
        "このやりとりの中から、関係のありそうな発言をそのまま引用します。\n\n"
        "2026-11-22 okabe（このやりとりでの発言）: 「机は8Fです」"
    )
    english = Answer(kind=AnswerKind.QUOTES, language="en", cited=(said,), degraded=(Degraded.MODEL,))
    assert answer_text(english, zone=UTC) == (
        "The language model gives no usable answer just now, so I cannot put one into words.\n"
        "These are quotes from earlier in this conversation that seem to fit:\n\n"
        "2026-11-22 okabe (earlier in this conversation): “机は8Fです”"
    )
    beside = Answer(kind=AnswerKind.QUOTES, language="en", cited=(said, evidence("It moved.")))
    assert answer_text(beside, zone=UTC) == (
        "These are quotes from past tickets that seem to fit:\n\n"
        "2026-11-22 okabe (earlier in this conversation): “机は8Fです”\n"
        "2026-11-22 INC-1067 okabe: “It moved.”"
    )


def test_an_english_answer_has_english_dates_and_quotation_marks() -> None:
    answer = Answer(
        kind=AnswerKind.WRITTEN, language="en", body="It was the certificate.", cited=(evidence("証明書です。"),)
    )
    assert answer_text(answer, zone=UTC) == (
        "It was the certificate.\n\nSources:\n[1] INC-1067, Sun 22 Nov 2026, 01:05, okabe: “証明書です。”"
    )


def test_a_written_answer_that_cites_nothing_has_no_list_of_sources() -> None:
    answer = Answer(kind=AnswerKind.WRITTEN, language="en", body="You are welcome.")
    assert answer_text(answer, zone=UTC) == "You are welcome."


def test_a_source_is_shortened_to_eighty_characters() -> None:
    answer = Answer(kind=AnswerKind.WRITTEN, language="ja", body="はい。", cited=(evidence("あ" * 81),))
    assert answer_text(answer, zone=JST).endswith(f": 「{'あ' * 79}…」")


def test_quotes_stand_together_by_ticket_and_in_time_order() -> None:
    start = datetime(2026, 11, 20, 1, 0, tzinfo=UTC)
    answer = Answer(
        kind=AnswerKind.QUOTES,
        language="ja",
        cited=(
            evidence("二日目", ticket="INC-1", at=start + timedelta(days=1)),
            evidence("三日目", ticket="INC-2", at=start + timedelta(days=2)),
            evidence("一日目", ticket="INC-2", at=start),
            evidence("四日目", ticket="INC-1", at=start + timedelta(days=3)),
        ),
    )
    assert answer_text(answer, zone=JST) == (
        "過去のチケットから、関係のありそうな発言をそのまま引用します。\n\n"
        "2026-11-20 INC-2 okabe: 「一日目」\n"
        "2026-11-22 INC-2 okabe: 「三日目」\n"
        "2026-11-21 INC-1 okabe: 「二日目」\n"
        "2026-11-23 INC-1 okabe: 「四日目」"
    )


def test_quotes_say_once_that_the_language_model_gives_no_answer() -> None:
    answer = Answer(kind=AnswerKind.QUOTES, language="en", cited=(evidence("It works."),), degraded=(Degraded.MODEL,))
    assert answer_text(answer, zone=UTC) == (
        "The language model gives no usable answer just now, so I cannot put one into words.\n"
        "These are quotes from past tickets that seem to fit:\n\n"
        "2026-11-22 INC-1067 okabe: “It works.”"
    )


def test_of_too_many_quotes_the_surest_twelve_are_shown_and_the_rest_counted() -> None:
    many = tuple(evidence(f"quote {n}", confidence=n / 20, message=str(n)) for n in range(1, 16))
    lines = answer_text(Answer(kind=AnswerKind.QUOTES, language="en", evidence=many), zone=UTC).splitlines()
    assert [line.split(": ")[1] for line in lines[2:-2]] == [f"“quote {n}”" for n in range(15, 3, -1)]
    assert lines[-1] == "(and 3 more)"


def test_the_bots_own_earlier_words_are_marked_as_such() -> None:
    mine = evidence("再起動してください", speaker="helpdesk", derived=True)
    text = answer_text(Answer(kind=AnswerKind.QUOTES, language="ja", cited=(mine,)), zone=JST)
    assert text.endswith("2026-11-22 INC-1067 helpdesk（以前の私の回答）: 「再起動してください」")


def test_an_abstention_says_that_nothing_supports_an_answer_and_what_to_do() -> None:
    japanese = answer_text(abstained("ja"), zone=JST)
    assert japanese.startswith("確認中: ")
    assert "根拠になる記録は見つかりませんでした" in japanese
    assert "書き足していただければ" in japanese
    english = answer_text(abstained("en"), zone=UTC)
    assert english.startswith("Still open: I could not find that in past tickets.")
    assert "Nothing I remember supports an answer" in english
    assert "If you add details" in english


def test_who_gets_no_answer_is_told_whom_the_administrator_named() -> None:
    for language, known, unknown in (
        ("ja", "お急ぎのときの連絡先: it-help@example.com", "お急ぎのときは、サポート担当者に直接ご連絡ください。"),
        (
            "en",
            "If it is urgent: it-help@example.com",
            "If it is urgent, please contact a support agent directly.",
        ),
    ):
        for answer in (abstained(language), replace(abstained(language), degraded=(Degraded.INDEX,))):
            named = answer_reply(answer, zone=UTC, contact="it-help@example.com")
            assert named.body.splitlines()[-1] == known
            assert answer_text(answer, zone=UTC, contact="it-help@example.com").splitlines()[2] == known
            assert answer_reply(answer, zone=UTC).body.splitlines()[-1] == unknown


def test_there_is_one_label_before_whom_to_write_to_instead_of_the_button() -> None:
    for language, said in (
        ("ja", "ボタンを使えないときは: it-help@example.com"),
        ("en", "If you cannot use the button: it-help@example.com"),
    ):
        reply = person_reply("{button}", None, language, contact="it-help@example.com")
        assert reply.body.splitlines()[-1] == said


@pytest.mark.parametrize(
    ("language", "alone", "with_tickets", "with_talk"),
    [
        ("ja", "ナレッジの記事から、", "ナレッジの記事や過去のチケットから、", "ナレッジの記事や過去のやりとりから、"),
        (
            "en",
            "These are quotes from articles that",
            "These are quotes from articles and past tickets that",
            "These are quotes from articles and past conversations that",
        ),
    ],
)
def test_above_quotes_stands_what_they_are_from(language: str, alone: str, with_tickets: str, with_talk: str) -> None:
    article = replace(evidence("Press it.", ticket="wifi.md"), passage=Passage(heading="Reset"))
    talk = evidence("Hold it.", ticket="1796029634.718720", ticketed=False)
    for cited, said in (
        ((article,), alone),
        ((article, evidence("Pull it.")), with_tickets),
        ((article, talk), with_talk),
    ):
        answer = Answer(kind=AnswerKind.QUOTES, language=language, cited=cited)
        assert answer_text(answer, zone=UTC).startswith(said)


def test_an_abstention_names_articles_where_these_were_searched() -> None:
    english = answer_text(replace(abstained("en"), articles=True), zone=UTC)
    assert english.startswith("Still open: I could not find that in past tickets or in articles.")
    assert answer_text(replace(abstained("ja"), articles=True), zone=UTC).startswith(
        "確認中: 過去のチケットにもナレッジの記事にも、"
    )


def test_an_abstention_does_not_show_what_was_read_in_vain() -> None:
    answer = Answer(kind=AnswerKind.ABSTAINED, language="ja", body="たぶん再起動です", evidence=(evidence("無関係"),))
    assert answer_text(answer, zone=JST) == answer_text(abstained("ja"), zone=JST)


@pytest.mark.parametrize(
    ("missing", "japanese", "english"),
    [
        (Degraded.MEANING, "言葉の一致だけで探しました", "searched by words only"),
        (Degraded.INDEX, "検索の索引がいま使えない", "search index is not available"),
        (Degraded.ASSISTANTS, "一部のチケットは読み終わらなかった", "could not be read"),
        (Degraded.MODEL, "言語モデルから使える答えが得られなかった", "language model gave no answer that can be used"),
    ],
)
def test_what_was_missing_is_said_below_the_answer(missing: Degraded, japanese: str, english: str) -> None:
    for language, words in (("ja", japanese), ("en", english)):
        answer = Answer(kind=AnswerKind.ABSTAINED, language=language, degraded=(missing,))
        assert words in answer_text(answer, zone=UTC).split("\n\n")[-1]


@pytest.mark.parametrize(
    ("missing", "language", "told"),
    [
        (Degraded.BUDGET, "ja", "言語モデルの今日の利用枠を使い切ったため"),
        (Degraded.OWN_BUDGET, "ja", "お一人あたりの言語モデルの今日の利用枠を使い切ったため"),
        (Degraded.BUDGET, "en", "Today's budget for the language model is spent"),
        (Degraded.OWN_BUDGET, "en", "Your share of today's budget"),
    ],
)
def test_where_tokens_are_spent_it_is_said_once_with_when_there_are_new_ones(
    missing: Degraded, language: str, told: str
) -> None:
    renewed = {"ja": "2026年11月23日(月) 00:00 からまた", "en": "from Mon 23 Nov 2026, 00:00 on"}[language]
    midnight = datetime(2026, 11, 23, tzinfo=JST)
    quoted = Answer(kind=AnswerKind.QUOTES, language=language, cited=(evidence("直りました。"),))
    for answer, place in ((quoted, 0), (abstained(language), -1)):
        spent = replace(answer, degraded=(missing,), renewed=midnight)
        text = answer_text(spent, zone=JST)
        assert told in text.split("\n\n")[place]
        assert text.count(renewed) == 1


@pytest.mark.parametrize("kind", [AnswerKind.WRITTEN, AnswerKind.QUOTES])
@pytest.mark.parametrize("language", ["ja", "en"])
def test_nothing_remembered_can_look_like_a_line_of_ours(kind: AnswerKind, language: str) -> None:
    forged = "ok」”\n\n出典:\n[9] INC-6666, root: 「fire him」\u2028Sources:\x1b[2J\u202e"
    answer = Answer(
        kind=kind,
        language=language,
        body="本文",
        cited=(evidence(forged, ticket="INC-1\n[8] INC-2", speaker="eve\nadmin"), evidence("本物", ticket="INC-3")),
    )
    text = answer_text(answer, zone=JST)
    heading_lines = 3 if kind is AnswerKind.WRITTEN else 2
    assert len(text.splitlines()) == heading_lines + 2
    forged_line = text.splitlines()[heading_lines]
    opening, closing = "「」" if language == "ja" else "“”"
    assert (forged_line.count(opening), forged_line.count(closing)) == (1, 1)
    assert forged_line.endswith(closing)
    assert not {"\x1b", "\u202e"} & set(text)


def test_escape_sequences_of_a_model_do_not_reach_the_reader() -> None:
    answer = Answer(kind=AnswerKind.WRITTEN, language="en", body="one\x1b[31m\ntwo\x07")
    assert answer_text(answer, zone=UTC) == "one\ntwo"


def _named_places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("name", [field.name for field in fields(Phrases)])
def test_both_languages_say_the_same_things(name: str) -> None:
    japanese, english = getattr(JAPANESE, name), getattr(ENGLISH, name)
    assert japanese
    assert english
    if isinstance(japanese, str):
        assert _named_places(japanese) == _named_places(english)
    elif isinstance(japanese, tuple | dict):
        assert len(japanese) == len(english)


def test_any_other_language_is_spoken_to_in_english() -> None:
    assert SHIPPED.phrases("ja") is JAPANESE
    assert SHIPPED.phrases("fr") is ENGLISH


def test_a_message_that_was_not_kept_is_never_said_to_be_kept() -> None:
    errors: list[Exception] = [StoreUnavailable(), Busy(), ValueError("secret words"), IndexDamaged()]
    for error in errors:
        english = regret_text(error, kept=False, language="en", reference="1a2b3c4d")
        assert "it was NOT kept" in english
        assert "1a2b3c4d" in english
        japanese = regret_text(error, kept=False, language="ja", reference="1a2b3c4d")
        assert "このメッセージは残っていません" in japanese
        assert "保存しました" not in japanese


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (StoreUnavailable(), "I cannot read past tickets"),
        (IndexDamaged(), "search is not available"),
        (EncoderUnavailable(), "search is not available"),
        (ModelTimeout(), "language model cannot be reached"),
        (Busy(), "A lot is going on"),
        (HelpdeskError("inner detail"), "something went wrong"),
        (KeyError("inner detail"), "something went wrong"),
    ],
)
def test_a_regret_says_what_failed_and_that_the_message_was_kept_and_nothing_internal(
    error: Exception, words: str
) -> None:
    text = regret_text(error, kept=True, language="en", reference="1a2b3c4d")
    assert words in text
    assert "message was kept" in text
    assert "ask again" in text
    assert text.endswith("please give your administrator the number 1a2b3c4d.")
    assert "inner detail" not in text


@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_channel_and_pathway_of_the_ranking_has_a_word(language: str) -> None:
    said = SHIPPED.phrases(language)
    assert set(said.channels) == {channel.value for channel in WEIGHTS}
    assert set(said.pathways) == {pathway.value for pathway in Pathway}


@pytest.mark.parametrize(("language", "name"), [("ja", "（名前不明）"), ("en", "(name unknown)")])
@pytest.mark.parametrize(
    "id", ["0a5c9c5e-aaaa-4abc-9def-00000000000a", "29:1XYZ-_a", "8:orgid:0a5c9c5e-aaaa-4abc-9def-00000000000a"]
)
def test_a_speaker_whose_name_nobody_told_is_shown_by_no_id(id: str, language: str, name: str) -> None:
    written = Answer(kind=AnswerKind.WRITTEN, language=language, body="…", cited=(evidence("It works.", speaker=id),))
    quoted = Answer(kind=AnswerKind.QUOTES, language=language, evidence=(evidence("It works.", speaker=id),))
    for answer in (written, quoted):
        said = answer_text(answer, zone=JST)
        assert f" {name}: " in said
        assert id not in said


def test_a_name_that_only_looks_a_little_like_an_id_is_a_name() -> None:
    quoted = Answer(kind=AnswerKind.QUOTES, language="en", evidence=(evidence("It works.", speaker="2: Sato"),))
    assert " 2: Sato: " in answer_text(quoted, zone=JST)


def test_a_quote_names_a_file_that_was_read_once() -> None:
    quoted = evidence("見て [file: 手順.txt]\n[file: 手順.txt]\n手順書: 再起動")
    answer = Answer(kind=AnswerKind.QUOTES, language="ja", evidence=(quoted,))
    assert "「見て [file: 手順.txt] 手順書: 再起動」" in answer_text(answer, zone=JST)
