"""Top and bottom coding: values beyond a bound are replaced by the bound, or by the mean of all values beyond it.

arrays of one block -> masked columns

A bound is given as a number or as a share of the records: with ``top_share = 0.05`` the bound is the value that at most
5 % of the known values exceed. In a policy these are the values of the whole table, however small its strata are: a
share of few records is none. Nothing between the bounds changes. The mean of the values beyond preserves totals; where
a single value is beyond, the mean would be that value, so the bound is used instead.

Hundepool et al. (2012), Statistical Disclosure Control, Wiley, section 3.4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.encode.number_column import NumberColumn
from shoal.errors import PerturbationError, PolicyError
from shoal.kernels import Matrix, Vector
from shoal.methods.perturbation.perturbation_method import (
    NUMBERS,
    PerturbationMethod,
    numbers_of,
    round_to_step,
    with_numbers,
)
from shoal.rng import Rng
from shoal.schema import Schema

Put = Literal["bound", "mean"]


def top_bottom_code(
    X: ArrayLike,
    *,
    bottom: float | None = None,
    top: float | None = None,
    bottom_share: float = 0.0,
    top_share: float = 0.0,
    put: Put = "bound",
) -> Matrix:
    """``X`` with the values beyond the bounds of each column coded."""
    rule = TopBottomCode(bottom=bottom, top=top, bottom_share=bottom_share, top_share=top_share, put=put)
    return np.column_stack([rule.code(np.ascontiguousarray(column)) for column in kernels.as_matrix(X).T])


@dataclass(frozen=True)
class TopBottomCode(PerturbationMethod):
    """Top and bottom coding as the method of a policy. Bounds of dates are in days since 1970.

    bottom        lowest value that is released
    top           highest value that is released
    bottom_share  instead of bottom, the share of the known values that may be coded
    top_share     the same for top
    put           what replaces the values beyond: the bound, or their mean
    """

    bottom: float | None = None
    top: float | None = None
    bottom_share: float = 0.0
    top_share: float = 0.0
    put: Put = "bound"
    name: Literal["top_bottom_code"] = "top_bottom_code"

    applies_to: ClassVar = NUMBERS
    produces_numbers: ClassVar = True
    differs_by_record: ClassVar = False

    def __post_init__(self) -> None:
        if self.put not in get_args(Put):
            raise PolicyError.unknown_choice("top_bottom_code.put", self.put, get_args(Put))
        for end, bound, share in (("bottom", self.bottom, self.bottom_share), ("top", self.top, self.top_share)):
            if not 0 <= share < 0.5:
                raise PerturbationError.outside(f"top_bottom_code.{end}_share", "a share from 0 to below 0.5", share)
            if bound is not None and (share or not math.isfinite(bound)):
                raise PerturbationError.outside(f"top_bottom_code.{end}", f"a number, or {end}_share alone", bound)
        if self.bottom is not None and self.top is not None and self.bottom > self.top:
            raise PerturbationError.outside("top_bottom_code.bottom", "not above top", self.bottom)
        if self.bottom is None and self.top is None and not self.bottom_share and not self.top_share:
            raise PerturbationError.nothing_to_do(self.name, ["bottom", "top", "bottom_share", "top_share"])

    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        for column in self.target_columns(table, schema):
            numbers = numbers_of(table, column)
            values, known = numbers.values.copy(), ~numbers.missing
            values[known] = self.code(values[known], partial(round_to_step, table, column))
            table = with_numbers(table, column, NumberColumn(values, numbers.missing), keep_whole=True)
        return table

    @property
    def is_replayable(self) -> bool:
        return True

    @property
    def keeps_steps(self) -> bool:
        """True if bounds are given by share: then they are values of the column. Bounds given as numbers may be any."""
        return self.bottom is None and self.top is None

    def code(self, values: Vector, round_mean: Callable[[Vector], Vector] = np.asarray) -> Vector:
        """(n,) the known values after coding; ``round_mean``: how a mean is rounded."""
        low, high = self.bounds(values)
        released = values.copy()
        for beyond, bound in ((values < low, low), (values > high, high)):
            released[beyond] = self._replacement(values[beyond], bound, round_mean)
        return released

    @property
    def coding_by_share(self) -> TopBottomCode | None:
        return self if self.bottom_share or self.top_share else None

    def with_bounds_of(self, name: str, values: Vector) -> TopBottomCode:
        """The same rule for one column, with the bounds computed from all of its known ``values``."""
        low, high = self.bounds(values)
        bottom, top = (bound if math.isfinite(bound) else None for bound in (low, high))
        return replace(self, columns=(name,), bottom=bottom, top=top, bottom_share=0.0, top_share=0.0)

    def bounds(self, values: Vector) -> tuple[float, float]:
        """The lowest and the highest value that are released."""
        ascending = np.sort(values)
        low, high = self.bottom, self.top
        if low is None:
            low = ascending[math.floor(self.bottom_share * len(values))] if self.bottom_share else -math.inf
        if high is None:
            high = ascending[-1 - math.floor(self.top_share * len(values))] if self.top_share else math.inf
        return float(low), float(high)

    def _replacement(self, beyond: Vector, bound: float, round_mean: Callable[[Vector], Vector]) -> float:
        if self.put == "bound" or len(beyond) < 2:
            return bound
        return float(round_mean(kernels.column_sums(np.ascontiguousarray(beyond[:, None])) / len(beyond))[0])
