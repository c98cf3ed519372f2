"""Pointers to turns that no search returned, made from the words themselves."""

from __future__ import annotations

from memory.index_ports import Pointer
from memory.model import Episode
from memory.text.language import detect_language


def pointers(episode: Episode) -> list[Pointer]:
    """To every turn that has keys, in the order of the episode."""
    spoken = [turn for turn in episode.turns if not turn.derived]
    return [
        Pointer(
            episode=episode.id,
            turn=turn.id,
            position=position,
            length=len(spoken),
            speaker=turn.said_by,
            requester=turn.requester,
            language=detect_language(turn.text, "en"),
            said_at=turn.said_at,
        )
        for position, turn in enumerate(spoken)
    ]
