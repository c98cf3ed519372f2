"""What can be pressed under an answer."""

from __future__ import annotations

from collections.abc import Mapping

from handlers.wording_actions import actions

Block = Mapping[str, object]

FEEDBACK = "feedback"
ASK_PERSON = "ask_person"
GOOD, BAD = "good", "bad"


def under_answer(turn: str, language: str) -> tuple[Block, ...]:
    """Feedback and the way to a person; `turn` is the id of the turn that was answered."""
    said = actions(language)
    feedback = {
        "type": "feedback_buttons",
        "action_id": FEEDBACK,
        "positive_button": {"text": plain(said.helpful), "value": f"{GOOD} {turn}"},
        "negative_button": {"text": plain(said.unhelpful), "value": f"{BAD} {turn}"},
    }
    person = {"type": "button", "action_id": ASK_PERSON, "text": plain(said.ask_person), "value": turn}
    return (
        {"type": "context_actions", "elements": [feedback]},
        {"type": "actions", "elements": [person]},
    )


def plain(text: str) -> Mapping[str, object]:
    """Words in which nothing is parsed."""
    return {"type": "plain_text", "text": text, "emoji": False}
