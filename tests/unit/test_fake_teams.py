"""The strict reading of Teams' messages finds what Teams would refuse, show wrongly, or take for something else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes.teams.streams import Streams, parted
from tests.fakes.teams_cards import faults

LINK = "https://wiki.example/vpn"


def run(text: str = "a", **more: Any) -> dict[str, Any]:
    return {"type": "TextRun", "text": text, **more}


def rich(*inlines: dict[str, Any]) -> dict[str, Any]:
    return {"type": "RichTextBlock", "inlines": list(inlines)}


def card(*body: dict[str, Any], **more: Any) -> dict[str, Any]:
    content = {"type": "AdaptiveCard", "version": "1.5", "fallbackText": "Please update.", "body": list(body), **more}
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "content": content}
    return {"type": "message", "summary": "a", "attachments": [attachment]}


def labelled(*entities: dict[str, Any]) -> dict[str, Any]:
    return {**card(rich(run())), "entities": list(entities)}


def opening(url: str) -> dict[str, Any]:
    return run(selectAction={"type": "Action.OpenUrl", "url": url})


def cells(*counts: int) -> dict[str, Any]:
    rows = [{"type": "TableRow", "cells": [{"type": "TableCell", "items": [rich(run())]}] * count} for count in counts]
    return {"type": "Table", "columns": [{"width": 1}], "rows": rows}


ENTITY = {"type": "https://schema.org/Message", "@type": "Message", "@context": "https://schema.org"}
BUTTON = {"type": "Action.Execute", "title": "a", "verb": "a", "data": {"action": "a", "value": ""}}
FIELD = {"type": "Input.Text", "id": "a", "label": "a", "maxLength": 5}
FORM = {"type": "AdaptiveCard", "body": [FIELD], "actions": [BUTTON]}
OPENS = {"type": "Action.ShowCard", "title": "a", "card": FORM}
CLAIM = {"@type": "Claim", "position": 1, "appearance": {"@type": "DigitalDocument", "name": "a"}}


@pytest.mark.parametrize(
    "message",
    [
        card(rich(run("**a** [b](c)", weight="Bolder", italic=True), opening(LINK))),
        card({"type": "TextBlock", "text": "見出し", "wrap": True}, cells(2, 2)),
        card({"type": "Container", "items": [rich(run())]}, {"type": "ActionSet", "actions": [BUTTON]}),
        card(rich(run()), actions=[BUTTON, OPENS]),
        labelled({**ENTITY, "additionalType": ["AIGeneratedContent"], "citation": [CLAIM]}),
        {"type": "message", "textFormat": "plain", "text": "a"},
    ],
)
def test_what_teams_takes_has_no_faults(message: dict[str, Any]) -> None:
    assert faults(message, [LINK]) == []


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        (card(rich(run(bold=True))), "bold is not known"),
        (card(rich(run(weight="bold"))), "weight: 'bold'"),
        (card({"type": "CodeBlock", "codeSnippet": "a"}), "'CodeBlock' is no element here"),
        (card(rich()), "inlines: not a list"),
        (card(), "body: not a list"),
        (card(rich(run("")),), "text: ''"),
        (card({"type": "TextBlock", "text": "a **b**", "wrap": True}), "Teams would parse"),
        (card({"type": "TextBlock", "text": "see https://a.example", "wrap": True}), "Teams would parse"),
        (card({"type": "TextBlock", "text": "1. a", "wrap": True}), "Teams would parse"),
        (card({"type": "TextBlock", "text": "a"}), "wrap is missing"),
        (card(rich(opening("https://evil.example"))), "a foreign link"),
        (card(rich(opening("javascript:alert(1)"))), "a foreign link"),
        (card(rich(run("a <at>b</at>"))), "a mention"),
        (card(rich(run("a < / AT>"))), "a mention"),
        (card(rich(run("{{DATE(2017-02-14T06:00:00Z)}}"))), "a date to fill in"),
        (card(rich(run("語" * 6_600))), "bytes"),
        (card(cells(2, 1)), "rows of different lengths"),
        (card({"type": "ActionSet", "actions": [BUTTON] * 7}), "actions: not a list of 1 to 6"),
        (card({"type": "ActionSet", "actions": [{**BUTTON, "title": ""}]}), "title: ''"),
        (card(rich(run()), version="1.6"), "version: '1.6'"),
        (card(rich(run()), actions=[]), "actions: not a list of 1 to 6"),
        (card(rich(run()), buttons=[BUTTON]), "buttons is not known"),
        (card({"type": "ActionSet", "actions": [OPENS]}), "'Action.ShowCard' is no element here"),
        (card(FIELD), "'Input.Text' is no element here"),
        (card(rich(run()), actions=[{**OPENS, "card": {**FORM, "actions": []}}]), "actions: not a list of 1 to 1"),
        (card(rich(run()), actions=[{**OPENS, "card": {**FORM, "body": [{**FIELD, "value": ""}]}}]), "value: ''"),
        (card(rich(run()), actions=[{**OPENS, "card": {**FORM, "body": [{**FIELD, "id": ""}]}}]), "id: ''"),
        (labelled(ENTITY, ENTITY), "entities: not a list of 0 to 1"),
        (labelled({**ENTITY, "citation": [CLAIM] * 21}), "citation: not a list of 1 to 20"),
        (labelled({**ENTITY, "citation": [{**CLAIM, "position": "1"}]}), "position: '1'"),
        (
            labelled({**ENTITY, "citation": [{**CLAIM, "appearance": {"@type": "DigitalDocument", "name": "a" * 81}}]}),
            "name: ",
        ),
        ({**card(rich(run())), "text": "a"}, "either words or a card"),
        ({"type": "message"}, "either words or a card"),
        ({"type": "event", "text": "a"}, "message.type"),
        ({"type": "message", "textFormat": "markdown", "text": "a"}, "textFormat"),
    ],
)  # fmt: skip
def test_what_teams_refuses_or_shows_wrongly_is_found(message: dict[str, Any], fault: str) -> None:
    found = faults(message, [LINK, "javascript:alert(1)"])
    assert any(fault in each for each in found), found


# --- streams ----------------------------------------------------------------------------------------------------------

CHAT = "a:1"
FIRST = {"type": "streaminfo", "streamType": "informative", "streamSequence": 1}


def step(text: str = "Searching", **more: Any) -> dict[str, Any]:
    return {"type": "typing", "text": text, "entities": [{**FIRST, **more}]}


@pytest.mark.parametrize(
    ("conversation", "told"),
    [
        ("19:x@thread.tacv2", step()),
        (CHAT, step("")),
        (CHAT, step("a" * 1001)),
        (CHAT, step(streamSequence=2)),
        (CHAT, step(streamType="final")),
        (CHAT, step(more="a")),
        (CHAT, step(type="streamInfo")),
    ],
)
def test_a_stream_that_does_not_begin_rightly_is_refused(conversation: str, told: dict[str, Any]) -> None:
    streams = Streams()
    assert streams.told(conversation, told, "S") == (400, "")
    assert streams.all == []


@pytest.mark.parametrize(
    ("told", "status"),
    [
        (step(), 400),
        (step(streamId="S", streamSequence=3), 400),
        (step(streamId="S", streamSequence=1), 400),
        (step(streamId="other", streamSequence=2), 403),
        (step(streamId="S", streamSequence=2), 429),
    ],
    ids=["a second one", "a gap", "again", "another's", "too fast"],
)
def test_a_stream_goes_on_in_order_and_slowly(told: dict[str, Any], status: int) -> None:
    streams = Streams()
    assert streams.told(CHAT, step(), "S") == (201, "S")
    assert streams.told(CHAT, told, "T")[0] == status


def test_a_stream_ends_once_and_not_after_its_time() -> None:
    streams = Streams()
    streams.told(CHAT, step(), "S")
    end = {"type": "streaminfo", "streamType": "final", "streamId": "S"}
    assert streams.ended("a:2", end) == 403
    assert streams.ended(CHAT, end) == 202
    assert streams.ended(CHAT, end) == 403
    streams.told(CHAT, step(), "T")
    streams.life = 0.0
    assert streams.ended(CHAT, {**end, "streamId": "T"}) == 403


def test_the_last_message_of_a_stream_has_a_text_and_no_number() -> None:
    end = {"type": "streaminfo", "streamType": "final", "streamId": "S"}
    card_with = {**labelled(ENTITY), "text": ""}
    right = {**card_with, "entities": [ENTITY, end]}
    assert parted(right) == (labelled(ENTITY), end)
    for wrong in ({**labelled(ENTITY, end)}, {**card_with, "entities": [{**end, "streamSequence": 3}]}):
        message, stream = parted(wrong)
        assert stream is None
        assert faults(message)


# --- mentions ---------------------------------------------------------------------------------------------------------

CALL = "<at>佐藤 彩</at>"
WHO = {"type": "mention", "text": CALL, "mentioned": {"id": "a", "name": "佐藤 彩"}}


def calling(text: str, *entities: dict[str, Any]) -> dict[str, Any]:
    line = {"type": "TextBlock", "text": text, "wrap": True}
    return card(line, msteams={"width": "Full", **({"entities": [*entities]} if entities else {})})


def test_a_mention_is_announced_and_stands_on_a_line_of_its_own() -> None:
    assert faults(calling(CALL, WHO)) == []


@pytest.mark.parametrize(
    "message",
    [
        calling(CALL),
        calling(f"{CALL} {CALL}", WHO),
        calling("佐藤 彩", WHO),
        calling(CALL, {**WHO, "text": "<at>岡部 健</at>"}),
        calling("<at>*a*</at>", {**WHO, "text": "<at>*a*</at>"}),
        calling(CALL, WHO, WHO),
        card(rich(run(CALL)), msteams={"width": "Full", "entities": [WHO]}),
    ],
    ids=["not announced", "twice", "nowhere", "another", "markup", "two", "in words that Teams does not parse"],
)
def test_any_other_mention_is_a_fault(message: dict[str, Any]) -> None:
    assert faults(message)
