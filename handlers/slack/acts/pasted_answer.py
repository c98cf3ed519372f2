"""The answer to a message that was forgotten: its buttons go, and what it offered in the words of that message."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.slack.acts.names import FORGET_PASTED
from handlers.slack.acts.pieces import message
from handlers.slack.acts.scenes import Scene
from handlers.slack.address import address_of
from handlers.slack.errand import Errand, Shown, parts_of, shown_after
from handlers.slack.faults import code_of
from memory.model import Turn

log = structlog.get_logger()

_SECONDS = 20.0


async def take_buttons_away(turn: Turn, scene: Scene) -> None:
    """Leave of the answer to this turn what is above its buttons. Never raises: what one person alone was shown stands
    in no thread, and stays as it is, as where Slack does not let the bot change it."""
    errand = Errand(
        client=scene.here.client,
        address=address_of(turn.conversation),
        message=turn.message,
        asker=turn.author,
        turn=turn.id,
        language=scene.language,
        wording=scene.wording,
    )
    try:
        for one in await shown_after(errand):
            if parts_of([one], errand) and len(above := _above(_blocks(one))) < len(_blocks(one)):
                await _leave(above, one, errand)
    except SlackApiError as error:
        log.warning("slack_buttons_left", turn=turn.id, error=code_of(error))
    except (SlackClientError, TimeoutError, OSError) as error:
        log.warning("slack_buttons_left", turn=turn.id, error=type(error).__name__)


def _blocks(shown: Shown) -> Sequence[Mapping[str, Any]]:
    blocks = shown.get("blocks")
    return blocks if isinstance(blocks, Sequence) else ()


def _above(blocks: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The button that forgets is the first of all that stand under an answer."""
    return [*takewhile(lambda block: not _forgets(block), blocks)]


def _forgets(block: Mapping[str, Any]) -> bool:
    elements = block.get("elements", ()) if block.get("type") == "actions" else ()
    return any(each.get("action_id") == FORGET_PASTED for each in elements)


async def _leave(above: Sequence[Mapping[str, Any]], shown: Shown, errand: Errand) -> None:
    said = message(above)
    [part] = parts_of([shown], errand)
    async with asyncio.timeout(_SECONDS):
        await errand.client.chat_update(
            channel=errand.address.channel,
            ts=str(shown["ts"]),
            text=said.text,
            blocks=[dict(block) for block in said.blocks],
            metadata=dict(errand.metadata(part)),
        )
