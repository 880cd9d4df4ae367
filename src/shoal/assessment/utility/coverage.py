"""The cost of blocking: additional loss compared with no blocks, and records separated from their nearest neighbors.

A table that is small enough is also grouped as a whole, and the losses are compared. A larger one is sampled: the
baseline is a lower bound on the loss of any partition, estimated from the sampled records, whose neighbors are searched
among all records.
"""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.blocking.twod_tree import TreeBlocks
from shoal.confidence import wilson
from shoal.findings import Finding, Findings
from shoal.kernels import Labels, Matrix, Vector
from shoal.methods.microaggregation.mdav import mdav
from shoal.plan import Partition

FEASIBLE = 50_000  # records that can be grouped as a whole in acceptable time
SAMPLE = 2000


def coverage_findings(
    X: Matrix, partition: Partition, blocks: Partition | None, k: int, *, feasible: int = FEASIBLE, seed: int = 0
) -> Findings:
    """``partition`` was formed within ``blocks`` (None: their borders were repaired); a table of at most ``feasible``
    records is grouped again without blocks."""
    records = partition.records(X)
    k = kernels.check_k(k, len(records))
    sampled = _sample(len(records), seed)
    near: Labels = kernels.nearest_neighbors(records, sampled, min(2 * k - 1, len(records)))  # (n_sampled, 2k - 1)
    whole = (
        _against_whole(records, partition, k)
        if len(records) <= feasible
        else _against_bound(records, partition, sampled, near, k)
    )
    if blocks is None:
        return Findings((whole,))
    return Findings((whole, _parted(blocks, sampled, near[:, :k], len(records)), *_chosen(blocks)))


def _sample(n_records: int, seed: int) -> Labels:
    if n_records <= SAMPLE:
        return np.arange(n_records)
    return np.sort(np.random.default_rng(np.random.SeedSequence(seed)).choice(n_records, SAMPLE, replace=False))


def _against_whole(records: Matrix, partition: Partition, k: int) -> Finding:
    meaning = "100 * SSE / SST inside of blocks, where MDAV of the whole table is the baseline."
    loss, whole = partition.information_loss(records), mdav(records, k).information_loss(records)
    return Finding("SSE / SST inside of blocks", loss, meaning, baseline=whole, unit="%")


def _against_bound(records: Matrix, partition: Partition, sampled: Labels, near: Labels, k: int) -> Finding:
    """The loss of all records, compared with a lower bound for any partition that is estimated from the sample."""
    spread = Partition(np.zeros(len(records), dtype=np.int64)).sse(records)
    per_record = 100 * len(records) / spread if spread > 0 else 0.0
    bound = float(least_errors(records, sampled, near, k).mean()) * per_record
    meaning = (
        f"100 * SSE / SST inside of blocks. The table is too large to be grouped whole: the baseline is what no "
        f"partition can go below, estimated from {len(sampled):,} records."
    )
    return Finding("SSE / SST inside of blocks", partition.information_loss(records), meaning, baseline=bound, unit="%")


def least_errors(records: Matrix, sampled: Labels, near: Labels, k: int) -> Vector:
    """(n_sampled,) lower bound on the squared error of a record: in a group of m it is at least the sum of its m - 1
    smallest squared distances over 2m, for the best m from k to 2k - 1. No partition has a smaller sum over all
    records."""
    squared = ((records[near] - records[sampled][:, None, :]) ** 2).sum(axis=2)  # (n_sampled, 2k - 1), 0 to itself
    totals = np.cumsum(np.sort(squared, axis=1), axis=1)
    sizes = np.arange(k, near.shape[1] + 1)
    least: Vector = (totals[:, sizes - 1] / (2 * sizes)).min(axis=1)
    return least


def _parted(blocks: Partition, sampled: Labels, near: Labels, n_records: int) -> Finding:
    is_parted = (blocks.labels[near] != blocks.labels[sampled][:, None]).any(axis=1)
    share = float(is_parted.mean())
    meaning = f"Share of the records that a border parts from one of their {near.shape[1] - 1} nearest."
    low, high = wilson(share, len(sampled))
    interval = None if len(sampled) == n_records else (100 * low, 100 * high)
    return Finding("parted by blocks", 100 * share, meaning, interval=interval, baseline=0, unit="%")


def _chosen(blocks: Partition) -> tuple[Finding, ...]:
    reasons = " ".join(blocks.reasons) if isinstance(blocks, TreeBlocks) else ""
    meaning = f"Blocks that were grouped each by itself, of {blocks.sizes.min():,} to {blocks.sizes.max():,} records."
    return (Finding("blocks", blocks.n_groups, f"{meaning} {reasons}".strip(), baseline=1),)
