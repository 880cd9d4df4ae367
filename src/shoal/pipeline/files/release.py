"""The result of a run, and how it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from shoal.assessment.assessment import FEWEST_SHOWN, Assessment
from shoal.engines.lots.spark_session import dataframe_of
from shoal.engines.memory import MemoryEngine
from shoal.errors import RequirementError, plural, visible
from shoal.findings import Findings
from shoal.gate.gate import NO_K
from shoal.kernels import Labels
from shoal.pipeline.files.certificates import Certificates, PlanCertificate
from shoal.pipeline.files.manifest_content import earlier_content, format_of_release, formula_notes, relative_path
from shoal.pipeline.files.promises import Promises
from shoal.pipeline.files.sibling_releases import sibling_notes
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.verify.earlier_proof import ReleasePersons, compared_release, earlier_verdicts, written_records
from shoal.pipeline.verify.prove_file import prove_with_units
from shoal.pipeline.verify.second_lock import check_by_verifier
from shoal.policy import Policy, ReleasePlan
from shoal.release.manifest import Manifest, PublicFile
from shoal.release.private_manifest import PrivateManifest
from shoal.report import render_fragment_of_release, render_release
from shoal.report.charts import has_charts
from shoal.report.exposure_words import exposure_sentence
from shoal.report.page_file import Edition, PageForm
from shoal.report.words import earlier_words
from shoal.sources import (
    Origin,
    ReadOptions,
    options_written,
    read,
    sha256_of,
    to_native,
    write_table,
)
from shoal.sources.key_file import Key
from shoal.sources.table_parts import EXTENSION, has_parts, is_parquet


@dataclass(frozen=True)
class Release:
    """A verified release with its manifest and assessment. Fields marked private must not be handed out."""

    manifest: Manifest
    assessment: Assessment = field(repr=False)
    policy: Policy = field(repr=False)
    origin: Origin = field(repr=False)
    records: pa.Table | None = field(repr=False)  # None: never in memory at once
    groups: pa.Table | None = field(repr=False)  # private: record (from 1) -> group, missing where suppressed
    path: Path | None = None  # of the written file
    sensitive: pa.Table | None = field(default=None, repr=False)  # second table of an anatomy
    certificates: tuple[PlanCertificate, ...] = field(
        default=(), repr=False
    )  # private: of a method that proves its result
    units: Labels | None = field(default=None, repr=False)  # private: (n_released,) unit of each record
    holders: pa.Table | None = field(default=None, repr=False)  # private: units by row of ``sensitive``
    amounts: pa.Table | None = field(default=None, repr=False)  # private: what requirements read of quasi-identifiers
    persons: ReleasePersons | None = field(default=None, repr=False)  # private: whose, with earlier releases
    private: PrivateManifest = field(kw_only=True, repr=False)  # private: its inputs
    key: Key = field(kw_only=True, repr=False)  # private: secret of its random numbers

    def __repr__(self) -> str:
        """Counts and verdicts; no value, and of its file only the name."""
        n_released, n_suppressed, n_groups = (
            self.manifest.counts[name] for name in ("n_released", "n_suppressed", "n_groups")
        )
        records, groups = plural(n_released, "record"), plural(n_groups, "group")
        lines = [f"Release: {n_released:,} {records} released, {n_suppressed:,} suppressed, {n_groups:,} {groups}"]
        lines += [f"  {_verdict(verdict)}" for verdict in self.manifest.proof["verdicts"]]
        lines += [] if self.manifest.proof["verdicts"] else ["  no requirements: nothing was proven"]
        lines += [f"  {NO_K}"] if NO_K in self.manifest.proof["notes"] else []
        lines += [f"  warning: {visible(exposure_sentence(each))}" for each in self.assessment.exposures]
        return "\n".join([*lines, f"  file: {visible(self.path.name)}"] if self.path else lines)

    @cached_property
    def plan(self) -> ReleasePlan:
        return ReleasePlan.of(self.policy)

    @cached_property
    def table(self) -> Any:
        """The records as a dataframe of the library that the caller used; of Spark, one of the written file."""
        if self.origin.native and self.origin.native.library == "pyspark" and self.path and is_parquet(self.path):
            return dataframe_of(self.path)
        return to_native(self._records, self.origin)

    @property
    def _records(self) -> pa.Table:
        if self.records is not None:
            return self.records
        assert self.path, "a release that is not in memory was written"
        return read(self.path, options_written(self.path, self.origin), kinds=self.plan.released_kinds).table

    @property
    def findings(self) -> Findings:
        return self.assessment.findings

    @property
    def inputs(self) -> list[Path]:
        """All files that it was made from. None of them may be overwritten."""
        given_files = [path for path in (self.origin.path, self.key.file) if path]
        return [*given_files, *self.policy.files]

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """Writes release, manifest and report to ``folder``, all or none, and proves the written file again. The report
        is Markdown where charts cannot be drawn (`shoal[report]`)."""
        target = Path(folder)
        release = target / f"release{_suffix(self.origin.path)}"
        files = Targets(
            release=release,
            private=target / "private.json",
            report=target / ("report.html" if has_charts() else "report.md"),
            manifest=target / "manifest.json",
        )
        with created_folder(target), files.of_plan(self.plan).drafts(self.inputs, force=force) as drafts:
            assert drafts.release, "a release has a path"
            formulas = Counter(write_table(self._records, drafts.release, self.origin))
            if self.sensitive is not None and drafts.sensitive is not None:
                formulas.update(write_table(self.sensitive, drafts.sensitive, self.origin))
            options = options_written(drafts.release, self.origin)
            promises, besides = Promises.of_manifest(self.manifest), (self.units, self.holders, self.amounts)
            prove_with_units(drafts.release, options, self.policy, MemoryEngine(), drafts.sensitive, promises, *besides)
            check_by_verifier(drafts.release, self.policy, drafts.sensitive, promises)
            self._prove_earlier(drafts.release, options)
            of_texts = formula_notes(formulas, are_safe=self.policy.output.spreadsheet_safe)
            notes = (*of_texts, *sibling_notes(self.manifest, self.private, files.manifest))
            digest = sha256_of(drafts.release)
            manifest, private = self._manifest_at(release, digest, notes), self._private_at(release, digest)
            drafts.fill(replace(self, manifest=manifest, private=private))
        return target

    def _prove_earlier(self, written: Path, options: ReadOptions) -> None:
        """Raises an error if earlier releases leave too few records of the written file."""
        from shoal.pipeline.known_release import KnownRelease  # it produces releases again

        if self.persons is None:
            return
        names, person = self.plan.quasi_identifiers, self.plan.person
        known = [KnownRelease(path, person).records(names) for path in self.plan.earlier]
        new = written_records(written, self.policy, self.persons, "the release", options)
        compared = compared_release(new, known, self.plan)
        failing = [str(verdict) for verdict in earlier_verdicts(compared, self.plan) if not verdict.holds]
        if failing:
            raise RequirementError.gate_closed(failing)

    def with_files(self, files: tuple[PublicFile, ...]) -> Self:
        """The same release, with its public files listed in the manifest."""
        return replace(self, manifest=replace(self.manifest, files=files))

    def with_certificate(self, sha256: str) -> Self:
        """The same release, with the hash of its certificates in the private manifest."""
        return replace(self, private=replace(self.private, certificate_sha256=sha256))

    def _manifest_at(self, release: Path, sha256: str, notes: tuple[str, ...]) -> Manifest:
        """The manifest for the file ``release``, with further notes."""
        public = self.manifest
        return replace(
            public,
            output=replace(public.output, format=format_of_release(release), path=release.name, sha256=sha256),
            notes=tuple(dict.fromkeys((*public.notes, *notes))),
        )

    def _private_at(self, release: Path, sha256: str) -> PrivateManifest:
        """The private manifest, with paths relative to the folder of the release."""
        return replace(
            self.private,
            release_sha256=sha256,
            input_path=relative_path(release, self.origin.path),
            policy_path=relative_path(release, self.policy.file),
            key_path=relative_path(release, self.key.file),
            earlier=earlier_content(self.policy, release),
        )

    @property
    def fewest_shown(self) -> int:
        """The fewest records, or units, that anything in the external edition may be about: k, or 3 where no
        k-anonymity is required."""
        return self.plan.k or FEWEST_SHOWN

    def report(self, form: PageForm = "html", edition: Edition = "internal") -> str:
        """The report on the release as one HTML page, or as Markdown or JSON. The external edition is not proved here:
        `shoal.check_page` proves it, as `shoal.protect` does."""
        return render_release(self.manifest, self.assessment, form, edition, self.fewest_shown)

    def certificate_json(self) -> str:
        """The certificates of its cut trees, bound to the release by its hash. They contain values of the data."""
        return Certificates(self.certificates, self.manifest.output.sha256).to_json()

    def _repr_html_(self) -> str | None:
        """The report, with all sections but the first folded; None where charts cannot be drawn."""
        return render_fragment_of_release(self.manifest, self.assessment) if has_charts() else None


def _verdict(verdict: Mapping[str, Any]) -> str:
    of = f" of {visible(verdict['column'])}" if verdict["column"] else ""
    reached = "" if verdict["reached"] is None else f", reached {verdict['reached']:g}"
    outcome = "holds" if verdict["holds"] else "fails"
    return f"{verdict['requirement']}{of} = {verdict['asked']:g}{earlier_words(verdict['besides'])} {outcome}{reached}"


def _suffix(source: Path | None) -> str:
    """The extension of a release of this original."""
    if source is None:
        return ".parquet"
    return EXTENSION if has_parts(source) else "".join(source.suffixes)


@contextmanager
def created_folder(folder: Path) -> Iterator[None]:
    """Creates the folder, and removes what it created if an error occurs."""
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for path in new:
            with suppress(OSError):
                path.rmdir()
        raise
