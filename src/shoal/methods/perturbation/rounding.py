"""Rounding: every value becomes a multiple of a base.

arrays of one block -> masked columns

The nearest multiple, halves to the even one; or, with ``unbiased``, the multiple below or above at random, the nearer
one with the higher probability, so that every value, and hence every total, is preserved in expectation.

Hundepool et al. (2012), Statistical Disclosure Control, Wiley, section 3.6.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from shoal import kernels
from shoal.encode.number_column import NumberColumn
from shoal.encode.steps import Steps
from shoal.errors import PerturbationError
from shoal.kernels import Matrix
from shoal.methods.perturbation.perturbation_method import (
    NUMBERS,
    PerturbationMethod,
    numbers_of,
    rng_from_seed,
    with_numbers,
)
from shoal.rng import RandomStream, Rng
from shoal.schema import Column, Schema


def round_to(X: ArrayLike, base: float, *, unbiased: bool = False, seed: int = 0) -> Matrix:
    """``X`` rounded to multiples of ``base``."""
    rule = Rounding(base=base, unbiased=unbiased)
    return rule.round(kernels.as_matrix(X), rng_from_seed(seed).for_purpose(rule.name))


@dataclass(frozen=True)
class Rounding(PerturbationMethod):
    """Rounding as the method of a policy. The base of a date is in days.

    base      released values are multiples of it
    unbiased  up or down at random, such that values are preserved in expectation
    """

    base: float = 1.0
    unbiased: bool = False
    name: Literal["rounding"] = "rounding"

    applies_to: ClassVar = NUMBERS
    rounds_values: ClassVar = True

    def __post_init__(self) -> None:
        if not 0 < self.base < float("inf"):
            raise PerturbationError.outside("rounding.base", "a finite number above 0", self.base)

    @property
    def is_replayable(self) -> bool:
        return not self.unbiased

    @property
    def keeps_steps(self) -> bool:
        """False: released values are multiples of the base, not of the column's step."""
        return False

    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        released = table
        for column in self.target_columns(table, schema):
            numbers = numbers_of(table, column)
            rounded = self.round(numbers.values, rng.for_purpose(f"{self.name} of {column.name}"))
            fine = self._released_column(column)
            released = with_numbers(released, fine, NumberColumn(rounded, numbers.missing), keep_whole=True)
        return released

    def _released_column(self, column: Column) -> Column:
        """The column with more decimals where the base needs them."""
        if column.decimals is None:
            return column
        base = Steps()
        base.add(pa.array([self.base]))
        return replace(column, decimals=max(column.decimals, base.decimals(None) or 0))

    def round(self, values: NDArray[np.float64], draws: RandomStream) -> NDArray[np.float64]:
        multiples = values / self.base
        if not self.unbiased:
            return self.base * np.rint(multiples) + 0.0  # no -0.0
        below = np.floor(multiples)
        return self.base * (below + (draws.random(values.shape) < multiples - below)) + 0.0
