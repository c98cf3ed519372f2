"""All the words of the bot as one record, which is handed down to whoever speaks: no table is looked up elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from handlers import (
    wording,
    wording_actions,
    wording_acts,
    wording_background,
    wording_comebacks,
    wording_incidents,
    wording_report,
    wording_secrets,
    wording_standing,
    wording_teams,
    wording_tickets,
)
from handlers.wording import Phrases
from handlers.wording_actions import Actions
from handlers.wording_acts import ActWords
from handlers.wording_background import BackgroundWords
from handlers.wording_comebacks import ComebackWords
from handlers.wording_incidents import IncidentWords
from handlers.wording_report import ReportWords
from handlers.wording_secrets import SecretWords
from handlers.wording_standing import StandingWords
from handlers.wording_teams import TeamsWords
from handlers.wording_tickets import TicketWords


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The tables of one language."""

    phrases: Phrases
    around: Actions
    acts: ActWords
    teams: TeamsWords
    tickets: TicketWords
    comebacks: ComebackWords
    incidents: IncidentWords
    secrets: SecretWords
    report: ReportWords
    background: BackgroundWords
    standing: StandingWords


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The tables of both languages. In a language that is none of them answers are English, all else is Japanese."""

    ja: Words
    en: Words

    def phrases(self, language: str) -> Phrases:
        """What is said in and instead of answers."""
        return (self.ja if language == "ja" else self.en).phrases

    def around(self, language: str) -> Actions:
        """What is said around an answer."""
        return self._other(language).around

    def acts(self, language: str) -> ActWords:
        """What is said when people do something else than ask."""
        return self._other(language).acts

    def teams(self, language: str) -> TeamsWords:
        """What is said in Teams only."""
        return self._other(language).teams

    def tickets(self, language: str) -> TicketWords:
        """What is said of tickets."""
        return self._other(language).tickets

    def comebacks(self, language: str) -> ComebackWords:
        """What is said of tickets that are settled."""
        return self._other(language).comebacks

    def incidents(self, language: str) -> IncidentWords:
        """What is said of trouble that several people report."""
        return self._other(language).incidents

    def secrets(self, language: str) -> SecretWords:
        """What is said to somebody who pasted a secret."""
        return self._other(language).secrets

    def report(self, language: str) -> ReportWords:
        """What a report says."""
        return self._other(language).report

    def standing(self, language: str) -> StandingWords:
        """What is said of how tickets stand."""
        return self._other(language).standing

    def background(self, language: str) -> BackgroundWords:
        """What is said to the support team of what stands behind a request."""
        return self._other(language).background

    def _other(self, language: str) -> Words:
        return self.en if language == "en" else self.ja


SHIPPED = Wording(
    ja=Words(
        phrases=wording.JAPANESE,
        around=wording_actions.JAPANESE,
        acts=wording_acts.JAPANESE,
        teams=wording_teams.JAPANESE,
        tickets=wording_tickets.JAPANESE,
        comebacks=wording_comebacks.JAPANESE,
        incidents=wording_incidents.JAPANESE,
        secrets=wording_secrets.JAPANESE,
        report=wording_report.JAPANESE,
        background=wording_background.JAPANESE,
        standing=wording_standing.JAPANESE,
    ),
    en=Words(
        phrases=wording.ENGLISH,
        around=wording_actions.ENGLISH,
        acts=wording_acts.ENGLISH,
        teams=wording_teams.ENGLISH,
        tickets=wording_tickets.ENGLISH,
        comebacks=wording_comebacks.ENGLISH,
        incidents=wording_incidents.ENGLISH,
        secrets=wording_secrets.ENGLISH,
        report=wording_report.ENGLISH,
        background=wording_background.ENGLISH,
        standing=wording_standing.ENGLISH,
    ),
)
