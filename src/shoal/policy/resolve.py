"""Policy and table together: the schema, with every taxonomy built and checked against the values that occur."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import PolicyError, TableError, TaxonomyError
from shoal.policy.policy import ColumnRule, Policy
from shoal.schema import Column, Schema, Taxonomy

Values: TypeAlias = "pa.ChunkedArray[Any]"
ValueCounts = Callable[[str], pa.Table]  # column -> its values, and how many records n have each


def resolve(policy: Policy, names: Sequence[str], value_counts: ValueCounts) -> Schema:
    """The schema of a table with the columns ``names``. A complaint names the file of the policy."""
    try:
        return _schema(policy, names, value_counts)
    except PolicyError as error:
        raise error.in_file(policy.file) from None


def _schema(policy: Policy, names: Sequence[str], value_counts: ValueCounts) -> Schema:
    schema = Schema(Column(name, rule.role, rule.kind) for name, rule in policy.columns.items())
    schema.check_names(names)
    if not schema.quasi_identifiers:
        raise PolicyError.no_quasi_identifier()
    return Schema(_column(policy, name, policy.columns[name], value_counts) for name in names)


def _column(policy: Policy, name: str, rule: ColumnRule, value_counts: ValueCounts) -> Column:
    taxonomy = None
    if rule.role in ("sensitive", "household"):
        _check_comparable(name, rule, value_counts)
    if rule.role == "quasi_identifier" or rule.taxonomy is not None:
        known, n_records = _known(name, value_counts)
        if rule.kind == "date" and not pa.types.is_temporal(known.type):
            raise TableError.no_date(name, str(known.type))
        taxonomy = _taxonomy(policy, name, rule, known)
        if taxonomy is not None:
            _check_cover(name, taxonomy, known, n_records)
    key_file = policy.path_of(rule.pseudonym) if rule.pseudonym else None
    return Column(name, rule.role, rule.kind, taxonomy, rule.order, rule.decimals, key_file)


def taxonomy_of(policy: Policy, name: str, value_counts: ValueCounts) -> Taxonomy | None:
    """The tree of a column as the policy gives it; None where no value is known. It need not hold them all."""
    known = value_counts(name).column(0).drop_null()
    return _taxonomy(policy, name, policy.columns[name], known) if len(known) else None


def _check_comparable(name: str, rule: ColumnRule, value_counts: ValueCounts) -> None:
    """Values that are counted must be equal or not; an infinity cannot be told from a fault when it is read again."""
    values: Any = _counted(name, value_counts).column(0)
    if pa.types.is_floating(values.type):
        n_infinite = pc.sum(pc.is_inf(values)).as_py() or 0
        if n_infinite and rule.role == "sensitive":
            raise TableError.infinite(name, n_infinite)


def _counted(name: str, value_counts: ValueCounts) -> pa.Table:
    try:
        return value_counts(name)
    except pa.ArrowNotImplementedError:
        raise TableError.not_comparable(name) from None


def _known(name: str, value_counts: ValueCounts) -> tuple[Values, Values]:
    """The values that occur, and how many records have each; of a value that is missing nothing."""
    counts = _counted(name, value_counts)
    known = counts.filter(pc.is_valid(counts.column(0)))
    if not len(known):
        raise TableError.all_missing(name)
    return known.column(0), known.column(1)


def _taxonomy(policy: Policy, name: str, rule: ColumnRule, values: Values) -> Taxonomy | None:
    if rule.taxonomy is None:
        return None
    if rule.taxonomy.file:
        return Taxonomy.read(policy.path_of(rule.taxonomy.file))
    found: list[Any] = values.to_pylist()
    if rule.taxonomy.prefixes:
        return Taxonomy.from_prefixes([str(value) for value in found], rule.taxonomy.prefixes)
    if rule.taxonomy.intervals:
        if not (pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
            raise TaxonomyError.other_cells(name, "intervals", "numbers", str(values.type), "numeric")
        return Taxonomy.from_intervals(found, rule.taxonomy.intervals)
    if not (pa.types.is_date(values.type) or pa.types.is_timestamp(values.type)):
        raise TaxonomyError.other_cells(name, "date_parts", "dates", str(values.type), "date")
    return Taxonomy.from_date_parts(found, rule.taxonomy.date_parts or ())


def _check_cover(name: str, taxonomy: Taxonomy, values: Values, n_records: Values) -> None:
    outside = [str(value) not in taxonomy.values for value in values.to_pylist()]
    if any(outside):
        n_outside = pc.sum(n_records.filter(pa.array(outside))).as_py()
        raise TaxonomyError.not_covered(name, taxonomy.name, sum(outside), n_outside)
