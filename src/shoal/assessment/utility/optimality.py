"""How far groups are from the optimum at most: their loss, and a lower bound on that of every partition."""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.assessment.utility.coverage import error_bounds
from shoal.findings import Finding, Findings
from shoal.kernels import Matrix
from shoal.methods.microaggregation.tiny_table import gap, is_tiny, optimal_partition
from shoal.plan import Partition
from shoal.rng import sampled_places

BOUNDED = "SSE / SST of groups"
MOST_RECORDS = 8192  # whose neighbors are all searched; of a larger table, those of a sample
SAMPLE = 2000


def optimality_findings(records: Matrix, partition: Partition, k: int) -> Findings:
    """The loss of ``partition``, where the baseline is a lower bound; the optimum of a tiny table."""
    loss = partition.information_loss(records)
    bound, rest_on = _bound(records, partition, k)
    meaning = f"100 * SSE / SST, where the baseline is {rest_on}.{_gap_sentence(gap(loss, bound))}"
    return Findings((Finding(BOUNDED, loss, meaning, baseline=bound, unit="%"),))


def _gap_sentence(share: float) -> str:
    return f" The gap is {100 * share:.3g} % of it." if np.isfinite(share) else ""


def _bound(records: Matrix, partition: Partition, k: int) -> tuple[float, str]:
    """A lower bound on the loss of every partition into groups of k or more, and what it rests on."""
    if is_tiny(records) or len(records) < 2 * k:
        return optimal_partition(records, k, partition).information_loss(records), "the proven optimum"
    sampled = sampled_places(len(records), len(records) if len(records) <= MOST_RECORDS else SAMPLE, "bound of groups")
    neighbors = kernels.nearest_neighbors(records, sampled, min(2 * k - 1, len(records)))  # (n_sampled, 2k - 1)
    total = Partition(np.zeros(len(records), dtype=np.int64)).sse(records)
    mean = float(error_bounds(records, sampled, neighbors, k).mean())
    bound = 100 * len(records) * mean / total if total > 0 else 0.0
    whose = "" if len(sampled) == len(records) else f", estimated from {len(sampled):,} records"
    return bound, f"a lower bound for every partition, by the nearest records of each{whose}"
