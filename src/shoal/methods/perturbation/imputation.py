"""Imputation: missing values are replaced by likely ones and flagged.

arrays of one block -> masked columns, and which cells were imputed

Nordholt (1998), "Imputation: methods, simulation experiments and practical examples", distinguishes three kinds.

deductive      what follows from other values: records of the same class (``by``) that all have one value, and sums,
               such as total = rent + food where one of the three is missing
deterministic  mean, (lower) median or most frequent value of the class
stochastic     hot deck: the value of a record drawn from the class

Where a class has no known value, nothing is imputed and the value stays missing. Sums are deduced first, in the given
order, each once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from shoal import kernels
from shoal.encode.class_numbers import class_numbers
from shoal.encode.codes import to_codes
from shoal.encode.number_column import NumberColumn
from shoal.errors import PerturbationError, PolicyError
from shoal.kernels import Labels, Matrix
from shoal.methods.perturbation.donors import KnownValues
from shoal.methods.perturbation.perturbation_method import (
    EVERY,
    NUMBERS,
    ORDERED,
    PerturbationMethod,
    as_codes,
    numbers_of,
    rng_from_seed,
    round_to_step,
    take_values,
    with_numbers,
)
from shoal.rng import RandomStream, Rng
from shoal.schema import Column, Schema

How = Literal["deductive", "mean", "median", "mode", "hot_deck"]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class ImputedTable:
    """``table`` with missing values imputed; ``flags[column]`` says which cells were imputed, (n_records,)."""

    table: pa.Table
    flags: dict[str, Flags]

    @property
    def counts(self) -> dict[str, int]:
        """Number of imputed cells by column; a manifest may publish it."""
        return {name: int(flagged.sum()) for name, flagged in self.flags.items()}


def impute(
    X: ArrayLike, *, how: How = "mean", by: ArrayLike | None = None, seed: int = 0
) -> tuple[Matrix, NDArray[np.bool_]]:
    """``X`` with NaN imputed within the classes ``by``, and which cells were; NaN stays where no value is known."""
    given = np.asarray(X, dtype=np.float64)
    missing = np.isnan(given)
    records = kernels.as_matrix(np.where(missing, 0.0, given))
    same = np.zeros(len(records), dtype=np.int64) if by is None else as_codes(by, "by") + 1
    if len(same) != len(records):
        raise PerturbationError.other_lengths("X", len(records), "by", len(same))
    names = [f"column {j}" for j in range(records.shape[1])]
    cells = {name: pa.array(column, mask=gaps) for name, column, gaps in zip(names, records.T, missing.T, strict=True)}
    table = pa.table({**cells, "by": same})
    schema = Schema([*(Column(name, "quasi_identifier", "numeric") for name in names), Column("by")])
    found = Imputation(how=how, by=("by",)).impute(table, schema, rng_from_seed(seed))
    values = np.column_stack([found.table[name].to_numpy() for name in names])
    return values, np.column_stack([found.flags[name] for name in names])


@dataclass(frozen=True)
class Imputation(PerturbationMethod):
    """Imputation as the method of a policy.

    how   deductive, mean, median, mode or hot_deck
    by    columns whose values define the classes; if omitted, all records are one class
    sums  deductive: the first column of each is the sum of the others
    """

    how: How = "hot_deck"
    by: tuple[str, ...] = ()
    sums: tuple[tuple[str, ...], ...] = ()
    name: Literal["imputation"] = "imputation"

    applies_to: ClassVar = EVERY
    imputes: ClassVar = True
    produces_numbers: ClassVar = True
    differs_by_record: ClassVar = False

    def __post_init__(self) -> None:
        if self.how not in get_args(How):
            raise PolicyError.unknown_choice("imputation.how", self.how, get_args(How))
        if self.sums and self.how != "deductive":
            raise PolicyError.only_for("imputation.sums", "how = 'deductive'", f"how = '{self.how}'")
        if self.how == "deductive" and not self.by and not self.sums:
            raise PerturbationError.nothing_to_do("imputation", ["by", "sums"])
        if any(len(names) < 2 for names in self.sums):
            raise PerturbationError.outside("imputation.sums", "a total and at least one part", self.sums)

    def perturb(self, table: pa.Table, schema: Schema, rng: Rng) -> pa.Table:
        return self.impute(table, schema, rng).table

    def impute(self, table: pa.Table, schema: Schema, rng: Rng) -> ImputedTable:
        """The table with missing values imputed where possible, and which cells were."""
        chosen = self.target_columns(table, schema)
        for name in (*self.by, *(name for names in self.sums for name in names)):
            if name not in table.column_names:
                raise PolicyError.unknown_column("method imputation", name, table.column_names)
        filled = table
        for names in self.sums:
            filled = _impute_from_sum(filled, [schema[name] for name in names], {column.name for column in chosen})
        same = class_numbers(table, self.by)
        if self.by or self.how != "deductive":
            for column in chosen:
                filled = self._fill(filled, column, same, rng.for_purpose(f"{self.name} of {column.name}"))
        return ImputedTable(
            filled, {c.name: _missing_cells(table, c.name) & ~_missing_cells(filled, c.name) for c in chosen}
        )

    def _fill(self, table: pa.Table, column: Column, same: Labels, draws: RandomStream) -> pa.Table:
        fit = {"mean": NUMBERS, "median": ORDERED}.get(self.how, EVERY)
        if column.kind not in fit:
            raise PerturbationError.unfit_kind(f"imputation by {self.how}", column.name, column.kind, fit)
        if self.how == "mean":
            return self._impute_means(table, column, same)
        gaps = np.flatnonzero(_missing_cells(table, column.name))
        known = KnownValues.of(to_codes(column.name, table[column.name], column.order).codes, same)
        match self.how:
            case "hot_deck":
                donors = known.draw(same[gaps], draws)
            case "median":
                donors = known.lower_median()[same[gaps]]
            case "mode":
                donors = known.most_frequent()[same[gaps]]
            case _:
                donors = known.unanimous()[same[gaps]]
        source = np.arange(len(table))
        source[gaps] = np.where(donors < 0, gaps, donors)
        return take_values(table, column.name, source)

    @staticmethod
    def _impute_means(table: pa.Table, column: Column, same: Labels) -> pa.Table:
        numbers = numbers_of(table, column)
        filled = _impute_means(numbers, same)
        values = np.where(numbers.missing, round_to_step(table, column, filled.values), numbers.values)
        return with_numbers(table, column, NumberColumn(values, filled.missing), keep_whole=True)


def _missing_cells(table: pa.Table, name: str) -> Flags:
    cells: Any = table[name]
    gaps: Flags = cells.is_null().to_numpy()
    return gaps


def _impute_means(numbers: NumberColumn, same: Labels) -> NumberColumn:
    """Missing values become the mean of their class, where it has known values."""
    known = ~numbers.missing
    n_known = np.bincount(same, weights=known)
    sums = kernels.group_sums(np.ascontiguousarray(numbers.values[:, None]), same, len(n_known))[:, 0]
    means = sums / np.maximum(n_known, 1)
    return NumberColumn(np.where(known, numbers.values, means[same]), numbers.missing & (n_known == 0)[same])


def _impute_from_sum(table: pa.Table, columns: list[Column], changed: set[str]) -> pa.Table:
    """Where exactly one of the total and its parts is missing, it is computed from the others."""
    numbers = [numbers_of(table, column) for column in columns]
    signs = np.array([1.0, *(-1.0 for _ in columns[1:])])
    single = sum(part.missing.astype(np.int64) for part in numbers) == 1
    rest = np.sum([sign * part.values for sign, part in zip(signs, numbers, strict=True)], axis=0)  # missing adds 0
    for sign, column, part in zip(signs, columns, numbers, strict=True):
        gap = single & part.missing
        if column.name in changed and gap.any():
            values = np.where(gap, round_to_step(table, column, -sign * rest + 0.0), part.values)
            table = with_numbers(table, column, NumberColumn(values, part.missing & ~gap), keep_whole=True)
    return table
