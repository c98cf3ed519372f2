"""What Slack's errors mean for whoever meets one."""

from __future__ import annotations

from collections.abc import Mapping

from slack_sdk.errors import SlackApiError

#: What Slack says when it is not itself.
_PASSING = frozenset(
    {
        "ratelimited",
        "rate_limited",
        "internal_error",
        "fatal_error",
        "service_unavailable",
        "request_timeout",
        # The workspace is being moved.
        "team_added_to_org",
        "org_login_required",
    }
)

#: What it says of a place that somebody can open to the bot again.
_CLOSED = frozenset(
    {
        "not_in_channel",
        "channel_not_found",
        "is_archived",
        "missing_scope",
        "no_permission",
        "access_denied",
        "restricted_action",
        "restricted_action_read_only_channel",
        "restricted_action_thread_only_channel",
        "restricted_action_non_threadable_channel",
        "restricted_action_thread_locked",
        "ekm_access_denied",
    }
)
#: What Slack says of a token that will not hold again.
_REVOKED = frozenset({"token_revoked", "account_inactive"})
#: What it says of one that may hold again once somebody has seen to it.
_DOUBTED = frozenset({"invalid_auth", "not_authed", "token_expired"})
_RETRY_AFTER = "retry-after"
#: What it says of the form of a message, not of who posts it where.
_UNSHAPELY = frozenset({"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long"})


def code_of(error: SlackApiError) -> str:
    """Slack's own word for it; empty where the answer has none, as that of a server in front of Slack."""
    # The kit keeps whatever came: JSON, text, bytes, nothing; a response of its own has it as `data`.
    said = getattr(error.response, "data", error.response)
    code = said.get("error") if isinstance(said, Mapping) else None
    return code if isinstance(code, str) else ""


def passing(error: SlackApiError) -> bool:
    """Whether the same call may do later; everything else Slack would refuse again. What has no word of Slack's in it
    was not said by Slack."""
    status, code = getattr(error.response, "status_code", 0), code_of(error)
    return status >= 500 or not code or code in _PASSING


def asked_to_wait(error: Exception) -> float:
    """For how many seconds Slack asks not to be called again; 0 where it does not say."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    said = next((str(value) for name, value in headers.items() if name.lower() == _RETRY_AFTER), "")
    return float(said) if said.isdecimal() else 0.0


def revoked(error: SlackApiError) -> bool:
    """Whether the app was removed from the workspace."""
    return code_of(error) in _REVOKED


def token_refused(error: SlackApiError) -> bool:
    """Whether the token no longer opens anything, be it for now or for good."""
    return code_of(error) in _REVOKED | _DOUBTED


def closed(error: SlackApiError) -> bool:
    """Whether the bot may not write there until somebody lets it."""
    return code_of(error) in _CLOSED


def unshapely(error: SlackApiError) -> bool:
    """Whether plain text may do where these blocks do not."""
    return code_of(error) in _UNSHAPELY
