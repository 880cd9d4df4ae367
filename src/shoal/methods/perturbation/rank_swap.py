"""Rank swapping, RS-p: every value is exchanged with another that is at most p % of the ranks away.

arrays of one block -> masked columns

Moore (1996), "Controlled data-swapping techniques for masking public use microdata sets", US Census Bureau.

Each column separately: its values are sorted, and from the lowest up each value not yet swapped is exchanged with one
not yet swapped among the next p % of the ranks, all with equal probability (``window="upward"``). With
``window="centered"`` the ranks are visited in random order and the partner of a value is within a range of p % of the
ranks around it, half of it below and half above. A value without an available partner in its range is not swapped.

The values of a column and their frequencies are preserved exactly; only their assignment to records changes. Of equal
values the lower record comes first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal import kernels
from shoal.encode.codes import to_codes
from shoal.errors import PerturbationError, PolicyError
from shoal.kernels import Ints, Matrix, Vector
from shoal.methods.perturbation.perturbation_method import (
    ORDERED,
    PerturbationMethod,
    numbers_of,
    rng_from_seed,
    take_values,
)
from shoal.rng import RandomStream, Rng
from shoal.schema import Column, Schema

Window = Literal["upward", "centered"]


def rank_swap(X: ArrayLike, *, p: float = 10, window: Window = "upward", seed: int = 0) -> Matrix:
    """``X`` with the values of each column swapped over at most ``p`` percent of the ranks."""
    records = kernels.as_matrix(X)
    rule = RankSwap(p=p, window=window)
    swapped = np.empty_like(records)
    for j, column in enumerate(np.ascontiguousarray(records.T)):
        where = f"column {j}"
        swapped[:, j] = column[rule.source(column, where, rng_from_seed(seed).for_purpose(where))]
    return swapped


@dataclass(frozen=True)
class RankSwap(PerturbationMethod):
    """Rank swapping as the method of a policy.

    p       maximum distance of a swap, in percent of the ranks
    window  upward: partners among the next p %; centered: in a range of p % around the value
    """

    p: float = 10
    window: Window = "upward"
    name: Literal["rank_swap"] = "rank_swap"

    applies_to: ClassVar = ORDERED
    moves_values: ClassVar = True

    def __post_init__(self) -> None:
        if not 0 < self.p <= 100:
            raise PerturbationError.outside("rank_swap.p", "a percentage above 0 and up to 100", self.p)
        if self.window not in get_args(Window):
            raise PolicyError.unknown_choice("rank_swap.window", self.window, get_args(Window))

    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        released = table
        for column in self.target_columns(table, schema):
            values, known = _ranked_values(table, column)
            source = np.arange(len(table))
            draws = rng.for_purpose(f"{self.name} of {column.name}")
            source[known] = known[self.source(values[known], f"columns.{column.name}", draws)]
            released = take_values(released, column.name, source)
        return released

    def source(self, values: Vector, where: str, draws: RandomStream) -> Ints:
        """(n,) the record whose value each record receives."""
        n = len(values)
        below, above = self.reach(n, where)
        ranks = np.arange(n)
        partner = kernels.pair_up(
            active=np.ones(n, dtype=bool),
            visits=ranks if self.window == "upward" else draws.permutation(n),
            windows=np.column_stack([np.maximum(ranks - below, 0), ranks, ranks + 1, np.minimum(ranks + above + 1, n)]),
            max_pairs=n,
            seed=draws.integer(),
        )
        order = np.argsort(values, kind="stable")  # (n,) the record at every rank
        source = np.empty(n, dtype=np.int64)
        source[order] = order[np.where(partner < 0, ranks, partner)]
        return source

    def reach(self, n: int, where: str) -> tuple[int, int]:
        """How many ranks below and above a partner may be."""
        widest = math.floor(self.p * n / 100)
        reach = (0, widest) if self.window == "upward" else (widest // 2, widest // 2)
        if reach[1] < 1:
            raise PerturbationError.no_window(where, self.p, n)
        return reach


def _ranked_values(table: pa.Table, column: Column) -> tuple[Vector, Ints]:
    """The values as numbers in the same order, and the records with known values."""
    if column.kind == "ordinal":
        codes = to_codes(column.name, table[column.name], column.order).codes
        return codes.astype(np.float64), np.flatnonzero(codes >= 0)
    numbers = numbers_of(table, column)
    return numbers.values, np.flatnonzero(~numbers.missing)
