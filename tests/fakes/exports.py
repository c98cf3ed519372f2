"""Small histories made by code: a Slack export, ticket rows, a LoCoMo and a LongMemEval file."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

#: 2026-03-02 09:00:00 UTC as Slack writes it.
MONDAY = "1772442000"

USERS = [
    {"id": "U1", "name": "sato", "tz": "Asia/Tokyo", "tz_offset": 32400},
    {"id": "U2", "name": "lim", "tz": "Nowhere/Unknown", "tz_offset": 28800},
    {"id": "UB", "name": "deskbot", "is_bot": True},
]


def stamp(seconds: int) -> str:
    """A Slack time so many seconds after Monday morning."""
    return f"{int(MONDAY) + seconds}.000100"


def said(user: str, seconds: int, text: str, **more: object) -> dict[str, object]:
    """One message of a day file."""
    return {"type": "message", "user": user, "text": text, "ts": stamp(seconds), **more}


def slack_folder(root: Path, days: dict[str, object], **lists: object) -> Path:
    """An export: `days` maps `folder/day.json` to its messages, `lists` are channels, groups, dms, mpims, users."""
    chosen = {"channels": [{"id": "C1", "name": "general"}], "users": USERS, **lists}
    content = {f"{name}.json": value for name, value in chosen.items() if value is not None}
    for name, value in {**content, **days}.items():
        target = root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return root


def zipped(folder: Path, target: Path, top: str = "") -> Path:
    """The folder as a zip, below `top` if given."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*.json")):
            archive.write(path, f"{top}{path.relative_to(folder).as_posix()}")
    return target


def ticket_row(message: object = "1", **changes: object) -> dict[str, object]:
    """A good row; a change to None takes the field out."""
    row: dict[str, object] = {
        "ticket": "INC-1",
        "message": message,
        "at": "2026-03-02T09:00:00+09:00",
        "author": "sato",
        "role": "requester",
        "text": "VPN does not connect",
        **changes,
    }
    return {key: value for key, value in row.items() if value is not None}


def jsonl(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def locomo_sample() -> dict[str, Any]:
    """Two sessions, numbered so that text order would be wrong, and a question of each category."""
    return {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Ben",
            "session_10_date_time": "9:05 am on 3 June, 2023",
            "session_10": [
                {"speaker": "Ben", "dia_id": "D10:1", "text": "My parrot learned a tango."},
            ],
            "session_2_date_time": "1:56 pm on 8 May, 2023",
            "session_2": [
                {"speaker": "Ann", "dia_id": "D2:1", "text": "I adopted a beagle yesterday."},
                {
                    "speaker": "Ben",
                    "dia_id": "D2:2",
                    "text": "Lovely!",
                    "blip_caption": "a photo of a harbour",
                    "query": "secret lighthouse",
                },
            ],
            "session_11_date_time": "9:05 am on 4 June, 2023",
        },
        "qa": [
            {"question": "beagle parrot", "answer": "a beagle, a parrot", "evidence": ["D2:1; D:10:01"], "category": 1},
            {"question": "adopted when", "answer": "7 May 2023", "evidence": ["D2:1"], "category": 2},
            {"question": "harbour", "answer": "Yes; she saw it", "evidence": ["D2:2", "D"], "category": 3},
            {"question": "tango", "answer": 2022, "evidence": ["D9:9"], "category": 4},
            {"question": "lighthouse", "adversarial_answer": "tall", "evidence": ["D2:2"], "category": 5},
        ],
    }


def longmemeval_entries() -> list[dict[str, Any]]:
    """Two questions in the published form; the first has an answer in two sessions, the second has none."""
    mower = [{"role": "user", "content": "My mower is blue"}, {"role": "assistant", "content": "Blue is calm"}]
    kettle = [{"role": "user", "content": "The kettle broke", "has_answer": True}]
    noise = [{"role": "user", "content": "Tell me about rivers"}]
    common = {"question_type": "multi-session", "question_date": "2023/01/24 (Tue) 12:00"}
    return [
        {
            **common,
            "question_id": "q1",
            "question": "kettle mower",
            "answer": "blue",
            "answer_session_ids": ["s-kettle", "s-mower"],
            "haystack_dates": ["2023/01/24 (Tue) 23:00", "2023/01/20 (Fri) 08:00", "2023/01/21 (Sat) 08:00"],
            "haystack_session_ids": ["s-kettle", "s-noise", "s-mower"],
            "haystack_sessions": [kettle, noise, mower],
        },
        {
            **common,
            "question_id": "q2_abs",
            "question": "rivers",
            "answer": "You did not say.",
            "answer_session_ids": ["s-noise"],
            "haystack_dates": ["2023/01/20 (Fri) 08:00"],
            "haystack_session_ids": ["s-noise"],
            "haystack_sessions": [noise],
        },
    ]
