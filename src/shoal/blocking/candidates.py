"""The pairs of records worth comparing, held as runs and made in batches: a pair costs memory only while looked at.

Every blocking comes to this: the records of the release stand in an order, and every record of the original is compared
with a run of it. Equal keys are a run, a window is a run. Several keys are several passes; a pair that an earlier pass
gave is not given again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels

BATCH = 1 << 20  # pairs at a time


@dataclass(frozen=True, eq=False)
class Runs:
    """One pass: original record i with the released records order[begin[i]] .. order[end[i] - 1]."""

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
    def place(self) -> Labels:
        """(n_released,) where a released record stands."""
        place = np.empty_like(self.order)
        place[self.order] = np.arange(len(self.order))
        return place

    @property
    def sizes(self) -> Labels:
        return self.end - self.begin

    def hold(self, original: Labels, released: Labels) -> NDArray[np.bool_]:
        """(n_pairs,) whether each pair is a candidate; a released record of -1 is none."""
        place = self.place[released]
        return (released >= 0) & (self.begin[original] <= place) & (place < self.end[original])

    def batches(self, first: int, last: int, n_pairs: int) -> Iterator[tuple[Labels, Labels]]:
        """The pairs of the original records first .. last - 1, ``n_pairs`` at a time or those of one record."""
        ends = np.cumsum(self.sizes[first:last])  # (last - first,) pairs up to and with this record
        at = first
        while at < last:
            done = int(ends[at - first - 1]) if at > first else 0
            upto = max(first + int(np.searchsorted(ends, done + n_pairs, "right")), at + 1)
            yield self._pairs(at, upto)
            at = upto

    def _pairs(self, first: int, last: int) -> tuple[Labels, Labels]:
        sizes = self.sizes[first:last]
        original = np.repeat(np.arange(first, last), sizes)
        step = np.arange(len(original)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return original, self.order[self.begin[original] + step]


@dataclass(frozen=True, eq=False)
class Candidates:
    """What a blocking leaves to compare."""

    passes: tuple[Runs, ...]
    n_widened: int = 0  # original records whose window grew because one key value fills more than it

    @classmethod
    def everything(cls, n_original: int, n_released: int) -> Candidates:
        """All pairs: no blocking."""
        whole = np.full(n_original, n_released)
        return cls((Runs(np.arange(n_released), np.zeros_like(whole), whole),))

    @property
    def n_original(self) -> int:
        return len(self.passes[0].begin)

    @property
    def n_released(self) -> int:
        return len(self.passes[0].order)

    @cached_property
    def n_pairs(self) -> int:
        """Every pair once. Several passes have to be walked through for it."""
        if len(self.passes) == 1:
            return int(self.passes[0].sizes.sum())
        return sum(len(original) for original, _ in self.batches())

    @property
    def n_pairs_at_most(self) -> int:
        """Pairs of all passes, without looking for those that are there twice."""
        return sum(int(runs.sizes.sum()) for runs in self.passes)

    @property
    def largest_block(self) -> int:
        """Released records that one original record is compared with, at most, in one pass."""
        return max(int(runs.sizes.max()) for runs in self.passes)

    def hold(self, original: Labels, released: Labels) -> NDArray[np.bool_]:
        found = np.zeros(len(original), dtype=np.bool_)
        for runs in self.passes:
            found |= runs.hold(original, released)
        return found

    def batches(self, first: int = 0, last: int | None = None, n_pairs: int = BATCH) -> Iterator[tuple[Labels, Labels]]:
        """(original, released) pairs of some or all original records, about ``n_pairs`` at a time, each once."""
        for number, runs in enumerate(self.passes):
            for original, released in runs.batches(first, self.n_original if last is None else last, n_pairs):
                new = np.ones(len(original), dtype=np.bool_)
                for earlier in self.passes[:number]:
                    new &= ~earlier.hold(original, released)
                yield (original, released) if number == 0 else (original[new], released[new])
