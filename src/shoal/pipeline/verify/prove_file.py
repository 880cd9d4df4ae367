"""Verification of a release (the gate): the written file is read again, counted by an engine, and proved."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.engines.protocol import Engine, F
from shoal.errors import PolicyError, RequirementError, ReservedNameError
from shoal.gate.anatomy import GROUP, name_faults, prove_anatomy, prove_units_of_anatomy
from shoal.gate.digits import digit_faults, digits_note, weight_faults
from shoal.gate.extent_reader import read_extents
from shoal.gate.file_contents import add_contents, pseudonym_faults, repeated_pseudonym_faults, structure_faults
from shoal.gate.gate import NO_K, Proof, prove
from shoal.gate.interval_grid import grid_note
from shoal.gate.population import Population
from shoal.gate.released_levels import LevelLimits
from shoal.gate.sensitive_values import domain_faults
from shoal.gate.step_of_means import step_faults
from shoal.gate.wildcards import prove_wildcards
from shoal.gate.written_counts import WrittenRows
from shoal.kernels import Labels
from shoal.pipeline.files.promises import Promises
from shoal.pipeline.population_table import gate_population
from shoal.pipeline.verify.hidden_amounts import HiddenAmounts
from shoal.pipeline.verify.interval_ends import columns_without_grid, end_faults
from shoal.pipeline.verify.recoded_columns import recoded_faults
from shoal.pipeline.verify.unit_counts import ReleaseUnits
from shoal.pipeline.verify.written_release import WrittenRelease
from shoal.policy import Policy, ReleasePlan, taxonomy_of
from shoal.requirements import Requirement
from shoal.requirements.requirement import reads_numbers
from shoal.schema import Schema
from shoal.sources import ReadOptions
from shoal.sources.carriers import carriers_of
from shoal.total import P, TotalOfClasses

NO_PROMISES = Promises()
NOT_PROVED = "not proved"
PolicyLike = Policy | Mapping[str, Any] | str | Path


def prove_with_units(
    source: Any,
    options: ReadOptions,
    policy: Policy,
    engine: Engine[F],
    sensitive: Any,
    promises: Promises,
    units: Labels | None,
    holders: pa.Table | None,
    amounts: pa.Table | None,
) -> Proof:
    """The proof that all requirements hold; raises RequirementError otherwise.

    With ``units`` the requirements must hold for these units. Where the file itself shows units (numbers of
    households), they must hold for those too; that proof is returned, since anyone can recompute it from the file.
    """
    proof = raise_if_failed(prove_source(source, options, policy, engine, sensitive, promises, units, holders, amounts))
    if units is None or not ReleasePlan.of(policy).shows_units:
        return proof
    shown = prove_source(source, options, policy, engine, sensitive, promises, amounts=amounts)
    return raise_if_failed(shown)


def prove_source(
    source: Any,
    options: ReadOptions,
    policy: Policy,
    engine: Engine[F],
    sensitive: Any = None,
    promises: Promises = NO_PROMISES,
    units: Labels | None = None,
    holders: pa.Table | None = None,
    amounts: pa.Table | None = None,
) -> Proof:
    """The proof of a release from its cells; for files it also covers labels, metadata and comments.

    ``promises``: decimals, steps and grids stated by the run or by the manifest, in addition to the policy.
    ``units``: (n_records,) the unit of every record in the order of the file, -1 for a unit of its own; if left out,
    the units that the file shows are counted, or records where it shows none. ``holders``: the units that have the
    values in the second table of an anatomy. ``amounts``: of quasi-identifiers before the method, where a requirement
    reads them, in the order of the file; without them such requirements are left out.
    """
    plan = ReleasePlan.of(policy)
    proof = _prove_cells(source, options, policy, plan, engine, sensitive, promises, units, holders, amounts)
    if plan.requirements and plan.k is None:
        proof = replace(proof, notes=(*proof.notes, NO_K))
    if policy.own_rules is not None:
        proof = replace(proof, notes=(*proof.notes, *policy.own_rules.notes))
    for of, file in (("", source), ("second table: ", sensitive)):
        if isinstance(file, str | os.PathLike):
            proof = add_contents(proof, carriers_of(Path(file)), _columns_with_new_values(plan), of)
    return proof


def _columns_with_new_values(plan: ReleasePlan) -> set[str]:
    """Columns whose values are replaced in the release (households, identifiers, extents, recoded columns), so that
    value labels of the original would be wrong. The gate decides this on its own, not with the writer's code."""
    renamed = {name for name, column in plan.columns.items() if column.role in ("household", "identifier")}
    return renamed | set(plan.extents) | set(plan.recoded)


