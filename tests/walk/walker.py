"""What a person does with the page, and sees on it."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Locator, Page

WIDTH, HEIGHT = 1000, 640


class Walker:
    """One person in front of the page, in a browser of their own. Whatever is looked for is waited for."""

    def __init__(self, page: Page, address: str, shots: Path | None) -> None:
        self.page = page
        self._address = address
        self._shots = shots

    async def sit_down(self, user: str, channel: str) -> None:
        """Open the page as this person, in this channel."""
        await self.page.goto("about:blank")
        await self.page.goto(f"{self._address}/#user={user}&channel={channel}")
        await self.page.locator("#messages").wait_for()

    async def write(self, words: str) -> None:
        """Write in the channel, or call a command."""
        await self._enter("#compose-text", words)

    async def reply(self, words: str) -> None:
        """Write in the thread that is open."""
        await self._enter("#thread-compose-text", words)

    async def _enter(self, box: str, words: str) -> None:
        await self.page.fill(box, words)
        await self.page.press(box, "Enter")

    async def press(self, words: str, within: str = "main") -> None:
        """Press the last button there with these words on it."""
        await self.page.locator(within).get_by_role("button", name=words).last.click()

    async def call(self, shortcut: str, message: Locator) -> None:
        """Choose something from a message's menu."""
        await message.hover()
        await message.get_by_role("button", name=shortcut).click()

    async def shot(self, name: str) -> None:
        """Keep what is on the screen, where a folder for it is named. The pointer is out of the way."""
        if self._shots is not None:
            await self.page.mouse.move(0, HEIGHT - 1)
            await self.page.screenshot(path=self._shots / f"{name}.png")

    @property
    def answers(self) -> Locator:
        """The bot's messages in the open thread, oldest first."""
        return self.page.locator("#thread-messages article[data-user=U0BOT]")

    @property
    def messages(self) -> Locator:
        """What stands in the channel, outside of threads."""
        return self.page.locator("#messages article")

    @property
    def only_mine(self) -> Locator:
        """What nobody else sees, in the channel or in the open thread."""
        return self.page.locator("article[data-ephemeral=true]")

    @property
    def home(self) -> Locator:
        return self.page.locator("#home")

    @property
    def form(self) -> Locator:
        return self.page.locator("#modal")
