"""What one can do in Teams besides writing, put together."""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from bot.application import Application
from bot.platforms import careful, changes_over, endings_over, forget_one_over, own_records_over, taken_over
from bot.support_lines import SupportLines, background_over, incident_rounds_over, lines_over
from handlers.incidents.rounds import IncidentRounds
from handlers.lanes import Lanes
from handlers.ports import Soon
from handlers.teams import names
from handlers.teams.acts.acting import FEEDBACK, HELP, Acts, Deed
from handlers.teams.acts.asked import Asked
from handlers.teams.acts.ending_told import TeamsTells
from handlers.teams.acts.ends import TeamsEnds
from handlers.teams.acts.handover import TeamsHandOver
from handlers.teams.acts.incident_notes import IncidentNotes
from handlers.teams.acts.incident_teller import TeamsTeller
from handlers.teams.acts.incidents import IncidentActs
from handlers.teams.acts.opinions import Opinions
from handlers.teams.acts.own_affairs import OwnAffairs
from handlers.teams.acts.pasted import PastedSecrets
from handlers.teams.acts.report_board import TeamsBoard
from handlers.teams.acts.same import SameActs
from handlers.teams.acts.scenes import Scenes
from handlers.teams.acts.support_notes import SupportNotes
from handlers.teams.acts.ticket_steps import TeamsTicketSteps
from handlers.teams.acts.to_person import ToPerson
from handlers.teams.errand import Writes
from handlers.teams.notebook import Notebook
from handlers.teams.recent import Recent
from handlers.teams.records import PLATFORM
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.wordings import Wording

