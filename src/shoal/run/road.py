"""The road: the stages in their order, carried by an engine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Generic

import pyarrow as pa
import pyarrow.compute as pc

from shoal import progress
from shoal.assess.assessment import Assessment, assess
from shoal.assess.risk.class_sizes import ClassSizes
from shoal.assess.utility.clusters import cluster_findings
from shoal.encode.embedding import Embedding
from shoal.engines.memory import MemoryEngine
from shoal.engines.protocol import GROUP, RECORD_ID, Engine, F
from shoal.errors import ManifestError, RequirementError, TableError
from shoal.policy import Policy, load, resolve
from shoal.policy.keys import KeySet, key_sets
from shoal.release.assemble import Assembly, HouseholdNumbers
from shoal.release.chance import Chance, Secret
from shoal.release.gate import Proof
from shoal.release.manifest import Manifest, Stopwatch
from shoal.release.suppress import check_limit
from shoal.requirements.judge import domains
from shoal.run.evidence import input_content, notes, output_content, seen_from
from shoal.run.grouping import Grouping
from shoal.run.proving import PolicyLike, open_gate, prove_source
from shoal.run.release import Release
from shoal.run.strata import Strata
from shoal.run.targets import Targets
from shoal.schema import Schema
from shoal.sources import Origin, options_written, to_native

MOST_ASSESSED = 1_000_000  # records that losses and pictures are made from; of more, every so many-th


def protect(
    table: Any,
    policy: PolicyLike,
    *,
    output: str | Path | None = None,
    report: str | Path | None = None,
    mapping: str | Path | None = None,
    force: bool = False,
) -> Release:
    """A release of ``table`` (a file or any dataframe) that holds what ``policy`` demands, or an error and nothing.

    With ``output`` the release is written there and its manifest beside it, with ``report`` an HTML page, with
    ``mapping`` the group of every record, for internal use only. ``force`` replaces older files, never an input.
    """
    return protect_by(MemoryEngine(), table, load(policy), Targets.of(output, report, mapping), force=force)


def protect_by(
    engine: Engine[F], source: Any, policy: Policy, targets: Targets, *, force: bool, expected: str | None = None
) -> Release:
    """``expected``: the SHA-256 that the release must have; any other is an error."""
    watch = Stopwatch()
    with ExitStack() as files:
        drafts = targets.drafts(files, _files_of(source, policy), force=force)
        with progress.stage("reading the table", 0):
            frame = engine.read(source, policy.source, columns=None, kinds=policy.cell_kinds)
        original = Original(engine, frame, policy, resolve(policy, frame.names, lambda n: engine.group_counts(frame, [n])))
        protected = original.protected()
        counts = _counted(engine, protected)
        check_limit(counts["n_suppressed"], counts["n_records"], policy.suppression.limit)
        with progress.stage("assessing the release", 0):
            assessment = original.assessed(protected, counts["n_suppressed"])
        released = engine.map_rows(protected, original.assembly())
        origin = _named(frame.origin)
        with progress.stage("writing and proving the release", 0):
            records = None if drafts.release and not engine.in_memory else engine.collect(released)
            proof = _write_and_prove(engine, released, origin, policy, drafts.release)
        written = output_content(records, proof, drafts.release, targets.release)
        if expected is not None and written.sha256 != expected:
            raise ManifestError.not_repeated(targets.release or Path())
        manifest = Manifest(
            input=input_content(engine, frame, targets.release),
            output=written,
            policy={"path": seen_from(targets.release, policy.file), **policy.summary()},
            engine=engine.name,
            counts={**counts, "n_classes": proof.n_classes},
            k_reached=proof.k_reached,
            proof=proof.to_dict(),
            findings=assessment.findings.to_list(),
            notes=(*frame.origin.notes, *notes(original.schema, policy)),
            cost=watch.cost(),
        )
        groups = group_table(engine.collect(protected))
        release = Release(to_native(records, origin), manifest, assessment, records, groups, policy, origin)
        drafts.fill(release)
    return release
