"""What is said to somebody whose message could not be answered, and what of it is logged."""

from __future__ import annotations

import structlog

from handlers.messages import IncomingMessage, OutgoingReply, plainly
from handlers.replies import regret_text
from handlers.traces import traced
from handlers.wordings import Wording
from memory.model import Turn, derived_id
from memory.ports import Clock
from memory.text.language import LanguageCode

log = structlog.get_logger()


def regretted(
    error: Exception,
    message: IncomingMessage | Turn,
    language: LanguageCode,
    *,
    kept: bool,
    clock: Clock,
    wording: Wording,
) -> OutgoingReply:
    """Log by type and place only: the sentence of a foreign error may hold the sender's words."""
    where = message.conversation.id
    reference = derived_id("trouble", where, message.message, str(clock()))[:8]
    log.error("message_failed", reference=reference, conversation=where, kept=kept, **traced(error))
    text = regret_text(error, kept=kept, language=language, reference=reference, wording=wording)
    return plainly(text, language, reference=reference)
