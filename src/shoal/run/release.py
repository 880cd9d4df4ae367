"""Release: what comes out of the road, and how it is written."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from shoal.assess.assessment import Assessment
from shoal.assess.findings import Findings
from shoal.engines.memory import MemoryEngine
from shoal.policy import Policy
from shoal.release.manifest import Manifest
from shoal.report import render_html
from shoal.run.certificates import Certificates, Certified
from shoal.run.evidence import format_of_release, seen_from
from shoal.run.names import certificate_path, sensitive_path
from shoal.run.proving import open_gate, prove_source
from shoal.sources import (
    Origin,
    options_written,
    read,
    sha256_of,
    to_native,
    whole_file,
    write_table,
)


@dataclass(frozen=True)
class Release:
    """A proven release and its evidence."""

    manifest: Manifest
    assessment: Assessment = field(repr=False)
    policy: Policy = field(repr=False)
    origin: Origin = field(repr=False)
    records: pa.Table | None = field(repr=False)  # as Arrow; None: they were never in memory at once
    groups: pa.Table | None = field(repr=False)  # record (from 1) -> group, missing where suppressed; not for others
    path: Path | None = None  # where it was written
    sensitive: pa.Table | None = field(default=None, repr=False)  # of an anatomy: the second table
    certificates: tuple[Certified, ...] = field(default=(), repr=False)  # of a method that proves; not for others

    @cached_property
    def table(self) -> Any:
        """The records as a dataframe of the caller's own kind."""
        return to_native(self._records, self.origin)

    @property
    def _records(self) -> pa.Table:
        if self.records is not None:
            return self.records
        assert self.path, "what is not in memory was written"
        return read(self.path, options_written(self.path, self.origin), kinds=self.policy.released_kinds).table

    @property
    def findings(self) -> Findings:
        return self.assessment.findings

    @property
    def inputs(self) -> list[Path]:
        """All files that it was made from: none of them may be replaced."""
        return [*([self.origin.path] if self.origin.path else []), *self.policy.files]

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """The release, its manifest and its report, whole or not at all; proved once more as written."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        suffix = "".join(self.origin.path.suffixes) if self.origin.path else ".parquet"
        release = target / f"release{suffix}"
        with ExitStack() as files:

            def draft(path: Path, *, private: bool = False) -> Path:
                return files.enter_context(whole_file(path, force=force, inputs=self.inputs, private=private))

            records, told, page = (draft(path) for path in (release, target / "manifest.json", target / "report.html"))
            second = draft(sensitive_path(release)) if self.sensitive is not None else None
            write_table(self._records, records, self.origin)
            if self.sensitive is not None and second is not None:
                write_table(self.sensitive, second, self.origin)
            options = options_written(records, self.origin)
            open_gate(prove_source(records, options, self.policy, MemoryEngine(), second))
            written = replace(self, manifest=self._manifest_at(release, sha256_of(records)))
            told.write_text(written.manifest.to_json(), encoding="utf-8")
            page.write_text(written.report(), encoding="utf-8")
            if self.certificates:
                proved = draft(certificate_path(release), private=True)
                proved.write_text(written.certificate_json(), encoding="utf-8")
        return target

    def _manifest_at(self, release: Path, sha256: str) -> Manifest:
        """The manifest with paths as seen from where the release is."""
        made = self.manifest
        return replace(
            made,
            input=replace(made.input, path=seen_from(release, self.origin.path)),
            output=replace(made.output, format=format_of_release(release), path=release.name, sha256=sha256),
            policy={**made.policy, "path": seen_from(release, self.policy.file)},
        )

    def report(self) -> str:
        """What happened and what it means, as one HTML page."""
        return render_html(self.manifest, self.assessment)

    def certificate_json(self) -> str:
        """What was proved of its cut trees, bound to the release by its hash. It names values of the data."""
        return Certificates(self.certificates, self.manifest.output.sha256).to_json()

    def _repr_html_(self) -> str:
        counts = self.manifest.counts
        return (
            f"<p><b>Release</b> of {counts['n_released']:,} records, {counts['n_suppressed']:,} suppressed; "
            f"k reached {self.manifest.k_reached}.</p>{self.findings._repr_html_()}"
        )
