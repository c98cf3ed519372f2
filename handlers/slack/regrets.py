"""Telling the asker that Slack refuses the reply, in the way that is left."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import structlog
from slack_sdk.errors import SlackApiError, SlackClientError

from handlers.replies import regret_text
from handlers.slack.errand import Errand
from handlers.slack.faults import code_of, passing, token_refused
from handlers.slack.outlet import post
from handlers.slack.render import rendered
from memory.errors import ReplyNotTaken

log = structlog.get_logger()


async def told_instead(errand: Errand, refused: SlackApiError) -> bool:
    """As `told_in_its_place`, in the way that is left: for the asker alone where the reply was for all, and the other
    way round."""
    return await told_in_its_place(replace(errand, ephemeral=not errand.ephemeral), refused)


async def told_in_its_place(errand: Errand, refused: Exception) -> bool:
    """One try to say that there is no reply, and why not. Whether that is the end of it: it was said, or Slack refuses
    that for good as well. The reference in the sentence is the log's."""
    reference = uuid4().hex[:8]
    log.error("slack_reply_refused", turn=errand.turn, error=_last_word(refused), reference=reference)
    regret = regret_text(refused, kept=True, language=errand.language, reference=reference, wording=errand.wording)
    [said] = rendered(regret)
    try:
        await post(errand, said, 0)
    except SlackApiError as error:
        log.warning("slack_regret_refused", turn=errand.turn, error=code_of(error), reference=reference)
        return not (passing(error) or token_refused(error))
    except (SlackClientError, TimeoutError, OSError) as error:
        log.warning("slack_regret_unsent", turn=errand.turn, error=type(error).__name__, reference=reference)
        return False
    return True


def _last_word(refused: Exception) -> str:
    """What Slack said, or how it could not be reached, when it was tried for the last time."""
    said = refused.__cause__ if isinstance(refused, ReplyNotTaken) else refused
    return code_of(said) if isinstance(said, SlackApiError) else type(said).__name__
