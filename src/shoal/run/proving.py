"""The gate, fed by an engine: what was written is read again, counted and proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.engines.memory import MemoryEngine
from shoal.engines.protocol import Engine, F
from shoal.errors import PolicyError, RequirementError
from shoal.policy import Policy, load
from shoal.release.gate import Proof, prove, pseudonym_faults, structure_faults
from shoal.schema import Column, Schema
from shoal.sources import CellKind, ReadOptions

PolicyLike = Policy | Mapping[str, Any] | str | Path


def verify(source: Any, policy: PolicyLike) -> Proof:
    """The gate alone: what can be proved of a release (a file or any dataframe) under ``policy``."""
    rules = load(policy)
    return prove_source(source, _as_released(rules.source), rules, MemoryEngine())


def _as_released(options: ReadOptions) -> ReadOptions:
    """How a release is written: UTF-8, with names, on one sheet, one sign for missing, quoted as CSVs are."""
    missing = ("",) if "" in options.missing else options.missing[:1]
    changes = {"encoding": None, "header": True, "sheet": None, "missing": missing, "quote": options.quote or '"'}
    return options.model_copy(update=changes)


def prove_source(source: Any, options: ReadOptions, policy: Policy, engine: Engine[F]) -> Proof:
    """Reads what was written, as it is written: quasi-identifiers as text, sensitive values by their kind."""
    schema = Schema(
        Column(name, rule.role, rule.kind, key_file=rule.pseudonym) for name, rule in policy.columns.items()
    )
    if not schema.quasi_identifiers:
        raise PolicyError.no_quasi_identifier()
    asked = {requirement.column for requirement in policy.requirements if requirement.column}
    needed = [*schema.quasi_identifiers, *sorted(asked)]
    kinds: dict[str, CellKind] = {name: policy.cell_kinds[name] if name in asked else "text" for name in needed}
    frame = engine.read(source, options, columns=None, kinds=kinds)
    faults = (
        *structure_faults(frame.names, schema),
        *_pseudonym_faults(frame, schema, engine),
        *(f"besides the records there is {thing}" for thing in frame.origin.dropped),
    )
    if any(name not in frame.names for name in needed):
        return Proof(frame.n_records, 0, 0, (), faults)
    counts = _alike(engine.group_counts(frame, needed), len(schema.quasi_identifiers), policy.source.missing)
    return replace(prove(counts, schema, policy.requirements), faults=faults)


def _alike(counts: pa.Table, first: int, missing: Sequence[str]) -> pa.Table:
    """Sensitive texts, from column ``first`` on, that only look different are one value; a word for missing is none."""
    for at in range(first, counts.num_columns - 1):
        values: Any = counts.column(at)
        if pa.types.is_string(values.type):
            composed: Any = pc.call_function("utf8_normalize", [values], pc.Utf8NormalizeOptions("NFC"))
            plain: Any = pc.utf8_trim_whitespace(composed)
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
    names = [c.name for c in schema.with_role("identifier") if c.key_file and c.name in frame.names]
    return tuple(fault for name in names for fault in pseudonym_faults(name, engine.group_counts(frame, [name])))
