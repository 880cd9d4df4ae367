"""Data swapping: a share of the records exchange their values with other records.

arrays of one block -> masked columns

Dalenius & Reiss (1982), doi:10.1016/0378-3758(82)90058-1.

Each column separately: records are drawn at random and paired at random, and the two of a pair exchange their values.
With ``within`` the two agree on other columns, so that joint counts of the column with those are preserved; with
``level`` both values are below the same node of the taxonomy.

A share of a small class is seldom a whole number of pairs: the fraction is rounded at random, so that a class of any
size swaps its share in expectation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal.encode.class_numbers import class_numbers
from shoal.encode.codes import Codes, to_codes
from shoal.errors import PerturbationError, PolicyError
from shoal.kernels import Ints, Labels
from shoal.kernels.combinations import number_combinations
from shoal.methods.perturbation.perturbation_method import (
    EVERY,
    PerturbationMethod,
    as_codes,
    nodes_under,
    rng_from_seed,
    take_values,
)
from shoal.rng import RandomStream, Rng
from shoal.schema import Column, Schema


def data_swap(codes: ArrayLike, *, rate: float = 0.1, within: ArrayLike | None = None, seed: int = 0) -> Ints:
    """The codes of a column, a share ``rate`` of them swapped; ``within``: only between records of the same class."""
    given, rule = as_codes(codes), DataSwap(rate=rate)
    same = np.zeros_like(given) if within is None else as_codes(within, "within")
    if len(same) != len(given):
        raise PerturbationError.other_lengths("codes", len(given), "within", len(same))
    return given[rule.source(given >= 0, same, rng_from_seed(seed).for_purpose(rule.name))]


@dataclass(frozen=True)
class DataSwap(PerturbationMethod):
    """Data swapping as the method of a policy.

    rate    share of the records, 0 to 1, that exchange their value
    within  columns on which the two must agree
    level   the two values are below one node at this level of the taxonomy; level 1 is directly above the values
    """

    rate: float = 0.1
    within: tuple[str, ...] = ()
    level: int | None = None
    name: Literal["data_swap"] = "data_swap"

    applies_to: ClassVar = EVERY
    moves_values: ClassVar = True

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise PerturbationError.outside("data_swap.rate", "a share above 0 and up to 1", self.rate)

    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        for name in self.within:
            if name not in table.column_names:
                raise PolicyError.unknown_column("data_swap.within", name, table.column_names)
        released = table
        agreeing = class_numbers(table, self.within)
        for column in self.target_columns(table, schema):
            codes = to_codes(column.name, table[column.name], column.order)
            same = (
                agreeing
                if self.level is None
                else number_combinations([agreeing, self._nodes(column, codes)], len(table))
            )
            draws = rng.for_purpose(f"{self.name} of {column.name}")
            released = take_values(released, column.name, self.source(codes.codes >= 0, same, draws))
        return released

    def source(self, known: np.ndarray[tuple[int], np.dtype[np.bool_]], same: Labels, draws: RandomStream) -> Ints:
        """(n,) the record whose value each record receives; only records of known value and the same class swap."""
        records = np.flatnonzero(known)
        label = same[records]
        order = np.lexsort((draws.random(len(records)), label))  # sorted by class, in random order within a class
        label, records = label[order], records[order]
        sizes = np.bincount(label)
        n_pairs = np.minimum(np.floor(self.rate * sizes / 2 + draws.random(len(sizes))).astype(np.int64), sizes // 2)
        start = (np.cumsum(sizes) - sizes)[label]
        place = np.arange(len(records)) - start  # position within its class
        swapped = place < 2 * n_pairs[label]
        source = np.arange(len(known))
        source[records[swapped]] = records[(start + (place ^ 1))[swapped]]
        return source

    def _nodes(self, column: Column, codes: Codes) -> Ints:
        return np.append(nodes_under(self.name, column, codes, self.level or 0), -1)[codes.codes]
