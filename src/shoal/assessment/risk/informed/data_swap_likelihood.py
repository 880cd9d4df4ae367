"""Data swapping: a value is kept, or exchanged with that of another record at the published rate.

A swapped value is drawn by its share among all records, or among those below the same node of the taxonomy. That
partners may have to agree on further columns is not used, since these may have been swapped, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.assessment.risk.informed.likelihood import Likelihood, MissingCells
from shoal.kernels import Labels, Vector


@dataclass(frozen=True, eq=False)
class DataSwapLikelihood(Likelihood):
    rate: float
    persons: Labels  # (n_original,) label of the value
    records: Labels  # (n_released,)
    nodes: Labels  # (n_labels,) the node within which values are exchanged
    missing: MissingCells

    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        own, released = self.persons[persons], self.records[records]
        shares, of_nodes = self._shares
        kept = np.where(own == released, (1 - self.rate) / shares[released], 0.0)
        swapped = np.where(self.nodes[own] == self.nodes[released], self.rate / of_nodes[self.nodes[released]], 0.0)
        with np.errstate(divide="ignore"):
            ratios = np.log(kept + swapped)
        return self.missing.applied_to(ratios, persons, records)

    @cached_property
    def _shares(self) -> tuple[Vector, Vector]:
        """The share of the records of every label and of every node."""
        counts = np.bincount(self.records[~self.missing.of_records], minlength=len(self.nodes))
        shares = np.maximum(counts, 1) / max(int(counts.sum()), 1)
        return shares, np.bincount(self.nodes, shares).astype(np.float64)