def _prove_cells(
    source: Any,
    options: ReadOptions,
    policy: Policy,
    plan: ReleasePlan,
    engine: Engine[F],
    sensitive: Any,
    promises: Promises,
    units: Labels | None,
    holders: pa.Table | None,
    amounts: pa.Table | None,
) -> Proof:
    """The proof from the cells alone: quasi-identifiers are read as text, sensitive values by their kind."""
    schema = plan.release_schema(policy.declared_schema)
    if not schema.quasi_identifiers:
        raise PolicyError.no_quasi_identifier()
    try:
        written = WrittenRelease.read(source, options, plan, engine, sensitive)
    except ReservedNameError as reason:  # not a file written by a run
        return Proof(0, 0, 0, (), (str(reason),))
    faults = (
        *_name_faults(written, schema),
        *_pseudonym_faults(written, schema, plan),
        *(f"besides the records there is {thing}" for thing in written.dropped),
    )
    if not written.can_be_counted(schema, plan):
        return Proof(written.records.n_records, 0, 0, (), faults)
    faults += (*_digit_faults(written, plan, promises, policy.source.date_format), *_weight_faults(written, plan))
    unlimited = tuple(_not_promised(plan, promises))
    schema = _with_trees(schema, policy, plan, written)
    faults += tuple(recoded_faults(policy, plan, schema, written))
    cell_faults = _domain_faults(schema, plan, written) + _extent_faults(schema, plan, written)
    cell_faults += tuple(_level_faults(schema, policy, plan, written))
    if cell_faults:
        return Proof(written.records.n_records, 0, 0, (), faults + cell_faults)
    faults = (*faults, *end_faults(schema, plan, written.records, written.engine, promises.grids))
    population = gate_population(policy)
    proof = _prove(written, schema, plan, units, holders, amounts, population)
    if population is None:
        faults = (*faults, *_unproved(policy))
    return replace(proof, faults=(*faults, *proof.faults), notes=(*proof.notes, *unlimited))


def _unproved(policy: Policy) -> Iterator[str]:
    """The requirements that read a population which is not there: nothing that was left out may pass."""
    for requirement in (each for each in policy.required if each.reads == "population"):
        yield (
            f"{NOT_PROVED}: {requirement.name} = {requirement.asked:g}, since {policy.population} is not there. Put "
            "the file of the population where the policy names it, and verify again"
        )


def _digit_faults(
    written: WrittenRelease[F], plan: ReleasePlan, promises: Promises, date_format: str | None
) -> Iterator[str]:
    for name, places in promises.digits(plan).items():
        yield from digit_faults(name, written.value_counts(name), places)
    for name, step in promises.steps_of(plan).items():
        yield from step_faults(name, written.value_counts(name), step, date_format)


def _weight_faults(written: WrittenRelease[F], plan: ReleasePlan) -> Iterator[str]:
    for name, column in plan.columns.items() if plan.weights == "rounded" else ():
        if column.role == "weight" and name in written:
            yield from weight_faults(name, written.value_counts(name))


def _not_promised(plan: ReleasePlan, promises: Promises) -> Iterator[str]:
    """A note for each column whose decimals, step or grid neither the policy nor ``promises`` states: not proved."""
    digits = promises.digits(plan)
    yield from (digits_note(name) for name in plan.means if name not in digits)
    yield from (digits_note(name) for name in plan.as_perturbed if name not in promises.steps)
    yield from (grid_note(name) for name in columns_without_grid(plan, promises.grids))


