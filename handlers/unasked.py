"""What is said to messages that ask nothing, and what is noted of them."""

from __future__ import annotations

import structlog

from handlers.acts.aside_replies import aside_reply, person_reply, unhelped_reply
from handlers.acts.asides import Aside, aside_in
from handlers.acts.folded import pictured
from handlers.acts.handed import with_team
from handlers.acts.matters import asks_who
from handlers.acts.ticket_wishes import TicketWish, ticket_wish_in
from handlers.acts.unhelped import is_unhelped
from handlers.characters import wordless
from handlers.earlier import CALLED, said_before
from handlers.files import without_files
from handlers.messages import OutgoingReply, plainly
from handlers.ports import Judges
from handlers.wordings import Wording
from memory.feedback import Feedback
from memory.model import Turn, Viewer
from memory.ports import Clock, Reading
from memory.text.openings import only_opens

log = structlog.get_logger()


def asks_nothing(text: str) -> bool:
    """Whether these words are answered without looking anything up. A call by name alone means what stands above."""
    words = without_files(text)
    aside = aside_in(words) is not None or ticket_wish_in(words) is not None
    return aside or (text != CALLED and wordless(pictured(text)))


class Unasked:
    """Replies to thanks, greetings, and what people say of an answer. `contact` is whom the administrator named, or
    ""."""

    def __init__(self, *, reading: Reading, judged: Judges, clock: Clock, contact: str, wording: Wording) -> None:
        self._reading = reading
        self._judged = judged
        self._clock = clock
        self._contact = contact
        self._wording = wording

    async def reply(self, turn: Turn, viewer: Viewer, language: str) -> OutgoingReply | None:
        """What is said to a message that asks nothing; None for all others. Raises StoreUnavailable."""
        said, words = self._wording.phrases(language), without_files(turn.text)
        if is_unhelped(turn.text):
            return await self._unhelped(turn, viewer, language)
        if (wish := ticket_wish_in(words)) is not None:
            return await self._ticket(turn, wish, viewer, language)
        match aside_in(words):
            case None:
                return self._heard(turn, language)
            case Aside.PERSON:
                return self._to_person(said.person, await self._asked(turn, viewer), language)
            case aside:
                return aside_reply(aside, language, wording=self._wording)

    def _heard(self, turn: Turn, language: str) -> OutgoingReply | None:
        said, words = self._wording.phrases(language), without_files(turn.text)
        if wordless(pictured(turn.text)):
            return plainly(said.wordless, language)
        if asks_who(words):
            return plainly(said.introduced, language)
        return plainly(said.greeting, language) if not wordless(words) and only_opens(words) else None

    async def _ticket(self, turn: Turn, wish: TicketWish, viewer: Viewer, language: str) -> OutgoingReply:
        """It is about what they tell with it, or else about what was asked before."""
        said = self._wording.phrases(language)
        about = turn.id if wish.told else await self._asked(turn, viewer)
        return self._to_person(said.ticket, about, language) if about else plainly(said.ticket_of_what, language)

    def _to_person(self, said: str, about: str | None, language: str) -> OutgoingReply:
        return person_reply(said, about, language, contact=self._contact, wording=self._wording)

    async def _asked(self, turn: Turn, viewer: Viewer) -> str | None:
        """The question before, for which a person or a ticket is wanted."""
        asked = (await said_before(turn, self._reading, viewer, self._clock())).asked
        return asked.id if asked else None

    async def _unhelped(self, turn: Turn, viewer: Viewer, language: str) -> OutgoingReply | None:
        """The last answer did not help: noted as by its button, and a person is offered. Where others have said
        something since, it may be about that."""
        above = await said_before(turn, self._reading, viewer, self._clock())
        if above.asked is None:
            return None if above.since else plainly(self._wording.phrases(language).wordless, language)
        if any(one.author != turn.author for one in above.since):
            return None
        await self._judged(Feedback(turn=above.asked.id, author=turn.author, helpful=False, at=turn.said_at))
        log.info("answer_unhelpful", turn=above.asked.id)
        ticket = await with_team(above.asked, self._reading, viewer, self._clock())
        return unhelped_reply(above.asked.id, ticket, language, contact=self._contact, wording=self._wording)
