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
    class_notes,
    formula_notes,
    input_digest,
    output_content,
    private_manifest,
    public_input,
    release_notes,
)
from shoal.pipeline.files.promises import Promises
from shoal.pipeline.files.release import Release
from shoal.pipeline.files.sibling_releases import sibling_notes
from shoal.pipeline.files.targets import Drafts, Targets
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.generalization_step import GroupedTable, generalize_table
from shoal.pipeline.protect.group_index import GroupIndex
from shoal.pipeline.protect.linking_columns import find_linking_columns
from shoal.pipeline.protect.local_suppression_step import suppress_cells
from shoal.pipeline.protect.microaggregation_step import microaggregate_table
from shoal.pipeline.protect.minimality_attack import with_attacks
from shoal.pipeline.protect.own_assessment import assess_release
from shoal.pipeline.protect.perturbation_step import in_one_group, n_imputed, perturb_table, pram_matrices
from shoal.pipeline.protect.plan_report import search_notes
from shoal.pipeline.protect.released_records import ReleasedRecords, released_labels, released_records
from shoal.pipeline.protect.released_weights import replace_weights
from shoal.pipeline.protect.repeated_identifiers import repeated_identifiers
from shoal.pipeline.protect.subtotal_sums import subtotals
from shoal.pipeline.protect.unattainable import check_attainable, check_suppression
from shoal.pipeline.protect.unit_release import UnitResult, apply_to_units
from shoal.pipeline.protect.weighted_totals import total_findings
from shoal.pipeline.verify.prove_file import PolicyLike, prove_with_units
from shoal.policy import Policy, ReleasePlan, load
from shoal.release.manifest import Manifest, Stopwatch
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
    loaded = load(policy).spreadsheet_safe() if spreadsheet_safe else load(policy)
    targets = Targets.of(output, report, mapping)
    with targets.open_engine(table, engine, memory, loaded.source.format) as chosen_engine:
        return protect_by(chosen_engine, table, loaded, targets, key, force=force)


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
    targets, kept_file = targets.of_plan(ReleasePlan.of(policy)), key_file(key, policy.file)
    targets.check_key(kept_file)
    with targets.drafts(_input_files(source, policy, kept_file), force=force) as drafts:
        with progress.stage("reading the table", 0):
            original = FittedTable.read(engine, source, policy)
        original = original.with_key(Key.for_release(key, policy.file))
        identifier_notes = repeated_identifiers(original)
        perturbed = perturb_table(original)
        check_attainable(perturbed)
        grouped = _grouped_table(perturbed)
        suppression = suppress_cells(perturbed, grouped.frame)
        units = apply_to_units(perturbed, suppression.frame)
        protected = replace_weights(perturbed, units.frame)
        index = GroupIndex.of(engine, protected)
        check_suppression(perturbed, index.n_suppressed)
        with progress.stage("assessing the release", 0):
            assessment = assess_release(original, perturbed, protected, index.n_suppressed)
            assessment = assessment.with_plans(grouped.report.plans, grouped.report.findings)
            assessment = assessment.with_findings(total_findings(original, perturbed, protected))
            assessment = replace(assessment, subtotals=subtotals(original, protected))
            assessment = with_attacks(assessment, original.plan, suppression.attacks)
            linking = find_linking_columns(perturbed, protected, units.linked)
            assessment = replace(assessment, matrices=pram_matrices(original), reasons=policy.reasons)
            assessment = assessment.with_exposures(linking.exposures)
        released = released_records(original, perturbed, protected, index, units.linked)
        origin = _origin_for_writing(original)
        with progress.stage("writing and proving the release", 0):
            promises = Promises.of_schema(original.plan, original.schema)
            proof, formulas = _write_and_prove(original, policy, released, origin, drafts, promises)
        written = output_content(engine, released.records, proof.n_records, drafts.release, targets.release)
        replay_notes = expected.notes_if_equal(written, targets.release) if expected else ()
        digest = input_digest(original)
        manifest = Manifest(
            input=public_input(original, digest),
            output=written,
            policy=policy.summary(),
            engine=engine.name,
            counts={**index.counts(), "n_classes": proof.n_classes},
            k_reached=proof.k_reached,
            proof=proof.to_dict(),
            notes=(
                *original.frame.origin.notes,
                *_notes(perturbed, units),
                *identifier_notes,
                *search_notes(grouped.report.certificates),
                *suppression.notes,
                *units.notes,
                *linking.notes,
                *formula_notes(formulas, are_safe=original.plan.spreadsheet_safe),
                *proof.notes,
                *class_notes(proof, original.plan),
                *assessment.notes,
                *map(str, assessment.not_measured),
                *replay_notes,
            ),
            cost=watch.cost(),
            decimals=dict(promises.decimals),
            steps={name: step.to_dict() for name, step in promises.steps.items()},
            plans=tuple(plan.figures() for plan in assessment.plans),
            grids={name: grid.to_dict() for name, grid in promises.grids.items()},
        )
        if expected:
            expected.check_figures(manifest)
        private = private_manifest(original, policy, digest, written, assessment, targets.release)
        manifest = replace(manifest, notes=(*manifest.notes, *sibling_notes(manifest, private, targets.manifest)))
        groups = engine.map_rows(protected, index.mapping)
        if drafts.mapping:
            engine.write(groups, drafts.mapping, None)
        kept = _in_memory(engine, released.records), _in_memory(engine, groups)
        release = Release(
            manifest,
            assessment,
            policy,
            origin,
            *kept,
            targets.release,
            released.sensitive,
            grouped.report.certificates,
            released.units,
            released.holders,
            released.amounts,
            private=private,
            key=original.known_key,
        )
        filled = drafts.fill(release)
        original.known_key.store()
        return filled


