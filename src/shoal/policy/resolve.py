"""The schema of a table under a policy, with every taxonomy built and checked against the values that occur."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from shoal.encode.count_table import CountTable
from shoal.errors import ColumnError, PolicyError, TableError, TaxonomyError
from shoal.errors.base import ErrorList
from shoal.policy.column_profile import ColumnProfile
from shoal.policy.column_rule import ColumnRule
from shoal.policy.interval_grids import grids
from shoal.policy.policy import Policy
from shoal.policy.release_plan import ReleasePlan
from shoal.release.column_recoding import ColumnRecoding
from shoal.schema import Column, Schema, Taxonomy
from shoal.schema.resolution import Resolution
from shoal.schema.time_unit import MICROSECONDS_OF_A_DAY
from shoal.total import Total

Values: TypeAlias = "pa.ChunkedArray[Any]"
ValueCounts = Callable[[str], CountTable]  # column -> number of records with each of its values


def resolve(
    policy: Policy,
    names: Sequence[str],
    total: Total,
    value_counts: ValueCounts,
    recodings: Mapping[str, ColumnRecoding] | None = None,
) -> Schema:
    """The schema of a table with the columns ``names``, after ``recodings``. Error messages name the policy file."""
    try:
        found = _schema(policy, names, total, value_counts)
        rules = recodings or {}
        return Schema(_in_order(column, rules.get(column.name), value_counts) for column in found.columns)
    except PolicyError as error:
        raise error.in_file(policy.file) from None


def _in_order(column: Column, recoding: ColumnRecoding | None, value_counts: ValueCounts) -> Column:
    """The column with the order of its recoded values, where the policy alone does not know them."""
    if recoding is None or column.kind != "ordinal" or column.order is not None:
        return column
    return replace(column, order=recoding.in_order(value_counts(column.name).known.values.to_pylist()))


def _schema(policy: Policy, names: Sequence[str], total: Total, value_counts: ValueCounts) -> Schema:
    schema = policy.declared_schema
    schema.check_names(names)
    if not schema.quasi_identifiers:
        raise PolicyError.no_quasi_identifier()
    perturbed = set(ReleasePlan.of(policy).perturbed_numbers)
    numbers = [name for name in schema.quasi_identifiers if _has_means(policy, name)]
    profiles = ColumnProfile.of_columns(
        [name for name in names if _needs_profile(policy.columns[name].recoded) or name in perturbed],
        total,
        {*numbers, *perturbed},
    )
    _check_values(policy, profiles)
    plain = Schema(_columns(policy, names, profiles, value_counts, perturbed))
    found = grids(policy, total, profiles)
    return Schema(replace(column, grid=found.get(column.name)) for column in plain.columns)


def _needs_profile(rule: ColumnRule) -> bool:
    return rule.role in ("quasi_identifier", "sensitive", "household", "unit") or rule.taxonomy is not None


def _check_values(policy: Policy, profiles: Mapping[str, ColumnProfile]) -> None:
    """Raises one TableError for all columns whose values do not fit what the policy declares."""
    errors = ErrorList(TableError)
    for name, profile in profiles.items():
        with errors.collect():
            _check(name, policy.columns[name].recoded, profile)
    errors.raise_all("the table")


def _columns(
    policy: Policy,
    names: Sequence[str],
    profiles: Mapping[str, ColumnProfile],
    value_counts: ValueCounts,
    perturbed: Collection[str],
) -> list[Column]:
    """The columns with their taxonomies; raises one TaxonomyError for all taxonomies that do not fit."""
    columns, errors = list[Column](), ErrorList(TaxonomyError)
    for name in names:
        with errors.collect():
            found = _column(policy, name, profiles.get(name), value_counts, is_perturbed=name in perturbed)
            columns.append(found)
    errors.raise_all(policy.file.name if policy.file else "the policy")
    return columns


def _column(
    policy: Policy, name: str, profile: ColumnProfile | None, value_counts: ValueCounts, *, is_perturbed: bool
) -> Column:
    """The column with what was read from the table. ``is_perturbed``: a perturbation produces some of its values."""
    rule, taxonomy = policy.columns[name].recoded, None
    if rule.taxonomy is not None:
        known = value_counts(name).known
        taxonomy = _taxonomy(policy, name, rule, known.values)
        if taxonomy is not None:
            check_cover(name, taxonomy, known)
            for key, level in (("min_level", rule.min_level), ("max_level", rule.max_level)):
                if level is not None and level > taxonomy.height:
                    raise ColumnError.level_above_root(f"columns.{name}.{key}", level, taxonomy.height)
    key_file = policy.path_of(rule.pseudonym) if rule.pseudonym else None
    own_order = profile is not None and profile.has_order
    steps = profile.steps if profile is not None else None
    step_and_offset = (
        steps.of_means(rule.decimals) if steps and _has_means(policy, name) and not _is_day(profile) else None
    )
    return Column(
        name,
        policy.role_of(name),
        rule.kind,
        taxonomy,
        rule.order,
        steps.decimals(rule.decimals) if steps and rule.kind == "numeric" and _has_means(policy, name) else None,
        key_file,
        own_order,
        mean_resolution=Resolution(*step_and_offset) if step_and_offset else None,
        level=rule.level,
        as_written=rule.as_written,
        members=rule.members,
        missing=policy.source.missing,
        weight=rule.weight,
        min_level=rule.min_level or 0,
        max_level=rule.max_level,
        n_values=len(value_counts(name).known) if _lists_values(policy, name) else None,
        resolution=_resolution(rule, profile) if profile and is_perturbed else None,
        in_grammar=rule.recode is not None and rule.recode.writes_extents,
    )


def _has_means(policy: Policy, name: str) -> bool:
    """Whether the column may be released as means: a numeric or date quasi-identifier that is not a stratum."""
    rule = policy.columns[name].recoded
    return rule.role == "quasi_identifier" and rule.kind in ("numeric", "date") and name not in policy.within


def _lists_values(policy: Policy, name: str) -> bool:
    """Whether extents of the column name its values one by one, or the first and the last of an undeclared order."""
    rule = policy.columns[name].recoded
    is_listed = (rule.kind == "ordinal" and rule.order is None) or (rule.kind == "nominal" and rule.taxonomy is None)
    return is_listed and rule.role == "quasi_identifier" and policy.representation.releases_extents


def _is_day(profile: ColumnProfile | None) -> bool:
    """Whether the column holds days without times, whose means are rounded to the nearest day."""
    return profile is not None and pa.types.is_date(profile.type)


def _resolution(rule: ColumnRule, profile: ColumnProfile) -> Resolution | None:
    """The resolution of perturbed values: the steps that released means of the column would have."""
    found = profile.steps.of_means(rule.decimals) if profile.steps else None
    if found is None:
        return None
    unit = MICROSECONDS_OF_A_DAY if _is_day(profile) else 1
    return Resolution(found[0] * unit, found[1] * unit)


def taxonomy_of(policy: Policy, name: str, values: Values) -> Taxonomy | None:
    """The taxonomy that the policy gives a column; None where no value is known. It need not cover ``values``."""
    known = values.drop_null()
    return _taxonomy(policy, name, policy.columns[name].recoded, known) if len(known) else None


def _check(name: str, rule: ColumnRule, profile: ColumnProfile) -> None:
    """Raises TableError for values that cannot be compared, dates outside the years 1 to 9999, infinite sensitive
    values (indistinguishable from errors when read back), and protected columns of no or wrongly typed values."""
    if not profile.is_comparable:
        raise TableError.not_comparable(name)
    if profile.n_out_of_range:
        raise TableError.dates_out_of_range(name, profile.n_out_of_range)
    if rule.role == "sensitive" and profile.n_infinite:
        raise TableError.infinite(name)
    if rule.role == "quasi_identifier" or rule.taxonomy is not None:
        if not profile.n_known:
            raise TableError.all_missing(name)
        if rule.kind == "date" and not (pa.types.is_date(profile.type) or pa.types.is_timestamp(profile.type)):
            raise TableError.not_dates(name, str(profile.type))


def _taxonomy(policy: Policy, name: str, rule: ColumnRule, values: Values) -> Taxonomy | None:
    if rule.taxonomy is None:
        return None
    if rule.taxonomy.file:
        level = rule.recode.level if rule.recode else None
        try:
            tree = Taxonomy.read(policy.path_of(rule.taxonomy.file))
        except TaxonomyError as error:
            raise TaxonomyError(f"columns.{name}.taxonomy: {error}") from None
        return tree if level is None else tree.above(level) if level < tree.height else None
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


def check_cover(name: str, taxonomy: Taxonomy, known: CountTable) -> None:
    """Raises TaxonomyError where a value of the column is not in the taxonomy."""
    outside = np.array([str(value) not in taxonomy.values for value in known.values.to_pylist()], dtype=bool)
    if outside.any():
        raise TaxonomyError.not_covered(name, taxonomy.name, int(outside.sum()), known.only(outside).n_records)
