"""Telling of incidents in Slack. That something was told stands there, as metadata of what was said."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.incidents.words import end_line
from handlers.slack.acts.incident_note import incident_mark, incident_note, request_of
from handlers.slack.acts.incident_reports import IncidentReports
from handlers.slack.acts.once import said_once
from handlers.slack.acts.pages import is_marked, paged
from handlers.slack.acts.pieces import message, paragraph
from handlers.slack.address import address_of
from handlers.slack.faults import code_of, passing
from handlers.slack.installations import Installation, Installations
from handlers.slack.records import PLATFORM
from handlers.slack.render import SlackMessage
from handlers.slack.rules import Rules
from handlers.wordings import Wording
from memory.incidents import Incident, Subscriber
from memory.text.language import LanguageCode

log = structlog.get_logger()

_SECONDS = 60.0
_PAGE, _MOST_PAGES = 200, 10


class SlackTeller:
    """The port `Teller` for Slack."""

    platform = PLATFORM

    def __init__(
        self, *, installations: Installations, rules: Rules, reports: IncidentReports, wording: Callable[[], Wording]
    ) -> None:
        self._installations = installations
        self._rules = rules
        self._reports = reports
        self._wording = wording

    @property
    def has_team(self) -> bool:
        return self._rules.handover_channel is not None

    async def tell_team(self, incident: Incident) -> bool:
        channel = self._rules.handover_channel
        here = await self._installations.of(incident.workspace)
        if channel is None or here is None:
            return False
        return await _brought(self._note(incident, here, channel), "support")

    async def tell_subscriber(self, incident: Incident, subscriber: Subscriber) -> bool:
        here = await self._installations.of(subscriber.conversation.workspace)
        if here is None:
            return False
        said = message(paragraph(end_line(incident, self._wording().incidents(subscriber.language))))
        return await _brought(self._say(subscriber, said, here), "subscriber")

    async def _note(self, incident: Incident, here: Installation, channel: str) -> None:
        async def ask(cursor: str | None) -> object:
            return await here.client.conversations_history(
                channel=channel,
                oldest=f"{incident.began_at.timestamp():.6f}",
                include_all_metadata=True,
                limit=_PAGE,
                cursor=cursor,
            )

        async for one in paged(ask, "messages", _MOST_PAGES):
            if is_marked(one, request_of(incident.id)):
                return
        language: LanguageCode = self._rules.of(channel).language or ("ja" if incident.language == "ja" else "en")
        reports = await self._reports.of(incident, here, channel)
        said = incident_note(incident, reports, self._wording().incidents(language))
        await here.client.chat_postMessage(
            channel=channel,
            text=said.text,
            blocks=[dict(block) for block in said.blocks],
            unfurl_links=False,
            unfurl_media=False,
            metadata=incident_mark(incident, language),
        )

    async def _say(self, subscriber: Subscriber, said: SlackMessage, here: Installation) -> None:
        where = address_of(subscriber.conversation)
        if self._rules.of(where.channel).ephemeral and not where.direct:
            await here.client.chat_postEphemeral(
                channel=where.channel,
                thread_ts=where.thread,
                user=subscriber.person,
                text=said.text,
                blocks=[dict(block) for block in said.blocks],
            )
            return
        await said_once(here.client, where, said, request_of(subscriber.incident), since=subscriber.message)


async def _brought(telling: Awaitable[None], to: str) -> bool:
    """Whether nothing is left to do: it was said, or Slack refuses it and will go on doing so."""
    try:
        async with asyncio.timeout(_SECONDS):
            await telling
    except SlackApiError as error:
        log.warning("slack_incident_untold", to=to, error=code_of(error))
        return not passing(error)
    except (SlackClientError, TimeoutError, OSError) as error:
        log.warning("slack_incident_untold", to=to, error=type(error).__name__)
        return False
    return True
