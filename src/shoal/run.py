"""The whole road: a table and a policy in, a proven release and its evidence out.

The only module that sees the stages and an engine.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal import progress
from shoal.assess.assessment import Assessment, assess
from shoal.assess.findings import Findings
from shoal.encode.embed import embed
from shoal.engines.memory import MemoryEngine
from shoal.engines.protocol import GROUP, RECORD_ID, BlockFunction, Engine, F
from shoal.errors import ManifestError, PolicyError, RequirementError, TableError
from shoal.policy import Policy, load, resolve
from shoal.release.aggregate import aggregate
from shoal.release.assemble import assemble
from shoal.release.gate import Proof, prove, pseudonym_faults, structure_faults
from shoal.release.manifest import Content, Manifest, Stopwatch
from shoal.release.suppress import check_limit, failing_records
from shoal.report import render_html
from shoal.schema import Column, Schema
from shoal.sources import (
    CellKind,
    Origin,
    ReadOptions,
    check_readable,
    check_writable,
    compression_of,
    options_written,
    sha256_of,
    sha256_of_table,
    to_native,
    whole_file,
)

PolicyLike = Policy | Mapping[str, Any] | str | Path


@dataclass(frozen=True)
class Release:
    """A proven release and its evidence. ``table`` is of the caller's own kind."""

    table: Any
    manifest: Manifest
    assessment: Assessment = field(repr=False)
    records: pa.Table = field(repr=False)  # the same records as Arrow
    groups: pa.Table = field(repr=False)  # record (from 1) -> group, missing where suppressed; for internal use only
    policy: Policy = field(repr=False)
    origin: Origin = field(repr=False)

    @property
    def findings(self) -> Findings:
        return self.assessment.findings

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """The release, its manifest and its report, whole or not at all; proved once more as written."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        suffix = "".join(self.origin.path.suffixes) if self.origin.path else ".parquet"
        release, manifest = target / f"release{suffix}", target / "manifest.json"
        inputs = _files_of(self.origin.path, self.policy)
        with ExitStack() as files:
            drafts = [
                files.enter_context(whole_file(path, force=force, inputs=inputs))
                for path in (release, manifest, target / "report.html")
            ]
            engine = MemoryEngine()
            engine.write(self.records, drafts[0], self.origin)
            _open_gate(_prove(drafts[0], options_written(drafts[0], self.origin), self.policy, engine))
            drafts[1].write_text(self._manifest_at(release, sha256_of(drafts[0])).to_json(), encoding="utf-8")
            drafts[2].write_text(self.report(), encoding="utf-8")
        return target

    def _manifest_at(self, release: Path, sha256: str) -> Manifest:
        """The manifest with paths as seen from where the release is."""
        made = self.manifest
        return replace(
            made,
            input=replace(made.input, path=_seen_from(release, self.origin.path)),
            output=replace(made.output, format=_format(release), path=release.name, sha256=sha256),
            policy={**made.policy, "path": _seen_from(release, self.policy.file)},
        )

    def report(self) -> str:
        """What happened and what it means, as one HTML page."""
        return render_html(self.manifest, self.assessment)

    def _repr_html_(self) -> str:
        counts = self.manifest.counts
        return (
            f"<p><b>Release</b> of {counts['n_released']:,} records, {counts['n_suppressed']:,} suppressed; "
            f"k reached {self.manifest.k_reached}.</p>{self.findings._repr_html_()}"
        )


def protect(table: Any, policy: PolicyLike, *, output: str | Path | None = None, force: bool = False) -> Release:
    """A release of ``table`` (a file or any dataframe) that holds what ``policy`` demands, or an error and nothing.

    With ``output`` the release is written there and its manifest beside it; ``force`` replaces older files.
    """
    return _protect(table, load(policy), MemoryEngine(), Path(output) if output else None, force)


def replay(manifest: str | Path, *, output: str | Path | None = None, force: bool = False) -> Release:
    """The release of a manifest once more, bit by bit, or an error. Without ``output`` it is only compared."""
    path = Path(manifest)
    made = Manifest.read(path)
    if made.input.path is None or made.output.path is None or made.policy.get("path") is None:
        raise ManifestError.not_from_files(path)
    source, rules = path.parent / made.input.path, load(path.parent / made.policy["path"])
    check_readable(source)
    if sha256_of(source) != made.input.sha256:
        raise ManifestError.changed("input", source)
    if rules.digest() != made.policy["sha256"]:
        raise ManifestError.changed("policy", path.parent / made.policy["path"])
    with TemporaryDirectory() as folder:
        target = Path(output) if output else Path(folder) / Path(made.output.path).name
        return _protect(source, rules, MemoryEngine(), target, force, expected=made.output.sha256)


def verify(source: Any, policy: PolicyLike) -> Proof:
    """The gate alone: what can be proved of a release (a file or any dataframe) under ``policy``."""
    rules = load(policy)
    written = {"encoding": None, "header": True, "sheet": None}  # as every release: UTF-8, names, one sheet
    options = rules.source.model_copy(update=written)
    return _prove(source, options, rules, MemoryEngine())


def manifest_path(output: Path) -> Path:
    """Beside the release: release.csv, release.manifest.json; release.v2.csv.gz, release.v2.manifest.json."""
    plain = output.with_suffix("") if compression_of(output) else output
    return output.with_name(plain.stem + ".manifest.json")


def _protect(
    source: Any, policy: Policy, engine: Engine[F], output: Path | None, force: bool, expected: str | None = None
) -> Release:
    watch, options, k = Stopwatch(), policy.source, policy.k
    if k is None:
        raise PolicyError.no_k()
    with ExitStack() as files:
        draft = _draft(files, output, _files_of(source, policy), force)
        with progress.stage("reading the table", 0):
            frame = engine.read(source, policy.source, columns=None, kinds=policy.cell_kinds)
        origin = _with_names(frame.origin)
        schema = resolve(policy, frame.names, lambda name: engine.group_counts(frame, [name]))
        if k > frame.n_records:
            raise TableError.k_above_n(k, frame.n_records)

        grouped = engine.collect(engine.map_blocks(frame, protect_block(policy, schema, k)))
        kept = pc.is_valid(grouped[GROUP])
        n_suppressed = grouped[GROUP].null_count
        check_limit(n_suppressed, frame.n_records, policy.suppression.limit)
        released = grouped.filter(kept)
        with progress.stage("assessing the release", 0):
            original = engine.collect(frame).filter(kept)
            assessment = assess(original, released, schema, k=k, n_suppressed=n_suppressed)

        records = assemble(released, schema, policy.seed, shuffle=policy.output.shuffle)
        with progress.stage("writing and proving the release", 0):
            if draft:
                engine.write(records, draft.release, origin)
                options = options_written(draft.release, origin)
            proof = _open_gate(_prove(draft.release if draft else records, options, policy, engine))
        written = _output_content(records, draft, output)
        if expected is not None and written.sha256 != expected:
            raise ManifestError.not_repeated(output or Path())
        manifest = Manifest(
            input=_input_content(engine.collect(frame).drop_columns(RECORD_ID), frame.origin, output),
            output=written,
            policy={"path": _seen_from(output, policy.file), **policy.summary()},
            engine=engine.name,
            counts={
                "n_records": frame.n_records,
                "n_released": len(records),
                "n_suppressed": n_suppressed,
                "n_groups": pc.count_distinct(released[GROUP]).as_py(),
                "n_classes": proof.n_classes,
            },
            k_reached=proof.k_reached,
            proof=proof.to_dict(),
            findings=assessment.findings.to_list(),
            notes=(*frame.origin.notes, *_notes(schema, policy)),
            cost=watch.cost(),
        )
        if draft:
            draft.manifest.write_text(manifest.to_json(), encoding="utf-8")
    groups = pa.table({"record": pc.add(grouped[RECORD_ID], 1), "group": grouped[GROUP]})
    return Release(to_native(records, origin), manifest, assessment, records, groups, policy, origin)


def protect_block(policy: Policy, schema: Schema, k: int) -> BlockFunction:
    """What happens to the records of one block: they are grouped, and their quasi-identifiers become centroids."""

    def protected(block_id: int, block: pa.Table) -> pa.Table:
        partition = policy.method.plan(embed(block, schema), k)
        fails = failing_records(block, partition, policy.requirements)
        return aggregate(block, schema, partition).append_column(GROUP, pa.array(partition.labels, mask=fails))

    return protected


@dataclass(frozen=True)
class Draft:
    """The files of a release before they take their names."""

    release: Path
    manifest: Path


def _draft(files: ExitStack, output: Path | None, inputs: list[Path], force: bool) -> Draft | None:
    if output is None:
        return None
    release = files.enter_context(whole_file(output, force=force, inputs=inputs))
    check_writable(output)
    return Draft(release, files.enter_context(whole_file(manifest_path(output), force=force, inputs=inputs)))


def _files_of(source: Any, policy: Policy) -> list[Path]:
    """All that a release is made from: none of it may be replaced."""
    return [*([Path(source)] if isinstance(source, str | os.PathLike) else []), *policy.files]


def _with_names(origin: Origin) -> Origin:
    """A release names its columns: where one is dropped, places say nothing any more."""
    return replace(origin, options=origin.options.model_copy(update={"header": True}))


def _prove(source: Any, options: ReadOptions, policy: Policy, engine: Engine[F]) -> Proof:
    """Reads what was written, as it is written: quasi-identifiers as text, sensitive values by their kind."""
    schema = Schema(
        Column(name, rule.role, rule.kind, key_file=rule.pseudonym) for name, rule in policy.columns.items()
    )
    asked = {requirement.column for requirement in policy.requirements if requirement.column}
    needed = [*schema.quasi_identifiers, *sorted(asked)]
    kinds: dict[str, CellKind] = {name: policy.cell_kinds[name] if name in asked else "text" for name in needed}
    frame = engine.read(source, options, columns=None, kinds=kinds)
    faults = structure_faults(frame.names, schema) + _pseudonym_faults(frame, schema, engine)
    if any(name not in frame.names for name in needed):
        return Proof(0, 0, 0, (), faults)
    return replace(prove(engine.group_counts(frame, needed), schema, policy.requirements), faults=faults)


def _pseudonym_faults(frame: F, schema: Schema, engine: Engine[F]) -> tuple[str, ...]:
    names = [c.name for c in schema.with_role("identifier") if c.key_file and c.name in frame.names]
    return tuple(fault for name in names for fault in pseudonym_faults(name, engine.group_counts(frame, [name])))


def _open_gate(proof: Proof) -> Proof:
    if not proof.holds:
        raise RequirementError.gate_closed(proof.failures)
    return proof


def _input_content(table: pa.Table, origin: Origin, output: Path | None) -> Content:
    digest = sha256_of(origin.path) if origin.path else sha256_of_table(table)
    return Content(origin.format, _seen_from(output, origin.path), digest, len(table), table.num_columns)


def _output_content(records: pa.Table, draft: Draft | None, output: Path | None) -> Content:
    digest = sha256_of(draft.release) if draft else sha256_of_table(records)
    format_, name = (_format(output), output.name) if output else ("dataframe", None)
    return Content(format_, name, digest, len(records), records.num_columns)


def _format(output: Path) -> str:
    return "".join(output.suffixes).lstrip(".")


def _seen_from(output: Path | None, file: Path | None) -> str | None:
    """The path of a file from the folder of the release; None where one of them is no file."""
    return os.path.relpath(file, output.parent) if output and file else None


def _notes(schema: Schema, policy: Policy) -> tuple[str, ...]:
    """What the reader of a release must know besides the figures."""
    unordered = [c.name for c in schema.columns if c.kind == "ordinal" and c.order is None]
    households = [c.name for c in schema.with_role("household")]
    return (
        *(f"{name}: ordinal without an order; its sorted values are taken." for name in unordered),
        *(
            f"{name}: households got new numbers; who belongs together can still be seen, and {policy.method.name} "
            f"protects records one by one."
            for name in households
        ),
        *(("No requirement was asked for: structure checked, nothing promised.",) if not policy.requirements else ()),
    )
