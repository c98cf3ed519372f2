"""What `memory` promises of a team, a channel or a chat is what the memory's scopes do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from config.channels import MemoryOf
from config.teams import TeamsChannelSettings, TeamsSettings
from handlers.teams.records import Place, Site
from handlers.teams.rules import Rules
from memory.model import DIRECT, Scope, Viewer
from memory.scope import may_read

CHANNEL = Site(tenant="t", chat="19:here@thread.tacv2", place=Place.CHANNEL, team="19:team@thread.tacv2")
GROUP = Site(tenant="t", chat="19:group@thread.v2", place=Place.GROUP)
ELSEWHERE = "19:other@thread.tacv2"


def rules(memory: MemoryOf | None = None) -> Rules:
    """What an administrator who says nothing gets, or this for every channel."""
    default = TeamsChannelSettings() if memory is None else TeamsChannelSettings(memory=memory)
    settings = TeamsSettings(development=True, default=default)
    return Rules(lambda: settings)


def said(site: Site, given: Rules) -> Scope:
    """The scope of what Aya and Ken wrote there."""
    return Scope(
        visibility=given.visibility(site), channel=site.chat, requester="aya", participants=frozenset(("aya", "ken"))
    )


def asking(user: str, channel: str, *, agent: bool = False) -> Viewer:
    return Viewer(user=user, channel=channel, agent=agent)


@pytest.mark.parametrize("given", [rules(), rules(MemoryOf.CHANNEL)], ids=["by default", "channel"])
@pytest.mark.parametrize("site", [CHANNEL, GROUP], ids=["channel", "group chat"])
@pytest.mark.parametrize(
    ("viewer", "shown"),
    [
        (lambda here: asking("bob", here), True),
        (lambda here: asking("ken", DIRECT), True),
        (lambda here: asking("okabe", DIRECT, agent=True), True),
        (lambda here: asking("bob", DIRECT), False),
        (lambda here: asking("ken", ELSEWHERE), False),
        (lambda here: asking("okabe", ELSEWHERE, agent=True), False),
    ],
    ids=["there", "who wrote, alone", "agent, alone", "others, alone", "who wrote, elsewhere", "agent, elsewhere"],
)
def test_what_is_said_there_is_shown_there_and_alone_to_who_wrote_and_to_agents(
    given: Rules, site: Site, viewer: object, shown: bool
) -> None:
    assert callable(viewer)
    assert may_read(viewer(site.chat), said(site, given)) is shown


def test_answers_there_use_only_what_was_said_there() -> None:
    given = rules()
    here = replace(asking("aya", CHANNEL.chat), confined=given.manners(CHANNEL).confined)
    assert may_read(here, said(CHANNEL, given))
    assert not may_read(here, said(replace(CHANNEL, chat=ELSEWHERE), rules(MemoryOf.EVERYONE)))


def test_for_everyone_a_channel_is_open_to_all_and_a_group_chat_is_not() -> None:
    given = rules(MemoryOf.EVERYONE)
    assert may_read(asking("bob", ELSEWHERE), said(CHANNEL, given))
    assert may_read(asking("bob", DIRECT), said(CHANNEL, given))
    assert not may_read(asking("bob", ELSEWHERE), said(GROUP, given))
    there = replace(asking("bob", GROUP.chat), confined=given.manners(GROUP).confined)
    assert may_read(there, said(CHANNEL, given))


def test_a_personal_chat_is_its_persons_alone_whatever_is_set() -> None:
    alone = Site(tenant="t", chat="a:1", place=Place.PERSONAL)
    for given in (rules(), rules(MemoryOf.EVERYONE)):
        scope = replace(said(alone, given), channel=DIRECT)
        assert may_read(asking("aya", DIRECT), scope)
        assert not may_read(asking("ken", DIRECT), scope)
        assert not given.manners(alone).confined
