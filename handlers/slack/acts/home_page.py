"""The bot's own page in Slack (App Home), and what is suggested where a conversation begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handlers.acts.own import Own
from handlers.acts.own_lines import kept_line
from handlers.slack.acts.own_pages import Reader, forget_button, request_list
from handlers.slack.acts.pieces import buttons, heading, items, paragraph
from handlers.slack.render_blocks import Block
from handlers.wording_acts import ActWords

#: Slack takes no longer title of a prompt than is read at a glance.
_PROMPT_TITLE = 75
_DIVIDER: Block = {"type": "divider"}


def home_page(own: Own, reader: Reader, *, notice: str = "") -> Mapping[str, object]:
    """The home tab: open requests, what one can ask, what is remembered. `notice` says what was just done."""
    words = reader.words
    open_ones = [request for request in own.requests if request.open]
    said = [*paragraph(notice), _DIVIDER] if notice else []
    forget = [buttons(forget_button(words), language=reader.language)] if own.kept.messages else []
    return view(
        [
            *said,
            *heading(words.requests),
            *request_list(open_ones, reader),
            _DIVIDER,
            *heading(words.home_examples),
            *items(words.examples),
            _DIVIDER,
            *heading(words.memory),
            *paragraph(kept_line(own.kept, reader)),
            *forget,
        ]
    )


def view(blocks: Sequence[Block]) -> Mapping[str, object]:
    """These blocks as the home tab."""
    return {"type": "home", "blocks": [dict(block) for block in blocks]}


def prompts(words: ActWords) -> list[dict[str, str]]:
    """What is suggested where the conversation with the bot begins."""
    return [{"title": example[:_PROMPT_TITLE], "message": example} for example in words.examples]
