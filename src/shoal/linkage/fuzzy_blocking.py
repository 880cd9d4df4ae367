"""Fuzzy blocking: records are compared if ordered weighted averages of their values round to the same number.

two files -> Candidates

Nin & Torra (2006), "Blocking anonymized data". In a masked file every column is noisy, so no single column is a
reliable key. An OWA operator combines all of them: the values of a record, each scaled to [0, 1] by the range in its
own file, are sorted in descending order and averaged with the weights of a quantifier; the rounded average is the
blocking key.

Where the paper leaves it open: missing values are left out, as the quantifier gives weights for any number of values;
ordinal columns enter by rank, nominal columns by the mean of their letters. As an OWA ignores which value belongs to
which column, swapped fields of the same scale do not change the key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.errors import LinkageError
from shoal.kernels import Matrix, Vector
from shoal.linkage.candidates import Candidates, Runs
from shoal.linkage.key_bins import KeyBins
from shoal.linkage.linkage_tables import LinkageColumn, LinkageTables
from shoal.linkage.quantifiers import Power, Quantifier, weights


@dataclass(frozen=True)
class FuzzyBlocking:
    """``columns``: the columns averaged; empty: all. Each quantifier is a pass."""

    quantifiers: Sequence[Quantifier] = (Power(1.0),)
    decimals: int | None = None  # 1 if neither is given
    n_blocks: int | None = None
    columns: Sequence[str] = ()

    @property
    def rounding(self) -> KeyBins:
        return KeyBins(1 if self.decimals is None and self.n_blocks is None else self.decimals, self.n_blocks)

    def candidates(self, sides: LinkageTables) -> Candidates:
        places = [sides.place(name) for name in self.columns] or list(range(len(sides.original)))
        original = _descending([sides.original[at] for at in places])
        released = _descending([sides.released[at] for at in places])
        return Candidates(
            tuple(
                Runs.of_keys(*self.rounding.keys(owa(original, quantifier), owa(released, quantifier)))
                for quantifier in self.quantifiers
            )
        )


def owa(descending: Matrix, quantifier: Quantifier) -> Vector:
    """(n_records,) ordered weighted averages of values in descending order, NaN (missing) last; NaN if all are."""
    n_known = (~np.isnan(descending)).sum(axis=1)
    averages = np.full(len(descending), np.nan)
    for n in np.unique(n_known[n_known > 0]):
        records = n_known == n
        averages[records] = _weighted(descending[records, :n], weights(quantifier, int(n)))
    return averages


def _weighted(values: Matrix, by: Vector) -> Vector:
    """Weighted sums, added column by column so that equal records have equal averages on every machine."""
    total = np.zeros(len(values))
    for column, weight in zip(values.T, by, strict=True):
        total += weight * column
    return total


def _descending(fields: Sequence[LinkageColumn]) -> Matrix:
    if not fields or all(field.missing.all() for field in fields):
        raise LinkageError.no_field()
    units = np.column_stack([field.unit for field in fields])
    return -np.sort(-units, axis=1)  # NaN sorts last