def _prove(
    written: WrittenRelease[F],
    schema: Schema,
    plan: ReleasePlan,
    units: Labels | None,
    holders: pa.Table | None,
    amounts: pa.Table | None,
    population: Population | None,
) -> Proof:
    """The proof by the rule of the plan: equivalence classes, wildcards or anatomy."""
    hidden = HiddenAmounts(plan.amounts_before, amounts)
    records = hidden.added_to(written.engine, written.records)
    release_units = ReleaseUnits.of(written.engine, records, schema, plan, units)
    if plan.gate == "anatomy":
        return _prove_anatomy(written, schema, plan, release_units, holders)

    def whole(name: str) -> pa.Table:
        return release_units.value_counts(name, partial(_rows, 0)).table

    classes = _with_same_zeros(release_units.class_total)
    provable = hidden.provable(release_units.provable(plan.requirements_on_release))
    if population is None:
        provable = [each for each in provable if each.reads != "population"]
    if plan.gate == "wildcards":
        return prove_wildcards(classes, schema, provable)
    read = {str(each.column) for each in provable if each.column and not reads_numbers(each.reads)}
    wholes = {name: whole(name) for name in plan.sensitive_in_requirements if name in read}
    proof = prove(classes, schema, provable, wholes, release_units.unit, population)
    named = tuple(map(hidden.named, proof.verdicts))
    if units is not None and (of_units := _of_units(provable, plan)):
        together = _with_same_zeros(release_units.class_total_of_units)
        proof = _with_units_proved(proof, prove(together, schema, of_units, wholes, plan.unit), plan)
    faults = (*proof.faults, *_numbering_faults(release_units, plan))
    return replace(proof, verdicts=named, faults=faults, notes=(*proof.notes, *release_units.notes, *hidden.notes))


def _numbering_faults(release_units: ReleaseUnits[F], plan: ReleasePlan) -> Iterator[str]:
    """Numbers of members where the release does not show the number of the household."""
    if not plan.requirements or not (plan.links_households or plan.hides_units):
        return
    others = [name for name in plan.unchanged if plan.columns[name].role == "other"]
    for name, n in release_units.shown_numberings(others):
        if n:
            yield f"'{name}' numbers the members of a unit in {n} records that do not show the number of the unit"


def _of_units(requirements: Sequence[Requirement], plan: ReleasePlan) -> list[Requirement]:
    """The requirements that must hold for all records of a unit together."""
    return [r for r in requirements if r.column in plan.values_of_units and not reads_numbers(r.reads)]


def _with_units_proved(proof: Proof, of_units: Proof, plan: ReleasePlan) -> Proof:
    """The proof, which fails if one of the requirements fails for the classes of all records of a unit together."""
    faults = [
        f"all records of a unit of '{plan.unit}' together: {each}" for each in of_units.verdicts if not each.holds
    ]
    return replace(proof, faults=(*proof.faults, *faults))


def _with_same_zeros(classes: TotalOfClasses) -> TotalOfClasses:
    """The class counts with -0.0 replaced by 0.0 in sensitive numbers."""

    def same_zeros(columns: Sequence[str], sensitive: Sequence[str], of: Callable[[pa.Table], P]) -> P:
        return classes(columns, sensitive, partial(_of_same_zeros, len(columns), of))

    return same_zeros


def _of_same_zeros(first: int, of: Callable[[pa.Table], P], counts: pa.Table) -> P:
    return of(_same_zeros(counts, first))


def _rows(first: int, counts: pa.Table) -> WrittenRows:
    return WrittenRows(_same_zeros(counts, first))


def _prove_anatomy(
    written: WrittenRelease[F],
    schema: Schema,
    plan: ReleasePlan,
    release_units: ReleaseUnits[F],
    holders: pa.Table | None,
) -> Proof:
    """The proof of an anatomy. Its two tables do not show which unit has which value, so requirements on shares
    of units are proved only with ``holders``."""
    sensitive, requirements = _same_zeros(written.sensitive, 0), plan.requirements
    if schema.unit is None or holders is not None:
        proof, of_units = (
            prove_anatomy(written.members, sensitive, schema, requirements, None, holders),
            _of_units(requirements, plan),
        )
        if not of_units or holders is None or proof.faults:
            return proof
        return _with_units_proved(proof, prove_units_of_anatomy(sensitive, schema, of_units, holders), plan)
    provable = [requirement for requirement in requirements if requirement.of_records]
    proof = prove_anatomy(written.members, sensitive, schema, provable, release_units.n_units(GROUP))
    left_out = () if release_units.hidden or len(provable) == len(requirements) else (_shares_note(schema.unit.name),)
    return replace(proof, notes=(*proof.notes, *release_units.notes, *left_out))