def _grouped_table(original: FittedTable[F]) -> GroupedTable[F]:
    """The records after microaggregation or generalization; unchanged for a method that does neither."""
    method = original.plan.method
    if method.generalization:
        return generalize_table(original, method.generalization)
    if method.microaggregation:
        return GroupedTable(microaggregate_table(original, method.microaggregation))
    return GroupedTable(in_one_group(original))


def _notes(perturbed: FittedTable[F], units: UnitResult[F]) -> tuple[str, ...]:
    divided = perturbed.division.notes if perturbed.plan.method.forms_groups else ()
    return (
        *release_notes(
            perturbed.schema, perturbed.plan, n_imputed(perturbed), linked=units.linked is None or len(units.linked) > 0
        ),
        *divided,
    )


def _input_files(source: Any, policy: Policy, kept: Path | None) -> list[Path]:
    """All input files of a release: data, policy files and key. None of them may be overwritten."""
    sources = [Path(source)] if isinstance(source, str | os.PathLike) else []
    return [*sources, *policy.files, *([kept] if kept else [])]


def _origin_for_writing(original: FittedTable[F]) -> Origin:
    """The origin for writing: with a header, since dropped columns shift positions, and with permitted labels."""
    origin, safe = original.frame.origin, original.plan.spreadsheet_safe
    written = {"header": True, "names": None, "apostrophes": safe}
    labels = released_labels(origin.labels, original.plan) if origin.labels else None
    return replace(origin, options=origin.options.model_copy(update=written), labels=labels)


def _write_and_prove(
    original: FittedTable[F],
    policy: Policy,
    released: ReleasedRecords[F],
    origin: Origin,
    drafts: Drafts,
    promises: Promises,
) -> tuple[Proof, Formulas]:
    """Writes the release and proves the written file, or the table in memory where no file is written.

    Also returns the texts that a spreadsheet would run, by column.
    """
    engine, besides = original.engine, (released.units, released.holders, released.amounts)
    if drafts.release is None:
        records = engine.collect(released.records)
        return prove_with_units(records, policy.source, policy, engine, released.sensitive, promises, *besides), {}
    formulas = Counter(engine.write(released.records, drafts.release, origin))
    if drafts.sensitive and released.sensitive is not None:
        formulas.update(write_table(released.sensitive, drafts.sensitive, origin))
    options = options_written(drafts.release, origin)
    proof = prove_with_units(drafts.release, options, policy, engine, drafts.sensitive, promises, *besides)
    return proof, formulas


def _in_memory(engine: Engine[F], frame: F) -> pa.Table | None:
    return engine.collect(frame) if engine.in_memory else None
