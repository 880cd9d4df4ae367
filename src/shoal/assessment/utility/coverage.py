"""The cost of blocking: additional loss compared with no blocks, and records separated from their nearest neighbors.

A table that is small enough is also grouped as a whole, and the losses are compared. A larger one is sampled: the
baseline is a lower bound on the loss of any partition, estimated from the sampled records, whose neighbors are searched
among all records.
"""

from __future__ import annotations

import numpy as np

from shoal import kernels, progress
from shoal.blocking.twod_tree import TreeBlocks
from shoal.confidence import mean_interval
from shoal.findings import Finding, Findings
from shoal.kernels import Labels, Matrix, Vector
from shoal.kernels.coded_points import CodedPoints
from shoal.methods.microaggregation.mdav import mdav
from shoal.plan import Partition

FEASIBLE = 50_000  # records that can be grouped as a whole in acceptable time
SAMPLE = 2000
NEIGHBORS, WITHOUT_BLOCKS = "finding neighbors of a sample", "grouping without blocks"  # stages


def coverage_findings(
    X: Matrix | CodedPoints,
    partition: Partition,
    blocks: Partition | None,
    k: int,
    *,
    feasible: int = FEASIBLE,
    seed: int = 0,
) -> Findings:
    """``partition`` was formed within ``blocks`` (None: their borders were repaired); a table of at most ``feasible``
    records is grouped again without blocks."""
    points = X if isinstance(X, CodedPoints) else CodedPoints.of_numbers(partition.records(X))
    n_records = points.n_records
    k = kernels.check_k(k, n_records)
    sampled = _sample(n_records, seed)
    with progress.stage(NEIGHBORS, 0):
        neighbors = points.nearest_neighbors(sampled, min(2 * k - 1, n_records))  # (n_sampled, 2k - 1)
    comparison = (
        _compared_with_whole(points.coordinates(), partition, k)
        if n_records <= feasible
        else _compared_with_bound(points, partition, sampled, neighbors, k)
    )
    if blocks is None:
        return Findings((comparison,))
    return Findings(
        (comparison, _separation_finding(blocks, sampled, neighbors[:, :k], n_records), *_blocks_findings(blocks))
    )


def _sample(n_records: int, seed: int) -> Labels:
    if n_records <= SAMPLE:
        return np.arange(n_records)
    return np.sort(np.random.default_rng(np.random.SeedSequence(seed)).choice(n_records, SAMPLE, replace=False))


def _compared_with_whole(records: Matrix, partition: Partition, k: int) -> Finding:
    meaning = "100 * SSE / SST within blocks, where MDAV of the whole table is the baseline."
    with progress.stage(WITHOUT_BLOCKS, 0):
        loss, whole_loss = partition.information_loss(records), mdav(records, k).information_loss(records)
    return Finding("SSE / SST within blocks", loss, meaning, baseline=whole_loss, unit="%")


def _compared_with_bound(
    points: CodedPoints, partition: Partition, sampled: Labels, neighbors: Labels, k: int
) -> Finding:
    """The loss of all records, compared with a lower bound for any partition that is estimated from the sample."""
    total_sse = points.sse(np.zeros_like(partition.labels), 1)
    per_record = 100 * points.n_records / total_sse if total_sse > 0 else 0.0
    rows, places = np.unique(np.hstack([sampled[:, None], neighbors]), return_inverse=True)
    nearby = points.only(rows).coordinates()
    bound = float(error_bounds(nearby, places[:, 0], places[:, 1:], k).mean()) * per_record
    loss = 100 * points.sse(partition.labels, partition.n_groups) / total_sse if total_sse > 0 else 0.0
    meaning = (
        f"100 * SSE / SST within blocks. The table is too large to be grouped as a whole: the baseline is a lower "
        f"bound for every partition, estimated from {len(sampled):,} records."
    )
    return Finding("SSE / SST within blocks", loss, meaning, baseline=bound, unit="%")


def error_bounds(records: Matrix, sampled: Labels, neighbors: Labels, k: int) -> Vector:
    """(n_sampled,) lower bound on the squared error of a record: in a group of m it is at least the sum of its m - 1
    smallest squared distances over 2m, for the best m from k to 2k - 1. No partition has a smaller sum over all
    records."""
    squared = ((records[neighbors] - records[sampled][:, None, :]) ** 2).sum(axis=2)  # (n_sampled, 2k - 1), 0 to itself
    totals = np.cumsum(np.sort(squared, axis=1), axis=1)
    sizes = np.arange(k, neighbors.shape[1] + 1)
    least: Vector = (totals[:, sizes - 1] / (2 * sizes)).min(axis=1)
    return least


def _separation_finding(blocks: Partition, sampled: Labels, neighbors: Labels, n_records: int) -> Finding:
    is_separated = (blocks.labels[neighbors] != blocks.labels[sampled][:, None]).any(axis=1)
    share = float(is_separated.mean())
    meaning = f"Share of the records that a border parts from one of their {neighbors.shape[1] - 1} nearest."
    low, high = mean_interval(is_separated.astype(np.float64), None, n_records)
    interval = None if len(sampled) == n_records else (100 * low, 100 * high)
    return Finding("parted by blocks", 100 * share, meaning, interval=interval, baseline=0, unit="%")


def _blocks_findings(blocks: Partition) -> tuple[Finding, ...]:
    explanations = " ".join(blocks.reasons) if isinstance(blocks, TreeBlocks) else ""
    meaning = f"Blocks that were grouped each by itself, of {blocks.sizes.min():,} to {blocks.sizes.max():,} records."
    return (Finding("blocks", blocks.n_groups, f"{meaning} {explanations}".strip(), baseline=1),)
