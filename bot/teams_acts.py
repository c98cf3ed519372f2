"""What one can do in Teams besides writing, put together."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from bot.application import Application
from bot.platforms import careful, endings_over, own_records_over, taken_over
from handlers.lanes import Lanes
from handlers.teams import names
from handlers.teams.acts.acting import FEEDBACK, HELP, Acts
from handlers.teams.acts.asked import Asked
from handlers.teams.acts.handover import TeamsHandOver
from handlers.teams.acts.opinions import Opinions
from handlers.teams.acts.own_affairs import OwnAffairs
from handlers.teams.acts.same import SameActs
from handlers.teams.acts.scenes import Scenes
from handlers.teams.acts.support_notes import SupportNotes
from handlers.teams.acts.ticket_steps import TicketSteps
from handlers.teams.acts.to_person import ToPerson
from handlers.teams.errand import Writes
from handlers.teams.notebook import Notebook
from handlers.teams.recent import Recent
from handlers.teams.records import PLATFORM
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites


def acts_over(
    app: Application,
    lanes: Lanes,
    *,
    writes: Writes,
    rules: Rules,
    sites: Sites,
    notebook: Notebook,
    answers: Recent,
) -> Acts:
    """Everything that people can do, by the names on the buttons."""
    reading, clock = app.store.reading, app.clock
    asked = Asked(reading, clock)
    own = OwnAffairs(lambda: own_records_over(app))
    notes = _notes(app, writes, rules, notebook)
    team = TeamsHandOver(
        notes=notes,
        sites=sites,
        rules=rules,
        claims=app.claims,
        told=Recent(notebook, "handover"),
        tickets=lambda: app.tickets,
    )
    hand_over = careful(team, app)
    to_person = ToPerson(asked=asked, hand_over=hand_over, told=Recent(notebook, "told"))
    told = Recent(notebook, "change")
    steps = TicketSteps(tickets=lambda: app.tickets, notes=notes, writes=writes, sites=sites, rules=rules, told=told)
    deeds = {
        HELP: own.help,
        names.TICKETS: own.requests,
        names.MEMORY: own.memory,
        names.FORGET: own.forget_asked,
        names.FORGET_YES: own.forget_confirmed,
        names.FORGET_NO: own.forget_denied,
        names.ASK_PERSON: to_person.clicked,
        names.SHOW_WORDS: to_person.words_shown,
        names.TAKE_TICKET: steps.taken,
        names.HAND_BACK_TICKET: steps.handed_back,
        names.RESOLVE_TICKET: steps.resolved,
        names.SHARE_TICKET: steps.shared,
        names.SAME_TICKET: _same(app, asked, notes, rules, notebook).clicked,
        FEEDBACK: Opinions(answers=answers, asked=asked, feedback=app.store.feedback, clock=clock).given,
    }
    scenes = Scenes(writes=writes, rules=rules, settings=lambda: app.settings, wording=lambda: app.desk.wording)
    taken = taken_over(app, lanes, PLATFORM)
    return Acts(deeds=deeds, scenes=scenes, sites=sites, taken=taken, lanes=lanes, clock=clock)


def _same(app: Application, asked: Asked, notes: SupportNotes, rules: Rules, notebook: Notebook) -> SameActs:
    return SameActs(
        asked=asked,
        tickets=lambda: app.tickets,
        endings=endings_over(app),
        notes=notes,
        rules=rules,
        handed=Recent(notebook, "handover"),
        told=Recent(notebook, "change"),
    )


def _notes(app: Application, writes: Writes, rules: Rules, notebook: Notebook) -> SupportNotes:
    return SupportNotes(
        writes=writes,
        rules=rules,
        reading=app.store.reading,
        notebook=notebook,
        tickets=lambda: app.tickets,
        clock=app.clock,
        zone=ZoneInfo(app.settings.bot.time_zone),
        wording=lambda: app.desk.wording,
    )
