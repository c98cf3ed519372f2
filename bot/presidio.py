"""Personal data as presidio-analyzer finds it, an extra that is imported only where it is switched on."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from config.redaction import RedactionSettings
from memory.errors import ConfigInvalid, RedactionUnavailable
from memory.text.language import detect_language
from memory.text.redact import Finder
from memory.text.secrets.found import Found

#: The same text is looked through once for each entity: so many texts are remembered.
_TEXTS = 64
#: Texts wait for one another so long.
_LONGEST_WAIT_SECONDS = 30.0


class Result(Protocol):
    """What presidio found: `entity_type` from `start` up to `end`, and how sure it is."""

    @property
    def entity_type(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class Analyser(Protocol):
    """What is used of `presidio_analyzer.AnalyzerEngine`."""

    def analyze(self, text: str, language: str, entities: list[str], score_threshold: float) -> Sequence[Result]: ...


def finders_over(analyser: Analyser, settings: RedactionSettings) -> Mapping[str, Finder]:
    """A finder for each entity that is to be found, by the name that stands in its placeholders: EMAIL_ADDRESS as
    email-address. They may be called from any thread; one text is looked through at a time. They raise
    RedactionUnavailable where presidio fails: what nobody has looked through is not kept."""
    entities, models = list(settings.presidio_entities), set(settings.presidio_models)
    one_at_a_time = threading.Lock()

    @lru_cache(maxsize=_TEXTS)
    def found(text: str) -> tuple[Found, ...]:
        language = detect_language(text, "en")
        if language not in models:
            return ()
        if not one_at_a_time.acquire(timeout=_LONGEST_WAIT_SECONDS):
            raise RedactionUnavailable
        try:
            results = analyser.analyze(text, language, entities, settings.presidio_threshold)
        except (ValueError, RuntimeError, LookupError, TypeError, MemoryError, OSError) as error:
            raise RedactionUnavailable from error
        finally:
            one_at_a_time.release()
        return tuple(Found(kind=_name(one.entity_type), start=one.start, end=one.end) for one in results)

    def finder(kind: str) -> Finder:
        def find(text: str) -> Iterator[Found]:
            return (one for one in found(text) if one.kind == kind)

        return find

    return {_name(entity): finder(_name(entity)) for entity in entities}


def _name(entity: str) -> str:
    return entity.lower().replace("_", "-")


def analyser_of(settings: RedactionSettings) -> Analyser:
    """Presidio with the models that are configured, loaded; nothing is fetched. Raises ConfigInvalid."""
    if find_spec("presidio_analyzer") is None:
        raise ConfigInvalid(
            "`redaction.presidio` is on, and presidio-analyzer is not installed; run "
            "`pip install 'helpdesk-bot[presidio]'`, or switch it off."
        )
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider
    from spacy.util import is_package
    from tldextract import TLDExtract, tldextract

    # It would ask the internet for the endings of host names; it brings a list of them along.
    tldextract.TLD_EXTRACTOR = TLDExtract(suffix_list_urls=(), cache_dir=None)
    models = dict(settings.presidio_models)
    for model in models.values():
        # Presidio would fetch it by itself, from elsewhere than what is installed comes from.
        if not (is_package(model) or Path(model).is_dir()):
            raise ConfigInvalid(
                f"`redaction.presidio_models` names {model}, which is not installed; install that model of spaCy, or "
                "name a folder with one."
            )
    wanted = [{"lang_code": language, "model_name": model} for language, model in models.items()]
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": wanted})
    analyser: Analyser = AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=list(models))
    return analyser
