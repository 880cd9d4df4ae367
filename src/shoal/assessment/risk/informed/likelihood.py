"""How likely a released value is for a person whose original value is known.

pairs of a person and a released record -> log likelihood ratios

The ratio is the chance that the person's record shows this value, divided by the chance that any record does. Ratios of
different columns are multiplied. A value that the published method cannot have produced excludes the pair: minus
infinity.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.kernels import Labels, Vector

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SearchWindow:
    """Records sorted by one column: all that a person can be are among ``order[starts[person]:stops[person]]``."""

    order: Labels  # (n_released,)
    starts: Labels  # (n_original,)
    stops: Labels  # (n_original,)

    @classmethod
    def of(cls, keys: Vector | Labels, lowest: Vector | Labels, highest: Vector | Labels) -> SearchWindow:
        """``keys``: of the records; ``lowest``, ``highest``: the range of keys that is possible for each person."""
        order = np.argsort(keys, kind="stable").astype(np.int64)
        ascending = keys[order]
        starts = np.searchsorted(ascending, lowest, "left").astype(np.int64)
        return cls(order, starts, np.maximum(starts, np.searchsorted(ascending, highest, "right")).astype(np.int64))

    @classmethod
    def all_records(cls, n_persons: int, n_released: int) -> SearchWindow:
        starts = np.zeros(n_persons, dtype=np.int64)
        return cls(np.arange(n_released), starts, np.full(n_persons, n_released, dtype=np.int64))

    @property
    def sizes(self) -> Labels:
        return self.stops - self.starts


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

    @property
    def window(self) -> SearchWindow | None:
        """The records that are possible for each person by one column; None where all are."""
        return None
