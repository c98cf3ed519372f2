"""A process that writes keys into an index until it is killed, and says after each batch which one is written.

python -m tests.fakes.index_writer FOLDER
"""

from __future__ import annotations

import asyncio
import sys
from itertools import count
from pathlib import Path

from memory.stores.qdrant_edge import open_edge_index
from tests.fakes.keys import STAMP, key

BATCH = 20


async def write(folder: Path) -> None:
    async with open_edge_index(folder) as index:
        await index.reset(STAMP)
        for batch in count():
            await index.put([key(f"{batch}-{n}", dense=(batch, n, 1), terms={7: 1.0}) for n in range(BATCH)])
            print(batch, flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(write(Path(sys.argv[1])))
