"""The pipeline: all stages of a release in their order, on an engine."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal import progress
from shoal.engines.choose import EngineName
from shoal.engines.protocol import Engine, F
from shoal.gate.gate import Proof
from shoal.pipeline.files.expected_release import ExpectedRelease
from shoal.pipeline.files.manifest_content import (
    input_digest,
    notes,
    of_formulas,
    output_content,
    private_manifest,
    public_input,
)
from shoal.pipeline.files.promises import Promises
from shoal.pipeline.files.release import Release
from shoal.pipeline.files.sibling_releases import beside
from shoal.pipeline.files.targets import Drafts, Targets
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.generalization_step import cut
from shoal.pipeline.protect.group_index import GroupIndex
from shoal.pipeline.protect.grouped_table import GroupedTable
from shoal.pipeline.protect.linking_columns import retied
from shoal.pipeline.protect.local_suppression_step import blanked
from shoal.pipeline.protect.microaggregation_step import grouped
from shoal.pipeline.protect.minimality_attack import with_tried
from shoal.pipeline.protect.own_assessment import assessed
from shoal.pipeline.protect.perturbation_step import left_alone, n_imputed, perturbed
from shoal.pipeline.protect.plan_report import search_notes
from shoal.pipeline.protect.pram_matrices import pram_matrices
from shoal.pipeline.protect.released_records import ReleasedRecords, told
from shoal.pipeline.protect.released_weights import weighed
from shoal.pipeline.protect.repeated_identifiers import repeated_identifiers
from shoal.pipeline.protect.unit_release import UnitResult, kept_units
from shoal.pipeline.protect.value_labels import labels_told
from shoal.pipeline.protect.weighted_totals import total_findings
from shoal.pipeline.verify.prove_file import PolicyLike, prove_with_units
from shoal.policy import Policy, ReleasePlan, load
from shoal.release.manifest import Manifest, Stopwatch
from shoal.release.suppress import check_limit
from shoal.sources import Formulas, Origin, options_written, write_table
from shoal.sources.key_file import Key, KeyLike, key_file


def protect(
    table: Any,
    policy: PolicyLike,
    *,
    output: str | Path | None = None,
    report: str | Path | None = None,
    mapping: str | Path | None = None,
    force: bool = False,
    memory: int | str | None = None,
    engine: EngineName = "auto",
    spreadsheet_safe: bool = False,
    key: KeyLike | None = None,
) -> Release:
    """A release of ``table`` (a file or any dataframe) that satisfies ``policy``; on an error nothing is released.

    With ``output`` the release is written there and its manifest next to it, with ``report`` an HTML page, with
    ``mapping`` the group of every record, a private file. ``force`` replaces older files, never an input.
    ``memory`` (such as "2GB"; by default half of the free memory) limits the memory used; a file that needs more is
    protected piece by piece, with the same result. ``engine``: "memory" or "duckdb" to override the choice.
    ``spreadsheet_safe`` puts an apostrophe before CSV texts that a spreadsheet would run as formulas; the policy can
    ask for the same. ``key``: the secret of the random numbers, a file (created if missing) or 32 bytes; if left out,
    the file next to the policy, else a new key that is not stored: then only ``release.key`` can repeat the release.
    """
    rules = load(policy).spreadsheet_safe() if spreadsheet_safe else load(policy)
    targets = Targets.of(output, report, mapping)
    with targets.carried(table, engine, memory) as carrier:
        return protect_by(carrier, table, rules, targets, key, force=force)


def protect_by(
    engine: Engine[F],
    source: Any,
    policy: Policy,
    targets: Targets,
    key: KeyLike | None,
    *,
    force: bool,
    expected: ExpectedRelease | None = None,
) -> Release:
    """The release of ``source``, written to ``targets``. ``expected``: a release that it must equal, else an error."""
    watch = Stopwatch()
    targets, kept_key = targets.of_plan(ReleasePlan.of(policy)), key_file(key, policy.file)
    targets.check_key(kept_key)
    with targets.drafts(_files_of(source, policy, kept_key), force=force) as drafts:
        with progress.stage("reading the table", 0):
            original = FittedTable.read(engine, source, policy)
        original = original.with_key(Key.for_release(key, policy.file))
        of_identifiers = repeated_identifiers(original)
        changed = perturbed(original)
        made_alike = _protected(changed)
        of_blanks = blanked(changed, made_alike.frame)
        of_units = kept_units(changed, of_blanks.frame)
        protected = weighed(changed, of_units.frame)
        made = GroupIndex.of(engine, protected)
        check_limit(made.n_suppressed, original.n_records, original.plan.suppression_limit)
        with progress.stage("assessing the release", 0):
            assessment = assessed(original, changed, protected, made.n_suppressed)
            assessment = assessment.with_plans(made_alike.told.plans, made_alike.told.findings)
            assessment = assessment.with_findings(total_findings(original, changed, protected))
            assessment = with_tried(assessment, original.plan, of_blanks.tried)
            of_retied = retied(changed, protected, of_units.tied)
            assessment = replace(assessment, matrices=pram_matrices(original)).with_exposures(of_retied.exposures)
        release_told, origin = told(original, protected, made, of_units.tied), _named(original)
        with progress.stage("writing and proving the release", 0):
            promises = Promises.of_schema(original.plan, original.schema)
            proof, formulas = _write_and_prove(original, policy, release_told, origin, drafts, promises)
        written = output_content(engine, release_told.records, proof.n_records, drafts.release, targets.release)
        repeated = expected.noted(written, targets.release) if expected else ()
        digest = input_digest(original)
        manifest = Manifest(
            input=public_input(original, digest),
            output=written,
            policy=policy.summary(),
            engine=engine.name,
            counts={**made.counts(), "n_classes": proof.n_classes},
            k_reached=proof.k_reached,
            proof=proof.to_dict(),
            notes=(
                *original.frame.origin.notes,
                *_notes(changed, of_units),
                *of_identifiers,
                *search_notes(made_alike.told.certificates),
                *of_blanks.notes,
                *of_units.notes,
                *of_retied.notes,
                *of_formulas(formulas, are_safe=original.plan.spreadsheet_safe),
                *proof.notes,
                *assessment.notes,
                *map(str, assessment.not_measured),
                *repeated,
            ),
            cost=watch.cost(),
            decimals=dict(promises.decimals),
            steps={name: step.described() for name, step in promises.steps.items()},
            plans=tuple(plan.figures() for plan in assessment.plans),
            grids={name: grid.to_dict() for name, grid in promises.grids.items()},
        )
        private = private_manifest(original, policy, digest, written, assessment, targets.release)
        manifest = replace(manifest, notes=(*manifest.notes, *beside(manifest, private, targets.manifest)))
        groups = engine.map_rows(protected, made.numbered)
        if drafts.mapping:
            engine.write(groups, drafts.mapping, None)
        kept = _in_memory(engine, release_told.records), _in_memory(engine, groups)
        release = Release(
            manifest,
            assessment,
            policy,
            origin,
            *kept,
            targets.release,
            release_told.sensitive,
            made_alike.told.certificates,
            release_told.units,
            release_told.holders,
            private=private,
            key=original.known_key,
        )
        filled = drafts.fill(release)
        original.known_key.store()
        return filled


def _protected(original: FittedTable[F]) -> GroupedTable[F]:
    """The records after microaggregation or generalization; unchanged for a method that does neither."""
    method = original.plan.method
    if method.generalization:
        return cut(original, method.generalization)
    if method.microaggregation:
        return GroupedTable(grouped(original, method.microaggregation))
    return GroupedTable(left_alone(original))


def _notes(changed: FittedTable[F], of_units: UnitResult[F]) -> tuple[str, ...]:
    divided = changed.division.notes if changed.plan.method.forms_groups else ()
    return (
        *notes(changed.schema, changed.plan, n_imputed(changed), tied=of_units.tied is None or len(of_units.tied) > 0),
        *divided,
    )


def _files_of(source: Any, policy: Policy, kept: Path | None) -> list[Path]:
    """All input files of a release: data, policy files and key. None of them may be overwritten."""
    given = [Path(source)] if isinstance(source, str | os.PathLike) else []
    return [*given, *policy.files, *([kept] if kept else [])]


def _named(original: FittedTable[F]) -> Origin:
    """The origin for writing: with a header, since dropped columns shift positions, and with permitted labels."""
    origin, safe = original.frame.origin, original.plan.spreadsheet_safe
    written = {"header": True, "apostrophes": safe}
    labels = labels_told(origin.labels, original.plan) if origin.labels else None
    return replace(origin, options=origin.options.model_copy(update=written), labels=labels)


def _write_and_prove(
    original: FittedTable[F],
    policy: Policy,
    what: ReleasedRecords[F],
    origin: Origin,
    drafts: Drafts,
    promises: Promises,
) -> tuple[Proof, Formulas]:
    """Writes the release and proves the written file, or the table in memory where no file is written.

    Also returns the texts that a spreadsheet would run, by column.
    """
    engine, besides = original.engine, (what.units, what.holders)
    if drafts.release is None:
        records = engine.collect(what.records)
        return prove_with_units(records, policy.source, policy, engine, what.sensitive, promises, *besides), {}
    formulas = Counter(engine.write(what.records, drafts.release, origin))
    if drafts.sensitive and what.sensitive is not None:
        formulas.update(write_table(what.sensitive, drafts.sensitive, origin))
    options = options_written(drafts.release, origin)
    proof = prove_with_units(drafts.release, options, policy, engine, drafts.sensitive, promises, *besides)
    return proof, formulas


def _in_memory(engine: Engine[F], frame: F) -> pa.Table | None:
    return engine.collect(frame) if engine.in_memory else None
