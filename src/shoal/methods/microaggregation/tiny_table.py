"""The optimal partition of a table of a few records, by dynamic programming over all subsets of them.

arrays of one block -> Partition

Domingo-Ferrer & Mateo-Sanz (2002), doi:10.1109/69.979982: an optimal partition has groups of k to 2k - 1 records.
"""

from __future__ import annotations

from shoal import kernels
from shoal.kernels import Matrix
from shoal.plan import Partition

MOST_RECORDS = 12  # 3^12 steps: a millisecond


def gap(loss: float, bound: float) -> float:
    """Loss in excess of a lower bound, as a share of the bound."""
    if loss <= bound:
        return 0.0
    return loss / bound - 1 if bound > 0 else float("inf")


def is_tiny(records: Matrix) -> bool:
    """Whether the optimum is found by trying all subsets."""
    return len(records) <= MOST_RECORDS


def optimal_partition(records: Matrix, k: int, known: Partition) -> Partition:
    """The partition of a tiny table, or of fewer than 2k records, with the least SSE; ``known`` where it is as good."""
    optimum = Partition(kernels.optimal_groups(records, k))
    return optimum if optimum.sse(records) < known.sse(records) else known
