"""Sentences of the bot that an administrator words anew."""

from __future__ import annotations

from pydantic import Field

from config.strict import Strict


class WordingSettings(Strict):
    ja: dict[str, str] = Field(
        {}, description="Sentences in Japanese, by the names that `helpdesk config wording` lists."
    )
    en: dict[str, str] = Field({}, description="The same in English.")
