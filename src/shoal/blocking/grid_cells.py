"""Counts of records by cell: the only statistics of the records from which a tree is grown.

A cell is identified by its key, the interleaved bits of the positions (a Morton code) in 64-bit words, most significant
bit first. Counts and sums of positions are integers: the cells of batches add up to the cells of the table in any
order.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import partial, reduce
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from shoal import kernels, progress
from shoal.blocking.tree_space import TreeSpace
from shoal.kernels import Ints, Matrix, thread_pool

Keys = NDArray[np.uint64]  # (n, n_words)

WORD_BITS = 64
RECORDS_PER_STEP = 200_000  # counted per kernel call, about 20 ms, before progress and interrupts are handled


@dataclass(frozen=True, eq=False)
class GridCells:
    """Non-empty cells, sorted by key."""

    n_bits: int  # of every key
    keys: Keys  # (n_cells, n_words)
    counts: Ints  # (n_cells,)
    sums: Ints  # (n_cells, n_columns) of positions

    @classmethod
    def of(cls, X: Matrix, space: TreeSpace, n_bits: int, within: Keys, within_bits: int) -> GridCells:
        """The cells of ``n_bits`` within the larger cells ``within``; records outside these are not counted."""
        records = space.records(X)

        def counted(first: int, last: int, report: thread_pool.Report) -> GridCells:
            counter = kernels.CellCounter(
                lower=space.lower,
                upper=space.upper,
                dimensions=space.dimensions,
                open=within,
                open_bits=within_bits,
                n_bits=n_bits,
            )
            for begin in range(first, last, RECORDS_PER_STEP):
                end = min(last, begin + RECORDS_PER_STEP)
                counter.add(records[begin:end])
                report(end - begin)
            return cls(n_bits, *counter.cells())

        threads = max(1, min(thread_pool.n_threads(None), len(X) // RECORDS_PER_STEP))
        ends = np.linspace(0, len(X), threads + 1, dtype=np.int64).tolist()
        with progress.stage("counting records by cell", len(X)) as at:
            parts = thread_pool.run([partial(counted, *part) for part in pairwise(ends)], threads, at)
        return reduce(operator.add, parts)

    def __add__(self, other: GridCells) -> GridCells:
        keys = np.concatenate([self.keys, other.keys])
        order = np.lexsort(keys.T[::-1])
        keys = keys[order]
        first = np.flatnonzero(np.append(True, (keys[1:] != keys[:-1]).any(axis=1)))[: len(keys)]
        counts, sums = (
            np.add.reduceat(np.concatenate(parts)[order], first) if len(first) else np.concatenate(parts)
            for parts in ((self.counts, other.counts), (self.sums, other.sums))
        )
        return GridCells(self.n_bits, keys[first], counts, sums)

    def shared_bits(self) -> Ints:
        """(n_cells,) number of leading bits that a key shares with the preceding key; -1 for the first."""
        shared = np.full(len(self.keys), -1, dtype=np.int64)
        differences = self.keys[1:] ^ self.keys[:-1]  # (n_cells - 1, n_words)
        word = np.argmax(differences != 0, axis=1)
        different = differences[np.arange(len(differences)), word]
        shared[1:] = word * WORD_BITS + WORD_BITS - bit_length(different)
        return shared


def bit_length(words: NDArray[np.uint64]) -> Ints:
    """Number of bits up to and including the highest set bit; 0 for 0."""
    top = (words >> np.uint64(32)).astype(np.float64)
    low = (words & np.uint64(0xFFFFFFFF)).astype(np.float64)  # both halves are exact in float64
    return np.where(top > 0, 32 + np.frexp(top)[1], np.frexp(low)[1]).astype(np.int64)


def truncate_keys(keys: Keys, n_bits: Ints) -> Keys:
    """(n, n_words) keys with all bits after their first ``n_bits`` set to 0."""
    kept = np.clip(n_bits[:, None] - WORD_BITS * np.arange(keys.shape[1]), 0, WORD_BITS)
    beyond = (WORD_BITS - kept).astype(np.uint64)
    cut = (keys >> np.minimum(beyond, 63)) << np.minimum(beyond, 63)
    return np.where(kept > 0, cut, np.uint64(0))


def pad_keys(keys: Keys, n_words: int) -> Keys:
    """The same keys padded with zero words, or truncated, to ``n_words``."""
    kept = keys[:, :n_words]
    return np.ascontiguousarray(np.pad(kept, ((0, 0), (0, n_words - kept.shape[1]))))


def words_for(n_bits: int) -> int:
    return max(1, -(-n_bits // WORD_BITS))
