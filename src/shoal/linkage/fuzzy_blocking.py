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
from shoal.linkage.quantifiers import Power, Quantifier, owa_weights


@dataclass(frozen=True)
class FuzzyBlocking:
    """``columns``: the columns averaged; empty: all. Each quantifier is a pass."""

    quantifiers: Sequence[Quantifier] = (Power(1.0),)
    decimals: int | None = None  # 1 if neither is given
    n_blocks: int | None = None
    columns: Sequence[str] = ()

    @property
    def bins(self) -> KeyBins:
        return KeyBins(1 if self.decimals is None and self.n_blocks is None else self.decimals, self.n_blocks)

    def candidates(self, tables: LinkageTables) -> Candidates:
        indices = [tables.column_index(name) for name in self.columns] or list(range(len(tables.original)))
        original = _descending_values([tables.original[at] for at in indices])
        released = _descending_values([tables.released[at] for at in indices])
        return Candidates(
            tuple(
                Runs.of_keys(*self.bins.keys(owa(original, quantifier), owa(released, quantifier)))
                for quantifier in self.quantifiers
            )
        )


def owa(descending: Matrix, quantifier: Quantifier) -> Vector:
    """(n_records,) ordered weighted averages of values in descending order, NaN (missing) last; NaN if all are."""
    n_known = (~np.isnan(descending)).sum(axis=1)
    averages = np.full(len(descending), np.nan)
    for n in np.unique(n_known[n_known > 0]):
        records = n_known == n
        averages[records] = _weighted_sums(descending[records, :n], owa_weights(quantifier, int(n)))
    return averages


def _weighted_sums(values: Matrix, weights: Vector) -> Vector:
    """Weighted sums, added column by column so that equal records have equal averages on every machine."""
    total = np.zeros(len(values))
    for column, weight in zip(values.T, weights, strict=True):
        total += weight * column
    return total


def _descending_values(columns: Sequence[LinkageColumn]) -> Matrix:
    if not columns or all(column.missing.all() for column in columns):
        raise LinkageError.no_blocking_values()
    scaled = np.column_stack([column.scaled for column in columns])
    return -np.sort(-scaled, axis=1)  # NaN sorts last
