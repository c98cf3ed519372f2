"""What stands under an answer, and what is said when somebody uses it."""

from __future__ import annotations

from collections.abc import Mapping

from handlers.characters import one_line
from handlers.incidents.clicks import subscription
from handlers.messages import OutgoingReply
from handlers.slack.acts.names import ASK_PERSON, FEEDBACK, FORGET_PASTED, SUBSCRIBE
from handlers.slack.acts.pieces import button, buttons, message, paragraph, plain
from handlers.slack.render import SlackMessage
from handlers.slack.render_blocks import Block
from handlers.tickets.records import Proposal
from handlers.wording_acts import ActWords
from handlers.wording_tickets import TicketWords
from handlers.wordings import SHIPPED, Wording
from memory.answers import AnswerKind

_HELPFUL, _UNHELPFUL = "+", "-"
_TITLE = 100


def answer_end(
    turn: str, reply: OutgoingReply, *, offer: Proposal | None = None, wording: Wording = SHIPPED
) -> list[Block]:
    """The buttons under an answer to this turn; under what answers nothing (a refusal, an error, a greeting) only
    the way to a person, where the reply is about that. Where the bot does not know, what it would be as a ticket is an
    `offer`, None where none can be made. First, below the small print that tells of a secret, its author's way to have
    the message forgotten."""
    return [*_forgetting(turn, reply, wording), *_below(turn, reply, offer, wording)]


def _forgetting(turn: str, reply: OutgoingReply, wording: Wording) -> list[Block]:
    """It leads to a question, and does nothing itself."""
    label = wording.secrets(reply.language).forget
    return [buttons(button(FORGET_PASTED, label, turn, style="danger"))] if reply.pasted else []


def _below(turn: str, reply: OutgoingReply, offer: Proposal | None, wording: Wording) -> list[Block]:
    words = wording.acts(reply.language)
    subscribing = _subscribing(turn, reply, wording)
    if reply.answer is not None and reply.answer.kind is AnswerKind.ABSTAINED and offer is not None:
        return [
            _feedback(turn, words),
            *([buttons(*subscribing)] if subscribing else []),
            *_offered(turn, offer, wording.tickets(reply.language), words.untitled),
        ]
    person = buttons(*subscribing, button(ASK_PERSON, words.ask_person, reply.about or turn))
    if reply.answer is None:
        return [person] if reply.to_person else []
    return [_feedback(turn, words), person]


def _subscribing(turn: str, reply: OutgoingReply, wording: Wording) -> list[Mapping[str, object]]:
    """The way to hear of the end of what others report, too."""
    if reply.incident is None:
        return []
    label = wording.incidents(reply.language).subscribe
    return [button(SUBSCRIBE, label, subscription(reply.incident, turn))]


def _offered(turn: str, offer: Proposal, words: TicketWords, untitled: str) -> list[Block]:
    pattern = words.offer_in if offer.category else words.offer
    said = pattern.format(title=one_line(offer.title, _TITLE) or untitled, category=offer.category)
    return [*paragraph(said), buttons(button(ASK_PERSON, words.open_ticket, turn, style="primary"))]


def _feedback(turn: str, words: ActWords) -> Block:
    element: Mapping[str, object] = {
        "type": "feedback_buttons",
        "action_id": FEEDBACK,
        "positive_button": {"text": plain(words.helpful), "value": f"{_HELPFUL}{turn}"},
        "negative_button": {"text": plain(words.unhelpful), "value": f"{_UNHELPFUL}{turn}"},
    }
    return {"type": "context_actions", "elements": [element]}


def opinion_in(value: str) -> tuple[str, bool] | None:
    """The turn that a feedback button names, and whether the answer to it helped; None for any other value."""
    if value[:1] not in (_HELPFUL, _UNHELPFUL):
        return None
    return value[1:], value[:1] == _HELPFUL


def unhelped(turn: str, words: ActWords) -> SlackMessage:
    """What is said to whom the answer did not help, with the way to a person."""
    return message([*paragraph(words.sorry), buttons(button(ASK_PERSON, words.ask_person, turn))])
