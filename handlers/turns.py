"""From messages to turns: what people said as it is kept, and what the bot said."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from config.schema import AccessSettings, BotSettings
from handlers.access import role_of
from handlers.characters import one_line
from handlers.input import checked
from handlers.messages import IncomingMessage, OutgoingReply
from handlers.wordings import SHIPPED, Wording
from memory.answers import Answer, AnswerKind
from memory.errors import InputRefused
from memory.model import DIRECT, Role, Turn, Visibility, reply_message

#: People give themselves names of any length.
_LONGEST_NAME = 80
#: A reply is later than its message, whatever the two clocks say.
_LATER = timedelta(milliseconds=1)


def turn_of(
    incoming: IncomingMessage,
    *,
    access: AccessSettings,
    bot: BotSettings,
    now: datetime,
    language: str,
    wording: Wording = SHIPPED,
) -> Turn:
    """The message as it is kept. Nobody has said anything later than now, whatever the sender's clock says.

    Raises InputRefused, with a sentence for the sender in `language`.
    """
    requester = incoming.requester or incoming.author
    return Turn(
        conversation=incoming.conversation,
        ticket=None,
        message=incoming.message,
        author=named(incoming.author, language, wording=wording),
        role=Role.BOT if incoming.program else role_of(incoming.author, requester, access),
        text=checked(incoming.text, limit=bot.max_message_characters, language=language, wording=wording),
        said_at=min(incoming.said_at, now.astimezone(incoming.said_at.tzinfo)),
        visibility=incoming.visibility,
        requester=requester,
        speaker=one_line(incoming.speaker, _LONGEST_NAME) if incoming.speaker else None,
        room=one_line(incoming.room, _LONGEST_NAME) if incoming.room else None,
    )


def reply_turn(turn: Turn, reply: OutgoingReply, *, name: str, now: datetime) -> Turn:
    """The bot's own words, as they are kept beside the message that they reply to."""
    return replace(
        turn,
        message=reply_message(turn.message),
        author=name,
        speaker=None,
        role=Role.BOT,
        text=reply.text,
        said_at=max(now.astimezone(turn.said_at.tzinfo), turn.said_at + _LATER),
        visibility=_visibility(turn, reply.answer),
        derived=True,
    )


def named(user: str, language: str, *, wording: Wording = SHIPPED) -> str:
    """Raises InputRefused for nobody."""
    if not user.strip():
        raise InputRefused(wording.phrases(language).nobody)
    return user


def _visibility(turn: Turn, answer: Answer | None) -> Visibility:
    """An answer is seen by nobody who could not have got it: its sources were read for this place, and no wider."""
    if answer is None or answer.kind is AnswerKind.ABSTAINED or turn.visibility is Visibility.PRIVATE:
        return turn.visibility
    return Visibility.PRIVATE if turn.conversation.channel == DIRECT else Visibility.CHANNEL
