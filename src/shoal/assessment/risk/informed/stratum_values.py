"""One column as the published method saw it: values of persons and records, by stratum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from shoal.assessment.risk.informed.likelihood import MissingCells
from shoal.kernels import Labels, Vector


@dataclass(frozen=True, eq=False)
class StratumValues:
    """The records of a stratum, and the values from which the method computed its parameters there."""

    persons: Labels  # records of the original
    records: Labels  # released records
    basis_records: Labels  # records of the original: all, or one of every household where its members share values
    basis: Vector  # their known values


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """Numbers, or codes of categories in their order; 0 where missing."""

    name: str
    persons: Vector  # (n_original,)
    records: Vector  # (n_released,)
    missing: MissingCells
    strata: Sequence[StratumValues]

    @classmethod
    def of(
        cls,
        name: str,
        values: tuple[Vector, Vector],
        missing: MissingCells,
        strata: tuple[Labels, Labels],
        basis: Labels,
    ) -> ColumnValues:
        """``strata``: of persons and of records; ``basis``: the records of the original that the method computed its
        parameters from."""
        persons, records = values
        n_strata = int(strata[0].max(initial=-1)) + 1
        of_basis = [basis[at] for at in _members(strata[0][basis], n_strata)]
        parts = [
            StratumValues(own, released, rows, persons[rows[~missing.of_persons[rows]]])
            for own, released, rows in zip(*(_members(each, n_strata) for each in strata), of_basis, strict=True)
        ]
        return cls(name, persons, records, missing, parts)


def _members(labels: Labels, n_strata: int) -> list[Labels]:
    """Positions of the records of every stratum 0, 1, ...; a label of -1 is in none."""
    if n_strata == 1:
        return [np.flatnonzero(labels == 0)]
    order = np.argsort(labels, kind="stable")
    bounds = np.searchsorted(labels[order], np.arange(n_strata + 1))
    return [order[start:stop] for start, stop in pairwise(bounds)]
