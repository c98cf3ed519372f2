"""One message in, one reply out: record it, answer it, remember the answer as the bot's own words."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

import structlog

from config.schema import AccessSettings, BotSettings, Language
from handlers.access import role_of, viewer_of
from handlers.characters import wordless
from handlers.input import checked
from handlers.messages import IncomingMessage, OutgoingReply
from handlers.replies import answer_text, regret_text
from handlers.wording import phrases
from memory.answers import Answer, AnswerKind
from memory.errors import InputRefused, StoreUnavailable
from memory.model import DIRECT, Question, Role, Turn, Visibility, derived_id
from memory.ports import Clock, Recorded
from memory.text.language import LanguageCode, detect_language

log = structlog.get_logger()

#: A reply is later than its message, whatever the two clocks say.
_LATER = timedelta(milliseconds=1)
#: How much of a stack the log keeps.
_FRAMES = 12


class Answers(Protocol):
    """Answers a question from memory (`memory.recall.pipeline.Recall`)."""

    async def answer(self, question: Question) -> Answer: ...


class Recorder(Protocol):
    """The one narrow write that a handler may do. Durable when it returns; raises StoreUnavailable."""

    async def record(self, turns: Sequence[Turn]) -> Recorded: ...


class Desk:
    """The bot's side of every conversation, the same on every platform."""

    def __init__(
        self, *, recall: Answers, recorder: Recorder, access: AccessSettings, bot: BotSettings, clock: Clock
    ) -> None:
        self._recall = recall
        self._recorder = recorder
        self._access = access
        self._bot = bot
        self._clock = clock

    async def reply(self, incoming: IncomingMessage) -> OutgoingReply | None:
        """The reply to a message; None when the same message was handled before.

        This is the outer loop of a message: whatever fails, the sender gets a sentence that says whether the message
        was kept and what to do, with the reference under which the log has the details.
        """
        language = self._language(incoming.text)
        kept = False
        try:
            turn = self._turn(incoming, language)
            recorded = await self._recorder.record([turn])
            kept = True
            if recorded.repeated:
                return None
            reply = await self._reply_to(turn, language)
            await self._remember(turn, reply)
        except InputRefused as refusal:
            return OutgoingReply(text=str(refusal), language=language)
        except Exception as error:
            return self._regret(error, incoming, language, kept=kept)
        return reply

    async def ask(
        self,
        question_text: str,
        *,
        user: str,
        channel: str,
        now: datetime,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        language: Language | None = None,
    ) -> Answer:
        """Answer one question and record nothing. `language` is that of the bot's own words where it is not to be the
        question's. Raises InputRefused, StoreUnavailable and its kin."""
        spoken = language.value if language else self._language(question_text)
        words = checked(question_text, limit=self._bot.max_message_characters, language=spoken)
        if wordless(words):
            raise InputRefused(phrases(spoken).wordless)
        viewer = viewer_of(_named(user, spoken), channel, self._access)
        return await self._answer(Question(text=words, viewer=viewer, now=now, as_of=as_of, known_at=known_at), spoken)

    def _language(self, text: str) -> LanguageCode:
        return detect_language(text, self._bot.language.value)

    def _turn(self, incoming: IncomingMessage, language: str) -> Turn:
        """The message as it is kept. Nobody has said anything later than now, whatever the sender's clock says."""
        requester = incoming.requester or incoming.author
        said_at = min(incoming.said_at, self._clock().astimezone(incoming.said_at.tzinfo))
        return Turn(
            conversation=incoming.conversation,
            ticket=None,
            message=incoming.message,
            author=_named(incoming.author, language),
            role=role_of(incoming.author, requester, self._access),
            text=checked(incoming.text, limit=self._bot.max_message_characters, language=language),
            said_at=said_at,
            visibility=incoming.visibility,
            requester=requester,
        )

    async def _reply_to(self, turn: Turn, language: LanguageCode) -> OutgoingReply:
        if wordless(turn.text):
            return OutgoingReply(text=phrases(language).wordless, language=language)
        question = Question(
            text=turn.text,
            viewer=viewer_of(turn.author, turn.conversation.channel, self._access),
            now=turn.said_at,
            conversation=turn.conversation,
            turn=turn.id,
        )
        answer = await self._answer(question, language)
        text = answer_text(answer, zone=turn.said_at.tzinfo or UTC)
        return OutgoingReply(text=text, language=answer.language, answer=answer)

    async def _answer(self, question: Question, language: LanguageCode) -> Answer:
        """The answer; where no model wrote it, in the language that this desk falls back to."""
        answer = await self._recall.answer(question)
        return answer if answer.body else replace(answer, language=language)

    async def _remember(self, turn: Turn, reply: OutgoingReply) -> None:
        """Keep the bot's own words. The reply is worth sending even if that fails: the question itself is kept."""
        said = replace(
            turn,
            message=f"{turn.message}-reply",
            author=self._bot.name,
            role=Role.BOT,
            text=reply.text,
            said_at=max(self._clock().astimezone(turn.said_at.tzinfo), turn.said_at + _LATER),
            visibility=_visibility(turn, reply.answer),
            derived=True,
        )
        try:
            await self._recorder.record([said])
        except StoreUnavailable as error:
            log.warning("reply_not_remembered", conversation=turn.conversation.id, error=type(error).__name__)

    def _regret(self, error: Exception, incoming: IncomingMessage, language: str, *, kept: bool) -> OutgoingReply:
        """Log by type and place only: the sentence of a foreign error may hold the sender's words."""
        reference = derived_id("trouble", incoming.conversation.id, incoming.message, str(self._clock()))[:8]
        log.error(
            "message_failed",
            reference=reference,
            conversation=incoming.conversation.id,
            kept=kept,
            error=type(error).__name__,
            cause=type(error.__cause__).__name__,
            at=[f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-_FRAMES:]],
        )
        text = regret_text(error, kept=kept, language=language, reference=reference)
        return OutgoingReply(text=text, language=language, reference=reference)


def _named(user: str, language: str) -> str:
    if not user.strip():
        raise InputRefused(phrases(language).nobody)
    return user


def _visibility(turn: Turn, answer: Answer | None) -> Visibility:
    """An answer is seen by nobody who could not have got it: its sources were read for this place, and no wider."""
    if answer is None or answer.kind is AnswerKind.ABSTAINED or turn.visibility is Visibility.PRIVATE:
        return turn.visibility
    return Visibility.PRIVATE if turn.conversation.channel == DIRECT else Visibility.CHANNEL
