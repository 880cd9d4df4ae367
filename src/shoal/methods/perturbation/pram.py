"""PRAM, the post-randomization method: categories are changed at random with known probabilities.

arrays of one block -> masked columns

Gouweleeuw, Kooiman, Willenborg & de Wolf (1998), "Post randomisation for statistical disclosure control: theory and
implementation", Journal of Official Statistics 14(4).

A transition matrix gives the probability that value i becomes value j. It is given, or built from one number: the
probability that a value stays. An invariant matrix preserves the counts of the values in expectation; it is built in
two stages, the matrix and its reversal. With ``level`` a value only becomes another below the same taxonomy node.

A policy contains no matrix, since its rows would name values of the data; ``shoal.pram`` takes any.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal.encode.codes import Codes, from_codes, to_codes
from shoal.errors import PerturbationError, TableError
from shoal.kernels import Ints, Matrix
from shoal.methods.microaggregation.household_groups import HouseholdGroups
from shoal.methods.perturbation.perturbation_method import (
    CATEGORIES,
    PerturbationMethod,
    as_codes,
    nodes_under,
    replace_column,
    rng_from_seed,
)
from shoal.methods.perturbation.transition import as_transition, invariant_matrix, retention_matrix
from shoal.rng import RandomStream, Rng
from shoal.schema import Column, Schema

MAX_VALUES = 2000  # of a column: the matrix has the square of this


def pram(codes: ArrayLike, matrix: ArrayLike, *, seed: int = 0) -> Ints:
    """Every code drawn anew from its row of ``matrix``; -1 (missing) stays."""
    given, probabilities = as_codes(codes), as_transition(matrix)
    if given.max() >= len(probabilities):
        raise PerturbationError.not_a_transition(
            f"codes go up to {given.max()}, the matrix has {len(probabilities)} rows"
        )
    return draw_codes(given, probabilities, rng_from_seed(seed).for_purpose("pram"))


def draw_codes(codes: Ints, probabilities: Matrix, draws: RandomStream) -> Ints:
    """(n,) the new code of every record."""
    order = np.argsort(codes, kind="stable")
    bounds = np.searchsorted(codes[order], np.arange(len(probabilities) + 1))
    uniform = draws.random(len(codes))
    released = codes.copy()
    last = (
        len(probabilities) - 1 - np.argmax(probabilities[:, ::-1] > 0, axis=1)
    )  # (n_values,) the last of positive probability
    for code, (start, stop) in enumerate(pairwise(bounds)):
        records = order[start:stop]
        found = np.searchsorted(np.cumsum(probabilities[code]), uniform[records], side="right")
        released[records] = np.minimum(found, last[code])  # a sum just below 1 must not give a value of probability 0
    return released


@dataclass(frozen=True)
class Pram(PerturbationMethod):
    """PRAM as the method of a policy.

    stay       probability that a value is unchanged, before the second stage
    invariant  preserve the counts of all values in expectation
    level      a value becomes another below the same node at this level of the taxonomy; if omitted, any other
    """

    stay: float = 0.8
    invariant: bool = True
    level: int | None = None
    name: Literal["pram"] = "pram"

    applies_to: ClassVar = CATEGORIES
    moves_values: ClassVar = True

    def __post_init__(self) -> None:
        if not 0 <= self.stay <= 1:
            raise PerturbationError.outside("pram.stay", "a probability from 0 to 1", self.stay)

    @property
    def post_randomization(self) -> Pram:
        return self

    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        released = table
        for column in self.target_columns(table, schema):
            codes = to_codes(column.name, table[column.name], column.order)
            new = draw_codes(codes.codes, self.matrix(column, codes), rng.for_purpose(f"{self.name} of {column.name}"))
            released = replace_column(released, column.name, from_codes(new, codes.values))
        return released

    def perturb_units(
        self, table: pa.Table, schema: Schema, households: HouseholdGroups, names: tuple[str, ...], rng: Rng
    ) -> pa.Table:
        """With probabilities computed from all records, so that counts of records are preserved in expectation."""
        for column in replace(self, columns=names).target_columns(table, schema):
            codes = to_codes(column.name, table[column.name], column.order)
            draws = rng.for_purpose(f"{self.name} of {column.name}")
            new = draw_codes(codes.codes[households.first], self.matrix(column, codes), draws)
            table = replace_column(table, column.name, from_codes(new[households.unit_of], codes.values))
        return table

    def matrix(self, column: Column, codes: Codes) -> Matrix:
        """(n_values, n_values) the transition probabilities of this column."""
        if codes.n_values > MAX_VALUES:
            raise TableError.too_many_values(column.name, codes.n_values, MAX_VALUES)
        nodes = np.zeros(codes.n_values, dtype=np.int64)
        if self.level is not None:
            nodes = nodes_under(self.name, column, codes, self.level)
        probabilities = retention_matrix(self.stay, nodes)
        counts = np.bincount(codes.codes[codes.codes >= 0], minlength=codes.n_values)
        return invariant_matrix(probabilities, counts) if self.invariant else probabilities
