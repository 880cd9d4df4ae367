"""Distance-based linkage: the intruder links every person they know to the nearest record of the release.

points of the original, points of the release, true pairs -> Links

Domingo-Ferrer & Torra (2001), "A quantitative comparison of disclosure control methods for microdata". The search is
exact: a tree over the release, or over every block of it; where blocks are windows, a scan of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from shoal import kernels, progress
from shoal.errors import ArrayError, LinkageError
from shoal.kernels import Labels, Vector, thread_pool
from shoal.linkage.candidates import Candidates, Runs
from shoal.linkage.metric import WeightedPoints
from shoal.linkage.record_links import Links
from shoal.linkage.true_pairs import check_truth

BATCH_SIZE = 1024  # records between two updates of the progress
MANY_SHARING = 128  # records with the same candidates, for which a tree is worth building
SHORT_RUN = 256  # candidates that are scanned faster than a tree is built

Tallies = tuple[Labels, Vector]
Search = Callable[[Labels], Tallies]  # a batch of original records -> their tallies


def distance_linkage(
    original: ArrayLike,
    released: ArrayLike,
    *,
    truth: ArrayLike | None = None,
    k: int = 1,
    candidates: Candidates | None = None,
) -> Links:
    """Nearest released record of every original one, by Euclidean distance of the arrays as given.

    ``truth``: (n_original,) the true released record, -1 where there is none; if not given, record i is record i.
    ``k``: guesses per person. ``candidates``: the pairs kept by a blocking; if not given, all pairs.
    """
    A, B = kernels.as_matrix(original, "original"), kernels.as_matrix(released, "released")
    if A.shape[1] != B.shape[1]:
        raise LinkageError.other_width(A.shape[1], B.shape[1])
    true_records = check_truth(truth, len(A), len(B))
    return nearest_links(WeightedPoints.unscaled(A, B), true_records, k=k, candidates=candidates)


def nearest_links(points: WeightedPoints, truth: Labels, *, k: int = 1, candidates: Candidates | None = None) -> Links:
    """The same by a weighted distance, for the true released point of every original one, or -1. Equal distances are
    ties, regardless of rounding errors."""
    if k < 1:
        raise ArrayError.too_small("k", 1, k)
    n_original, n_released = len(points.original), len(points.released)
    pairs = Candidates.all_pairs(n_original, n_released) if candidates is None else candidates
    true_points = np.where(pairs.contains(np.arange(n_original), truth), truth, -1)
    with progress.stage("linking records", n_original) as at:
        if len(pairs.passes) > 1:
            counts, measures = _tally_pairs(points, true_points, pairs)
        else:
            counts, measures = _tally_runs(points, true_points, pairs.passes[0], k, at)
    return Links.of(counts, measures, k)


def _tally_runs(points: WeightedPoints, truth: Labels, runs: Runs, k: int, at: progress.Advance) -> Tallies:
    """Records with the same run of candidates share a search tree where that is faster; all others are scanned."""
    A, B = points.original, points.released
    by_run = np.lexsort((runs.end, runs.begin))
    begin, end = runs.begin[by_run], runs.end[by_run]
    starts = np.flatnonzero(np.r_[True, (np.diff(begin) != 0) | (np.diff(end) != 0)])
    n_sharing = np.diff(np.r_[starts, len(A)])
    uses_tree = (n_sharing > MANY_SHARING) & (end[starts] - begin[starts] > SHORT_RUN)
    tally = RunTally(len(A), at)
    for start, n in zip(starts[uses_tree], n_sharing[uses_tree], strict=True):
        tally.add(by_run[start : start + n], _tree_search(points, truth, runs, slice(begin[start], end[start]), k))
    scan = kernels.LinkRuns(B, points.weights, points.residues, runs.order, points.counts)
    tally.add(
        by_run[~np.repeat(uses_tree, n_sharing)],
        lambda batch: scan.tally(A[batch], runs.begin[batch], runs.end[batch], truth[batch], k),
    )
    return tally.counts, tally.measures


class RunTally:
    """Tallies of all records, added run by run, batches in parallel."""

    def __init__(self, n_records: int, at: progress.Advance) -> None:
        self.counts = np.empty((n_records, 4), dtype=np.int64)
        self.measures = np.empty(n_records)
        self._at = at
        self._n_done = 0

    def add(self, records: Labels, search: Search) -> None:
        if len(records) == 0:
            return
        jobs = [partial(self._add_batch, search, batch) for batch in _batches(records)]
        thread_pool.run(jobs, thread_pool.n_threads(None), lambda n_of_run: self._at(self._n_done + n_of_run))
        self._n_done += len(records)

    def _add_batch(self, search: Search, batch: Labels, report: thread_pool.Report) -> None:
        self.counts[batch], self.measures[batch] = search(batch)
        report(len(batch))


def _tree_search(points: WeightedPoints, truth: Labels, runs: Runs, run: slice, k: int) -> Search:
    """The search for the nearest candidates of one run."""
    candidates = runs.order[run]
    tree = kernels.LinkTree(
        points.released[candidates],
        points.weights,
        points.residues,
        points.counts[candidates],
        thread_pool.n_threads(None),
    )

    def search(batch: Labels) -> Tallies:
        found, distances = tree.tally(points.original[batch], _positions_in_run(truth[batch], runs, run.start), k)
        found[:, 0] = candidates[found[:, 0]]
        return found, distances

    return search


def _positions_in_run(truth: Labels, runs: Runs, begin: int) -> Labels:
    """The true records by their position in a run."""
    return np.where(truth < 0, -1, runs.positions[truth] - begin)


def _batches(records: Labels) -> Iterator[Labels]:
    for first in range(0, len(records), BATCH_SIZE):
        yield records[first : first + BATCH_SIZE]


def _tally_pairs(points: WeightedPoints, truth: Labels, candidates: Candidates) -> Tallies:
    tallies = kernels.LinkDistances(points.original, points.released, truth, points.weights, points.residues)
    for one, other in candidates.batches():
        tallies.consider(one, other)
    counts, measures = tallies.tally()
    return counts, measures
