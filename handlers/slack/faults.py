"""What Slack's errors mean for whoever meets one."""

from __future__ import annotations

from slack_sdk.errors import SlackApiError

#: What Slack says when it is not itself.
_PASSING = frozenset({"ratelimited", "internal_error", "fatal_error", "service_unavailable", "request_timeout"})


#: What Slack says of a token that will not hold again.
_REVOKED = frozenset({"token_revoked", "account_inactive"})


def code_of(error: SlackApiError) -> str:
    """Slack's own word for it."""
    return str(error.response.get("error"))


def passing(error: SlackApiError) -> bool:
    """Whether the same call may do later; everything else Slack would refuse again."""
    return error.response.status_code >= 500 or code_of(error) in _PASSING


def revoked(error: SlackApiError) -> bool:
    """Whether the app was removed from the workspace."""
    return code_of(error) in _REVOKED
