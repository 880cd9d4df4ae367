"""Records counted by cell: all that a tree needs to know of them.

A cell is known by its key, the interleaved bits of the positions (a Morton code) in words of 64 bits, the first bit on
top. Counts and sums of positions are whole numbers: cells of batches add up to the cells of all, in any order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal import kernels, progress
from shoal.blocking.space import Space
from shoal.kernels import Labels, Matrix

Keys = NDArray[np.uint64]  # (n, n_words)

WORD_BITS = 64
RECORDS_PER_STEP = 1_000_000  # counted before Python gets a say: some 100 ms


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells that hold records, in the order of their keys."""

    n_bits: int  # of every key
    keys: Keys  # (n_cells, n_words)
    counts: Labels  # (n_cells,)
    sums: Labels  # (n_cells, n_columns) of positions

    @classmethod
    def of(cls, X: Matrix, space: Space, n_bits: int, within: Keys, within_bits: int) -> Cells:
        """The cells of ``n_bits`` inside of the larger cells ``within``; records elsewhere are left out."""
        counter = kernels.CellCounter(
            lower=space.lower,
            upper=space.upper,
            dimensions=space.dimensions,
            open=within,
            open_bits=within_bits,
            n_bits=n_bits,
        )
        records = space.records(X)
        with progress.stage("counting records by cell", len(X)) as at:
            for first in range(0, len(X), RECORDS_PER_STEP):
                counter.add(records[first : first + RECORDS_PER_STEP])
                at(min(len(X), first + RECORDS_PER_STEP))
        return cls(n_bits, *counter.cells())

    def __add__(self, other: Cells) -> Cells:
        keys = np.concatenate([self.keys, other.keys])
        order = np.lexsort(keys.T[::-1])
        keys = keys[order]
        first = np.flatnonzero(np.append(True, (keys[1:] != keys[:-1]).any(axis=1)))[: len(keys)]
        counts, sums = (
            np.add.reduceat(np.concatenate(parts)[order], first) if len(first) else np.concatenate(parts)
            for parts in ((self.counts, other.counts), (self.sums, other.sums))
        )
        return Cells(self.n_bits, keys[first], counts, sums)

    def shared_bits(self) -> Labels:
        """(n_cells,) leading bits that a key shares with the one before it; -1 for the first."""
        shared = np.full(len(self.keys), -1, dtype=np.int64)
        differences = self.keys[1:] ^ self.keys[:-1]  # (n_cells - 1, n_words)
        word = np.argmax(differences != 0, axis=1)
        different = differences[np.arange(len(differences)), word]
        shared[1:] = word * WORD_BITS + WORD_BITS - bit_length(different)
        return shared


def bit_length(words: NDArray[np.uint64]) -> Labels:
    """Bits up to the highest one that is set."""
    top = (words >> np.uint64(32)).astype(np.float64)
    low = (words & np.uint64(0xFFFFFFFF)).astype(np.float64)  # both halves are exact as reals
    return np.where(top > 0, 32 + np.frexp(top)[1], np.frexp(low)[1]).astype(np.int64)


def cut_keys(keys: Keys, n_bits: Labels) -> Keys:
    """Keys without the bits beyond their own ``n_bits``, (n, n_words)."""
    kept = np.clip(n_bits[:, None] - WORD_BITS * np.arange(keys.shape[1]), 0, WORD_BITS)
    beyond = (WORD_BITS - kept).astype(np.uint64)
    cut = (keys >> np.minimum(beyond, 63)) << np.minimum(beyond, 63)
    return np.where(kept > 0, cut, np.uint64(0))


def widened(keys: Keys, n_words: int) -> Keys:
    """The same keys in more words, or in fewer where the last are not needed."""
    kept = keys[:, :n_words]
    return np.ascontiguousarray(np.pad(kept, ((0, 0), (0, n_words - kept.shape[1]))))


def words_for(n_bits: int) -> int:
    return max(1, -(-n_bits // WORD_BITS))
