"""Original and release as the intruder who knows the method sees them: values expected, values released, strata."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from shoal.assessment.risk.informed.likelihood import MissingCells
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.assessment.risk.informed.stratum_values import ColumnValues
from shoal.assessment.table_pair import AlignedTables
from shoal.encode.codes import Codes, to_codes
from shoal.encode.number_column import to_numbers
from shoal.kernels import Labels, Vector
from shoal.kernels.combinations import number_combinations
from shoal.linkage.linkage_tables import join_column
from shoal.methods.microaggregation.household_groups import HouseholdGroups
from shoal.methods.perturbation.perturbation_method import PerturbationMethod, rng_from_seed
from shoal.schema import Column, Schema


@dataclass(frozen=True, eq=False)
class InformedTables:
    """``aligned``: its pairs are only used to say what was released; ``strata``: of persons and of records, -1 for a
    record of no known stratum; ``held``: the columns that the intruder holds, also those that distinguish nobody."""

    aligned: AlignedTables
    published: PublishedMethods
    strata: tuple[Labels, Labels]
    held: frozenset[str]

    @classmethod
    def of(cls, aligned: AlignedTables, published: PublishedMethods, held: Iterable[str]) -> InformedTables | None:
        """None where the release does not show the strata."""
        strata = _strata(aligned, published.within)
        return None if strata is None else cls(aligned, published, strata, frozenset(held))

    def holds_all(self, names: Iterable[str] | None) -> bool:
        """Whether the intruder holds all of ``names``; None: all quasi-identifiers."""
        return self.held.issuperset(self.schema.quasi_identifiers if names is None else names)

    @property
    def schema(self) -> Schema:
        return self.aligned.schema

    @cached_property
    def expected(self) -> pa.Table:
        """The original after the methods that draw no random numbers, stratum by stratum as they were applied."""
        table = self.aligned.original
        for method in self.published.perturbations:
            if method.is_replayable and self.shows_households_of(method):
                table = _replayed(method, table, self.schema, self.strata[0])
        return table

    def shows_households_of(self, method: PerturbationMethod) -> bool:
        """Whether the households are known that a method changed as one, if there are such."""
        return self.schema.unit is not None or not method.household_columns(self.schema)

    def missing(self, name: str) -> MissingCells:
        tables = (self.expected, self.aligned.single_valued)
        imputed = any(method.imputes for method in self.published.applied_to(name))
        of_persons, of_records = (table[name].is_null().to_numpy() for table in tables)
        return MissingCells(of_persons, of_records, self.published.blanks, imputed)

    def numbers(self, name: str) -> ColumnValues:
        """A column of numbers or dates, or of categories that have an order."""
        column = self.schema[name]
        if column.kind not in ("numeric", "date"):
            return self.coded(name)[0]
        persons, records = (to_numbers(name, table[name]) for table in (self.expected, self.aligned.single_valued))
        return self._column(column, (persons.values, records.values))

    def coded(self, name: str) -> tuple[ColumnValues, Codes]:
        """A column by the codes of its categories, 0 where missing; and the values of the codes of both tables."""
        codes = self._codes(self.schema[name])
        n = len(self.expected)
        known = np.maximum(codes.codes, 0).astype(np.float64)
        return self._column(self.schema[name], (known[:n], known[n:])), codes

    def labels(self, name: str) -> tuple[Labels, Labels]:
        """(n_original,) and (n_released,) numbers, equal where values are equal; 0 where missing."""
        column = self.schema[name]
        if column.kind not in ("numeric", "date"):
            codes = np.maximum(self._codes(column).codes, 0)
            return codes[: len(self.expected)], codes[len(self.expected) :]
        values = self.numbers(name)
        joined = np.unique(np.concatenate([values.persons, values.records]), return_inverse=True)[1].astype(np.int64)
        return joined[: len(values.persons)], joined[len(values.persons) :]

    def classes(self, names: Sequence[str]) -> tuple[Labels, Labels]:
        """The class of every record on the named columns, and that of the record which a person became; -2: of none."""
        truth, records = self.aligned.truth, self.aligned.classes_on(names)
        return np.where(truth >= 0, records[truth], -2), records

    def _codes(self, column: Column) -> Codes:
        both = join_column(column.name, self.expected[column.name], self.aligned.single_valued[column.name])
        return to_codes(column.name, both, column.order)

    def _column(self, column: Column, values: tuple[Vector, Vector]) -> ColumnValues:
        return ColumnValues.of(column.name, values, self.missing(column.name), self.strata, self._basis(column))

    def _basis(self, column: Column) -> Labels:
        """The records from which methods compute: all, or the first of every household in every stratum."""
        unit, n = self.schema.unit, len(self.expected)
        if unit is None or column.level != "household":
            return np.arange(n)
        codes = to_codes(unit.name, self.aligned.original[unit.name]).codes
        both = number_combinations([self.strata[0], HouseholdGroups.of(codes).unit_of], n)
        return np.sort(np.unique(both, return_index=True)[1]).astype(np.int64)


def _strata(aligned: AlignedTables, within: Sequence[str]) -> tuple[Labels, Labels] | None:
    """Strata of persons and records; None where the release lacks their columns or shows other values in them."""
    n, released = len(aligned.original), aligned.released
    if not within:
        return np.zeros(n, dtype=np.int64), np.zeros(len(released), dtype=np.int64)
    if not all(name in released.column_names and name not in aligned.by_extents for name in within):
        return None
    codes = [to_codes(name, join_column(name, aligned.original[name], released[name])).codes for name in within]
    joined = number_combinations(codes, n + len(released))
    occurring, persons = np.unique(joined[:n], return_inverse=True)
    place = np.minimum(np.searchsorted(occurring, joined[n:]), len(occurring) - 1)
    records = np.where(occurring[place] == joined[n:], place, -1)
    kept = aligned.truth >= 0
    is_shown = bool((persons[kept] == records[aligned.truth[kept]]).all())
    return (persons.astype(np.int64), records.astype(np.int64)) if is_shown else None


def _replayed(method: PerturbationMethod, table: pa.Table, schema: Schema, strata: Labels) -> pa.Table:
    """The table after a method that draws no random numbers, applied stratum by stratum."""
    if not strata.any():
        return _perturbed(method, table, schema)
    order = np.argsort(strata, kind="stable")
    borders = np.flatnonzero(np.diff(strata[order])) + 1
    for rule in _with_bounds(method, table, schema):
        parts = [_perturbed(rule, table.take(rows), schema) for rows in np.split(order, borders)]
        table = pa.concat_tables(parts, promote_options="permissive").take(np.argsort(order, kind="stable"))
    return table


def _with_bounds(method: PerturbationMethod, table: pa.Table, schema: Schema) -> Sequence[PerturbationMethod]:
    """Coding by share takes its bounds from all strata together, column by column."""
    coding = method.coding_by_share
    if coding is None:
        return (method,)
    columns = [(name, to_numbers(name, table[name])) for name in method.columns or schema.quasi_identifiers]
    return [coding.with_bounds_of(name, column.values[~column.missing]) for name, column in columns]


def _perturbed(method: PerturbationMethod, table: pa.Table, schema: Schema) -> pa.Table:
    """Columns without a known value are left as they are: nothing can be computed from them."""
    names = [name for name in method.columns or schema.quasi_identifiers if name in schema]
    known = tuple(name for name in names if table[name].null_count < len(table))
    return replace(method, columns=known).perturb_by_level(table, schema, rng_from_seed(0)) if known else table
