"""Logs: events by name with their facts, never what somebody wrote. Configured here and nowhere else."""

from __future__ import annotations

import logging
import logging.handlers
import sys
import traceback
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import structlog

from config.schema import LogSettings

FILE = "helpdesk.log"
_LARGEST_FILE = 2 * 1024 * 1024
_OLD_FILES = 3
_FRAMES = 12

log = structlog.get_logger()


def log_to_file(settings: LogSettings, folder: Path) -> None:
    """For commands: what a person sees is the command's own output, and the log goes to a file in the data folder."""
    handler = logging.handlers.RotatingFileHandler(
        folder / FILE, maxBytes=_LARGEST_FILE, backupCount=_OLD_FILES, encoding="utf-8", delay=True
    )
    handler.setFormatter(_formatter(structlog.processors.JSONRenderer(ensure_ascii=False)))
    _configure(settings, handler)


def log_to_stderr(settings: LogSettings) -> None:
    """For the running process: whatever starts it collects its standard error."""
    handler = logging.StreamHandler(sys.stderr)
    machine = settings.format == "json"
    renderer = structlog.processors.JSONRenderer(ensure_ascii=False) if machine else _console(sys.stderr.isatty())
    handler.setFormatter(_formatter(renderer))
    _configure(settings, handler)


def unexpected(event: str, error: BaseException, **facts: object) -> str:
    """Log an error that nobody foresaw and return a sentence with the reference under which it stands in the log.

    Type and places only: the sentence of a foreign error may hold somebody's words.
    """
    reference = uuid4().hex[:8]
    log.error(
        event, reference=reference, error=type(error).__name__, cause=_name(error.__cause__), at=_places(error), **facts
    )
    return f"Something went wrong that should not have; the log has the details under {reference}."


def _configure(settings: LogSettings, handler: logging.Handler) -> None:
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=_own_logger,
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    # On a full disk a line is lost; the default would be a traceback before the eyes of whoever gave the command.
    logging.raiseExceptions = False
    root = logging.getLogger()
    for old in tuple(root.handlers):
        root.removeHandler(old)
        old.close()
    root.addHandler(handler)
    # Libraries tell about requests and statements below this level, and there what people wrote.
    root.setLevel(logging.WARNING)
    _own_logger().setLevel(settings.level.upper())


def _own_logger(*_: object) -> logging.Logger:
    return logging.getLogger("helpdesk")


def _shared() -> list[structlog.types.Processor]:
    return [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_words,
    ]


def _formatter(renderer: structlog.types.Processor) -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.stdlib.add_logger_name, *_shared()],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
    )


def _console(colours: bool) -> structlog.types.Processor:
    return structlog.dev.ConsoleRenderer(colors=colours)


def _without_words(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A traceback becomes its places: values and sentences in it may be what somebody wrote."""
    given = event.pop("exc_info", None)
    error = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        event.update(error=type(error).__name__, cause=_name(error.__cause__), at=_places(error))
    return event


def _name(error: BaseException | None) -> str | None:
    return None if error is None else type(error).__name__


def _places(error: BaseException) -> list[str]:
    return [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)[-_FRAMES:]]
