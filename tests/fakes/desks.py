"""A desk over a store of a test, with whatever answers it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.application import Store
from config.knowledge import KnowledgeSettings
from config.schema import AccessSettings, BotSettings
from handlers.claims import Claims
from handlers.conversation import Desk
from handlers.offers import Offers, Returning, UnderWay
from handlers.ports import (
    Answered,
    Answers,
    Around,
    Corrects,
    Held,
    Noticed,
    Paced,
    Recorder,
    Unsolved,
    by_nobody,
    never_wrong,
    nothing_noticed,
    nothing_unsolved,
    unpaced,
)
from handlers.spoken import Spoken
from handlers.wordings import SHIPPED
from memory.mailbox import Mailbox
from memory.model import Conversation, Turn, Viewer
from memory.ports import Clock
from memory.tickets import Ticket


async def nothing_returns(_: Turn, __: Viewer) -> Ticket | None:
    """No ticket was ever resolved."""
    return None


async def nothing_under_way(_: Conversation, __: Viewer) -> Ticket | None:
    """There are no tickets."""
    return None


def desk_over(
    store: Store,
    answers: Answers,
    clock: Clock,
    *,
    bot: BotSettings | None = None,
    knowledge: KnowledgeSettings | None = None,
    agents: Sequence[str] = (),
    recorder: Recorder | None = None,
    mailbox: Mailbox | None = None,
    answered: Answered = lambda _: None,
    held: Held = by_nobody,
    noticed: Noticed = nothing_noticed,
    corrected: Corrects = never_wrong,
    refused: Paced = unpaced,
    under_way: UnderWay = nothing_under_way,
    returning: Returning = nothing_returns,
    unsolved: Unsolved = nothing_unsolved,
) -> Desk:
    """With a recorder or a mailbox of its own where a test wants one that fails."""
    bot = bot or BotSettings()
    around = Around(
        held=held,
        noticed=noticed,
        corrected=corrected,
        refused=refused,
        judged=store.feedback.give,
        offered=Offers(reading=store.reading, under_way=under_way, returning=returning, wording=SHIPPED).told,
        unsolved=unsolved,
    )
    return Desk(
        recall=answers,
        recorder=recorder or store.writing,
        mailbox=mailbox or store.mailbox,
        reading=store.reading,
        claims=Claims(store.leases, clock),
        access=AccessSettings(agents=tuple(agents)),
        bot=bot,
        knowledge=knowledge or KnowledgeSettings(),
        clock=clock,
        answered=answered,
        around=around,
        redactor=store.redactor,
        spoken=Spoken(reading=store.reading, personal=store.personal, default=bot.language.value),
    )
