"""Contents of the manifests: paths, hashes, and notes for the reader of a release."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from shoal.assessment.assessment import Assessment
from shoal.engines.protocol import Engine, F
from shoal.errors import SourceError, listed, policy_key
from shoal.gate.gate import Proof
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.policy import Policy, ReleasePlan
from shoal.release.manifest import Content, Input
from shoal.release.private_manifest import PrivateManifest
from shoal.schema import Column, Schema
from shoal.sources import sha256_of, sha256_of_table
from shoal.sources.key_file import Key
from shoal.sources.private import is_private

ANATOMY = (
    "Anatomy: quasi-identifiers are released as they are, so who is in the table can be seen; what is hidden is which "
    "of the sensitive values of a group is whose. Requirements hold for every group."
)


IN_ORDER = (
    "Records are in the order of the input (output.shuffle = false): anyone who knows that order, or a column by "
    "which it was sorted, may identify persons."
)
ONE_CLASS = (
    "All records of the release are in one class: its quasi-identifiers carry no information. Weaker requirements, a "
    "smaller k or fewer quasi-identifiers leave some."
)
NO_REQUIREMENT = (
    "The policy sets no requirement: the columns of the release were checked, and nothing was proved about its records."
)
NOT_KEPT = "The key of this release is not stored in a file: without it the release cannot be reproduced."


def input_digest(original: FittedTable[F]) -> str:
    """SHA-256 of the input; raises SourceError if the file changed while it was read."""
    origin, digest = original.frame.origin, original.sha256
    if digest is None or origin.path is None:
        digest = sha256_of_table(original.engine.collect(original.as_read))
    elif sha256_of(origin.path) != digest:
        raise SourceError.file_changed(origin.path)
    origin.check_unchanged()
    return digest


def public_input(original: FittedTable[F], digest: str) -> Input:
    frame = original.frame
    return Input(frame.origin.format, original.known_key.tag("input", digest), frame.n_records, len(frame.names))


def private_manifest(
    original: FittedTable[F], policy: Policy, digest: str, written: Content, assessment: Assessment, output: Path | None
) -> PrivateManifest:
    key = original.known_key
    return PrivateManifest(
        release_sha256=written.sha256,
        input_path=None if original.frame.origin.native else relative_path(output, original.frame.origin.path),
        input_sha256=digest,
        policy_path=relative_path(output, policy.file),
        policy_sha256=policy.digest(),
        seed=policy.seed,
        key_path=relative_path(output, key.file),
        findings=assessment.findings.to_list(),
        plans=tuple(plan.search_figures() for plan in assessment.plans if plan.search),
        notes=tuple(_key_notes(key, output)),
        earlier=earlier_content(policy, output),
        population_sha256=None if policy.population is None else sha256_of(policy.population),
    )


def earlier_content(policy: Policy, output: Path | None) -> dict[str, Any] | None:
    """The earlier releases whose groups were kept, with paths relative to the folder of the release."""
    if policy.earlier is None:
        return None
    files = [{"path": relative_path(output, path), "sha256": sha256_of(path)} for path in policy.earlier_files]
    return {"releases": files, "person": policy.earlier.person}


def _key_notes(key: Key, output: Path | None) -> Iterator[str]:
    if key.file is None:
        yield NOT_KEPT
    elif output and key.file.resolve().parent == output.resolve().parent:
        yield f"{key.file.name} is in the folder of the release: publish single files, never the folder."


def class_notes(proof: Proof, plan: ReleasePlan) -> tuple[str, ...]:
    """The note on a release whose records cannot be distinguished at all."""
    is_one = proof.n_classes == 1 < proof.n_records and not plan.representation.separates_sensitive
    words = ONE_CLASS if plan.k else ONE_CLASS.replace(", a smaller k or", " or")
    return (words,) if is_one else ()


def output_content(engine: Engine[F], released: F, n_records: int, draft: Path | None, output: Path | None) -> Content:
    """Format, hash and size of the release; ``draft`` is the written file before it is renamed to ``output``."""
    digest = sha256_of(draft) if draft else sha256_of_table(engine.collect(released))
    format_, name = (format_of_release(output), output.name) if output else ("dataframe", None)
    return Content(format_, name, digest, n_records, len(released.names))


def format_of_release(output: Path) -> str:
    return "".join(output.suffixes).lstrip(".")


def relative_path(output: Path | None, file: Path | None) -> str | None:
    """The path of ``file`` relative to the folder of the release; None if either is not a file."""
    return os.path.relpath(file, output.parent) if output and file else None


def formula_notes(formulas: Mapping[str, int], *, are_safe: bool) -> tuple[str, ...]:
    """A note on texts that a spreadsheet would run as formulas; ``are_safe``: each is preceded by an apostrophe."""
    if not formulas:
        return ()
    begin = f"{sum(formulas.values()):,} text cells of {listed(formulas)} begin with a formula sign (= + - @)"
    if are_safe:
        return (f"{begin}: an apostrophe precedes each, so that no spreadsheet runs it.",)
    return (f"{begin}: a spreadsheet may run them. --spreadsheet-safe puts an apostrophe before each.",)


def release_notes(schema: Schema, plan: ReleasePlan, n_imputed: Mapping[str, int], *, linked: bool) -> tuple[str, ...]:
    """Notes that a reader of the release needs in addition to the figures."""
    unordered = [c for c in schema.columns if c.kind == "ordinal" and c.order is None]
    households = [c.name for c in schema.with_role("household")]
    together = "by whole households, member by member with those of others" if plan.groups_units else "one by one"
    unused = [c.name for c in schema.columns if c.taxonomy and not plan.columns[c.name].uses_taxonomy]
    anatomy = plan.representation.separates_sensitive
    open_keys = [c.name for c in schema.columns if c.key_file and not is_private(c.key_file)]
    return (
        *((ANATOMY,) if anatomy else ()),
        *((_unit_sizes_note(schema.unit),) if anatomy and schema.unit else ()),
        *(f"{name}: {n} missing values were imputed." for name, n in n_imputed.items()),
        *(f"{name}: its taxonomy is checked but not used." for name in unused),
        *map(_order_note, unordered),
        *(
            f"{name}: households got new numbers, so who belongs together can still be seen; "
            f"records are protected {together}."
            for name in (households if linked else ())
        ),
        *((_unlinked_note(plan.unit, together),) if plan.unit and plan.drops_households else ()),
        *(_by_record_note(plan.unit, name) for name in plan.values_by_record),
        *(f"{name}: others may read the key of its pseudonyms. Give its file the mode 0600." for name in open_keys),
        *_target_notes(schema, plan),
        *((IN_ORDER,) if not plan.shuffles else ()),
        *((NO_REQUIREMENT,) if not plan.requirements else ()),
    )


def _unlinked_note(household: str, together: str) -> str:
    return (
        f"{household}: household numbers are not released, so no number says who belongs together; requirements count "
        f"households, and their members are protected {together}."
    )


def _by_record_note(unit: str | None, column: str) -> str:
    return (
        f"{column}: the records of a unit of {unit} are protected one by one. Requirements hold for every class; "
        f"whoever knows all records of a unit may infer its value from what their classes have in common. "
        f"Microaggregation without split_households groups whole units, and excludes this."
    )


def _unit_sizes_note(unit: Column) -> str:
    return (
        f"{unit.name}: the sensitive table counts records, and anyone who knows how many records a unit has may infer "
        "its value from these counts."
    )


def _target_notes(schema: Schema, plan: ReleasePlan) -> Iterator[str]:
    """A note if the target of the loss is not released: classes still depend on it."""
    method = plan.method.generalization
    target = method.target if method else None
    if target in {column.name for role in ("identifier", "unit") for column in schema.with_role(role)}:
        yield (
            f"{target}: the cuts depend on this column, which is not released: where classes were divided, and where "
            "not, discloses something about it."
        )


def _order_note(column: Column) -> str:
    """A note on an ordinal column without a declared order. Most file formats lose the order of categories, so a proof
    from the file could not use it."""
    if not column.own_order:
        return f"{column.name}: ordinal without an order; its values are taken in sorted order."
    return (
        f"{column.name}: ordinal without an order in the policy. Groups, cuts and proofs use its sorted values; "
        f"medians and ranks use the order of its categories. Declare "
        f"{policy_key('columns', column.name, 'order')}, so that all use one."
    )
