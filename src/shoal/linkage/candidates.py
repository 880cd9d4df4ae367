"""Candidate pairs for record linkage, stored as runs and enumerated in batches to bound memory.

Every blocking method is expressed in the same way: the released records are sorted, and every original record is
compared with one run (contiguous range) of them. Records with equal keys form a run, and so does a window. Several keys
are several passes; a pair that was enumerated in an earlier pass is not repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels

BATCH = 1 << 20  # pairs per batch


@dataclass(frozen=True, eq=False)
class Runs:
    """One pass: original record i is paired with the released records order[begin[i]] .. order[end[i] - 1]."""

    order: Labels  # (n_released,)
    begin: Labels  # (n_original,)
    end: Labels  # (n_original,)

    @classmethod
    def of_keys(cls, original: Labels, released: Labels) -> Runs:
        """Pairs with equal keys."""
        order = np.argsort(released, kind="stable")
        keys = released[order]
        return cls(order, np.searchsorted(keys, original, "left"), np.searchsorted(keys, original, "right"))

    @cached_property
    def positions(self) -> Labels:
        """(n_released,) the position of every released record in ``order``."""
        positions = np.empty_like(self.order)
        positions[self.order] = np.arange(len(self.order))
        return positions

    @property
    def sizes(self) -> Labels:
        return self.end - self.begin

    def contains(self, original: Labels, released: Labels) -> NDArray[np.bool_]:
        """(n_pairs,) whether each pair is a candidate; a released record of -1 means no record: False."""
        positions = self.positions[released]
        return (released >= 0) & (self.begin[original] <= positions) & (positions < self.end[original])

    def batches(self, first: int, last: int, n_pairs: int) -> Iterator[tuple[Labels, Labels]]:
        """Pairs of the original records first .. last - 1, in batches of at most ``n_pairs`` or of a single record."""
        ends = np.cumsum(self.sizes[first:last])  # (last - first,) pairs up to and including this record
        at = first
        while at < last:
            n_done = int(ends[at - first - 1]) if at > first else 0
            next_record = max(first + int(np.searchsorted(ends, n_done + n_pairs, "right")), at + 1)
            yield self._pairs(at, next_record)
            at = next_record

    def _pairs(self, first: int, last: int) -> tuple[Labels, Labels]:
        sizes = self.sizes[first:last]
        original = np.repeat(np.arange(first, last), sizes)
        step = np.arange(len(original)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return original, self.order[self.begin[original] + step]


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidate pairs of a linkage blocking, in one or more passes."""

    passes: tuple[Runs, ...]
    n_widened: int = 0  # original records whose window was widened, as one key value exceeds it

    @classmethod
    def all_pairs(cls, n_original: int, n_released: int) -> Candidates:
        """All pairs: no blocking."""
        n_candidates = np.full(n_original, n_released)
        return cls((Runs(np.arange(n_released), np.zeros_like(n_candidates), n_candidates),))

    @property
    def n_original(self) -> int:
        return len(self.passes[0].begin)

    @property
    def n_released(self) -> int:
        return len(self.passes[0].order)

    @cached_property
    def n_pairs(self) -> int:
        """Number of distinct pairs. With several passes, all pairs are enumerated to count them."""
        if len(self.passes) == 1:
            return int(self.passes[0].sizes.sum())
        return sum(len(original) for original, _ in self.batches())

    @property
    def n_pairs_at_most(self) -> int:
        """Sum of the pairs of all passes; duplicates are not removed."""
        return sum(int(runs.sizes.sum()) for runs in self.passes)

    @property
    def largest_block(self) -> int:
        """The largest number of released records that one original record is compared with in one pass."""
        return max(int(runs.sizes.max()) for runs in self.passes)

    def contains(self, original: Labels, released: Labels) -> NDArray[np.bool_]:
        found = np.zeros(len(original), dtype=np.bool_)
        for runs in self.passes:
            found |= runs.contains(original, released)
        return found

    def batches(self, first: int = 0, last: int | None = None, n_pairs: int = BATCH) -> Iterator[tuple[Labels, Labels]]:
        """(original, released) pairs of some or all original records, each once, in batches of about ``n_pairs``."""
        for number, runs in enumerate(self.passes):
            for original, released in runs.batches(first, self.n_original if last is None else last, n_pairs):
                new = np.ones(len(original), dtype=np.bool_)
                for earlier in self.passes[:number]:
                    new &= ~earlier.contains(original, released)
                yield (original, released) if number == 0 else (original[new], released[new])
