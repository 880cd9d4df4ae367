"""Comparison of a repeated release with the original manifest, and with the file next to that manifest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from shoal.errors import ManifestError
from shoal.release.manifest import Content, Manifest
from shoal.sources import sha256_of


@dataclass(frozen=True)
class ExpectedRelease:
    """The release that is to be repeated: its manifest, and its file or folder, which may no longer exist."""

    manifest: Manifest
    file: Path
    only_compared: bool = False  # compare only, write nothing

    def notes_if_equal(self, written: Content, output: Path | None) -> tuple[str, ...]:
        """Notes on a release that equals the expected one byte by byte; raises ManifestError for any other."""
        others = self.manifest.other_versions()
        existing = sha256_of(self.file) if self.file.exists() else None
        if written.sha256 != self.manifest.output.sha256:
            is_there = None if existing is None else existing == written.sha256
            raise ManifestError.not_reproduced(self.file, others, is_there=is_there)
        versions = (f"Repeated with other versions: {'; '.join(others)}.",) if others else ()
        if existing in (None, written.sha256) or (output and output.exists() and output.samefile(self.file)):
            return versions
        if self.only_compared:
            raise ManifestError.release_edited(self.file)
        return (*versions, str(ManifestError.release_edited(self.file)))

    def check_figures(self, repeated: Manifest) -> None:
        """Raises ManifestError if the manifest states other figures than that of the repeated release."""
        changed = self.manifest.other_figures(repeated)
        if changed:
            raise ManifestError.figures_differ(self.file, changed, self.manifest.other_versions())
