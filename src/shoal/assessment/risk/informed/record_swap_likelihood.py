"""Record swapping: a person kept their region, or received that of a household in another region.

Who was at risk is known to whoever holds region and keys; how many of those at risk, and of the others, were swapped is
learned by swapping the original once more, with random numbers of the intruder's own. A swapped person received the
values of another region by their share among the records of all other regions. That partners agree on similar columns
where possible is not used: where there was none, they do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from shoal.assessment.risk.informed.informed_tables import InformedTables
from shoal.assessment.risk.informed.likelihood import Likelihood, Mask, MissingCells
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import number_combinations
from shoal.methods.perturbation import RecordSwap
from shoal.methods.perturbation.perturbation_method import rng_from_seed

ELSEWHERE = -1  # region of a person where regions are not exchanged, so that every value may come from another one


@dataclass(frozen=True, eq=False)
class RecordSwapLikelihood(Likelihood):
    """The exchanged columns, whose values move together; ``persons`` and ``records``: labels of their combination."""

    chances: Vector  # (n_original,) of having been swapped
    persons: Labels  # (n_original,)
    records: Labels  # (n_released,)
    regions: tuple[Labels, Labels]  # (n_original,) and (n_released,)
    missing: MissingCells

    @classmethod
    def of(cls, tables: InformedTables, method: RecordSwap, names: Sequence[str]) -> Self:
        """``names``: the exchanged columns that the intruder holds."""
        n = len(tables.expected)
        labels = [np.concatenate(tables.labels(name)) for name in names]
        joined = number_combinations(labels, len(labels[0]))
        regions = tables.labels(method.region) if method.region in names else _elsewhere(tables)
        cells = [tables.missing(name) for name in names]
        of_persons, of_records = (
            np.any([getattr(each, side) for each in cells], axis=0) for side in ("of_persons", "of_records")
        )
        missing = MissingCells(of_persons, of_records, blanks=True, imputed=True)  # they move like values
        return cls(tuple(names), _swap_chances(tables, method), joined[:n], joined[n:], regions, missing)

    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        own, shown, chances = self.persons[persons], self.records[records], self.chances[persons]
        own_region, shown_region = self.regions[0][persons], self.regions[1][records]
        of_labels, of_regions = self._shares
        kept = np.where(own == shown, (1 - chances) / of_labels[shown], 0.0)
        with np.errstate(divide="ignore"):  # of a region that holds everybody
            swapped = np.where(own_region != shown_region, chances / (1 - of_regions[own_region]), 0.0)
            ratios = np.log(kept + swapped)
        return self.missing.applied_to(ratios, persons, records)

    @cached_property
    def _shares(self) -> tuple[Vector, Vector]:
        """The share of the records with each label, and with each region; the last, of a region elsewhere, is 0."""
        known = ~self.missing.of_records
        n = max(int(np.count_nonzero(known)), 1)
        counts = np.bincount(self.records[known], minlength=int(max(self.persons.max(), self.records.max())) + 1)
        n_regions = int(max(each.max(initial=0) for each in self.regions)) + 2
        of_regions = np.bincount(self.regions[1][known], minlength=n_regions) / n
        of_regions[-1] = 0.0
        return np.maximum(counts, 1) / n, of_regions


def _elsewhere(tables: InformedTables) -> tuple[Labels, Labels]:
    n_original, n_released = len(tables.expected), len(tables.aligned.released)
    return np.full(n_original, ELSEWHERE, dtype=np.int64), np.zeros(n_released, dtype=np.int64)


def _swap_chances(tables: InformedTables, method: RecordSwap) -> Vector:
    """(n_original,) the share that was swapped among those at risk, or among the others, of the stratum."""
    chances = np.empty(len(tables.expected))
    held = replace(method, similar=tuple(name for name in method.similar if name in tables.held))
    for rows in _stratum_rows(tables.strata[0]):
        swaps = held.swaps_of(tables.expected.take(rows), tables.schema, rng_from_seed(0))
        moved = swaps.source != np.arange(len(rows))
        chances[rows] = np.where(swaps.at_risk, _share(moved[swaps.at_risk]), _share(moved[~swaps.at_risk]))
    return chances


def _stratum_rows(strata: Labels) -> Iterator[Labels]:
    order = np.argsort(strata, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(strata[order])) + 1)


def _share(moved: Mask) -> float:
    """Neither 0 nor 1: other random numbers swap others."""
    return (float(moved.sum()) + 0.5) / (len(moved) + 1)
