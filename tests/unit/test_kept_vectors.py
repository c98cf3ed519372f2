"""What encoders need not compute twice: the centres of a data folder, and passages under measurement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from bot.cached_encoder import CachedEncoder
from bot.kept_encoder import KeptEncoder
from memory.errors import InputRefused
from memory.index_ports import Centre, Vectors
from memory.stores.in_memory_encoder import HashingEncoder


class Counting(HashingEncoder):
    """Notes what it has to compute."""

    def __init__(self, size: int = 16) -> None:
        super().__init__(size)
        self.embedded: list[str] = []
        self.measured = 0

    async def passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded += texts
        return await super().passages(texts)

    async def centres(self) -> Mapping[str, Centre]:
        self.measured += 1
        return await super().centres()


async def test_centres_are_measured_once_for_a_data_folder(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    measured = await KeptEncoder(first, tmp_path).centres()
    read = await KeptEncoder(second, tmp_path).centres()
    assert (first.measured, second.measured) == (1, 0)
    assert read.keys() == measured.keys()
    for name, centre in measured.items():
        assert np.array_equal(read[name].question, centre.question)
        assert np.array_equal(read[name].passage, centre.passage)


async def test_another_encoder_never_reads_centres_that_are_not_its_own(tmp_path: Path) -> None:
    await KeptEncoder(Counting(16), tmp_path).centres()
    other = Counting(24)
    centres = await KeptEncoder(other, tmp_path).centres()
    assert other.measured == 1
    assert {centre.question.shape for centre in centres.values()} == {(24,)}


@pytest.mark.parametrize("left", [b"", b"PK\x03\x04 cut off", b"something else"])
async def test_a_file_that_is_not_whole_is_measured_again(tmp_path: Path, left: bytes) -> None:
    await KeptEncoder(Counting(), tmp_path).centres()
    (path,) = tmp_path.glob("centres-*")
    path.write_bytes(left)
    again = Counting()
    await KeptEncoder(again, tmp_path).centres()
    assert again.measured == 1
    assert path.read_bytes() != left


async def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    encoder = Counting()
    assert await KeptEncoder(encoder, tmp_path / "gone").centres()
    assert encoder.measured == 1


async def test_a_passage_is_embedded_once_whoever_measures(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    await CachedEncoder(first, tmp_path).passages(["toner", "VPN", "toner"])
    found = await CachedEncoder(second, tmp_path).passages(["VPN", "printer", "toner"])
    assert (first.embedded, second.embedded) == (["toner", "VPN"], ["printer"])
    assert np.array_equal(found, await HashingEncoder(16).passages(["VPN", "printer", "toner"]))


async def test_no_passages_are_no_vectors(tmp_path: Path) -> None:
    assert (await CachedEncoder(Counting(), tmp_path).passages([])).shape == (0, 16)


async def test_vectors_of_another_encoder_are_not_taken(tmp_path: Path) -> None:
    await CachedEncoder(Counting(16), tmp_path).passages(["toner"])
    assert (await CachedEncoder(Counting(24), tmp_path).passages(["toner"])).shape == (1, 24)


async def test_the_cache_keeps_no_words(tmp_path: Path) -> None:
    await CachedEncoder(Counting(), tmp_path).passages(["what somebody wrote"])
    assert b"what somebody wrote" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


async def test_a_cache_that_cannot_be_used_is_told_plainly(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputRefused, match="HELPDESK_EMBEDDING_CACHE"):
        await CachedEncoder(Counting(), tmp_path / "file").passages(["toner"])