def _shares_note(unit: str) -> str:
    return (
        f"The two tables do not show which values belong to one unit of {unit}: sizes of groups and numbers of "
        f"distinct values were proved, shares of values were not. The run that produced the release counted units."
    )


def _same_zeros(counts: pa.Table, first: int) -> pa.Table:
    """The counts with -0.0 replaced by 0.0 in the sensitive numbers, which start at column ``first``."""
    *columns, n = counts.columns
    columns[first:] = [pc.add(each, 0.0) if pa.types.is_floating(each.type) else each for each in columns[first:]]
    return pa.table([*columns, n], names=counts.column_names)


def raise_if_failed(proof: Proof) -> Proof:
    """The proof itself if it holds; raises RequirementError with the failures otherwise."""
    if not proof.holds:
        raise RequirementError.gate_closed(proof.failures)
    return proof


def _name_faults(written: WrittenRelease[F], schema: Schema) -> tuple[str, ...]:
    """Wrong or missing column names, in both tables of an anatomy."""
    if written.second is None:
        return structure_faults(written.records.names, schema)
    return name_faults(written.records.names, written.second.names, schema)


def _pseudonym_faults(written: WrittenRelease[F], schema: Schema, plan: ReleasePlan) -> tuple[str, ...]:
    """Pseudonyms that are malformed or, where the policy has requirements, that link several records."""
    counted = [
        (c.name, written.value_counts(c.name))
        for c in schema.with_role("identifier")
        if c.key_file and c.name in written
    ]
    checks = (pseudonym_faults, repeated_pseudonym_faults) if plan.requirements else (pseudonym_faults,)
    return tuple(fault for name, counts in counted for check in checks for fault in check(name, counts))


def _with_trees(schema: Schema, policy: Policy, plan: ReleasePlan, written: WrittenRelease[F]) -> Schema:
    """The schema with the taxonomies for requirements and extents, built from the policy and the released values."""
    trees = plan.taxonomies_for_gate
    return Schema(
        replace(column, taxonomy=taxonomy_of(policy, column.name, written.values(column.name)))
        if column.name in trees
        else column
        for column in schema.columns
    )


def _domain_faults(schema: Schema, plan: ReleasePlan, written: WrittenRelease[F]) -> tuple[str, ...]:
    """Values outside the order or taxonomy that a requirement needs; each fault is reported once."""
    reading = [r for r in plan.requirements if r.column and r.reads in ("order", "tree")]
    found = [domain_faults(written.value_counts(str(r.column)), schema[str(r.column)], r) for r in reading]
    return tuple(dict.fromkeys(fault for faults in found for fault in faults))


def _level_faults(schema: Schema, policy: Policy, plan: ReleasePlan, written: WrittenRelease[F]) -> Iterator[str]:
    """Labels of a taxonomy below or above the levels that the policy allows."""
    for name in (name for name, column in plan.columns.items() if column.has_level_limits):
        column, rule, tree = plan.columns[name], policy.columns[name].recoded.taxonomy, schema[name].taxonomy
        generated = {key: getattr(rule, key) or () for key in ("prefixes", "intervals", "date_parts")}
        paths = tree.paths if tree and column.has_taxonomy_file else ()
        limits = LevelLimits(column.min_level or 0, column.max_level, paths, **generated)
        yield from limits.faults(name, pc.cast(written.values(name), pa.string()).to_pylist())


def _extent_faults(schema: Schema, plan: ReleasePlan, written: WrittenRelease[F]) -> tuple[str, ...]:
    """Every cell of a generalized column must parse as an extent. Columns generalized by a rule (such as prefixes) are
    not checked: their taxonomy is not known here, and they can hold any text."""
    return tuple(
        fault
        for name, column in plan.columns.items()
        if column.is_readable
        for fault in read_extents(written.values(name), schema[name]).faults
    )
