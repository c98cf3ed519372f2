"""Telling of incidents in Slack: support once of each, and each subscriber once of its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.claims import Claims
from handlers.incidents.desk import IncidentDesk
from handlers.incidents.words import end_line
from handlers.slack.acts.incident_note import incident_mark, incident_note, request_of
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
from memory.errors import EncoderUnavailable, IndexUnavailable
from memory.incidents import Incident, IncidentBox, Subscriber
from memory.text.language import LanguageCode

log = structlog.get_logger()

_SECONDS = 60.0
_AT_ONCE = 20
_PAGE, _MOST_PAGES = 200, 10


class IncidentRounds:
    """Goes round again and again: what a process that died left untold is told by the next.

    That something was told stands in Slack, as metadata of what was said; a claim keeps others from looking at the same
    moment. Only then is it noted that it need not be looked for again.
    """

    def __init__(
        self,
        *,
        box: IncidentBox,
        incidents: Callable[[], IncidentDesk],
        installations: Installations,
        rules: Rules,
        claims: Claims,
        wording: Callable[[], Wording],
    ) -> None:
        self._box = box
        self._incidents = incidents
        self._installations = installations
        self._rules = rules
        self._claims = claims
        self._wording = wording

    async def go(self) -> int:
        """How many were told. What Slack refuses for now is tried again in the next round. Raises StoreUnavailable."""
        try:
            await self._incidents().catch_up()
        except (EncoderUnavailable, IndexUnavailable) as error:
            log.warning("incident_without_ticket", error=type(error).__name__)
        untold = await self._box.untold(PLATFORM, _AT_ONCE) if self._rules.handover_channel else []
        told = sum([await self._support_hears(incident) for incident in untold])
        owed = await self._box.owed(PLATFORM, _AT_ONCE)
        return told + sum([await self._subscriber_hears(subscriber) for subscriber in owed])

    async def _support_hears(self, incident: Incident) -> bool:
        channel = self._rules.handover_channel
        here = await self._installations.of(incident.workspace)
        async with self._claims.claimed(request_of(incident.id)) as mine:
            if channel is None or here is None or not mine:
                return False
            if not await _brought(self._tell(incident, here, channel), "support"):
                return False
            await self._box.told(incident.id)
        log.info("slack_incident_told", incident=incident.id)
        return True

    async def _tell(self, incident: Incident, here: Installation, channel: str) -> None:
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
        said = incident_note(incident, self._wording().incidents(language))
        await here.client.chat_postMessage(
            channel=channel,
            text=said.text,
            blocks=[dict(block) for block in said.blocks],
            unfurl_links=False,
            unfurl_media=False,
            metadata=incident_mark(incident, language),
        )

    async def _subscriber_hears(self, subscriber: Subscriber) -> bool:
        incident = await self._box.seen(subscriber.incident)
        here = await self._installations.of(subscriber.conversation.workspace)
        async with self._claims.claimed(f"{request_of(subscriber.incident)} {subscriber.person}") as mine:
            if incident is None or here is None or not mine:
                return False
            said = message(paragraph(end_line(incident, self._wording().incidents(subscriber.language))))
            if not await _brought(self._say(subscriber, said, here), "subscriber"):
                return False
            await self._box.paid(subscriber.incident, subscriber.person)
        return True

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
