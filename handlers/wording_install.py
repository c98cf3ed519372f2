"""What somebody reads in the browser after installing the app: in both languages, as nothing is known of the reader."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from html import escape


class Outcome(StrEnum):
    """How an installation ended."""

    INSTALLED = "installed"
    DECLINED = "declined"
    FAILED = "failed"


#: By language: a heading, and what to do.
_WORDS: Mapping[Outcome, Mapping[str, tuple[str, str]]] = {
    Outcome.INSTALLED: {
        "ja": (
            "インストールできました",
            "このページを閉じて、Slackでボットをチャンネルに招待するか、直接話しかけてください。",
        ),
        "en": ("Installed", "Close this page. In Slack, invite the bot to a channel or write to it directly."),
    },
    Outcome.DECLINED: {
        "ja": ("インストールしませんでした", "何も変わっていません。このページを閉じてください。"),
        "en": ("Not installed", "Nothing was changed. You may close this page."),
    },
    Outcome.FAILED: {
        "ja": (
            "インストールできませんでした",
            "インストール用のリンクをもう一度開いてください。うまくいかないときは管理者に知らせてください。",
        ),
        "en": (
            "Not installed",
            "Please open the installation link again. If that does not help, tell your administrator.",
        ),
    },
}


def page(outcome: Outcome) -> str:
    """A page of HTML that says it in Japanese and in English."""
    said = "".join(
        f'<section lang="{language}"><h1>{escape(heading)}</h1><p>{escape(advice)}</p></section>'
        for language, (heading, advice) in _WORDS[outcome].items()
    )
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>helpdesk</title></head><body>{said}</body></html>'
