"""What a score is worth: every channel is put on an absolute scale before it is added to another.

A BM25 score becomes the share of the question's IDF mass that was matched; a cosine becomes how far it stands above
what any two texts of those languages have in common. No constant belongs to an encoder: measured texts say where its
zero lies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from memory.index_ports import Centre, Vector, Vectors
from memory.text.sparse import BM25_K

#: How many turns of a language outweigh what the encoder's neutral sentences say about it.
PRIOR_TURNS = 20


def share_of_mass(score: float, mass: float) -> float:
    """A BM25 score as the share of the question's IDF mass it matched: 0 nothing, 1 everything."""
    return score / (mass * (BM25_K + 1)) if mass > 0 else 0.0


def leaned(prior: Centre, sample: Vectors) -> Centre:
    """The memory's own mean of one language, leaning on the encoder's prior while there is little memory.

    `sample` has shape (n, size); n may be 0.
    """
    weight = len(sample) + PRIOR_TURNS
    total = sample.sum(axis=0) if len(sample) else np.zeros_like(prior.passage)
    return Centre(
        question=((total + PRIOR_TURNS * prior.question) / weight).astype(np.float32),
        passage=((total + PRIOR_TURNS * prior.passage) / weight).astype(np.float32),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """A question's vector with what every text of its language has in common taken out. It is searched against the
    stored vectors as they are; `offsets` and `scales` (by language of what is found) level the cosines that come back.
    """

    vector: Vector
    offsets: Mapping[str, float]
    scales: Mapping[str, float]

    def meaning(self, cosine: float, language: str) -> float:
        """About 0 for unrelated texts and 1 for the same one, whatever the two languages; never below 0."""
        return max(0.0, (cosine - self.offsets[language]) / self.scales[language])


def aim(vector: Vector, language: str, centres: Mapping[str, Centre]) -> Aim:
    """The question's vector, levelled for its language."""
    levelled = vector - centres[language].question
    # A question that says nothing beyond its language points nowhere in particular.
    levelled = levelled / max(float(np.linalg.norm(levelled)), 1e-6)
    return Aim(
        vector=levelled.astype(np.float32),
        offsets={name: float(levelled @ centre.passage) for name, centre in centres.items()},
        scales={
            name: math.sqrt(max(1e-6, 1 - float(centre.passage @ centre.passage))) for name, centre in centres.items()
        },
    )
