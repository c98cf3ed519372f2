"""How a question is answered: the settings of the read path."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from config.strict import Seconds, Strict
from config.weights import WeightSettings


class RecallMode(StrEnum):
    DIRECT = "direct"
    EMEM = "emem"
    AUTO = "auto"


class FactPolicy(StrEnum):
    APPEND = "append"
    OVERWRITE = "overwrite"
    BITEMPORAL = "bitemporal"


class RecallPart(StrEnum):
    """What a ranking is made of, as far as it can be left out: all words, all meaning, or one kind of signal."""

    WORDS = "words"
    MEANING = "meaning"
    TURN = "turn"
    WINDOW = "window"
    WIDE = "wide"
    EPISODE = "episode"
    STATEMENT = "statement"
    FACTS = "facts"
    SUMMARY = "summary"
    EXACT = "exact"
    SPEAKER = "speaker"
    PERIOD = "period"
    OWN = "own"
    ASKS = "asks"
    SPREAD = "spread"
    GRAPH = "graph"
    RESOLVED = "resolved"


class GraphSettings(Strict):
    """The walk of the associative pathway, and how far it may reach."""

    turns: int = Field(180, ge=20, le=400, description="Most turns in the walk.")
    seeds: int = Field(10, ge=1, le=50, description="First hits from which it starts; the better, the likelier.")
    restart: float = Field(0.34, gt=0, lt=1, description="How often it goes back to where it started.")
    episodes: int = Field(
        10,
        ge=0,
        le=40,
        description="Best episodes whose events and links are followed, and most others that come in so.",
    )
    by_entity: float = Field(0.6, ge=0, le=1, description="How much of a step goes over rare words that turns share.")
    by_turn: float = Field(0.4, ge=0, le=1, description="How much goes to neighbours in the same episode.")
    by_event: float = Field(0.3, ge=0, le=1, description="How much goes to what tells of the same event.")
    by_link: float = Field(0.3, ge=0, le=1, description="How much goes to episodes whose notes are linked.")


class RecallSettings(Strict):
    mode: RecallMode = Field(
        RecallMode.AUTO,
        description="`direct`: the best turns go to the master in one call. `emem`: assistants read whole episodes "
        "first. `auto`: assistants only for questions that join several things or ask about time, above "
        "`auto_monthly_questions`, and only while they bring something to every fourth answer that the ranking had not "
        "found.",
    )
    hot_turns: int = Field(5, ge=0, le=50, description="Turns of the running conversation that the master always sees.")
    live_turns: int = Field(
        60, ge=1, le=500, description="Most turns of the running conversation that are read as its live episode."
    )
    candidates: int = Field(120, ge=10, le=1000, description="Keys that each search returns before ranking.")
    without: tuple[RecallPart, ...] = Field(
        (RecallPart.GRAPH,),
        description="Parts of the ranking that are left out. `graph` does not pay for itself on the data it was "
        "measured on; the others do.",
    )
    graph: GraphSettings = Field(
        GraphSettings(), description="The walk from the first hits, where `without` does not leave it out."
    )
    weights: WeightSettings = Field(
        WeightSettings(),
        description="How much each signal counts for the order of what is found; `helpdesk tune` says what would fit "
        "your history better. Whether something was found at all is judged by the shipped weights.",
    )
    max_episodes: int = Field(6, ge=1, le=40, description="Most episodes that assistants read for one question.")
    episode_tokens: int = Field(
        2400,
        ge=200,
        le=200_000,
        description="Tokens that assistants may take for one question, with their instructions and replies. The best "
        "episode is read whatever it takes.",
    )
    evidence_tokens: int = Field(
        1500, ge=100, le=50_000, description="Token budget of the evidence that the master sees."
    )
    sure_turns: int = Field(
        10, ge=0, le=50, description="Best turns (each with its neighbours) that are evidence whatever assistants say."
    )
    assistant_seconds: Seconds = Field(20, description="An assistant that takes longer is a missing voice.")
    assistants_at_once: int = Field(4, ge=1, le=64, description="Assistants that read at the same time.")
    min_confidence: float = Field(
        0.3,
        ge=0,
        le=1,
        description="A quote of an assistant that is less sure than this is dropped. What the ranking found is used "
        "only where what it found best is as sure as this; weaker turns below that one then count with it.",
    )
    policy: FactPolicy = Field(
        FactPolicy.BITEMPORAL,
        description="How facts that contradict are dealt with. `bitemporal`: the dates decide, and what was true "
        "before stays true of its time. `append` (nothing ends) and `overwrite` (only what was said last is left) are "
        "there to be compared with.",
    )
    auto_monthly_questions: int = Field(
        1000, ge=0, description="Below this many questions a month `auto` stays with `direct`."
    )
