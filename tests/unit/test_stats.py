"""What answering has cost, worked out by hand."""

from __future__ import annotations

from bot.stats import statistics
from config.schema import ModelSettings, ModelsSettings
from memory.feedback import Tally
from memory.model import TokenUse
from memory.ports import AnsweredQuestion
from tests.fakes.turns import NOON

PRICED = ModelsSettings(
    assistant=ModelSettings(
        base_url="http://127.0.0.1:1/v1", model="small", price_per_million_input=1, price_per_million_output=2
    ),
    master=ModelSettings(
        base_url="http://127.0.0.1:1/v1",
        model="large",
        price_per_million_input=10,
        price_per_million_cached=1,
        price_per_million_output=30,
    ),
)


def asked(
    *,
    mode: str = "direct",
    abstained: bool = False,
    assistant: int = 0,
    master: TokenUse | None = None,
    ms: float = 100,
) -> AnsweredQuestion:
    return AnsweredQuestion(
        asked_at=NOON,
        mode=mode,
        abstained=abstained,
        episodes_read=2,
        assistant=TokenUse(prompt=assistant),
        master=master or TokenUse(),
        full_context_tokens=50_000,
        milliseconds={"route": ms, "answer": 3 * ms},
    )


def test_nothing_asked_is_nothing_divided() -> None:
    found = statistics([], Tally(), PRICED)
    assert (found["questions"], found["saving"], found["tokens_per_question"], found["ms"]) == (0, None, None, {})
    assert found["feedback"] == {"helpful": 0, "unhelpful": 0}


def test_tokens_money_and_saving_are_added_up_by_role() -> None:
    found = statistics(
        [
            asked(mode="emem", assistant=6_000, master=TokenUse(prompt=3_000, cached=1_000, completion=500)),
            asked(abstained=True, master=TokenUse(prompt=500)),
        ],
        Tally(helpful=3, unhelpful=1),
        PRICED,
    )
    assert (found["answered"], found["abstained"], found["modes"]) == (1, 1, {"direct": 1, "emem": 1})
    assert found["feedback"] == {"helpful": 3, "unhelpful": 1}
    assert found["tokens"]["master"] == {"prompt": 3_500, "cached": 1_000, "completion": 500}
    assert found["tokens_per_question"] == 5_000
    # 10,000 tokens were used where reading everything would have taken 100,000.
    assert found["saving"] == 0.9
    # 6,000 x 1, and 2,500 x 10 + 1,000 x 1 + 500 x 30, in millionths.
    assert found["cost"] == 0.006 + 0.041
    assert found["full_context_cost"] == 1.0


def test_questions_that_no_model_has_seen_claim_no_saving() -> None:
    seen = asked(master=TokenUse(prompt=4_000, completion=1_000))
    found = statistics([seen, asked(), asked(abstained=True), asked()], Tally(), PRICED)
    assert (found["questions"], found["by_models"]) == (4, 1)
    # 5,000 tokens where reading everything would have taken 50,000, once.
    assert (found["tokens_per_question"], found["saving"], found["full_context_tokens"]) == (5_000, 0.9, 50_000)
    assert found["full_context_cost"] == 0.5


def test_where_no_model_read_anything_no_saving_is_claimed() -> None:
    found = statistics([asked()], Tally(), ModelsSettings())
    assert (found["by_models"], found["tokens_per_question"], found["saving"]) == (0, None, None)


def test_times_are_by_stage_and_in_total() -> None:
    found = statistics([asked(ms=100), asked(ms=200)], Tally(), PRICED)
    assert found["ms"]["route"] == {"p50": 150.0, "p95": 195.0}
    assert found["ms"]["total"] == {"p50": 600.0, "p95": 780.0}
