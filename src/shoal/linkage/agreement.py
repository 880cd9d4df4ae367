"""Agreement of two records in one column, in levels: 0 disagreement, the highest full agreement, -1 unknown.

numbers   equal; within 0.1, 0.5 standard deviations of each other; farther apart
ordinal   equal; neighbors in the order; farther apart
nominal   equal or not; columns with many values count as text: equal; Jaro-Winkler of at least 0.92, 0.8; less similar
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels, Vector
from shoal.linkage.linkage_tables import LinkageColumn, LinkageTables
from shoal.linkage.string_similarity import string_similarity

Levels = NDArray[np.int8]  # (n_pairs,)

MOST_CATEGORIES = 100  # values of a nominal column; with more, they are compared as texts
NUMERIC_WIDTHS = (0.1, 0.5)  # standard deviations
SIMILARITY_THRESHOLDS = (0.92, 0.8)  # Jaro-Winkler


class Agreement(Protocol):
    @property
    def n_levels(self) -> int: ...

    def levels(self, one: Labels, other: Labels) -> Levels:
        """(n_pairs,) levels of pairs of an original and a released record."""
        ...


@dataclass(frozen=True, eq=False)
class NumericAgreement:
    """Agreement of numbers: one level for equal ones, one for every width, one for all else."""

    original: LinkageColumn
    released: LinkageColumn
    widths: Vector  # ascending

    @property
    def n_levels(self) -> int:
        return len(self.widths) + 2

    def levels(self, one: Labels, other: Labels) -> Levels:
        distances = np.abs(self.original.values[one] - self.released.values[other])
        levels = (distances == 0).astype(np.int8)
        for width in self.widths:
            levels += distances <= width
        return _unknown_where_missing(levels, self.original, one, self.released, other)


@dataclass(frozen=True, eq=False)
class EqualityAgreement:
    """Agreement of categories: equal or not."""

    original: LinkageColumn
    released: LinkageColumn
    n_levels: int = 2

    def levels(self, one: Labels, other: Labels) -> Levels:
        same = _codes(self.original)[one] == _codes(self.released)[other]
        return _unknown_where_missing(same.astype(np.int8), self.original, one, self.released, other)


@dataclass(frozen=True, eq=False)
class TextAgreement:
    """Agreement of texts: equal, similar to a degree, or not."""

    original: LinkageColumn
    released: LinkageColumn
    n_levels: int = len(SIMILARITY_THRESHOLDS) + 2

    def levels(self, one: Labels, other: Labels) -> Levels:
        first, second = _codes(self.original)[one], _codes(self.released)[other]
        levels = (first == second).astype(np.int8)
        both = np.flatnonzero((first >= 0) & (second >= 0))
        similarities = string_similarity(self.original.texts, first[both], second[both])
        for bound in SIMILARITY_THRESHOLDS:
            levels[both] += similarities >= bound
        return _unknown_where_missing(levels, self.original, one, self.released, other)


def column_agreements(tables: LinkageTables) -> list[Agreement]:
    columns = zip(tables.original, tables.released, strict=True)
    return [_column_agreement(one, other, tables.counts) for one, other in columns]


def _column_agreement(one: LinkageColumn, other: LinkageColumn, counts: Labels) -> Agreement:
    if one.kind == "nominal":
        return EqualityAgreement(one, other) if len(one.texts) <= MOST_CATEGORIES else TextAgreement(one, other)
    if one.kind == "ordinal":
        return NumericAgreement(one, other, np.array([1.5 / max(len(one.texts) - 1, 1)]))
    released = np.repeat(other.values[~other.missing], counts[~other.missing])
    together = np.concatenate([one.values[~one.missing], released])
    return NumericAgreement(one, other, float(together.std()) * np.array(NUMERIC_WIDTHS))


def _codes(column: LinkageColumn) -> Labels:
    assert column.codes is not None, "a column that is no number has codes"
    return column.codes


def _unknown_where_missing(
    levels: Levels, original: LinkageColumn, one: Labels, released: LinkageColumn, other: Labels
) -> Levels:
    for column, records in ((original, one), (released, other)):
        if column.missing.any():
            levels = np.where(column.missing[records], np.int8(-1), levels)
    return levels
