"""Random generators per chunk of fixed size, and the sampling functions of the data generators.

The chunk size is constant, so that the same seed gives the same table for any batch size, and a chunk can be generated
without those before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shoal.errors import DatasetError

CHUNK = 65_536  # records; another chunk size would give another table for the same seed

Generator = np.random.Generator
Reals = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Chunk:
    """The records ``start`` .. ``start + size - 1`` of a table."""

    number: int
    size: int

    @property
    def start(self) -> int:
        return self.number * CHUNK

    def rng(self, seed: int) -> Generator:
        return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(self.number,)))


def chunks(n_records: int) -> Iterator[Chunk]:
    for number, start in enumerate(range(0, n_records, CHUNK)):
        yield Chunk(number, min(CHUNK, n_records - start))


def draw_flags(rng: Generator, probabilities: Reals) -> Flags:
    """For each record, True with its own probability."""
    return rng.random(len(probabilities)) < probabilities


def draw_codes(rng: Generator, shares: ArrayLike, rows: Integers) -> Integers:
    """For each record a code, drawn with the probabilities in row ``rows`` of the table ``shares``."""
    bounds = np.cumsum(shares, axis=1)[rows, :-1]  # (n_records, n_values - 1)
    codes: Integers = (rng.random(len(rows))[:, None] >= bounds).sum(axis=1)
    return codes


def check_at_least(name: str, least: int, got: int) -> None:
    if got < least:
        raise DatasetError.bad_argument(name, f"{least} or more", got)
