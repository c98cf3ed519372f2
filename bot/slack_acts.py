"""What one can do in Slack besides writing, put together."""

from __future__ import annotations

from dataclasses import dataclass

from bot.application import Application
from bot.platforms import careful, endings_over, forget_one_over, own_records_over, taken_over
from bot.support_lines import SupportLines, incident_rounds_over
from handlers.incidents.rounds import IncidentRounds
from handlers.lanes import Lanes
from handlers.slack.acts import names
from handlers.slack.acts.acting import ANY_COMMAND, Acts, Deed
from handlers.slack.acts.asked import Asked
from handlers.slack.acts.ending_told import SlackTells
from handlers.slack.acts.handover import SlackHandOver
from handlers.slack.acts.incident_reports import IncidentReports
from handlers.slack.acts.incident_teller import SlackTeller
from handlers.slack.acts.incidents import IncidentActs
from handlers.slack.acts.note_words import NoteWords
from handlers.slack.acts.opinions import Opinions
from handlers.slack.acts.own_affairs import OwnAffairs
from handlers.slack.acts.pasted import PastedSecrets
from handlers.slack.acts.same import SameActs
from handlers.slack.acts.scenes import Scenes
from handlers.slack.acts.threads import Threads
from handlers.slack.acts.ticket_steps import SlackTicketSteps
from handlers.slack.acts.tickets import Tickets
from handlers.slack.acts.to_person import ToPerson
from handlers.slack.directory import Directory
from handlers.slack.installations import Installations
from handlers.slack.intake import Intake
from handlers.slack.records import PLATFORM, Act
from handlers.slack.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Acting:
    """The parts that acts are made of."""

    app: Application
    rules: Rules
    directory: Directory
    intake: Intake
    installations: Installations
    lines: SupportLines
    words: NoteWords

    def acts(self, lanes: Lanes) -> Acts:
        """Everything that people can do, by the names that Slack calls it."""
        asked = Asked(reading=self.app.store.reading, intake=self.intake, clock=self.app.clock)
        threads = Threads(desk=lambda: self.app.desk, intake=self.intake, asked=asked, soon=self.lines.soon)
        to_person = ToPerson(asked=asked, hand_over=careful(self._hand_over(), self.app))
        tickets = Tickets(asked=asked, threads=threads, to_person=to_person, rules=self.rules)
        store = self.app.store
        opinions = Opinions(asked=asked, reading=store.reading, feedback=store.feedback, clock=self.app.clock)
        incidents = IncidentActs(incidents=lambda: self.app.incidents, asked=asked, reports=self._reports())
        steps = SlackTicketSteps(tickets=lambda: self.app.tickets, steps=self.lines.steps())
        deeds = {
            (Act.CLICKED, names.FEEDBACK): opinions.given,
            (Act.CLICKED, names.ASK_PERSON): to_person.clicked,
            (Act.CLICKED, names.SHOW_WORDS): to_person.words_shown,
            (Act.MESSAGE_SHORTCUT, names.REMEMBER_THREAD): threads.pointed_at,
            (Act.SUBMITTED, names.TICKET_FORM): tickets.sent,
            (Act.CLICKED, names.TAKE_TICKET): steps.taken,
            (Act.CLICKED, names.HAND_BACK_TICKET): steps.handed_back,
            (Act.SUBMITTED, names.ASK_FORM): steps.asked,
            (Act.SUBMITTED, names.RESOLUTION_FORM): steps.resolved,
            (Act.SUBMITTED, names.SHARE_FORM): steps.shared,
            (Act.CLICKED, names.SAME): self._same(asked).clicked,
            **_about(incidents),
            **_own(self._own_affairs()),
            **_pasted(PastedSecrets(asked=asked, forget=forget_one_over(self.app))),
        }
        hasty = {
            (Act.MESSAGE_SHORTCUT, names.MAKE_TICKET): tickets.wanted,
            (Act.CLICKED, names.ASK_USER): steps.question_wanted,
            (Act.CLICKED, names.RESOLVE_TICKET): steps.resolution_wanted,
            (Act.CLICKED, names.SHARE): steps.sharing_wanted,
        }
        return Acts(
            deeds=deeds,
            hasty=hasty,
            scenes=self._scenes(),
            installations=self.installations,
            taken=taken_over(self.app, lanes, PLATFORM),
            clock=self.app.clock,
        )

    def _same(self, asked: Asked) -> SameActs:
        return SameActs(
            asked=asked,
            tickets=lambda: self.app.tickets,
            endings=endings_over(self.app),
            lines=self.app.store.lines,
            voice=self.lines.voice,
            rules=self.rules,
        )

    async def tell_endings(self) -> int:
        """Tell who follows tickets how they ended; how many. Raises StoreUnavailable."""
        return await endings_over(self.app).go(PLATFORM, SlackTells(self.installations, self.rules), self.lines.pauses)

    def _scenes(self) -> Scenes:
        return Scenes(
            directory=self.directory,
            intake=self.intake,
            rules=self.rules,
            settings=lambda: self.app.settings,
            wording=lambda: self.app.desk.wording,
        )

    def _hand_over(self) -> SlackHandOver:
        return SlackHandOver(
            installations=self.installations,
            directory=self.directory,
            rules=self.rules,
            words=self.words,
            claims=self.app.claims,
            wording=lambda: self.app.desk.wording,
            tickets=lambda: self.app.tickets,
            settled=lambda turn, actor: self.app.comebacks.wanted(turn, actor),
            lay=self.lines.lay,
        )

    def incident_rounds(self) -> IncidentRounds:
        """What tells of incidents, round after round."""
        teller = SlackTeller(
            installations=self.installations,
            rules=self.rules,
            reports=self._reports(),
            wording=lambda: self.app.desk.wording,
        )
        return incident_rounds_over(self.app, teller)

    def _reports(self) -> IncidentReports:
        return IncidentReports(incidents=lambda: self.app.incidents, words=self.words)

    def _own_affairs(self) -> OwnAffairs:
        return OwnAffairs(lambda: own_records_over(self.app))


def _about(incidents: IncidentActs) -> dict[tuple[Act, str], Deed]:
    return {
        (Act.CLICKED, names.SUBSCRIBE): incidents.subscribed,
        (Act.CLICKED, names.CONFIRM_INCIDENT): incidents.confirmed,
        (Act.CLICKED, names.DISMISS_INCIDENT): incidents.dismissed,
        (Act.CLICKED, names.END_INCIDENT): incidents.ended,
    }


def _own(own: OwnAffairs) -> dict[tuple[Act, str], Deed]:
    return {
        (Act.COMMAND, ANY_COMMAND): own.commanded,
        (Act.WROTE, names.WISH): own.commanded,
        (Act.CLICKED, names.FORGET): own.forget_asked,
        (Act.CLICKED, names.FORGET_YES): own.forget_confirmed,
        (Act.CLICKED, names.FORGET_NO): own.forget_denied,
        (Act.OPENED, names.HOME): own.opened,
        (Act.OPENED, names.MESSAGES): own.begun,
    }


def _pasted(pasted: PastedSecrets) -> dict[tuple[Act, str], Deed]:
    return {
        (Act.CLICKED, names.FORGET_PASTED): pasted.wanted,
        (Act.CLICKED, names.FORGET_PASTED_YES): pasted.confirmed,
        (Act.CLICKED, names.FORGET_PASTED_NO): pasted.denied,
    }
