"""How much each signal of the ranking counts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from config.strict import Strict

#: No signal counts for more, or against.
MOST = 20
#: Counts for a turn; 0 leaves the signal out of the order.
Counted = Annotated[float, Field(ge=0, le=MOST)]
#: Counts against a turn.
Deducted = Annotated[float, Field(ge=-MOST, le=0)]


class WeightSettings(Strict):
    """A weight for each signal, by the name under which `ask --explain` shows it."""

    words_turn: Counted = Field(0.5, description="The question's words stand in the turn.")
    words_window: Counted = Field(1.0, description="They stand in the turn with its neighbours.")
    words_wide: Counted = Field(0.7, description="They stand in it with three neighbours on each side.")
    words_fact: Counted = Field(0.5, description="They stand in a fact that the turn tells.")
    words_episode: Counted = Field(0.3, description="They stand in the turn's episode.")
    meaning_turn: Counted = Field(1.0, description="The turn, or what it states, means what the question does.")
    meaning_window: Counted = Field(1.3, description="The turn and its neighbours do.")
    meaning_episode: Counted = Field(1.5, description="The best turns of its episode do.")
    exact: Counted = Field(2.0, description="It has the codes, hosts or ids that the question names.")
    speaker: Counted = Field(0.4, description="Its author is named in the question.")
    period: Counted = Field(0.6, description="It was said in the time that the question names.")
    own: Counted = Field(0.3, description="It belongs to a request of the asker's.")
    asks: Deducted = Field(-0.5, description="It only asks, as the question does.")
    graph: Counted = Field(0.2, description="The walk from the first hits comes by it.")
    spread: Deducted = Field(
        -0.06, description="Its episode has better turns, for a question that wants several things."
    )
    resolved: Counted = Field(0.5, description="It says how a request was resolved.")
