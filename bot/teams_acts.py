"""What one can do in Teams besides writing, put together."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from bot.application import Application
from bot.platforms import careful, own_records_over
from handlers.claims import Claims
from handlers.lanes import Lanes
from handlers.teams import names
from handlers.teams.acts.acting import FEEDBACK, HELP, Acts
from handlers.teams.acts.asked import Asked
from handlers.teams.acts.handover import TeamsHandOver
from handlers.teams.acts.opinions import Opinions
from handlers.teams.acts.own_affairs import OwnAffairs
from handlers.teams.acts.scenes import Scenes
from handlers.teams.acts.to_person import ToPerson
from handlers.teams.errand import Writes
from handlers.teams.notebook import Notebook
from handlers.teams.recent import Recent
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
    team = TeamsHandOver(
        writes=writes,
        sites=sites,
        rules=rules,
        reading=reading,
        claims=Claims(app.store.leases, clock),
        told=Recent(notebook, "handover"),
        clock=clock,
        zone=ZoneInfo(app.settings.bot.time_zone),
        wording=lambda: app.desk.wording,
        tickets=lambda: app.tickets,
    )
    hand_over = careful(team, app)
    deeds = {
        HELP: own.help,
        names.TICKETS: own.requests,
        names.MEMORY: own.memory,
        names.FORGET: own.forget_asked,
        names.FORGET_YES: own.forget_confirmed,
        names.FORGET_NO: own.forget_denied,
        names.ASK_PERSON: ToPerson(asked=asked, hand_over=hand_over, told=Recent(notebook, "told")).clicked,
        FEEDBACK: Opinions(answers=answers, asked=asked, feedback=app.store.feedback, clock=clock).given,
    }
    scenes = Scenes(writes=writes, rules=rules, settings=lambda: app.settings, wording=lambda: app.desk.wording)
    return Acts(deeds=deeds, scenes=scenes, sites=sites, lanes=lanes)
