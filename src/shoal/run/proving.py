"""The gate, fed by an engine: what was written is read again, counted and proved."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.engines.memory import MemoryEngine
from shoal.engines.protocol import Engine, F
from shoal.errors import PolicyError, RequirementError
from shoal.policy import Policy, taxonomy_of
from shoal.release.anatomy_gate import GROUP as ANATOMY_GROUP
from shoal.release.anatomy_gate import prove_anatomy
from shoal.release.besides import told_besides
from shoal.release.digits import digit_faults, not_promised
from shoal.release.gate import Proof, prove, pseudonym_faults, structure_faults
from shoal.release.read_extent import read_extents
from shoal.release.spread import domain_faults
from shoal.release.wildcard import prove_wildcards
from shoal.requirements import Requirement
from shoal.run.promised_digits import promised_decimals
from shoal.schema import Column, Schema
from shoal.sources import CellKind, ReadOptions
from shoal.sources.carriers import carriers_of

INVISIBLE, BLANKS = r"\p{Cf}", r"[\s\p{Z}]+"  # what a reader does not see, and what looks like a space

PolicyLike = Policy | Mapping[str, Any] | str | Path


def as_released(policy: Policy) -> ReadOptions:
    """How a release is written: UTF-8, with names, on one sheet, one sign for missing, quoted as CSVs are."""
    options = policy.source
    missing = ("",) if "" in options.missing else options.missing[:1]
    changes = {"encoding": None, "header": True, "sheet": None, "missing": missing, "quote": options.quote or '"'}
    return options.model_copy(update={**changes, "apostrophes": policy.output.spreadsheet_safe})


def prove_source(
    source: Any,
    options: ReadOptions,
    policy: Policy,
    engine: Engine[F],
    sensitive: Any = None,
    decimals: Mapping[str, int] | None = None,
) -> Proof:
    """What the cells of a release prove; of files also what they hold besides their cells.

    ``decimals``: how many digits the means of a column may have, besides what the policy says.
    """
    proof = _prove_cells(source, options, policy, engine, sensitive, decimals)
    for of, file in (("", source), ("second table: ", sensitive)):
        if isinstance(file, str | os.PathLike):
            proof = told_besides(proof, carriers_of(Path(file)), _with_new_values(policy), of)
    return proof


def _with_new_values(policy: Policy) -> set[str]:
    """Columns in which other values stand for those of the original: labels of these would be of somebody else."""
    renamed = {name for name, rule in policy.columns.items() if rule.role in ("household", "identifier")}
    return renamed | set(policy.by_extents)


def _prove_cells(
    source: Any,
    options: ReadOptions,
    policy: Policy,
    engine: Engine[F],
    sensitive: Any,
    decimals: Mapping[str, int] | None,
) -> Proof:
    """Reads what was written, as it is written: quasi-identifiers as text, sensitive values by their kind."""
    if policy.representation == "anatomy":
        return _prove_anatomy(source, options, policy, engine, sensitive)
    schema = policy.written(
        Schema(
            Column(name, rule.role, rule.kind, order=rule.order, key_file=rule.pseudonym)
            for name, rule in policy.columns.items()
        )
    )
    if not schema.quasi_identifiers:
        raise PolicyError.no_quasi_identifier()
    asked = {r.column for r in policy.requirements if r.column and r.reads != "extents"}  # those are quasi-identifiers
    needed = [*schema.quasi_identifiers, *sorted(asked)]
    declared = policy.cell_kinds
    kinds: dict[str, CellKind] = {name: declared[name] if name in asked else "text" for name in needed}
    frame = engine.read(source, options, columns=None, kinds=kinds)
    faults = (
        *structure_faults(frame.names, schema),
        *_pseudonym_faults(frame, schema, engine),
        *(f"besides the records there is {thing}" for thing in frame.origin.dropped),
    )
    if not set(needed) <= set(frame.names):
        return Proof(frame.n_records, 0, 0, (), faults)
    promised = promised_decimals(policy, decimals or {})
    faults += tuple(
        fault
        for name, places in promised.items()
        for fault in digit_faults(name, engine.group_counts(frame, [name]), places)
    )
    unlimited = tuple(not_promised(name) for name in policy.told_by_means if name not in promised)
    schema = _with_trees(schema, policy, frame, engine)
    strange = _domain_faults(schema, policy, frame, engine) + _extent_faults(schema, policy, frame, engine)
    if strange:
        return Proof(frame.n_records, 0, 0, (), faults + strange)

    def classes(columns: Sequence[str], sensitive: Sequence[str]) -> Iterator[pa.Table]:
        for counts in engine.class_counts(frame, columns, sensitive):
            yield _alike(counts, len(columns), policy.source.missing)

    wholes = {name: _alike(engine.group_counts(frame, [name]), 0, policy.source.missing) for name in asked}
    if policy.blanks_are_wildcards:
        return replace(prove_wildcards(classes, schema, _as_written(policy)), faults=faults, notes=unlimited)
    return replace(prove(classes, schema, _as_written(policy), wholes), faults=faults, notes=unlimited)


def _as_written(policy: Policy) -> list[Requirement]:
    """Who reads a quasi-identifier reads its ends, too: they are of its classes."""
    ends = {name: policy.ends_of(name) for name in policy.columns}
    return [
        requirement
        if requirement.columns is None
        else replace(requirement, columns=tuple(each for name in requirement.columns for each in (name, *ends[name])))
        for requirement in policy.requirements
    ]


def _alike(counts: pa.Table, first: int, missing: Sequence[str]) -> pa.Table:
    """Sensitive texts, from column ``first`` on, that only look different are one value; a word for missing is none."""
    for at in range(first, counts.num_columns - 1):
        values: Any = counts.column(at)
        if pa.types.is_floating(values.type):
            counts = counts.set_column(at, counts.column_names[at], pc.add(values, 0.0))  # -0.0 is 0.0
        if pa.types.is_string(values.type):
            plain: Any = pc.call_function("utf8_normalize", [values], pc.Utf8NormalizeOptions("NFKC"))
            plain = pc.replace_substring_regex(plain, INVISIBLE, "")
            plain = pc.utf8_trim_whitespace(pc.replace_substring_regex(plain, BLANKS, " "))
            unknown = pc.is_in(plain, value_set=pa.array(missing, pa.string()))
            plain = pc.if_else(unknown, pa.scalar(None, pa.string()), plain)
            counts = counts.set_column(at, counts.column_names[at], plain)
    return counts


def open_gate(proof: Proof) -> Proof:
    """The proof, or an error that says what does not hold."""
    if not proof.holds:
        raise RequirementError.gate_closed(proof.failures)
    return proof


def _pseudonym_faults(frame: F, schema: Schema, engine: Engine[F]) -> tuple[str, ...]:
    there = set(frame.names)
    names = [c.name for c in schema.with_role("identifier") if c.key_file and c.name in there]
    return tuple(fault for name in names for fault in pseudonym_faults(name, engine.group_counts(frame, [name])))


def _with_trees(schema: Schema, policy: Policy, frame: F, engine: Engine[F]) -> Schema:
    """The taxonomies that requirements and extents are read by, from the policy and the values of the release."""
    trees = {requirement.column for requirement in policy.requirements if requirement.reads == "tree"}
    trees |= {name for name in policy.by_extents if policy.has_tree_file(name)}
    return Schema(
        replace(column, taxonomy=taxonomy_of(policy, column.name, lambda name: engine.group_counts(frame, [name])))
        if column.name in trees
        else column
        for column in schema.columns
    )


def _domain_faults(schema: Schema, policy: Policy, frame: F, engine: Engine[F]) -> tuple[str, ...]:
    """Of columns whose values must have a place in an order or a taxonomy; each is named once."""
    reading = [r for r in policy.requirements if r.column and r.reads in ("order", "tree")]
    found = [domain_faults(engine.group_counts(frame, [str(r.column)]), schema[str(r.column)], r) for r in reading]
    return tuple(dict.fromkeys(fault for faults in found for fault in faults))


def _extent_faults(schema: Schema, policy: Policy, frame: F, engine: Engine[F]) -> tuple[str, ...]:
    """Where extents are promised nothing else may stand. What a rule made of the values (prefixes and the like) can
    be any text: its tree is not known here."""
    return tuple(
        fault
        for name in policy.by_extents
        if policy.has_tree_file(name) or not policy.columns[name].taxonomy
        for fault in read_extents(engine.group_counts(frame, [name]).column(0), schema[name]).faults
    )


def _prove_anatomy(source: Any, options: ReadOptions, policy: Policy, engine: Engine[F], sensitive: Any) -> Proof:
    """Two tables, and what ties them."""
    if sensitive is None:
        raise PolicyError.no_second_table()
    schema = Schema(
        Column(name, rule.role, rule.kind, order=rule.order, key_file=rule.pseudonym)
        for name, rule in policy.columns.items()
    )
    records = engine.read(source, options, columns=None, kinds={ANATOMY_GROUP: "text"})
    declared = policy.cell_kinds
    kinds: dict[str, CellKind] = {name: declared[name] for name in schema.sensitive}
    second = MemoryEngine().read(sensitive, options, columns=None, kinds={**kinds, "group": "text", "count": "numeric"})
    trees = _with_trees(schema, policy, second, MemoryEngine())
    has_group = ANATOMY_GROUP in records.names
    members = engine.group_counts(records, [ANATOMY_GROUP]) if has_group else pa.table({"group": [], "n": []})
    table = second.table.select(list(second.names))
    return prove_anatomy(records.names, members, table, trees, policy.requirements)
