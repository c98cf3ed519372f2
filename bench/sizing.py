"""How much a company needs: `python -m bench.sizing [--employees 100000] [--share 0.02] [--json]`.

A day of messages to the desk is drawn by the hour, then served as the bot serves it: a process has so many places in
which it answers, and so much of a processor; the models have so many slots. The peak hour is simulated question by
question, with more bots and slots until almost nobody waits. Everything that is assumed is a field of `Company` or
`Measured`; docs/operations.md says what of that was measured.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from heapq import heappop, heappush
from itertools import accumulate
from math import ceil

import click

#: Who writes when: shares of a working day, from eight to nineteen o'clock; after that and before it 2 % in all.
SHARES = (0.07, 0.14, 0.15, 0.11, 0.05, 0.10, 0.12, 0.10, 0.08, 0.05, 0.01)
_HOUR = 3600.0
_MOST_SERVERS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """What is assumed of those who write, and of what they are to be given."""

    employees: int = 100_000
    #: Of all employees, those who write to the desk on one day; in how many threads; and what is written in each.
    write_a_day: float = 0.02
    threads: float = 1.2
    messages_a_thread: float = 3.0
    #: On the worst day of a year there are so many more.
    worst_day: float = 3.0
    working_days: int = 90
    #: Of questions, this share may wait so many seconds at most.
    promise: float = 0.99
    wait_seconds: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Seconds and sizes of one question and of what is kept. Milliseconds are those of docs/measurements.md but for the
    model's: of that there is no figure which holds for another model."""

    embedding: float = 0.036
    search: float = 0.056
    database: float = 0.020
    computing: float = 0.025
    platform: float = 0.004
    model_calls: float = 1.0
    model_seconds: float = 4.0
    #: What a process takes of memory with an index on a server; what a key takes there, and a turn in PostgreSQL.
    process_megabytes: float = 350.0
    keys_a_turn: float = 4.0
    key_bytes: float = 3_157.0
    turn_bytes: float = 6_000.0
    #: Answers at once in a process, and its connections to the database.
    places: int = 8
    connections: int = 5
    #: Of a processor, what may be in use at the peak; beyond that waits grow without a bound.
    busy: float = 0.6

    @property
    def processor_seconds(self) -> float:
        """What a question takes of one bot's processor."""
        return self.embedding + self.computing + self.platform

    @property
    def seconds(self) -> float:
        """What a question takes where nobody waits."""
        return self.processor_seconds + self.search + self.database + self.model_calls * self.model_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """What is needed at the peak; bytes are told in gigabytes of 10^9."""

    messages_a_day: int
    messages_in_the_peak_hour: int
    messages_a_second: float
    bots: int
    answering_places: int
    model_slots: int
    wait_mean_seconds: float
    wait_at_promise_seconds: float
    longest_queue: int
    answer_seconds: float
    connections: int
    turns_kept: int
    keys: int
    database_gigabytes: float
    index_gigabytes: float
    bots_gigabytes: float


def messages_by_hour(company: Company) -> tuple[float, ...]:
    """How many messages of the worst day come in each hour, from eight o'clock on."""
    day = company.employees * company.write_a_day * company.threads * company.messages_a_thread * company.worst_day
    return tuple(day * share for share in SHARES)


def arrivals(drawn: random.Random, rate: float, seconds: float) -> list[float]:
    """Moments at which messages come, `rate` a second, each independent of the others."""
    moments, moment = [], drawn.expovariate(rate)
    while moment < seconds:
        moments.append(moment)
        moment += drawn.expovariate(rate)
    return moments


def waited(moments: Sequence[float], services: Sequence[float], servers: int) -> list[float]:
    """Seconds that each waits, first come, first served: who comes at one of the moments, which ascend, takes a server
    for as long as the service of the same place says."""
    free, found = [0.0] * servers, []
    for moment, service in zip(moments, services, strict=True):
        begins = max(moment, heappop(free))
        heappush(free, begins + service)
        found.append(begins - moment)
    return found


