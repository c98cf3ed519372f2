"""A small company: who works there, and where they talk."""

from __future__ import annotations

from tests.fakes.slack.world import Person, Team, World

BOT_TOKEN = "xoxb-1-demo"
APP_TOKEN = "xapp-1-demo"
SECRET = "demo-signing-secret"

TEAM = "T0001"
BOT = "U0BOT"
AYA, KEN, MAI, BOB = "U0AYA", "U0KEN", "U0MAI", "U0BOB"
#: Another bot, which posts alerts.
ALERTS = "U0ALERTS"
#: The bot is in helpdesk, general and the private one of finance, not in random.
HELPDESK, GENERAL, FINANCE, RANDOM = "C0HELPDESK", "C0GENERAL", "C0FINANCE", "C0RANDOM"


def populated() -> World:
    """The company, with nothing said yet."""
    me = Person(id=BOT, name="helpdesk", real_name="Helpdesk", display_name="Helpdesk", is_bot=True, bot_id="B0BOT")
    world = World(me=me)
    world.teams[TEAM] = Team(id=TEAM, name="Example", domain="example")
    people = (
        me,
        Person(id=AYA, name="aya", real_name="佐藤 彩", display_name="彩"),
        Person(id=KEN, name="ken", real_name="田中 健", display_name="健"),
        Person(id=MAI, name="mai", real_name="鈴木 舞", display_name=""),
        Person(
            id=BOB,
            name="bob",
            real_name="Bob Stone",
            display_name="Bob",
            locale="en-GB",
            tz="Europe/London",
            tz_offset=0,
        ),
        Person(id=ALERTS, name="alerts", real_name="Alerts", is_bot=True, bot_id="B0ALERTS"),
    )
    world.people = {person.id: person for person in people}
    everyone = (AYA, KEN, MAI, BOB)
    world.add_channel("helpdesk", kind="public", members=(*everyone, ALERTS, BOT), id=HELPDESK, topic="Ask IT")
    world.add_channel("general", kind="public", members=(*everyone, ALERTS, BOT), id=GENERAL)
    world.add_channel("finance", kind="private", members=(AYA, MAI, BOT), id=FINANCE)
    world.add_channel("random", kind="public", members=everyone, id=RANDOM)
    for person in everyone:
        world.add_channel("", kind="im", members=(person, BOT), id=f"D{person[1:]}")
    return world
