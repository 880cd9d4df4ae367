"""Attacks that are counted on a release alone, on an engine or in memory, and reported in every assessment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

import pyarrow as pa

from shoal.assessment.assessment import Assessment
from shoal.assessment.exposure import UNIQUE
from shoal.assessment.risk.attack import Attack
from shoal.assessment.risk.identity_attacks import identity_attacks
from shoal.assessment.risk.membership import membership_attacks
from shoal.assessment.risk.partial_knowledge import partial_knowledge
from shoal.assessment.risk.release_counts import RecordsInMemory, ReleaseCounts
from shoal.encode.codes import is_countable
from shoal.engines.protocol import GROUP, Engine, F
from shoal.pipeline.population_table import read_population
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.policy import ReleasePlan
from shoal.release import anatomize
from shoal.release.column_recoding import ColumnRecoding
from shoal.schema import Schema
from shoal.schema.column import UNTOUCHED
from shoal.schema.helper_columns import UNIT
from shoal.sources import ReadOptions
from shoal.total import P


@dataclass(frozen=True)
class RecordsOnEngine(Generic[F]):
    """Records that an engine counts."""

    engine: Engine[F]
    frame: F

    def class_total(self, columns: Sequence[str], values: Sequence[str], of: Callable[[pa.Table], P], /) -> P:
        return self.engine.class_total(self.frame, columns, values, of)

    def group_counts(self, by: Sequence[str], /) -> pa.Table:
        return self.engine.group_counts(self.frame, by)


def counts_on_engine(original: FittedTable[F], kept: F, n_records: int) -> ReleaseCounts:
    """The counts of the released records ``kept``."""
    plan, schema = original.plan, original.schema
    return ReleaseCounts(
        RecordsOnEngine(original.engine, kept),
        schema,
        _key_sets(plan, schema, GROUP),
        n_records,
        plan.k,
        tuple(name for name in plan.unchanged if is_countable(kept.schema.field(name).type)),
        schema.unit.name if schema.unit else None,
        plan.blanks_are_wildcards,
        perturbed_columns(plan),
        schema.units_are_persons,
        _unproven_sets(plan, schema),
        plan.method.forms_classes,
    )


def counts_in_memory(records: pa.Table, roles: Schema, plan: ReleasePlan | None) -> ReleaseCounts:
    """The counts of ``records``: those of a release, with their units, and with the sensitive values of an anatomy."""
    schema = Schema(column for column in roles.columns if column.name in records.column_names)
    unchanged = plan.unchanged if plan else [c.name for role in UNTOUCHED for c in schema.with_role(role)]
    outside = [name for name in unchanged if name in schema]
    counted = ReleaseCounts(
        RecordsInMemory(records),
        schema,
        _key_sets(plan, schema, anatomize.GROUP) if plan else (schema.quasi_identifiers,),
        len(records),
        None,
        tuple(name for name in outside if is_countable(records.schema.field(name).type)),
        UNIT if UNIT in records.column_names else None,
        plan.blanks_are_wildcards if plan else False,
        perturbed_columns(plan) if plan else (),
        roles.units_are_persons,
        forms_classes=plan is not None and plan.k is None and plan.method.forms_classes,
    )
    k = plan.k if plan else None
    return replace(counted, k=k) if k and _holds(counted, k) else counted


def _key_sets(plan: ReleasePlan, schema: Schema, group: str) -> tuple[tuple[str, ...], ...]:
    """The columns of classes: of each key set, since an intruder knows one of them; or the group of an anatomy."""
    if plan.representation.separates_sensitive:
        return ((group,),)
    if plan.method.forms_classes:
        sets = [key.columns for key in plan.key_sets]
    elif plan.k is None:
        sets = [schema.quasi_identifiers]
    else:  # only blanked or perturbed: every requirement has its own
        sets = [requirement.columns or schema.quasi_identifiers for requirement in plan.requirements]
    found = dict.fromkeys(tuple(name for name in columns if name in schema) for columns in sets)
    return tuple(columns for columns in found if columns)


def _unproven_sets(plan: ReleasePlan, schema: Schema) -> frozenset[tuple[str, ...]]:
    """Key sets for which no requirement asks for k records."""
    if plan.k is None or plan.representation.separates_sensitive:
        return frozenset()
    if plan.method.forms_classes:
        sized = [(key.columns, key.k) for key in plan.key_sets]
    else:
        sized = [(each.columns or schema.quasi_identifiers, each.least_records or 0) for each in plan.requirements]
    proven = {columns for columns, k in sized if k >= plan.k}
    return frozenset(columns for columns in _key_sets(plan, schema, GROUP) if columns not in proven)


def perturbed_columns(plan: ReleasePlan) -> frozenset[str]:
    return frozenset(name for name, column in plan.columns.items() if column.is_perturbed)


def _holds(release: ReleaseCounts, k: int) -> bool:
    """Whether every class has k persons: a release of another tool, or an older one, may not be that of the policy.
    Where blanks may be any value, the gate has counted them."""
    if release.wildcards:
        return True
    return not any(release.small_classes(columns, k).n_below_k for columns in release.key_sets)


@dataclass(frozen=True)
class PopulationFile:
    """What membership needs: the population, and the original that tells how to read it."""

    source: Any  # a file or dataframe; None: there is none
    original: pa.Schema  # as read
    recodings: Mapping[str, ColumnRecoding]
    by_extents: Collection[str]
    blanked: Collection[str]  # quasi-identifiers in which a missing cell may be any value
    without_cells: Collection[str]  # quasi-identifiers whose released values are not those of their persons
    options: ReadOptions  # how its cells are written

    def attacks(self, release: ReleaseCounts) -> tuple[Attack, ...]:
        names = release.schema.quasi_identifiers
        known = None
        if self.source is not None:
            known = read_population(self.source, names, self.original, self.recodings, self.options)
        return membership_attacks(release, known, self.by_extents, self.blanked, self.without_cells)


def replaced_columns(plan: ReleasePlan) -> tuple[str, ...]:
    """Quasi-identifiers released as means or with perturbed values."""
    columns = plan.columns
    return tuple(name for name in plan.quasi_identifiers if columns[name].as_mean or columns[name].is_perturbed)


def with_release_attacks(
    assessment: Assessment, release: ReleaseCounts, records: pa.Table, population: PopulationFile
) -> Assessment:
    """The assessment with what identity, membership, partial knowledge and outside columns disclose. ``records``: the
    released ones, or a sample of them."""
    unique = [finding for finding in assessment.findings if finding.name == UNIQUE]
    outside = [Attack("outside columns", "an acquaintance", "all columns released as they are", one) for one in unique]
    return assessment.with_attacks(
        (
            *identity_attacks(assessment.findings),
            *population.attacks(release),
            *partial_knowledge(release, records),
            *outside,
        )
    )
