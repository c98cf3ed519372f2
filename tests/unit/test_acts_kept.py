"""What is kept of an act until it is done, and what comes back of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handlers.slack.acts import keeping as slack
from handlers.slack.acts.names import ASK_PERSON, CAUSE, FIX, MAKE_TICKET, RESOLUTION_FORM, WISH
from handlers.slack.records import Act, Acted
from handlers.teams import names as teams_names
from handlers.teams.acts import keeping as teams
from handlers.teams.acts.acting import FEEDBACK
from handlers.teams.names import FORGET_YES, RESOLVE_TICKET
from handlers.teams.records import Act as TeamsAct
from handlers.teams.records import Acted as TeamsActed
from handlers.teams.records import Place, Site
from memory.model import Conversation
from tests.fakes.turns import NOON

CLICK = Acted(
    kind=Act.CLICKED,
    name=ASK_PERSON,
    user="U0AYA",
    workspace="T1",
    enterprise="E1",
    channel="C1",
    thread="1.2",
    message="1.3",
    value="a-turn",
    language="ja",
    trigger_id="7.8.9",
    response_url="https://hooks.slack.com/actions/T1/1/x",
)
COMMAND = Acted(kind=Act.COMMAND, name="/helpdesk", user="U0AYA", workspace="T1", value="記憶", trigger_id="7.8.8")
FORM = Acted(
    kind=Act.SUBMITTED,
    name=RESOLUTION_FORM,
    user="U0AYA",
    workspace="T1",
    value='{"channel": "C1", "ts": "1.2"}',
    inputs={CAUSE: "old", FIX: "new one"},
    trigger_id="7.8.7",
)
SHORTCUT = replace(CLICK, kind=Act.MESSAGE_SHORTCUT, name=MAKE_TICKET, value=None)
WROTE = Acted(kind=Act.WROTE, name=WISH, user="U0AYA", workspace="T1", channel="D1", message="1.4", value="my tickets")
ALL = pytest.mark.parametrize("acted", [CLICK, COMMAND, FORM, SHORTCUT, WROTE], ids=lambda acted: acted.kind.value)


@ALL
def test_an_act_of_slack_comes_back_as_it_was(acted: Acted) -> None:
    assert slack.acted_again(slack.kept(acted, NOON)) == replace(acted, at=NOON)


@ALL
def test_an_act_of_slack_is_the_same_each_time_it_is_told_and_no_other_one(acted: Acted) -> None:
    id = slack.kept(acted, NOON).id
    assert slack.kept(acted, NOON.replace(year=2027)).id == id
    others = [replace(acted, trigger_id="8.8", message="9.9"), replace(acted, user="U0KEN"), replace(acted, name="x")]
    assert id not in {slack.kept(other, NOON).id for other in others}


def test_an_act_that_slack_gave_no_name_is_another_one_each_time() -> None:
    nameless = replace(CLICK, trigger_id=None, response_url=None)
    assert slack.kept(nameless, NOON).id != slack.kept(nameless, NOON).id


def test_only_what_a_person_typed_is_words() -> None:
    """Ids that looked like secrets would not come back as they were."""
    assert [{*slack.kept(acted, NOON).words} for acted in (CLICK, SHORTCUT)] == [set(), set()]
    assert {*slack.kept(COMMAND, NOON).words.values()} == {"記憶"}
    assert {*slack.kept(WROTE, NOON).words.values()} == {"my tickets"}
    assert {*slack.kept(FORM, NOON).words.values()} == {"old", "new one"}


def test_an_act_of_another_version_is_none() -> None:
    unknown = slack.kept(CLICK, NOON)
    assert slack.acted_again(replace(unknown, fields={**unknown.fields, "kind": "waved"})) is None
    assert teams.acted_again(replace(unknown, fields={**unknown.fields, "kind": "waved"}), SITE) is None


SITE = Site(tenant="T1", chat="a:1", place=Place.PERSONAL, service="https://smba.example/")
HERE = Conversation(platform="teams", workspace="T1", channel="dm", thread="a:1")
PRESSED = TeamsActed(
    kind=TeamsAct.EXECUTED,
    name=FORGET_YES,
    user="aya",
    conversation=HERE,
    site=SITE,
    message="17",
    called="佐藤 彩",
    inputs={"value": "aya"},
    locale="ja-JP",
    delivery="18",
)
JUDGED = replace(PRESSED, kind=TeamsAct.FEEDBACK, name=FEEDBACK, inputs={"reaction": "like"})
FILLED = replace(PRESSED, name=RESOLVE_TICKET, inputs={teams_names.CAUSE: "old", teams_names.FIX: "new one"})


@pytest.mark.parametrize(
    "acted", [PRESSED, JUDGED, FILLED, replace(PRESSED, message=None, called="", inputs={}, locale=None)]
)
def test_an_act_of_teams_comes_back_as_far_as_anything_reads_it(acted: TeamsActed) -> None:
    act = teams.kept(acted, NOON)
    assert teams.conversation_of(act) == HERE
    assert teams.acted_again(act, SITE) == replace(acted, at=NOON)


def test_what_was_filled_in_on_a_card_of_teams_is_words_and_nothing_else_is() -> None:
    assert {*teams.kept(FILLED, NOON).words.values()} == {"old", "new one"}
    assert [teams.kept(acted, NOON).words for acted in (PRESSED, JUDGED)] == [{}, {}]


def test_of_a_comment_in_teams_nothing_is_kept() -> None:
    act = teams.kept(replace(JUDGED, inputs={"reaction": "like", "text": "my password is hunter2"}), NOON)
    assert "hunter2" not in repr(act)
    assert act.words == {}


def test_an_act_of_teams_is_the_same_each_time_it_is_told_and_no_other_one() -> None:
    id = teams.kept(PRESSED, NOON).id
    assert teams.kept(PRESSED, NOON.replace(year=2027)).id == id
    elsewhere = replace(HERE, thread="a:2")
    others = [replace(PRESSED, delivery="19"), replace(PRESSED, user="ken"), replace(PRESSED, conversation=elsewhere)]
    assert id not in {teams.kept(other, NOON).id for other in others}
    nameless = replace(PRESSED, delivery=None)
    assert teams.kept(nameless, NOON).id != teams.kept(nameless, NOON).id
