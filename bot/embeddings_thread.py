"""A thread for a model that computes in this process, so that the event loop does not."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from memory.errors import EncoderUnavailable

Model = TypeVar("Model")
Result = TypeVar("Result")

#: A batch, or loading the model for the first one, is given up after this; the thread ends it in its own time.
_LONGEST_SECONDS = 180.0
#: A model that could not be loaded is not tried again for this long: some loaders take a minute to fail.
_REST_SECONDS = 60.0


class Loaded(Generic[Model]):
    """A model that is loaded once, by whichever thread needs it first.

    `load` raises EncoderUnavailable, which is then repeated for a while without trying again.
    """

    def __init__(self, load: Callable[[], Model], now: Callable[[], float] = time.monotonic) -> None:
        self._load = load
        self._now = now
        self._lock = threading.Lock()
        self._model: Model | None = None
        self._failure: tuple[float, EncoderUnavailable] | None = None

    def get(self) -> Model:
        """The model. Blocks while it is being loaded. Raises EncoderUnavailable."""
        with self._lock:
            if self._model is None:
                self._model = self._try()
            return self._model

    def _try(self) -> Model:
        if self._failure and self._now() - self._failure[0] < _REST_SECONDS:
            raise EncoderUnavailable(str(self._failure[1])) from self._failure[1]
        try:
            return self._load()
        except EncoderUnavailable as error:
            self._failure = (self._now(), error)
            raise


class ModelThread:
    """One thread that works on one thing at a time, in the order of asking."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, work: Callable[[], Result]) -> Result:
        """What `work` returns. Raises what it raises, and EncoderUnavailable when it takes too long."""
        try:
            async with asyncio.timeout(_LONGEST_SECONDS):
                return await asyncio.get_running_loop().run_in_executor(self._executor, work)
        except TimeoutError as error:
            raise EncoderUnavailable(
                f"The embedding model took longer than {_LONGEST_SECONDS:.0f} s; lower `embeddings.batch` or choose a "
                "smaller model. Search by words still works."
            ) from error

    def close(self) -> None:
        """Take no more work; what runs is not waited for."""
        self._executor.shutdown(wait=False, cancel_futures=True)
