"""The board in Teams: one channel in which the report of a week is put up, with a small picture in the card."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable

import structlog

from handlers.boards import Post
from handlers.teams.address import filed
from handlers.teams.errand import Errand, Writes
from handlers.teams.message import TeamsMessage, card_message
from handlers.teams.pieces import elements, heading, paragraph
from handlers.teams.records import PLATFORM, Place, Site
from handlers.teams.render_runs import Element, inert
from handlers.teams.rules import Rules
from handlers.teams.sites import Sites
from handlers.wordings import SHIPPED, Wording
from memory.errors import PlatformRefused
from memory.text.language import LanguageCode

log = structlog.get_logger()

_ALT = 500


class TeamsBoard:
    """The port `Board` for Teams, which lets a bot read nothing back: what may stand there is not said again."""

    platform = PLATFORM

    def __init__(
        self, *, writes: Writes, sites: Sites, rules: Rules, tenant: str, wording: Callable[[], Wording]
    ) -> None:
        self._writes = writes
        self._sites = sites
        self._rules = rules
        self._tenant = tenant
        self._wording = wording

    @property
    def place(self) -> str | None:
        return self._rules.report_channel

    @property
    def language(self) -> LanguageCode | None:
        if self.place is None:
            return None
        return self._rules.of(Site(tenant=self._tenant, chat=self.place, place=Place.CHANNEL)).language

    async def may_stand(self, post: Post) -> bool:
        return True

    async def put_up(self, post: Post) -> None:
        site = await self._site()
        errand = Errand(
            writes=self._writes,
            site=site,
            conversation=filed(site.tenant, site.place, site.chat, None),
            language=post.language,
            wording=self._wording(),
        )
        await errand.post(report_card(post, wording=self._wording()).content)

    async def _site(self) -> Site:
        site = await self._sites.channel_of(self._tenant, self.place) if self.place else None
        if site is None:
            raise PlatformRefused(
                "Teams has not told yet where the channel of `teams.report_channel` is reached; add the bot to its "
                "team, and mention it there once."
            )
        return site


def report_card(post: Post, *, wording: Wording = SHIPPED) -> TeamsMessage:
    """The post as a card; without its picture where that makes it more than Teams takes."""
    words = elements(heading(post.heading), [paragraph(line) for line in post.lines])
    try:
        return card_message([*words, _picture(post)], language=post.language, wording=wording)
    except ValueError:
        log.warning("teams_report_picture_left_out", bytes=len(post.picture))
        return card_message(words, language=post.language, wording=wording)


def _picture(post: Post) -> Element:
    url = f"data:image/png;base64,{b64encode(post.picture).decode()}"
    return {"type": "Image", "url": url, "altText": inert(post.about[:_ALT]), "size": "Stretch"}
