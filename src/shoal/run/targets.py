"""Targets: the files that a run leaves, all of them or none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

from shoal.engines.choose import Choice, EngineName, carried_by, choose
from shoal.engines.protocol import Engine
from shoal.errors import SourceError
from shoal.methods.generalization.cutting_method import CuttingMethod
from shoal.policy import Policy
from shoal.run.names import certificate_path, manifest_path, sensitive_path
from shoal.run.release import Release
from shoal.sources import check_writable, whole_file

PRIVATE = ("mapping", "certificate")  # they tell values or groups of the original


@dataclass(frozen=True)
class Files:
    """A place for each of them, or None. A file takes its name after all that stand behind it here."""

    manifest: Path | None = None
    report: Path | None = None
    mapping: Path | None = None
    certificate: Path | None = None  # of a method that proves
    sensitive: Path | None = None  # of an anatomy: the second table
    release: Path | None = None


@dataclass(frozen=True)
class Targets(Files):
    @classmethod
    def of(cls, output: str | Path | None, report: str | Path | None, mapping: str | Path | None) -> Self:
        release = Path(output) if output else None
        manifest = manifest_path(release) if release else None
        page, groups = (Path(given) if given else None for given in (report, mapping))
        return cls(manifest, page, groups, release=release)

    def of_policy(self, policy: Policy) -> Targets:
        """The same, with places for what only some policies make: a second table, a certificate."""
        if self.release is None:
            return self
        is_anatomy = policy.representation == "anatomy"
        proves = isinstance(policy.method, CuttingMethod) and policy.method.proves
        return replace(
            self,
            sensitive=sensitive_path(self.release) if is_anatomy else None,
            certificate=certificate_path(self.release) if proves else None,
        )

    def choice(self, source: Any, engine: EngineName, memory: int | str | None) -> Choice:
        """Who carries the records of ``source`` to these files."""
        written = [path for path in (self.release, self.mapping) if path]
        return choose(source, engine, memory, written, in_file=self.release is not None)

    @contextmanager
    def carried(self, source: Any, engine: EngineName, memory: int | str | None) -> Iterator[Engine[Any]]:
        """What does not fit into memory lies beside the release meanwhile."""
        folder = self.release.resolve().parent if self.release else None
        with carried_by(self.choice(source, engine, memory), folder) as carrier:
            yield carrier

    @contextmanager
    def drafts(self, inputs: list[Path], *, force: bool) -> Iterator[Drafts]:
        """Temporary files beside the targets; what cannot be written is known before any work is done."""
        paths = {field.name: getattr(self, field.name) for field in fields(self)}
        places = [path.resolve() for path in paths.values() if path]
        if len(set(places)) < len(places):
            raise SourceError.same_target()
        with ExitStack() as files:
            drafts = {name: path and self._draft(files, name, inputs, force) for name, path in paths.items()}
            for path in (self.release, self.mapping):
                if path:
                    check_writable(path)
            yield Drafts(**drafts)

    def _draft(self, files: ExitStack, name: str, inputs: list[Path], force: bool) -> Path:
        draft = whole_file(getattr(self, name), force=force, inputs=inputs, private=name in PRIVATE)
        return files.enter_context(draft)


@dataclass(frozen=True)
class Drafts(Files):
    def fill(self, release: Release) -> None:
        """What is told of the release, which is there already and proved."""
        if self.manifest:
            self.manifest.write_text(release.manifest.to_json(), encoding="utf-8")
        if self.report:
            self.report.write_text(release.report(), encoding="utf-8")
        if self.certificate:
            self.certificate.write_text(release.certificate_json(), encoding="utf-8")
