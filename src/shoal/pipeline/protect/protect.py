"""The pipeline: all stages of a release in their order, on an engine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal import progress
from shoal.assessment.assessment import Assessment
from shoal.assessment.full_assessment import DEFAULT_K
from shoal.assessment.risk.membership import NEEDS_POPULATION
from shoal.assessment.risk.repeat_assessment import with_earlier_releases
from shoal.assessment.utility.analyses.estimators import check_packages
from shoal.engines.catalog_table import catalog_table
from shoal.engines.choose import EngineName
from shoal.engines.protocol import Engine, F
from shoal.pipeline.files.expected_release import ExpectedRelease
from shoal.pipeline.files.manifest_content import input_digest, output_content, private_manifest, public_input
from shoal.pipeline.files.release import Release
from shoal.pipeline.files.sibling_releases import sibling_notes
from shoal.pipeline.files.targets import Drafts, Targets
from shoal.pipeline.page_check import prove_page_of_release
from shoal.pipeline.protect.certified_plans import CertifiedPlans
from shoal.pipeline.protect.earlier_exposures import earlier_exposures
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.minimality_attack import with_attacks
from shoal.pipeline.protect.own_assessment import assess_release
from shoal.pipeline.protect.own_usefulness import own_usefulness
from shoal.pipeline.protect.perturbation_step import pram_matrices
from shoal.pipeline.protect.protected_table import ProtectedTable
from shoal.pipeline.protect.proven_release import ProvenRelease, write_and_prove
from shoal.pipeline.protect.released_records import released_records
from shoal.pipeline.protect.subtotal_sums import subtotals
from shoal.pipeline.protect.undivided_steps import check_undivided
from shoal.pipeline.protect.weighted_totals import total_findings
from shoal.pipeline.verify.earlier_proof import check_not_original
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import Policy, ReleasePlan, load
from shoal.release.manifest import Content, Input, Manifest, Stopwatch
from shoal.report.page_file import Edition
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
    master: str | None = None,
    spreadsheet_safe: bool = False,
    key: KeyLike | None = None,
    population: Any = None,
    edition: Edition = "internal",
    earlier: Sequence[str | Path] = (),
    person: str | None = None,
    rules: str | Path | None = None,
) -> Release:
    """A release of ``table`` (a file, a folder of Parquet files, any dataframe, or "table:NAME" of a catalog of Spark)
    that satisfies ``policy``; on an error nothing is released.

    With ``output`` the release is written there (to a folder of Parquet files, if its extension is .parts) and its
    manifest next to it, with ``report`` a page (.html, .md or .json), with ``mapping`` the group of every record, a
    private file. ``force`` replaces older files, never an input.
    ``memory`` (such as "2GB"; by default half of the free memory) limits the memory used; a file that needs more is
    protected piece by piece, with the same result. ``engine``: "memory", "duckdb", "processes" or "spark"
    to override it; ``master``: of a Spark session that is started for this release, else that of the caller.
    ``spreadsheet_safe`` puts an apostrophe before CSV texts that a spreadsheet would run as formulas; the policy can
    ask for the same. ``key``: the secret of the random numbers, a file (created if missing) or 32 bytes; if left out,
    the file next to the policy, else a new key that is not stored: then only ``release.key`` can repeat the release.
    ``population``: everybody whom the persons were drawn from, a file or any dataframe with the quasi-identifiers and,
    if rows stand for several persons, a column ``count``; it measures membership and changes nothing in the release.
    ``edition``: of the report; "external" may leave the house, and is proved to show nothing about fewer than k.
    ``earlier``: files of earlier releases of the same persons, the latest last, whose groups are kept; ``person``: the
    column that identifies a person in all originals. Both can be in the policy. ``rules``: the file of rules that users
    wrote, which the policy names and which may run.
    """
    table, loaded = catalog_table(table), load(policy, rules)
    loaded = loaded.spreadsheet_safe() if spreadsheet_safe else loaded
    loaded = loaded.with_earlier(tuple(map(Path, earlier)), person)
    check_not_original(table, loaded.earlier_files)
    check_packages(rule.analysis for rule in loaded.analyses)
    targets = Targets.of(output, report, mapping, edition)
    choice = targets.choose_engine(table, engine, memory, loaded.source.format, master)
    check_undivided(ReleasePlan.of(loaded), choice)
    with targets.open_engine(choice) as chosen_engine:
        return protect_by(chosen_engine, table, loaded, targets, key, force=force, population=population)


def protect_by(
    engine: Engine[F],
    source: Any,
    policy: Policy,
    targets: Targets,
    key: KeyLike | None,
    *,
    force: bool,
    expected: ExpectedRelease | None = None,
    certified: CertifiedPlans | None = None,
    population: Any = None,
) -> Release:
    """The release of ``source``, written to ``targets``. ``expected``: a release that it must equal, else an error.
    ``certified``: the plans of its search, which is not repeated. ``population``: that of the persons, for
    membership."""
    watch = Stopwatch()
    targets, kept_file = targets.of_plan(ReleasePlan.of(policy)), key_file(key, policy.file)
    targets.check_key(kept_file)
    with targets.drafts(_input_files(source, policy, kept_file, population), force=force) as drafts:
        with progress.stage("reading the table", 0):
            original = FittedTable.read(engine, source, policy)
        original = original.with_key(Key.for_release(key, policy.file))
        prove = partial(prove_page_of_release, original)
        release = _release(original, policy, targets, drafts, watch, expected, certified, population)
        filled = drafts.fill(release, prove)
        original.known_key.store()
        return filled


def _input_files(source: Any, policy: Policy, kept: Path | None, population: Any) -> list[Path]:
    """All input files of a release: data, policy files, key and population. None of them may be overwritten."""
    sources = [Path(each) for each in (source, population) if isinstance(each, str | os.PathLike)]
    return [*sources, *policy.files, *([kept] if kept else [])]


def _release(
    original: FittedTable[F],
    policy: Policy,
    targets: Targets,
    drafts: Drafts,
    watch: Stopwatch,
    expected: ExpectedRelease | None,
    certified: CertifiedPlans | None,
    population: Any,
) -> Release:
    """The release of the records, written to ``drafts`` and proved."""
    engine, protected = original.engine, ProtectedTable.of(original, certified)
    with progress.stage("assessing the release", 0):
        assessment = _assessment(protected, policy, population, is_reported=drafts.report is not None)
    released = released_records(original, protected.perturbed, protected.frame, protected.index, protected.units.linked)
    with progress.stage("writing and proving the release", 0):
        proven = write_and_prove(original, policy, released, drafts)
    if proven.compared:
        k, sensitive, invariances = original.plan.k or DEFAULT_K, original.schema.sensitive, original.plan.invariances
        assessment = with_earlier_releases(assessment, proven.compared, k, sensitive, invariances)
        exposures = earlier_exposures(original.plan, proven.compared, assessment.findings)
        assessment = assessment.with_exposures(exposures)
    written = output_content(engine, released.records, proven.proof.n_records, drafts.release, targets.release)
    replay_notes = expected.notes_if_equal(written, targets.release) if expected else ()
    digest = input_digest(original)
    manifest = _manifest(protected, policy, assessment, proven, public_input(original, digest), written, watch)
    if expected:
        expected.check_figures(manifest)
    private = private_manifest(original, policy, digest, written, assessment, targets.release)
    further = (*replay_notes, *sibling_notes(manifest, private, targets.manifest))
    return Release(
        replace(manifest, notes=(*manifest.notes, *further)),
        assessment,
        policy,
        proven.origin,
        _in_memory(engine, released.records),
        _in_memory(engine, _groups(protected, drafts.mapping)),
        targets.release,
        released.sensitive,
        protected.plans.certificates,
        released.units,
        released.holders,
        released.amounts,
        released.persons,
        private=private,
        key=original.known_key,
    )


def _groups(protected: ProtectedTable[F], mapping: Path | None) -> F:
    """The group of every record, written to ``mapping`` where it is asked for."""
    engine = protected.original.engine
    groups = engine.map_rows(protected.frame, protected.index.mapping)
    if mapping:
        engine.write(groups, mapping, None)
    return groups


def _assessment(protected: ProtectedTable[F], policy: Policy, population: Any, *, is_reported: bool) -> Assessment:
    """The figures of the release, with those of its plans, totals and subtotals, and what links records of a unit;
    usefulness where a report is written or the policy names analyses."""
    original, perturbed, frame = protected.original, protected.perturbed, protected.frame
    n_suppressed, linked = protected.index.n_suppressed, protected.units.linked
    assessment = assess_release(original, perturbed, frame, n_suppressed, population, linked)
    assessment = assessment.with_plans(protected.plans.plans, protected.plans.findings)
    assessment = assessment.with_findings(total_findings(original, perturbed, frame))
    assessment = replace(assessment, subtotals=subtotals(original, frame))
    if is_reported or original.plan.analyses:
        assessment = replace(assessment, usefulness=own_usefulness(original, frame))
    assessment = with_attacks(assessment, original.plan, protected.suppression.attacks)
    assessment = replace(assessment, matrices=pram_matrices(original), reasons=policy.reasons)
    return assessment.with_exposures(protected.linking.exposures)


def _manifest(
    protected: ProtectedTable[F],
    policy: Policy,
    assessment: Assessment,
    proven: ProvenRelease,
    source: Input,
    written: Content,
    watch: Stopwatch,
) -> Manifest:
    proof, promises = proven.proof, proven.promises
    return Manifest(
        input=source,
        output=written,
        policy=policy.summary(),
        engine=protected.original.engine.name,
        counts={**protected.index.counts(), "n_classes": proof.n_classes},
        k_reached=proof.k_reached,
        proof=proof.to_dict(),
        notes=(
            *protected.notes,
            *proven.notes(protected.original.plan),
            *assessment.notes,
            *(str(each) for each in assessment.not_measured if each.reason != NEEDS_POPULATION and not each.is_private),
        ),
        cost=watch.cost(),
        decimals=dict(promises.decimals),
        steps={name: step.to_dict() for name, step in promises.steps.items()},
        plans=tuple(plan.figures() for plan in assessment.plans),
        grids={name: grid.to_dict() for name, grid in promises.grids.items()},
    )


def _in_memory(engine: Engine[F], frame: F) -> pa.Table | None:
    return engine.collect(frame) if engine.in_memory else None
