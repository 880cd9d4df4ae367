"""How likely a released value is for a person whose original value is known.

pairs of a person and a released record -> log likelihood ratios

The ratio is the chance that the person's record shows this value, divided by the chance that any record does. Ratios of
different columns are multiplied. A value that the published method cannot have produced excludes the pair: minus
infinity.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels, Vector
from shoal.rng import sampled_places

Mask = NDArray[np.bool_]

N_SIZES = 2000  # persons whose windows are measured


@dataclass(frozen=True, eq=False)
class SearchWindow:
    """Records sorted by one column: a person can be the records in ``order`` from the first whose upper key reaches
    their lowest to the last whose lower key does not exceed their highest."""

    order: Labels  # (n_released,)
    upper: Vector | Labels  # (n_released,) ascending
    lower: Vector | Labels  # (n_released,) ascending
    lowest: Vector | Labels  # (n_original,)
    highest: Vector | Labels  # (n_original,)

    @classmethod
    def of(cls, keys: Vector | Labels, lowest: Vector | Labels, highest: Vector | Labels) -> SearchWindow:
        """``keys``: of the records; ``lowest``, ``highest``: the range of keys that is possible for each person."""
        order = np.argsort(keys).astype(np.int64)
        return cls(order, keys[order], keys[order], lowest, highest)

    @classmethod
    def all_records(cls, n_persons: int, n_released: int) -> SearchWindow:
        nothing = np.zeros(n_persons)
        return cls(np.arange(n_released), np.zeros(n_released), np.zeros(n_released), nothing, nothing)

    def bounds(self, persons: Labels) -> tuple[Labels, Labels]:
        """(n_persons,) where the records of each person begin in ``order``, and how many there are."""
        starts = np.searchsorted(self.upper, self.lowest[persons], "left").astype(np.int64)
        stops = np.searchsorted(self.lower, self.highest[persons], "right").astype(np.int64)
        return starts, np.maximum(stops - starts, 0)

    @cached_property
    def mean_size(self) -> float:
        """Of the windows of all persons, or of some drawn at random."""
        return float(self.bounds(sampled_places(len(self.lowest), N_SIZES, "windows"))[1].mean())


@dataclass(frozen=True, eq=False)
class MissingCells:
    """Missing cells of a column: they stay missing, and known ones stay known, unless ``blanks`` or ``imputed``."""

    of_persons: Mask  # (n_original,)
    of_records: Mask  # (n_released,)
    blanks: bool = False  # a known value may be released as missing
    imputed: bool = False  # a missing value may be released as a known one

    @property
    def occur(self) -> bool:
        return bool(self.of_persons.any() or self.of_records.any())

    def applied_to(self, ratios: Vector, persons: Labels, records: Labels) -> Vector:
        """The log ratios, with those of pairs replaced that have a missing cell."""
        if not self.occur:
            return ratios
        one, other = self.of_persons[persons], self.of_records[records]
        found: Vector = np.where(one | other, 0.0, ratios)
        found[one & other] = -np.log(max(float(self.of_records.mean()), 1 / len(self.of_records)))
        if not self.blanks:
            found[~one & other] = -np.inf
        if not self.imputed:
            found[one & ~other] = -np.inf
        return found


@dataclass(frozen=True, eq=False)
class Likelihood(ABC):
    """One column, or several that were changed together."""

    columns: tuple[str, ...]

    @abstractmethod
    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        """(n_pairs,) of person ``persons[i]``, a record of the original, and released record ``records[i]``."""

    def possible(self, persons: Labels, records: Labels) -> Mask | None:
        """(n_pairs,) False for pairs that are excluded, as far as a quick test tells; None: it tells nothing."""
        return None

    def members_fit(self, ours: Labels, theirs: Labels) -> Mask | None:
        """(n_pairs, size, size) False for members and records that exclude each other by what one draw for the whole
        household did to it; None: every record had a draw of its own. ``ours``, ``theirs``: (n_pairs, size) persons and
        records of pairs of households."""
        return None

    @property
    def window(self) -> SearchWindow | None:
        """The records that are possible for each person by one column; None where all are."""
        return None
