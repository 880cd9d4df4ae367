"""The released records that each person can be, in batches of bounded memory.

likelihoods, persons -> pairs with their log likelihood ratios

Records are sorted by the column that leaves the fewest for a person, and only those within the person's window are
compared, column by column; a pair that one column excludes is not compared by the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from shoal.assessment.risk.informed.likelihood import Likelihood, Mask, SearchWindow
from shoal.kernels import Labels, Vector
from shoal.linkage.record_links import Links

BATCH_SIZE = 1_000_000  # pairs
TIE = 1e-9  # log ratios closer than this, relative to their size, are equal up to rounding


@dataclass(frozen=True, eq=False)
class CandidatePairs:
    """Pairs of a person and a record, sorted by person; persons are numbered 0, 1, ... in the order searched for."""

    persons: Labels  # (n_pairs,)
    records: Labels  # (n_pairs,)
    log_ratios: Vector  # (n_pairs,)
    n_persons: int

    @classmethod
    def concat(cls, parts: Sequence[CandidatePairs]) -> CandidatePairs:
        """One after the other, with the persons of each part following those of the parts before it."""
        numbers = np.array([part.n_persons for part in parts], dtype=np.int64)
        firsts = np.cumsum(numbers) - numbers
        persons = np.concatenate([first + part.persons for first, part in zip(firsts, parts, strict=True)])
        records = np.concatenate([part.records for part in parts])
        return cls(persons, records, np.concatenate([part.log_ratios for part in parts]), int(numbers.sum()))

    def are_near_best(self, margin: float) -> Mask:
        """(n_pairs,) whether the log ratio is at most ``margin`` below the best of the person."""
        near: Mask = self.log_ratios >= self.best_of_person - margin
        return near

    def taken(self, kept: Mask) -> CandidatePairs:
        return CandidatePairs(self.persons[kept], self.records[kept], self.log_ratios[kept], self.n_persons)

    @cached_property
    def starts(self) -> Labels:
        """Where the pairs of each person begin."""
        return np.flatnonzero(np.diff(self.persons, prepend=-1))

    @cached_property
    def sizes(self) -> Labels:
        """How many pairs each person has, of those with any."""
        return np.diff(np.append(self.starts, len(self.persons)))

    @cached_property
    def best_of_person(self) -> Vector:
        """(n_pairs,) the highest log ratio of the person of every pair."""
        return self.best_of(self.log_ratios)

    def best_of(self, log_ratios: Vector) -> Vector:
        """The same of other log ratios of these pairs."""
        if not len(self.starts):
            return log_ratios
        return np.repeat(np.maximum.reduceat(log_ratios, self.starts), self.sizes)

    def links(self, truth: Labels) -> Links:
        """Each person linked to the most likely record. ``truth``: (n_persons,) the true one."""
        n = self.n_persons
        starts, best = self.starts, self.best_of_person
        tied = self.log_ratios >= best - TIE * (1 + np.abs(best))
        records, measures = np.full(n, -1, dtype=np.int64), np.zeros(n)
        if len(starts):
            lowest = np.where(tied, self.records, np.iinfo(np.int64).max)
            records[self.persons[starts]] = np.minimum.reduceat(lowest, starts)
            measures[self.persons[starts]] = -best[starts]
        n_ties = np.bincount(self.persons[tied], minlength=n).astype(np.int64)
        is_right = tied & (self.records == truth[self.persons])
        found = np.bincount(self.persons[is_right], minlength=n)
        return Links(records, measures, n_ties, found / np.maximum(n_ties, 1))


@dataclass(frozen=True, eq=False)
class CandidateSearch:
    likelihoods: tuple[Likelihood, ...]  # those that exclude the most records first
    window: SearchWindow

    @classmethod
    def of(cls, likelihoods: Sequence[Likelihood], n_persons: int, n_released: int) -> CandidateSearch:
        everything = SearchWindow.all_records(n_persons, n_released)
        windows = [(likelihood, likelihood.window or everything) for likelihood in likelihoods]
        windows.sort(key=lambda pair: pair[1].mean_size)
        return cls(tuple(likelihood for likelihood, _ in windows), windows[0][1])

    def batches(self, persons: Labels) -> Iterator[CandidatePairs]:
        """All possible pairs of ``persons``, records of the original; a person's pairs are in one batch."""
        starts, sizes = self.window.bounds(persons)
        ends = np.cumsum(sizes)
        cuts = [0]
        while cuts[-1] < len(persons):
            done = int(ends[cuts[-1] - 1]) if cuts[-1] else 0
            cuts.append(max(cuts[-1] + 1, int(np.searchsorted(ends, done + BATCH_SIZE, "right"))))
        for start, stop in pairwise(cuts):
            yield self._pairs(persons[start:stop], starts[start:stop], sizes[start:stop])

    def _pairs(self, persons: Labels, starts: Labels, sizes: Labels) -> CandidatePairs:
        """``starts``, ``sizes``: of the windows of the persons."""
        at = np.repeat(np.arange(len(persons)), sizes)
        within = np.arange(len(at)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        records = self.window.order[np.repeat(starts, sizes) + within]
        for likelihood in self.likelihoods:
            possible = likelihood.possible(persons[at], records)
            if possible is not None:
                at, records = at[possible], records[possible]
        total = np.zeros(len(at))
        for likelihood in self.likelihoods:
            total += likelihood.log_ratios(persons[at], records)
            kept = total > -np.inf
            at, records, total = at[kept], records[kept], total[kept]
        return CandidatePairs(at, records, total, len(persons))
