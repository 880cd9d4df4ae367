"""Policy and table together: the schema, with every taxonomy built and checked against the values that occur."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import PolicyError, TableError, TaxonomyError
from shoal.policy.policy import ColumnRule, Policy
from shoal.schema import Column, Schema, Taxonomy

ValueCounts = Callable[[str], pa.Table]  # column -> its values, and how many records n have each


def resolve(policy: Policy, names: Sequence[str], value_counts: ValueCounts) -> Schema:
    """The schema of a table with the columns ``names``."""
    schema = Schema(Column(name, rule.role, rule.kind) for name, rule in policy.columns.items())
    schema.check_names(names)
    if not schema.quasi_identifiers:
        raise PolicyError.no_quasi_identifier()
    return Schema(_column(policy, name, policy.columns[name], value_counts) for name in names)


def _column(policy: Policy, name: str, rule: ColumnRule, value_counts: ValueCounts) -> Column:
    taxonomy = None
    if rule.role == "quasi_identifier" or rule.taxonomy is not None:
        counts = value_counts(name)
        known = counts.filter(pc.is_valid(counts[name]))
        if not len(known):
            raise TableError.all_missing(name)
        taxonomy = _taxonomy(policy, rule, known[name])
        if taxonomy is not None:
            _check_cover(name, taxonomy, known)
    key_file = policy.path_of(rule.pseudonym) if rule.pseudonym else None
    return Column(name, rule.role, rule.kind, taxonomy, rule.order, rule.decimals, key_file)


def _taxonomy(policy: Policy, rule: ColumnRule, values: pa.ChunkedArray[Any]) -> Taxonomy | None:
    if rule.taxonomy is None:
        return None
    if rule.taxonomy.file:
        return Taxonomy.read(policy.path_of(rule.taxonomy.file))
    found: list[Any] = values.to_pylist()
    if rule.taxonomy.prefixes:
        return Taxonomy.from_prefixes([str(value) for value in found], rule.taxonomy.prefixes)
    if rule.taxonomy.intervals:
        return Taxonomy.from_intervals(found, rule.taxonomy.intervals)
    return Taxonomy.from_date_parts(found, rule.taxonomy.date_parts or ())


def _check_cover(name: str, taxonomy: Taxonomy, counts: pa.Table) -> None:
    if not pa.types.is_string(counts[name].type) and taxonomy.name in ("intervals", "date parts"):
        return  # made from these very values
    outside = [str(value) not in taxonomy.values for value in counts[name].to_pylist()]
    if any(outside):
        n_records = pc.sum(counts["n"].filter(pa.array(outside))).as_py()
        raise TaxonomyError.not_covered(name, taxonomy.name, sum(outside), n_records)
