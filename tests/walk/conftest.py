"""A browser, and one running bot with a handful of tickets for all walks."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio
from aiohttp import ClientSession
from playwright.async_api import Browser, async_playwright, expect

from tests.fakes.slack import Slack
from tests.fakes.tryout import museum_teams, playground
from tests.fakes.tryout.desk import tryout
from tests.fakes.tryout.museum import history
from tests.fakes.tryout.playground import Headless
from tests.walk.visitor import Visitor
from tests.walk.walker import HEIGHT, WIDTH, Walker

#: Where the screenshots go; the environment is emptied before a test runs.
SHOTS = os.environ.get("HELPDESK_SCREENSHOTS")
_PATIENCE_MS = 20_000
#: Requests of those who walk, one about a card terminal, and the one that says who looks after the screens.
TICKETS = ("INC-1067", "INC-1055", "INC-1062", "INC-1018", "INC-1006", "INC-1047")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("Chromium: not installed")
    async with async_playwright() as playwright:
        expect.set_options(timeout=_PATIENCE_MS)
        # A container's root has no sandbox.
        found = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield found
        await found.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def slack(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Slack]:
    tickets = history(datetime.now(UTC), only=TICKETS)
    async with tryout(tmp_path_factory.mktemp("walk"), tickets) as slack:
        yield slack


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the bot beside the Playground has its data and its configuration."""
    return tmp_path_factory.mktemp("playground")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def playground_address(browser: Browser, beside: Path) -> AsyncIterator[str]:
    """The Agents Playground with the bot beside it."""
    if not playground.PROGRAM.exists() or shutil.which("node") is None:
        pytest.skip("Agents Playground: not installed; `make tests/playground/node_modules` needs npm")
    tickets = museum_teams.history(datetime.now(UTC), only=TICKETS)
    async with playground.playground(beside, tickets) as address:
        yield address


@pytest_asyncio.fixture(loop_scope="module")
async def visitor(playground_address: str, beside: Path, browser: Browser) -> AsyncIterator[Visitor]:
    page = await browser.new_page(viewport={"width": 1600, "height": 800}, timezone_id="Asia/Tokyo")
    page.set_default_timeout(_PATIENCE_MS)
    async with ClientSession() as session:
        headless, shots = Headless(session, playground_address), Path(SHOTS) if SHOTS else None
        yield Visitor(page, headless, playground_address, beside, shots)
    await page.close()


@pytest_asyncio.fixture(loop_scope="module")
async def walker(slack: Slack, browser: Browser) -> AsyncIterator[Walker]:
    page = await browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, timezone_id="Asia/Tokyo")
    page.set_default_timeout(_PATIENCE_MS)
    yield Walker(page, slack.base_url, Path(SHOTS) if SHOTS else None)
    await page.close()
