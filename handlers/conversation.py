"""One message in, one reply out: receive it, answer it once, remember the answer as the bot's own words."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import structlog

from config.knowledge import KnowledgeSettings
from config.schema import AccessSettings, BotSettings, Language
from handlers.access import collections_for, viewer_of
from handlers.called import meant
from handlers.claims import Claims
from handlers.input import checked
from handlers.messages import IncomingMessage, OutgoingReply, plainly
from handlers.ports import (
    ALONE,
    PLAIN,
    Answered,
    Answers,
    Around,
    Manners,
    Outlet,
    Recorder,
    ToPerson,
    kept_in,
    to_nobody,
)
from handlers.regrets import regretted
from handlers.replies import answer_reply, correction_reply, leaks_in, told_of_incident, told_of_secrets
from handlers.spoken import Spoken
from handlers.turns import named, reply_turn, turn_of
from handlers.unasked import Unasked, asks_nothing
from handlers.wordings import SHIPPED, Wording
from memory.answers import Answer
from memory.errors import InputRefused, StoreUnavailable
from memory.mailbox import Mailbox, Waiting
from memory.model import Question, Turn, Viewer
from memory.ports import Clock, Reading
from memory.recall.steps import Watch, unwatched
from memory.redaction import redacted_answer, redacted_text, redacted_turns
from memory.text.language import LanguageCode
from memory.text.redact import Redactor

log = structlog.get_logger()


class Desk:
    """The bot's side of every conversation, the same on every platform.

    A platform first has a message received, which is durable and quick, then has it handled, which takes as long as an
    answer takes. A process that dies in between leaves the message in `waiting`.
    """

    def __init__(
        self,
        *,
        recall: Answers,
        recorder: Recorder,
        mailbox: Mailbox,
        reading: Reading,
        claims: Claims,
        access: AccessSettings,
        bot: BotSettings,
        knowledge: KnowledgeSettings,
        clock: Clock,
        answered: Answered,
        redactor: Redactor,
        spoken: Spoken,
        wording: Wording = SHIPPED,
        around: Around = ALONE,
    ) -> None:
        self._recall = recall
        self._recorder = recorder
        self._mailbox = mailbox
        self._reading = reading
        self._claims = claims
        self._access = access
        self._bot = bot
        self._knowledge = knowledge
        self._clock = clock
        self._answered = answered
        self._redactor = redactor
        self.spoken = spoken
        self.wording = wording
        self._around = around
        self._unasked = Unasked(
            reading=reading, judged=around.judged, clock=clock, contact=bot.contact, wording=wording
        )
        self._regretted = partial(regretted, clock=clock, wording=wording)

    async def reply(self, incoming: IncomingMessage) -> OutgoingReply | None:
        """The reply to a message; None when the same message was replied to before, or is being replied to."""
        language = self.spoken.at_once(incoming.text)
        try:
            received = await self.receive(incoming)
        except StoreUnavailable as error:
            return self._regretted(error, incoming, language, kept=False)
        if not isinstance(received, Turn):
            return received
        given: list[OutgoingReply] = []
        try:
            await self.handle(received, kept_in(given))
        except StoreUnavailable as error:
            return given[0] if given else self._regretted(error, received, language, kept=True)
        return given[0] if given else None

    async def receive(self, incoming: IncomingMessage) -> Turn | OutgoingReply | None:
        """Keep a message that is addressed to the bot: durable when this returns.

        The turn that is to be handled; a reply where it was refused; None where nothing is to be said (any more).
        Raises StoreUnavailable where it could not be kept: a platform that tells it again is not to be thanked for it.
        """
        viewer = viewer_of(incoming.author, incoming.conversation.channel, self._access)
        language = await self.spoken.where(incoming, viewer, self._clock())
        try:
            turn = await self._turn(incoming, language)
            if (refused := await self._around.refused(turn)) is not None:
                recorded = await self._mailbox.refuse(turn)
                # Told again, perhaps by way of another process: that one takes or refuses it.
                return refused.reply if recorded.new or recorded.called else None
            recorded = await self._mailbox.receive(turn)
        except InputRefused as refusal:
            return plainly(str(refusal), language)
        except StoreUnavailable:
            raise
        except Exception as error:
            return self._regretted(error, incoming, language, kept=False)
        return turn if recorded.new or recorded.called or await self._mailbox.waits(turn.id) else None

    async def overhear(self, incoming: IncomingMessage) -> bool:
        """Keep a message that is not addressed to the bot. Whether it could be kept. Raises StoreUnavailable."""
        try:
            turn = await self._turn(incoming, self.spoken.at_once(incoming.text))
        except InputRefused:
            return False
        await self._recorder.record([turn])
        return True

    async def handle(
        self,
        turn: Turn,
        outlet: Outlet,
        manners: Manners = PLAIN,
        watch: Watch = unwatched,
        to_person: ToPerson = to_nobody,
    ) -> bool:
        """Send the one reply to a received turn, unless that was done or is being done; where a person has taken over
        the conversation the turn goes `to_person` instead. `watch` is told of each step on the way to a reply. Whether
        no reply is owed any more.

        This is the outer loop of a message: whatever fails on the way to an answer, the sender gets a sentence that
        says what to do, with the reference under which the log has the details. Raises StoreUnavailable where nothing
        is known about the turn, and what the outlet raises; the turn then waits for another try.
        """
        async with self._claims.claimed(turn.id) as mine:
            if not await self._mailbox.waits(turn.id):
                return True
            if not mine:
                return False
            async with outlet as send:
                turn = await self._newest(turn)
                reply = await self._unless_held(turn, manners, watch)
                if reply is not None:
                    await send(reply)
            if reply is not None:
                await self._remember(turn, reply)
            if settled := reply is not None or await to_person(turn):
                await self._mailbox.replied(turn.id)
            return settled

    async def instead(self, turn: Turn, work: Callable[[], Awaitable[None]]) -> None:
        """Do this in the place of the reply to a turn that waits for one, unless that is being done; then nothing is
        owed. Raises StoreUnavailable and what `work` raises; the turn then waits still."""
        async with self._claims.claimed(turn.id) as mine:
            if mine and await self._mailbox.waits(turn.id):
                await work()
                await self._mailbox.replied(turn.id)

    async def waiting(self, platform: str, limit: int) -> list[Turn]:
        """Received turns of a platform that still wait for a reply, oldest first. Raises StoreUnavailable."""
        return [turn for one in await self._mailbox.waiting(platform, limit) for turn in await self._read(one)]

    async def _read(self, waiting: Waiting) -> list[Turn]:
        viewer = viewer_of(waiting.author, waiting.conversation.channel, self._access)
        return await self._reading.turns([waiting.turn], viewer, self._clock())

    async def _newest(self, turn: Turn) -> Turn:
        """As it is now: it may have been edited while it waited."""
        return next(iter(await self._reading.turns([turn.id], self._viewer(turn, PLAIN), self._clock())), turn)

    async def cited(self, turn: Turn, reply: OutgoingReply, manners: Manners = PLAIN) -> Mapping[str, Turn]:
        """The turns that the reply's sources cite, by id, read as the asker. Raises StoreUnavailable."""
        if not reply.sources:
            return {}
        viewer, ids = self._viewer(turn, manners), [source.turn for source in reply.sources]
        found = await self._reading.turns(ids, viewer, self._clock())
        if collections := collections_for(viewer, self._knowledge, manners):
            found += await self._reading.turns(ids, replace(viewer, collections=collections), self._clock())
        return {one.id: one for one in found}

    def _viewer(self, turn: Turn, manners: Manners) -> Viewer:
        return replace(viewer_of(turn.author, turn.conversation.channel, self._access), confined=manners.confined)

    async def _unless_held(self, turn: Turn, manners: Manners, watch: Watch) -> OutgoingReply | None:
        """Looked at twice: a person may take over while an answer is made."""
        if not await self._around.held(turn):
            reply = await self._reply_or_regret(turn, manners, watch)
            if not await self._around.held(turn):
                leaks = leaks_in(turn.text, self._redactor.kinds_in)
                return told_of_secrets(reply, leaks, turn.conversation.platform, wording=self.wording)
        log.info("reply_left_to_person", turn=turn.id)
        return None

    async def _reply_or_regret(self, turn: Turn, manners: Manners, watch: Watch) -> OutgoingReply:
        spoken = self.spoken.at_once(turn.text)
        try:
            spoken = await self.spoken.of(turn, self._viewer(turn, manners), manners)
            reply = await self._reply_to(turn, spoken, manners, watch)
            return await self._around.offered(reply, turn, self._viewer(turn, manners))
        except Exception as error:
            return self._regretted(error, turn, manners.language or spoken, kept=True)

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
        shown = self.spoken.at_once(question_text)
        spoken = language.value if language else shown
        words = checked(question_text, limit=self._bot.max_message_characters, language=spoken, wording=self.wording)
        if asks_nothing(words):
            raise InputRefused(self.wording.phrases(spoken).wordless)
        viewer = viewer_of(named(user, spoken, wording=self.wording), channel, self._access)
        words = await redacted_text(words, self._redactor)
        collections = collections_for(viewer, self._knowledge, PLAIN)
        question = Question(text=words, viewer=viewer, now=now, as_of=as_of, known_at=known_at, collections=collections)
        return await self._answer(replace(question, language=shown), spoken)

    async def _turn(self, incoming: IncomingMessage, language: LanguageCode) -> Turn:
        said = turn_of(
            incoming, access=self._access, bot=self._bot, now=self._clock(), language=language, wording=self.wording
        )
        return (await redacted_turns([said], self._redactor))[0]

    async def language(self, turn: Turn, manners: Manners) -> LanguageCode:
        """The language of the bot's own words about this turn. Never raises."""
        return manners.language or await self.spoken.of(turn, self._viewer(turn, manners), manners)

    async def _reply_to(self, turn: Turn, spoken: LanguageCode, manners: Manners, watch: Watch) -> OutgoingReply:
        language, viewer = manners.language or spoken, self._viewer(turn, manners)
        if (corrected := await self._around.corrected(turn, viewer)) is not None:
            return correction_reply(corrected, language, wording=self.wording)
        if (back := await self._around.unsolved(turn, viewer, language)) is not None:
            return back
        turn = replace(turn, text=await meant(turn, self._reading, viewer, self._clock()))
        if (unasked := await self._unasked.reply(turn, viewer, language)) is not None:
            return unasked
        question = Question(
            text=turn.text,
            viewer=viewer,
            now=turn.said_at,
            conversation=turn.conversation,
            turn=turn.id,
            collections=collections_for(viewer, self._knowledge, manners),
            language=spoken,
        )
        # A confined place hears nothing of elsewhere.
        noticed = ALONE.noticed if manners.confined else self._around.noticed
        answer, notice = await asyncio.gather(self._answer(question, language, watch), noticed(turn))
        reply = answer_reply(answer, zone=turn.said_at.tzinfo or UTC, contact=self._bot.contact, wording=self.wording)
        return told_of_incident(reply, notice, wording=self.wording)

    async def _answer(self, question: Question, language: LanguageCode, watch: Watch = unwatched) -> Answer:
        """The answer; where no model wrote it, in the language that this desk falls back to."""
        answer = await self._recall.answer(question, watch)
        self._answered(answer)
        answer = await redacted_answer(answer, self._redactor)
        return answer if answer.body else replace(answer, language=language)

    async def _remember(self, turn: Turn, reply: OutgoingReply) -> None:
        """Keep the bot's own words. The reply is worth sending even if that fails: the question itself is kept."""
        if reply.reference is not None:
            return
        try:
            await self._recorder.record([reply_turn(turn, reply, name=self._bot.name, now=self._clock())])
        except StoreUnavailable as error:
            log.warning("reply_not_remembered", conversation=turn.conversation.id, error=type(error).__name__)
