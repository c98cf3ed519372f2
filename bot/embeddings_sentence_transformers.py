"""Encoders of the sentence-transformers library, an extra that is imported only when the first text comes.

Texts longer than the model's own limit (512 tokens for multilingual-e5-large) are cut by the library.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.embeddings_thread import Loaded, ModelThread
from config.schema import EmbeddingSettings
from memory.errors import EncoderUnavailable
from memory.index_ports import Vectors


class SentenceTransformersModel:
    """A model by name or folder, on one thread of this process: its tokenizer may not be used by two at once."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        self.name = f"sentence-transformers/{settings.model}"
        self._settings = settings
        self._loaded = Loaded(lambda: _load(settings.model))
        self._thread = ModelThread("sentence-transformers")

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts that are to be found, after `embeddings.passage_prefix`. Raises EncoderUnavailable."""
        return await self._encode([self._settings.passage_prefix + text for text in texts])

    async def questions(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts that ask, after `embeddings.query_prefix`. Raises EncoderUnavailable."""
        return await self._encode([self._settings.query_prefix + text for text in texts])

    async def aclose(self) -> None:
        """Take no more texts."""
        self._thread.close()

    async def _encode(self, texts: list[str]) -> Vectors:
        return await self._thread.run(lambda: self._embed(texts))

    def _embed(self, texts: list[str]) -> Vectors:
        try:
            vectors: Vectors = self._loaded.get().encode(
                texts, batch_size=len(texts), convert_to_numpy=True, show_progress_bar=False
            )
        except (RuntimeError, MemoryError) as error:  # torch reports a full GPU and the like this way
            raise EncoderUnavailable(
                f"{self.name} could not embed a batch ({type(error).__name__}); lower `embeddings.batch`. Search by "
                "words still works."
            ) from error
        return vectors


def _load(model: str) -> Any:
    try:
        from huggingface_hub import constants
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # type: ignore[no-untyped-call]
        # Nothing is fetched at run time, and without a network no command must wait for one. The library would ask its
        # servers for more than the model; so all of it is told to stay here.
        constants.HF_HUB_OFFLINE = True
        return SentenceTransformer(model, local_files_only=True)
    except ImportError as error:
        raise EncoderUnavailable(
            "sentence-transformers is not installed; install the extra with `pip install "
            "'helpdesk-bot[sentence-transformers]'`, or choose another `embeddings.kind`. Search by words still works."
        ) from error
    except (OSError, ValueError, RuntimeError) as error:
        raise EncoderUnavailable(
            f"The embedding model {model} cannot be loaded; check that `embeddings.model` names a folder with a model, "
            f"or one that was fetched to this machine with `hf download {model}`. Search by words still works."
        ) from error
