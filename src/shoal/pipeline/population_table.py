"""The population that the persons of a release are from: a table of persons, or of counts of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import to_codes
from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import is_time, to_numbers
from shoal.errors import TableError
from shoal.gate.population import Population
from shoal.kernels import Ints
from shoal.policy import Policy, ReleasePlan, taxonomy_of
from shoal.policy.recodings import recodings
from shoal.release.column_recoding import ColumnRecoding
from shoal.schema import Column, Schema
from shoal.sources import CellKind, ReadOptions, read
from shoal.sources.options import SNIFF

COUNT_NAMES = ("count", "frequency", "n")  # names of a column of counts, in any case
NOBODY: Ints = np.zeros(0, dtype=np.int64)


def population_of_policy(policy: Policy) -> CountTable | None:
    """Persons by quasi-identifiers and strata, recoded as the policy says; None where it names no population."""
    if policy.population is None:
        return None
    names = list(dict.fromkeys([*policy.declared_schema.quasi_identifiers, *policy.within]))
    kinds = {name: policy.cell_kinds[name] for name in names}
    rules = recodings(policy, names, lambda name: CountTable(pa.table({name: pa.array([], pa.string())}), NOBODY))
    return _read(policy.population, names, kinds, list(policy.columns), rules, policy.source.of_cells)


def gate_population(policy: Policy) -> Population | None:
    """The same as the gate reads it, with the orders and taxonomies of its own values; None where the policy names no
    population, or its file is not there."""
    if policy.population is None or not policy.population.exists():
        return None
    counts, plan = population_of_policy(policy), ReleasePlan.of(policy)
    assert counts is not None, "it is there"
    rules = recodings(policy, plan.quasi_identifiers, lambda name: counts.by([name]).only(np.zeros(0, dtype=bool)))
    columns = {name: _column(policy, name, counts[name], rules.get(name)) for name in plan.quasi_identifiers}
    return Population.of(counts.to_table(), columns, plan.extents)


def read_population(
    source: Any,
    names: Sequence[str],
    original: pa.Schema,
    recodings: Mapping[str, ColumnRecoding] | None = None,
    options: ReadOptions = SNIFF,
) -> CountTable:
    """Persons by the quasi-identifiers ``names``, recoded as the release. ``source``: a file or any dataframe, with
    values as in ``original``, the columns as they were read. A column with a name of ``COUNT_NAMES`` that the original
    does not have counts persons; without one, every row is a person. ``options``: how its cells are written."""
    kinds: dict[str, CellKind] = {name: _kind(original.field(name).type) for name in names}
    return _read(source, names, kinds, original.names, recodings or {}, options)


def _read(
    source: Any,
    names: Sequence[str],
    kinds: Mapping[str, CellKind],
    original: Collection[str],
    recodings: Mapping[str, ColumnRecoding],
    options: ReadOptions,
) -> CountTable:
    table = read(source, options, kinds={**kinds, **dict.fromkeys(COUNT_NAMES, "text")}).table
    lacking = [name for name in names if name not in table.column_names]
    if lacking:
        raise TableError.population_lacks(lacking)
    counted_by = _count_column(table.column_names, original)
    for name in (name for name in names if name in recodings):
        recoded = recodings[name].recode(name, table[name])
        table = table.set_column(table.schema.get_field_index(name), name, recoded)
    if counted_by is None:
        return count_combinations(table, names)
    return CountTable(table.select(list(names)), _persons(counted_by, table[counted_by])).by(names)


def _column(policy: Policy, name: str, cells: pa.ChunkedArray[Any], recoding: ColumnRecoding | None) -> Column:
    """A quasi-identifier with the order and taxonomy of the values of the population."""
    column = policy.declared_schema[name]
    values = to_codes(name, cells).values
    if column.kind == "ordinal" and column.order is None:
        ordered = recoding.in_order(values.to_pylist()) if recoding else None
        column = replace(column, order=ordered or tuple(map(str, values.to_pylist())))
    return replace(column, taxonomy=taxonomy_of(policy, name, pa.chunked_array([values])))


def with_types_of(population: CountTable, original: pa.Schema) -> CountTable:
    """The same values in the types of the original, where they fit: 39 and 39.0 are one value."""
    table = population.combinations
    for name in table.column_names:
        wanted = original.field(name).type
        wanted = wanted.value_type if pa.types.is_dictionary(wanted) else wanted
        with suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError):
            table = table.set_column(table.schema.get_field_index(name), name, table[name].cast(wanted))
    return replace(population, combinations=table)


def with_values_of(population: CountTable, schema: Schema) -> CountTable:
    """The persons whose values the order or taxonomy of every column has: no class shows those of the others, unless
    as ``*``."""
    inside = np.ones(len(population), dtype=bool)
    for name in population.names:
        column = schema[name]
        known = column.order or (column.taxonomy.values if column.taxonomy else None)
        if known is not None:
            found = to_codes(name, population[name])
            inside &= np.array([*(text in set(known) for text in found.texts), True])[found.codes]
    return population.only(inside)


def _kind(type_: pa.DataType) -> CellKind:
    if is_time(type_):
        return "date"
    return "numeric" if pa.types.is_integer(type_) or pa.types.is_floating(type_) else "text"


def _count_column(names: Sequence[str], original: Collection[str]) -> str | None:
    return next((name for name in names if name.lower() in COUNT_NAMES and name not in original), None)


def _persons(name: str, cells: pa.ChunkedArray[Any]) -> Ints:
    """(n_rows,) whole numbers from 0, also where a file holds them as text."""
    try:
        numbers = cells.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise TableError.population_counts(name, len(cells)) from None
    read_numbers = to_numbers(name, numbers)
    unfit: NDArray[np.bool_] = read_numbers.missing | ~(read_numbers.values >= 0) | (read_numbers.values % 1 != 0)
    if unfit.any():
        raise TableError.population_counts(name, int(unfit.sum()))
    return read_numbers.values.astype(np.int64)
