"""Opening a form: Slack keeps the door open for three seconds after the click, and for one form only."""

from __future__ import annotations

from collections.abc import Mapping

import structlog
from slack_sdk.errors import SlackApiError

from handlers.slack.faults import code_of
from handlers.slack.installations import Installation

log = structlog.get_logger()

#: What Slack says to whoever comes too late, as after a restart.
_LATE = frozenset({"expired_trigger_id", "exchanged_trigger_id", "invalid_trigger_id", "trigger_expired"})


async def opened_in_time(here: Installation, trigger_id: str, form: Mapping[str, object]) -> bool:
    """Whether the person sees the form; who does not has to be told so. Raises SlackClientError."""
    try:
        await here.client.views_open(trigger_id=trigger_id, view=dict(form))
    except SlackApiError as error:
        if (code := code_of(error)) not in _LATE:
            raise
        log.warning("slack_form_late", error=code)
        return False
    return True
