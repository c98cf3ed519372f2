"""Reading the files of a dataset, with errors that name the file."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path

from memory.errors import InputRefused

_ENDINGS = frozenset({".csv", ".gz", ".json", ".jsonl", ".ndjson", ".zip"})


def read_json(path: Path) -> object:
    """The content of a `.json` or `.json.gz` file. Raises InputRefused when it cannot be read."""
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputRefused(f"{path} is not a whole gzip file; was the download cut off? Fetch it again.") from error
    except OSError as error:
        raise InputRefused(f"{path} cannot be read ({error.strerror}); check the path.") from error
    return parse_json(raw, path)


def parse_json(raw: bytes, path: Path) -> object:
    """JSON in UTF-8, with or without a byte order mark. Raises InputRefused with the line of the first mistake."""
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputRefused(f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8.") from error
    except json.JSONDecodeError as error:
        raise InputRefused(f"{path}, line {error.lineno}: not JSON ({error.msg}); is the file cut off?") from error
    except (ValueError, RecursionError) as error:
        raise InputRefused(
            f"{path} holds JSON that is nested too deep, or a number that is too long, to be read."
        ) from error


def source_of(path: Path) -> str:
    """The name of a source: the file's or folder's name without the endings of data files."""
    name = path.name
    while (stem := Path(name)).suffix.lower() in _ENDINGS:
        name = stem.stem
    return name