#: By which it is known whether the support team can be told, and what is said where it cannot.
_TEAM = "teams handover"
_CLOSED = (
    "Teams does not let the bot write in `teams.handover_channel`: nobody is told who wants a person. "
    "Add the app to that team, or set another channel."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acting:
    """The parts that acts are made of. `answers` notes which message is the answer to which turn."""

    app: Application
    writes: Writes
    rules: Rules
    sites: Sites
    notebook: Notebook
    answers: Recent
    notes: SupportNotes
    incident_notes: IncidentNotes
    lines: SupportLines

    def acts(self, lanes: Lanes) -> Acts:
        """Everything that people can do, by the names on the buttons."""
        asked = Asked(self.app.store.reading, self.app.clock)
        opinions = Opinions(answers=self.answers, asked=asked, feedback=self.app.store.feedback, clock=self.app.clock)
        deeds = {
            **self._own(),
            **self._pasted(asked),
            **self._requests(asked),
            **self._incidents(asked),
            FEEDBACK: opinions.given,
        }
        return Acts(
            deeds=deeds,
            scenes=Scenes(
                writes=self.writes,
                rules=self.rules,
                settings=lambda: self.app.settings,
                wording=lambda: self.app.desk.wording,
            ),
            sites=self.sites,
            taken=taken_over(self.app, lanes, PLATFORM),
            lanes=lanes,
            clock=self.app.clock,
        )

    def incident_rounds(self) -> IncidentRounds:
        """What tells of incidents, round after round."""
        teller = TeamsTeller(
            box=self.app.store.incidents,
            notes=self.incident_notes,
            writes=self.writes,
            sites=self.sites,
            rules=self.rules,
            wording=lambda: self.app.desk.wording,
        )
        return incident_rounds_over(self.app, teller)

    def board(self, tenant: str) -> TeamsBoard:
        """Where the report of a week is put up, in this organisation."""
        return TeamsBoard(
            writes=self.writes,
            sites=self.sites,
            rules=self.rules,
            tenant=tenant,
            wording=lambda: self.app.desk.wording,
        )

    async def tell_endings(self) -> int:
        """Tell who follows tickets how they ended; how many. Raises StoreUnavailable."""
        tells = TeamsTells(
            writes=self.writes,
            sites=self.sites,
            told=Recent(self.notebook, "change"),
            wording=lambda: self.app.desk.wording,
        )
        return await endings_over(self.app).go(PLATFORM, tells, self.lines.pauses)

    def _own(self) -> dict[str, Deed]:
        own = OwnAffairs(lambda: own_records_over(self.app))
        return {
            HELP: own.help,
            names.TICKETS: own.requests,
            names.MEMORY: own.memory,
            names.FORGET: own.forget_asked,
            names.FORGET_YES: own.forget_confirmed,
            names.FORGET_NO: own.forget_denied,
        }

    def _pasted(self, asked: Asked) -> dict[str, Deed]:
        pasted = PastedSecrets(asked=asked, forget=forget_one_over(self.app), answers=self.answers)
        return {
            names.FORGET_PASTED: pasted.wanted,
            names.FORGET_PASTED_YES: pasted.confirmed,
            names.FORGET_PASTED_NO: pasted.denied,
        }

    def _requests(self, asked: Asked) -> dict[str, Deed]:
        team = TeamsHandOver(
            notes=self.notes,
            sites=self.sites,
            rules=self.rules,
            claims=self.app.claims,
            told=Recent(self.notebook, "handover"),
            tickets=lambda: self.app.tickets,
            settled=lambda turn, actor: self.app.comebacks.wanted(turn, actor),
            lay=self.lines.lay,
            refused=self._team_refused,
        )
        to_person = ToPerson(asked=asked, hand_over=careful(team, self.app), told=Recent(self.notebook, "told"))
        steps = TeamsTicketSteps(notes=self.notes, steps=self.lines.steps())
        return {
            names.ASK_PERSON: to_person.clicked,
            names.SHOW_WORDS: to_person.words_shown,
            names.TAKE_TICKET: steps.taken,
            names.HAND_BACK_TICKET: steps.handed_back,
            names.ASK_USER: steps.asked,
            names.RESOLVE_TICKET: steps.resolved,
            names.SHARE_TICKET: steps.shared,
            names.SAME_TICKET: self._same(asked).clicked,
        }

    def _team_refused(self, refused: bool) -> None:
        """Teams cannot be asked before; everything else goes on."""
        if refused or _TEAM in self.app.health.ready():
            self.app.health.report(_TEAM, True, _CLOSED if refused else "")

    def _same(self, asked: Asked) -> SameActs:
        return SameActs(
            asked=asked,
            tickets=lambda: self.app.tickets,
            endings=endings_over(self.app),
            notes=self.notes,
            rules=self.rules,
            handed=Recent(self.notebook, "handover"),
            told=Recent(self.notebook, "change"),
        )

    def _incidents(self, asked: Asked) -> dict[str, Deed]:
        acts = IncidentActs(incidents=lambda: self.app.incidents, notes=self.incident_notes, asked=asked)
        return {
            names.SUBSCRIBE: acts.subscribed,
            names.CONFIRM_INCIDENT: acts.confirmed,
            names.DISMISS_INCIDENT: acts.dismissed,
            names.END_INCIDENT: acts.ended,
        }


def acting_over(
    app: Application, *, writes: Writes, rules: Rules, sites: Sites, notebook: Notebook, soon: Soon
) -> Acting:
    """The parts, over how the bot writes."""

    def wording() -> Wording:
        return app.desk.wording

    notes = SupportNotes(
        writes=writes,
        rules=rules,
        reading=app.store.reading,
        notebook=notebook,
        tickets=lambda: app.tickets,
        clock=app.clock,
        zone=ZoneInfo(app.settings.bot.time_zone),
        wording=wording,
        background=background_over(app),
    )
    told = Recent(notebook, "change")
    ends = TeamsEnds(writes=writes, sites=sites, rules=rules, notes=notes, told=told, wording=wording)
    return Acting(
        app=app,
        writes=writes,
        rules=rules,
        sites=sites,
        notebook=notebook,
        answers=Recent(notebook, "answer"),
        notes=notes,
        incident_notes=IncidentNotes(
            incidents=lambda: app.incidents, writes=writes, rules=rules, notebook=notebook, wording=wording
        ),
        lines=lines_over(app, ends, changes_over(app), soon),
    )
