"""Targets: the files that a run leaves, all of them or none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from shoal.engines.address_space import check_charts
from shoal.engines.choose import Choice, EngineName, carried_by, choose
from shoal.engines.protocol import Engine
from shoal.errors import KeyFileError
from shoal.policy import ReleasePlan
from shoal.release.manifest import PublicFile
from shoal.run.evidence import seen_from
from shoal.run.names import certificate_path, manifest_path, private_path, sensitive_path
from shoal.sources import Target, check_writable, real_path, sha256_of, whole_files, write_text
from shoal.sources.private import MADE

if TYPE_CHECKING:
    from shoal.run.release import Release

PUBLIC = ("release", "sensitive")


@dataclass(frozen=True)
class Files:
    """A place for each of them, or None. They take their names in this order: who sees a manifest sees all."""

    release: Path | None = None
    sensitive: Path | None = None  # of an anatomy: the second table
    certificate: Path | None = None  # of a method that proves
    mapping: Path | None = None
    private: Path | None = None  # what only its owner may know of how it was made
    report: Path | None = None
    manifest: Path | None = None

    def there(self) -> dict[str, Path]:
        """Those that have a place, by name."""
        return {field.name: path for field in fields(self) if (path := getattr(self, field.name))}


@dataclass(frozen=True)
class Targets(Files):
    @classmethod
    def of(cls, output: str | Path | None, report: str | Path | None, mapping: str | Path | None) -> Self:
        release = Path(output) if output else None
        manifest, private = (manifest_path(release), private_path(release)) if release else (None, None)
        page, groups = (Path(given) if given else None for given in (report, mapping))
        return cls(release=release, mapping=groups, private=private, report=page, manifest=manifest)

    def of_plan(self, plan: ReleasePlan) -> Targets:
        """The same, with places for what only some plans make: a second table, a certificate."""
        if self.release is None:
            return self
        return replace(
            self,
            sensitive=sensitive_path(self.release) if "sensitive" in plan.files else None,
            certificate=certificate_path(self.release) if "certificate" in plan.files else None,
        )

    def check_key(self, file: Path | None) -> None:
        """A new key is made beside the files of a release, and never in the place of one."""
        if file and real_path(file) in map(real_path, self.there().values()):
            raise KeyFileError.takes_the_place(file)

    def choice(self, source: Any, engine: EngineName, memory: int | str | None) -> Choice:
        """Who carries the records of ``source`` to these files."""
        written = [path for path in (self.release, self.mapping) if path]
        return choose(source, engine, memory, written, in_file=self.release is not None)

    @contextmanager
    def carried(self, source: Any, engine: EngineName, memory: int | str | None) -> Iterator[Engine[Any]]:
        """What does not fit into memory lies beside the release meanwhile."""
        folder = real_path(self.release).parent if self.release else None
        with carried_by(self.choice(source, engine, memory), folder) as carrier:
            yield carrier

    @contextmanager
    def drafts(self, inputs: list[Path], *, force: bool) -> Iterator[Drafts]:
        """Temporary files beside the targets; what cannot be written is known before any work is done."""
        if self.report:
            check_charts()
        targets = [Target.of(path, private=name in MADE) for name, path in self.there().items()]
        with whole_files(targets, force=force, inputs=inputs) as drafts:
            for path in (self.release, self.mapping):
                if path:
                    check_writable(path)
            yield Drafts(**dict(zip(self.there(), drafts, strict=True)), targets=self)


@dataclass(frozen=True)
class Drafts(Files):
    targets: Targets = field(default_factory=Targets)  # whose drafts they are

    def fill(self, release: Release) -> Release:
        """What is told of the release, which is there and proved; last the manifest, which tells of all the others."""
        if self.report:
            write_text(self.report, release.report())
        if self.certificate:
            write_text(self.certificate, release.certificate_json())
        if self.private:
            write_text(self.private, release.private.to_json())
        if not self.manifest:
            return release
        told = release.with_files(self.public())
        write_text(self.manifest, told.manifest.to_json())
        return told

    def public(self) -> tuple[PublicFile, ...]:
        """What is handed out together, as seen from the release."""
        there, named = self.there(), self.targets.there()
        return tuple(
            PublicFile(name, str(seen_from(self.targets.release, named[name])), sha256_of(there[name]))
            for name in PUBLIC
            if name in there
        )
