"""The road: the stages in their order, carried by an engine."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal import progress
from shoal.assess.assessment import assess
from shoal.assess.utility.clusters import cluster_findings
from shoal.assess.utility.population_map import map_of_quasi_identifiers
from shoal.encode.codes import to_codes
from shoal.encode.embed import embed
from shoal.engines.memory import MemoryEngine
from shoal.engines.protocol import GROUP, RECORD_ID, BlockFunction, Engine, F
from shoal.errors import ManifestError, PolicyError, TableError
from shoal.methods import MicroSom
from shoal.methods.microaggregation.households import Households
from shoal.policy import Policy, load, resolve
from shoal.release.aggregate import aggregate
from shoal.release.assemble import assemble
from shoal.release.chance import Chance
from shoal.release.gate import Proof
from shoal.release.manifest import Manifest, Stopwatch
from shoal.release.suppress import check_limit
from shoal.requirements.judge import judge
from shoal.run.evidence import input_content, notes, output_content, seen_from
from shoal.run.proving import PolicyLike, open_gate, prove_source
from shoal.run.release import Release
from shoal.run.targets import Targets
from shoal.schema import Schema
from shoal.sources import Origin, options_written, to_native


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
    watch, k = Stopwatch(), policy.k
    if k is None:
        raise PolicyError.no_k()
    with ExitStack() as files:
        drafts = targets.drafts(files, _files_of(source, policy), force=force)
        with progress.stage("reading the table", 0):
            frame = engine.read(source, policy.source, columns=None, kinds=policy.cell_kinds)
        if k > frame.n_records:
            raise TableError.k_above_n(k, frame.n_records)
        schema = resolve(policy, frame.names, lambda name: engine.group_counts(frame, [name]))
        grouped = engine.collect(engine.map_blocks(frame, protect_block(policy, schema, k)))
        kept = pc.is_valid(grouped[GROUP])
        n_suppressed = grouped[GROUP].null_count
        check_limit(n_suppressed, frame.n_records, policy.suppression.limit)
        original, released = engine.collect(frame), grouped.filter(kept)
        with progress.stage("assessing the release", 0):
            assessment = assess(original.filter(kept), released, schema, k=k, n_suppressed=n_suppressed)
            if policy.method.name == "vmdav":
                assessment = assessment.with_findings(cluster_findings(embed(original, schema), k))
            if isinstance(policy.method, MicroSom):
                drawn = map_of_quasi_identifiers(original, schema, policy.method.map, seed=policy.seed, fewest=k)
                assessment = replace(assessment, map=drawn)
        chance = Chance(policy.seed, lambda: embed(original, schema))
        records, origin = assemble(released, schema, chance, shuffle=policy.output.shuffle), _named(frame.origin)
        with progress.stage("writing and proving the release", 0):
            proof = _write_and_prove(engine, records, origin, policy, drafts.release)
        written = output_content(records, drafts.release, targets.release)
        if expected is not None and written.sha256 != expected:
            raise ManifestError.not_repeated(targets.release or Path())
        manifest = Manifest(
            input=input_content(original.drop_columns(RECORD_ID), frame.origin, targets.release),
            output=written,
            policy={"path": seen_from(targets.release, policy.file), **policy.summary()},
            engine=engine.name,
            counts=_counts(grouped, proof),
            k_reached=proof.k_reached,
            proof=proof.to_dict(),
            findings=assessment.findings.to_list(),
            notes=(*frame.origin.notes, *notes(schema, policy)),
            cost=watch.cost(),
        )
        groups = pa.table({"record": pc.add(grouped[RECORD_ID], 1), "group": grouped[GROUP]})
        release = Release(to_native(records, origin), manifest, assessment, records, groups, policy, origin)
        drafts.fill(release)
    return release


def protect_block(policy: Policy, schema: Schema, k: int) -> BlockFunction:
    """What happens to the records of one block: they are grouped, and their quasi-identifiers become centroids."""

    def protected(block_id: int, block: pa.Table) -> pa.Table:
        holds = judge(block, schema, policy.requirements)
        partition = policy.method.group(embed(block, schema), k, _households(block, schema), holds, policy.seed)
        suppressed = ~holds.left(partition)[partition.labels]
        return aggregate(block, schema, partition).append_column(GROUP, pa.array(partition.labels, mask=suppressed))

    return protected


def _households(block: pa.Table, schema: Schema) -> Households | None:
    for column in schema.with_role("household"):
        return Households.of(to_codes(column.name, block[column.name]).codes)
    return None


def _files_of(source: Any, policy: Policy) -> list[Path]:
    """All that a release is made from: none of it may be replaced."""
    return [*([Path(source)] if isinstance(source, str | os.PathLike) else []), *policy.files]


def _named(origin: Origin) -> Origin:
    """A release names its columns: where one is dropped, places say nothing any more."""
    return replace(origin, options=origin.options.model_copy(update={"header": True}))


def _write_and_prove(engine: Engine[F], records: pa.Table, origin: Origin, policy: Policy, draft: Path | None) -> Proof:
    """Proved as written; without a file, as it is returned."""
    if draft is None:
        return open_gate(prove_source(records, policy.source, policy, engine))
    engine.write(records, draft, origin)
    return open_gate(prove_source(draft, options_written(draft, origin), policy, engine))


def _counts(grouped: pa.Table, proof: Proof) -> dict[str, int]:
    n_suppressed = grouped[GROUP].null_count
    return {
        "n_records": len(grouped),
        "n_released": len(grouped) - n_suppressed,
        "n_suppressed": n_suppressed,
        "n_groups": pc.count_distinct(grouped[GROUP], mode="only_valid").as_py(),
        "n_classes": proof.n_classes,
    }
