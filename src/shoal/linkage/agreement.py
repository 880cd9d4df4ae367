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
from shoal.linkage.string_similarity import likeness

Levels = NDArray[np.int8]  # (n_pairs,)

MOST_CATEGORIES = 100  # values of a nominal column; with more, they are compared as texts
NEAR = (0.1, 0.5)  # standard deviations
ALIKE = (0.92, 0.8)  # Jaro-Winkler


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
        apart = np.abs(self.original.values[one] - self.released.values[other])
        found = (apart == 0).astype(np.int8)
        for width in self.widths:
            found += apart <= width
        return _known(found, self.original, one, self.released, other)


@dataclass(frozen=True, eq=False)
class EqualityAgreement:
    """Agreement of categories: equal or not."""

    original: LinkageColumn
    released: LinkageColumn
    n_levels: int = 2

    def levels(self, one: Labels, other: Labels) -> Levels:
        same = _codes(self.original)[one] == _codes(self.released)[other]
        return _known(same.astype(np.int8), self.original, one, self.released, other)


@dataclass(frozen=True, eq=False)
class TextLikeness:
    """Agreement of texts: equal, similar to a degree, or not."""

    original: LinkageColumn
    released: LinkageColumn
    n_levels: int = len(ALIKE) + 2

    def levels(self, one: Labels, other: Labels) -> Levels:
        first, second = _codes(self.original)[one], _codes(self.released)[other]
        found = (first == second).astype(np.int8)
        both = np.flatnonzero((first >= 0) & (second >= 0))
        alike = likeness(self.original.texts, first[both], second[both])
        for bound in ALIKE:
            found[both] += alike >= bound
        return _known(found, self.original, one, self.released, other)


def agreements(sides: LinkageTables) -> list[Agreement]:
    return [_agreement(one, other) for one, other in zip(sides.original, sides.released, strict=True)]


def _agreement(one: LinkageColumn, other: LinkageColumn) -> Agreement:
    if one.kind == "nominal":
        return EqualityAgreement(one, other) if len(one.texts) <= MOST_CATEGORIES else TextLikeness(one, other)
    if one.kind == "ordinal":
        return NumericAgreement(one, other, np.array([1.5 / max(len(one.texts) - 1, 1)]))
    together = np.concatenate([one.values[~one.missing], other.values[~other.missing]])
    return NumericAgreement(one, other, float(together.std()) * np.array(NEAR))


def _codes(field: LinkageColumn) -> Labels:
    assert field.codes is not None, "a column that is no number has codes"
    return field.codes


def _known(levels: Levels, original: LinkageColumn, one: Labels, released: LinkageColumn, other: Labels) -> Levels:
    return np.where(original.missing[one] | released.missing[other], np.int8(-1), levels)
