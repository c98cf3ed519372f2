"""A company that writes to the bot all day: who asks where, and what nobody else may ever read."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bench.slack_burst import Sent, sent_as
from tests.fakes.slack import GENERAL, HELPDESK, Slack

#: What somebody writes where nobody else reads along has one of these in it: by whom, and the how-manieth.
_MARK = re.compile(r"LK(\d+)-\d+")
_CHANNELS = (HELPDESK, GENERAL)
#: Threads that are written in again; older ones are left alone.
_RECENT = 40

_OPEN = (
    "{thing}が動きません。どうすればいいですか",
    "{thing} does not work, what helped last time?",
    "先週{thing}の件で問い合わせた者ですが、また同じ症状です",
    "Who looks after {thing} now?",
)
_ALONE = (
    "{thing}の画面に {mark} と出ます。何でしょうか",
    "{thing} shows {mark}, what does it mean?",
    "前に {mark} の件を相談しました。どうなりましたか",
)
_THINGS = ("VPN", "プリンター", "Wi-Fi", "the badge reader", "経費システム", "the projector", "社内ポータル", "mail")


@dataclass(slots=True)
class Crowd:
    """People who write one message after the other; what they write is drawn from `seed` alone."""

    slack: Slack
    people: Sequence[str]
    drawn: random.Random
    sent: list[Sent] = field(default_factory=list)
    _channels: list[tuple[Sent, str]] = field(default_factory=list)

    @classmethod
    def gathered(cls, slack: Slack, count: int, seed: int) -> Crowd:
        """So many people, in the two public channels, each with a direct conversation."""
        people = [f"U1P{number}" for number in range(count)]
        for number, person in enumerate(people):
            slack.add_person(person, f"person{number}", real_name=f"Person {number}")
            for channel in _CHANNELS:
                slack.world.channels[channel].members.add(person)
            slack.world.add_channel("", kind="im", members=(person, slack.me), id=f"D{person[1:]}")
        return cls(slack=slack, people=people, drawn=random.Random(seed))

    async def write(self) -> None:
        """The next message: half of them where nobody reads along, of the others half in a thread that is there."""
        thing = self.drawn.choice(_THINGS)
        if self.drawn.random() < 0.5:
            await self._alone(thing)
        else:
            await self._openly(thing)

    async def _alone(self, thing: str) -> None:
        who = self.drawn.randrange(len(self.people))
        text = self.drawn.choice(_ALONE).format(thing=thing, mark=f"LK{who}-{self.drawn.randrange(100)}")
        channel = self.slack.dm(self.people[who])
        ts = await self.slack.say(self.people[who], channel, text)
        self.sent.append(sent_as(channel, ts, ts))

    async def _openly(self, thing: str) -> None:
        text = self.drawn.choice(_OPEN).format(thing=thing)
        root = self.drawn.choice(self._channels)[0] if self._channels and self.drawn.random() < 0.5 else None
        person = self.drawn.choice(self.people)
        channel = root.channel if root else self.drawn.choice(_CHANNELS)
        ts = await self.slack.say(person, channel, text, thread=root.thread if root else None, mention=True)
        one = sent_as(channel, root.thread if root else ts, ts)
        self.sent.append(one)
        if root is None:
            self._channels = [*self._channels, (one, person)][-_RECENT:]

    def leaked(self) -> int:
        """Messages of the bot, anywhere, in which somebody is told what only another wrote."""
        mine = {self.slack.dm(person): number for number, person in enumerate(self.people)}
        return sum(
            any(mine.get(channel) != owner for owner in _owners(message)) for channel, message in _told(self.slack)
        )


def _told(slack: Slack) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Each message of the bot, with its channel; also those that only one person sees."""
    for channel in list(slack.world.channels):
        yield from ((channel, message) for message in slack.answers(channel))
    yield from ((str(message["channel"]), message) for message in slack.world.ephemerals)


def _owners(message: Mapping[str, object]) -> Iterator[int]:
    """Whose marks stand anywhere in it: words, blocks, links."""
    return (int(found[1]) for found in _MARK.finditer(repr(message)))