def longest_queue(moments: Sequence[float], waits: Sequence[float]) -> int:
    """How many waited at the same time, at most."""
    queued = [(moment, wait) for moment, wait in zip(moments, waits, strict=True) if wait]
    changes = [(moment, 1) for moment, _ in queued] + [(moment + wait, -1) for moment, wait in queued]
    return max(accumulate((change for _, change in sorted(changes)), initial=0))


def at_share(waits: Sequence[float], share: float) -> float:
    """So much is what this share of them waits at most."""
    return sorted(waits)[max(0, ceil(share * len(waits)) - 1)] if waits else 0.0


def servers_for(moments: Sequence[float], services: Sequence[float], company: Company) -> tuple[int, list[float]]:
    """The fewest servers with which the promise holds, and what each waits then. Raises ValueError where ten thousand
    are too few."""
    for servers in range(1, _MOST_SERVERS):
        found = waited(moments, services, servers)
        if at_share(found, company.promise) <= company.wait_seconds:
            return servers, found
    raise ValueError("no number of servers keeps the promise: its seconds are too few")


def size(company: Company, measured: Measured, seed: int) -> Size:
    """What this company needs."""
    drawn, day = random.Random(seed), messages_by_hour(company)
    peak = max(day)
    moments = arrivals(drawn, peak / _HOUR, _HOUR)
    # How long a model takes is spread as widely as anything may be: many are quick, some take thrice as long.
    models = [drawn.expovariate(1 / (measured.model_calls * measured.model_seconds)) for _ in moments]
    slots, for_models = servers_for(moments, models, company)
    # Who waits for a model keeps the place in a bot.
    own = measured.seconds - measured.model_calls * measured.model_seconds
    whole = [own + wait + each for wait, each in zip(for_models, models, strict=True)]
    places, waits = servers_for(moments, whole, company)
    busy = ceil(peak / _HOUR * measured.processor_seconds / measured.busy)
    # One may always be away: it is being restarted, or its machine is.
    bots = max(ceil(places / measured.places), busy) + 1
    turns = 2 * company.working_days * sum(day) / company.worst_day
    keys = turns * measured.keys_a_turn
    return Size(
        messages_a_day=round(sum(day)),
        messages_in_the_peak_hour=round(peak),
        messages_a_second=round(peak / _HOUR, 2),
        bots=bots,
        answering_places=places,
        model_slots=slots,
        wait_mean_seconds=round(sum(waits) / max(1, len(waits)), 2),
        wait_at_promise_seconds=round(at_share(waits, company.promise), 2),
        longest_queue=longest_queue(moments, waits),
        answer_seconds=round(measured.seconds, 2),
        connections=bots * measured.connections,
        turns_kept=round(turns),
        keys=round(keys),
        database_gigabytes=round(turns * measured.turn_bytes / 1e9, 1),
        index_gigabytes=round(keys * measured.key_bytes / 1e9, 1),
        bots_gigabytes=round(bots * measured.process_megabytes / 1e3, 1),
    )


@click.command(help=__doc__)
@click.option("--employees", default=100_000, type=click.IntRange(1))
@click.option("--share", default=Company().write_a_day, type=click.FloatRange(0.0001, 1), help="Of them, on one day.")
@click.option("--model-seconds", default=Measured().model_seconds, type=click.FloatRange(0.1), help="Of one call.")
@click.option("--seed", default=1)
@click.option("--json", "as_json", is_flag=True, help="One line; a table without it.")
def main(employees: int, share: float, model_seconds: float, seed: int, as_json: bool) -> None:
    company = Company(employees=employees, write_a_day=share)
    found = asdict(size(company, Measured(model_seconds=model_seconds), seed))
    lines = [f"{name.replace('_', ' '):<28} {value:>12,}" for name, value in found.items()]
    click.echo(json.dumps(found) if as_json else "\n".join(lines))


if __name__ == "__main__":
    main()
