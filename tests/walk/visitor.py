"""What a person does in the Agents Playground, and sees there."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from playwright.async_api import Locator, Page

from tests.fakes.command_line import helpdesk
from tests.fakes.tryout.playground import Headless

_BOX = "[role=textbox][contenteditable=true]"
#: How long what is clicked may take to be counted.
_SECONDS = 30.0


class Visitor:
    """One person in front of the Playground; `headless` is what others do meanwhile. Whatever is looked for is waited
    for."""

    def __init__(self, page: Page, headless: Headless, address: str, bot: Path, shots: Path | None) -> None:
        self.page = page
        self.headless = headless
        self._address = address
        self._bot = bot
        self._shots = shots

    async def sit_down(self) -> None:
        """Open the Playground, in the personal chat."""
        await self.page.goto(self._address)
        await self.page.locator(_BOX).wait_for()

    async def go_to(self, name: str) -> None:
        """Open a chat or channel by what stands in the list."""
        await self.page.get_by_text(name, exact=True).first.click()

    async def write(self, words: str) -> None:
        """Write in what is open."""
        await self.page.locator(_BOX).click()
        await self.page.keyboard.insert_text(words)
        await self.page.keyboard.press("Enter")

    async def post_to(self, name: str, words: str) -> None:
        """Begin a thread in the channel that is open with a mention, chosen from the list that comes after the @."""
        # The box of the chat that was open before is there until the channel is, and a while beside its own.
        begun = self.page.get_by_role("group").filter(has_text="Start a new post")
        await begun.get_by_role("textbox").first.click()
        await self.page.keyboard.type("@")
        await self.page.get_by_role("menuitem").filter(has_text=name).click()
        await self.page.keyboard.insert_text(f" {words}")
        await self.page.get_by_role("button", name="Post", exact=True).click()

    def thread(self, words: str) -> Locator:
        """The smallest part of the page in which these words stand with a card of the bot."""
        return self.page.locator("div").filter(has_text=words).filter(has=self.cards).last

    async def press(self, words: str) -> None:
        """Press the last button with these words on it."""
        await self.page.get_by_role("button", name=words, exact=True).last.click()

    async def fill(self, label: str, words: str) -> None:
        """Write into the last field of a card with this label."""
        await self.page.get_by_label(label).last.fill(words)

    async def shot(self, name: str) -> None:
        """Keep what is on the screen, where a folder for it is named."""
        if self._shots is not None:
            await self.page.screenshot(path=self._shots / f"{name}.png")

    async def thumbs(self) -> dict[str, int]:
        """How many answers were called helpful, and how many not, as an administrator is told."""
        more = {"HELPDESK_CONFIG": str(self._bot / "desk.yaml")}
        told = await asyncio.to_thread(helpdesk, self._bot / "data", "stats", "--json", more=more)
        thumbs: dict[str, int] = json.loads(told.stdout)["feedback"]
        return thumbs

    async def until_thumbs(self, wanted: dict[str, int]) -> None:
        """Wait until so many are counted. Raises TimeoutError."""
        async with asyncio.timeout(_SECONDS):
            while await self.thumbs() != wanted:
                pass

    @property
    def cards(self) -> Locator:
        """The bot's cards in what is open, oldest first."""
        return self.page.locator(".ac-adaptiveCard")

    @property
    def log(self) -> Locator:
        """What went between the Playground and the bot."""
        return self.page.locator("body")
