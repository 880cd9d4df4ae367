"""The road: the stages in their order, carried by an engine."""

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
from shoal.policy import Policy, ReleasePlan, load
from shoal.release.gate import Proof
from shoal.release.manifest import Manifest, Stopwatch
from shoal.release.suppress import check_limit
from shoal.run.assembling import Told, told
from shoal.run.assessing import assessed
from shoal.run.beside import beside
from shoal.run.blanking import blanked
from shoal.run.cutting import cut
from shoal.run.evidence import input_digest, notes, of_formulas, output_content, private_manifest, public_input
from shoal.run.grouping import grouped
from shoal.run.groups_made import GroupsMade
from shoal.run.labelling import labels_told
from shoal.run.minimality import with_tried
from shoal.run.original import Original
from shoal.run.perturbing import left_alone, n_imputed, perturbed
from shoal.run.pram_matrices import pram_matrices
from shoal.run.promises import Promises
from shoal.run.protected import Protected
from shoal.run.proving import PolicyLike, prove_with_units
from shoal.run.release import Release
from shoal.run.repeated import repeated_identifiers
from shoal.run.repeating import Expected
from shoal.run.retied import retied
from shoal.run.targets import Drafts, Targets
from shoal.run.telling import search_notes
from shoal.run.totaling import total_findings
from shoal.run.units import UnitsKept, kept_units
from shoal.run.weighing import weighed
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
    """A release of ``table`` (a file or any dataframe) that holds what ``policy`` demands, or an error and nothing.

    With ``output`` the release is written there and its manifest beside it, with ``report`` an HTML page, with
    ``mapping`` the group of every record, a private file. ``force`` replaces older files, never an input.
    ``memory`` ("2GB"; half of what is free, unless given) is what may be taken; a file that needs more is protected
    piece by piece, with the same release. ``engine``: "memory" or "duckdb", for those who know better.
    ``spreadsheet_safe`` puts an apostrophe before texts of a CSV that a spreadsheet would run, as the policy can.
    ``key``: where all chance comes from, a file (made if it is not there) or 32 bytes; left out, the one beside the
    policy, else a new one that nobody keeps: then the release can only be made once more with ``release.key``.
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
    expected: Expected | None = None,
) -> Release:
    """``expected``: the release that this one must repeat; any other is an error."""
    watch = Stopwatch()
    targets, kept_key = targets.of_plan(ReleasePlan.of(policy)), key_file(key, policy.file)
    targets.check_key(kept_key)
    with targets.drafts(_files_of(source, policy, kept_key), force=force) as drafts:
        with progress.stage("reading the table", 0):
            original = Original.read(engine, source, policy)
        original = original.with_key(Key.for_release(key, policy.file))
        of_identifiers = repeated_identifiers(original)
        changed = perturbed(original)
        made_alike = _protected(changed)
        of_blanks = blanked(changed, made_alike.frame, policy.local_suppression)
        of_units = kept_units(changed, of_blanks.frame)
        protected = weighed(changed, of_units.frame)
        made = GroupsMade.of(engine, protected)
        check_limit(made.n_suppressed, original.n_records, policy.suppression.limit)
        with progress.stage("assessing the release", 0):
            assessment = assessed(original, changed, protected, made.n_suppressed)
            assessment = assessment.with_plans(made_alike.told.plans, made_alike.told.findings)
            assessment = assessment.with_findings(total_findings(original, changed, protected))
            assessment = with_tried(assessment, policy, of_blanks.tried)
            of_retied = retied(changed, protected, of_units.tied)
            assessment = replace(assessment, matrices=pram_matrices(original)).with_exposures(of_retied.exposures)
        release_told, origin = told(original, protected, made, of_units.tied), _named(original)
        with progress.stage("writing and proving the release", 0):
            promises = Promises.of_schema(original.plan, original.schema)
            proof, formulas = _write_and_prove(original, release_told, origin, drafts, promises)
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
                *of_formulas(formulas, are_safe=policy.output.spreadsheet_safe),
                *proof.notes,
                *assessment.notes,
                *map(str, assessment.not_measured),
                *repeated,
            ),
            cost=watch.cost(),
            decimals=dict(promises.decimals),
            steps={name: step.described() for name, step in promises.steps.items()},
            plans=tuple(plan.figures() for plan in assessment.plans),
            grids={name: grid.described() for name, grid in promises.grids.items()},
        )
        private = private_manifest(original, digest, written, assessment, targets.release)
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
        original.known_key.keep()
        return filled


def _protected(original: Original[F]) -> Protected[F]:
    """By the family of the method."""
    method = original.plan.method
    if method.generalization:
        return cut(original, method.generalization)
    if method.microaggregation:
        return Protected(grouped(original, method.microaggregation))
    return Protected(left_alone(original))


def _notes(changed: Original[F], of_units: UnitsKept[F]) -> tuple[str, ...]:
    divided = changed.division.notes if changed.plan.method.forms_groups else ()
    return (
        *notes(changed.schema, changed.plan, n_imputed(changed), tied=of_units.tied is None or len(of_units.tied) > 0),
        *divided,
    )


def _files_of(source: Any, policy: Policy, kept: Path | None) -> list[Path]:
    """All that a release is made from: none of it may be replaced."""
    given = [Path(source)] if isinstance(source, str | os.PathLike) else []
    return [*given, *policy.files, *([kept] if kept else [])]


def _named(original: Original[F]) -> Origin:
    """A release names its columns: where one is dropped, places say nothing any more. Labels are those it may tell."""
    origin, safe = original.frame.origin, original.policy.output.spreadsheet_safe
    written = {"header": True, "apostrophes": safe}
    labels = labels_told(origin.labels, original.plan) if origin.labels else None
    return replace(origin, options=origin.options.model_copy(update=written), labels=labels)


def _write_and_prove(
    original: Original[F], what: Told[F], origin: Origin, drafts: Drafts, promises: Promises
) -> tuple[Proof, Formulas]:
    """Proved as written; without a file, as it is returned. Also the texts that a spreadsheet would run."""
    engine, policy, besides = original.engine, original.policy, (what.units, what.holders)
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
