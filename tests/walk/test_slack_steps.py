"""What people see of an answer that takes its time: the steps on the way to it, and then the answer in their place."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.fakes.llm_server import says, serving, slow
from tests.fakes.slack import Slack
from tests.fakes.tryout.desk import tryout
from tests.fakes.tryout.museum import SATO, history
from tests.walk.walker import Walker

pytestmark = pytest.mark.asyncio(loop_scope="module")
ANSWER = {"answer": "証明書を削除して、再登録してください。", "cited": [1], "supported": True}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def slack(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Slack]:
    """With a model that thinks for some seconds."""
    folder: Path = tmp_path_factory.mktemp("steps")
    async with serving() as server:
        server.chat.always = slow(4, says(ANSWER))
        config = folder / "given.yaml"
        config.write_text(f"models: {{master: {{base_url: '{server.base_url}', model: thoughtful}}}}\n")
        tickets = history(datetime.now(UTC), only=["INC-1067"])
        async with tryout(folder, tickets, config=config) as slack:
            yield slack


async def test_an_answer_that_takes_longer_shows_its_steps_and_then_takes_their_place(walker: Walker) -> None:
    await walker.sit_down(SATO, f"D{SATO[1:]}")
    await walker.write("先週VPN接続できなくて問い合わせた者ですが、また同じ症状です")
    steps = walker.answers.locator(".steps")
    await expect(steps).to_contain_text("✓ 過去のチケットを検索")
    await expect(steps).to_contain_text("… 回答を作成")
    await walker.shot("slack-steps")
    await expect(walker.answers.last).to_contain_text("証明書を削除して、再登録してください。")
    await expect(walker.answers).to_have_count(1)
    await expect(steps).to_have_count(0)
