"""Erasing what is remembered, and putting conversations under hold, by whoever keeps the data folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.application import Application
from bot.arguments import Erase, Marked, Named, Nothing, TakeBack
from bot.moments import shown
from bot.platforms import forget_one_over, forget_over
from bot.telling import JsonObject, Tell
from bot.use_cases_memory import KEEPER
from handlers.acts.pasted import Pasted
from memory.errors import NothingFound, UnderHold
from memory.holds import Hold, KeptVersion
from memory.model import Turn, Viewer, reply_id

#: Nothing was said after this, whatever a clock showed.
_END = datetime(9000, 1, 1, tzinfo=UTC)
#: Messages of a conversation that are looked up at once.
_MOST = 100_000


async def forget(app: Application, given: Erase, tell: Tell) -> JsonObject:
    """Take back a person's messages, or those of a conversation, a ticket or one message; or say what would go.

    Raises NothingFound, and UnderHold where a hold would be passed over that was not spoken of.
    """
    if given.what == "user":
        return await _person(app, given)
    turns = await _called(app, given)
    holds = await app.store.holds.among({turn.conversation.id for turn in turns})
    _refuse(holds, given)
    if given.dry_run:
        return _receipt(given, len(turns), holds=holds)
    done = await forget_over(app).messages(turns, [given.id], given.by)
    ids, whole = {turn.id for turn in turns}, given.what == "conversation"
    destroyed = await _destroyed(app, holds, lambda one: whole or one.turn in ids)
    return _receipt(given, done.messages, destroyed=destroyed)


async def take_back(app: Application, given: TakeBack, tell: Tell) -> JsonObject:
    """Forget one message for who wrote it, and for nobody else; what came of it, in words. Who it is decides here, and
    not in the chat."""
    found = await app.store.reading.turns([given.turn], Viewer(user=given.user), _END)
    pasted = Pasted(wording=app.desk.wording, language=given.language.value, platform="terminal")
    turn = next((one for one in found if not one.derived), None)
    if turn is None:
        return {"text": pasted.gone}
    if turn.author != given.user:
        return {"text": app.desk.wording.acts(given.language.value).not_yours}
    return {"text": pasted.done(await forget_one_over(app)(turn))}


async def _person(app: Application, given: Erase) -> JsonObject:
    holds = await app.store.holds.of_author(given.id)
    _refuse(holds, given)
    if given.dry_run:
        wrote = await app.store.personal.kept(Viewer(user=given.id, agent=True), _END)
        return _receipt(given, wrote.messages, holds=holds)
    done = await forget_over(app)(given.id, given.by)
    destroyed = await _destroyed(app, holds, lambda one: one.author == given.id)
    return _receipt(given, done.messages, entries=done.entries, destroyed=destroyed)


def _refuse(holds: Sequence[Hold], given: Erase) -> None:
    if holds and not given.despite_hold and not given.dry_run:
        raise UnderHold(
            f"{', '.join(hold.name for hold in holds)} is under legal hold; only with --despite-hold is it erased."
        )


async def _destroyed(app: Application, holds: Sequence[Hold], which: Callable[[KeptVersion], bool]) -> int:
    """Destroy what was kept out of sight of these messages, with the bot's replies to them, which repeat words."""
    destroyed = 0
    for hold in holds:
        kept = [one for one in await app.store.holds.kept(hold.conversation) if which(one)]
        replies = {reply_id(hold.conversation, one.message) for one in kept}
        destroyed += await app.store.holds.destroy(replies | {one.turn for one in kept})
    if destroyed:
        await app.store.inspection.scrub()
    return destroyed


async def _called(app: Application, given: Erase) -> list[Turn]:
    """What people call by this name. Raises NothingFound."""
    named = await _named(app, given.id)
    if given.what == "message" and len(named) > 1:
        raise NothingFound(f"{given.id} names {len(named)} messages; name one, as in INC-1007/3.")
    if given.what == "ticket":
        named = [turn for turn in named if turn.ticket is not None]
    if given.what == "conversation":
        places = list(dict.fromkeys(turn.conversation.id for turn in named))
        named = [turn for place in places for turn in await app.store.reading.recent(place, KEEPER, _END, _MOST)]
    if not named:
        raise NothingFound(f"No {given.what} is called {given.id}; look for it with `helpdesk memory search`.")
    return named


async def _named(app: Application, name: str) -> list[Turn]:
    reading = app.store.reading
    return await reading.named(name, KEEPER, _END) or await reading.turns([name], KEEPER, _END)


def _receipt(
    given: Erase, messages: int, *, holds: Iterable[Hold] = (), entries: int = 0, destroyed: int = 0
) -> JsonObject:
    return {
        "dry_run": given.dry_run,
        "messages": messages,
        "audit_entries": entries,
        "kept_versions_destroyed": destroyed,
        "holds": [hold.name for hold in holds],
    }


# --- holds ------------------------------------------------------------------------------------------------------------


async def hold(app: Application, given: Marked, tell: Tell) -> JsonObject:
    """Put the conversation of this ticket or message under hold. Raises NothingFound."""
    places = await _places(app, given.id)
    put = [
        await app.store.holds.put(Hold(conversation=place, name=given.id, who=given.user or "", at=app.clock()))
        for place in places
    ]
    return {"conversations": len(places), "new": sum(put)}


async def release(app: Application, given: Marked, tell: Tell) -> JsonObject:
    """End the holds that were put under this name; what was kept for them is destroyed. Raises NothingFound."""
    there = await _holds_called(app, given.id)
    for one in there:
        await app.store.holds.release(one.conversation)
    await app.store.inspection.scrub()
    return {"conversations": len(there), "destroyed": sum(one.kept for one in there)}


async def held(app: Application, given: Nothing, tell: Tell) -> JsonObject:
    """Every hold."""
    zone = ZoneInfo(app.settings.bot.time_zone)
    return {"holds": [_hold(one, zone) for one in await app.store.holds.all()]}


async def show_held(app: Application, given: Named, tell: Tell) -> JsonObject:
    """What was taken back under the hold of this name, and is kept out of sight. Raises NothingFound."""
    zone = ZoneInfo(app.settings.bot.time_zone)
    kept = [one for hold in await _holds_called(app, given.id) for one in await app.store.holds.kept(hold.conversation)]
    return {"kept": [{**asdict(one), "said_at": shown(one.said_at, zone)} for one in kept]}


async def _holds_called(app: Application, name: str) -> list[Hold]:
    found = [one for one in await app.store.holds.all() if one.name == name]
    if not found:
        raise NothingFound(f"No hold is called {name}; `helpdesk holds list` shows them.")
    return found


async def _places(app: Application, name: str) -> list[str]:
    named = await _named(app, name)
    if not named:
        raise NothingFound(f"Nothing is called {name}; look for it with `helpdesk memory search`.")
    return list(dict.fromkeys(turn.conversation.id for turn in named))


def _hold(one: Hold, zone: ZoneInfo) -> Mapping[str, object]:
    return {"name": one.name, "who": one.who, "at": shown(one.at, zone), "kept": one.kept}
