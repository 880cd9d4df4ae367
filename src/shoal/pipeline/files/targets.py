"""The files that a run writes, all of them or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from shoal.engines.choose import EngineChoice, EngineName, choose, open_engine
from shoal.engines.protocol import Engine
from shoal.errors import KeyFileError
from shoal.pipeline.files.file_names import certificate_path, manifest_path, private_path, sensitive_path
from shoal.pipeline.files.manifest_content import relative_path
from shoal.policy import ReleasePlan
from shoal.release.manifest import PublicFile
from shoal.report.charts import check_charts
from shoal.report.page_file import REPORT, Edition, PageForm, check_edition, check_page, page_form
from shoal.sources import FormatName, Target, check_writable, real_path, sha256_of, whole_files, write_text
from shoal.sources.private import CREATED_FILES

if TYPE_CHECKING:
    from shoal.pipeline.files.release import Release

ProvePage = Callable[[str, PageForm, "Release"], None]

PUBLIC = ("release", "sensitive")


@dataclass(frozen=True)
class Files:
    """The path of each file, or None. Files are renamed into place in this order, so that when the manifest exists all
    others do."""

    release: Path | None = None
    sensitive: Path | None = None  # second table of an anatomy
    certificate: Path | None = None  # of a method that proves its result
    mapping: Path | None = None
    private: Path | None = None  # private manifest: how the release was made, for its owner only
    report: Path | None = None
    manifest: Path | None = None

    def paths(self) -> dict[str, Path]:
        """The paths that are set, by name."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: path for name, path in found.items() if isinstance(path, Path)}


@dataclass(frozen=True)
class Targets(Files):
    edition: Edition = "internal"  # of the report

    @classmethod
    def of(
        cls,
        output: str | Path | None,
        report: str | Path | None,
        mapping: str | Path | None,
        edition: Edition = "internal",
    ) -> Self:
        check_edition(edition)
        release = Path(output) if output else None
        manifest, private = (manifest_path(release), private_path(release)) if release else (None, None)
        page, groups = (Path(given) if given else None for given in (report, mapping))
        return cls(release=release, mapping=groups, private=private, report=page, manifest=manifest, edition=edition)

    def of_plan(self, plan: ReleasePlan) -> Targets:
        """The same targets, with paths for files that only some plans produce: a second table, a certificate."""
        if self.release is None:
            return self
        return replace(
            self,
            sensitive=sensitive_path(self.release) if "sensitive" in plan.files else None,
            certificate=certificate_path(self.release) if "certificate" in plan.files else None,
        )

    def check_key(self, file: Path | None) -> None:
        """Raises KeyFileError if the key file would overwrite a file of the release."""
        if file and real_path(file) in map(real_path, self.paths().values()):
            raise KeyFileError.conflicts_with_output(file)

    def choose_engine(
        self,
        source: Any,
        engine: EngineName,
        memory: int | str | None,
        format_: FormatName | None,
        master: str | None = None,
    ) -> EngineChoice:
        """The engine for ``source`` and these targets."""
        written, in_file = [path for path in (self.release, self.mapping) if path], self.release is not None
        return choose(source, engine, memory, written, in_file=in_file, format_=format_, master=master)

    @contextmanager
    def open_engine(self, choice: EngineChoice) -> Iterator[Engine[Any]]:
        """The engine. Data that do not fit into memory are kept in temporary files next to the release."""
        with open_engine(choice, real_path(self.release).parent if self.release else None) as chosen_engine:
            yield chosen_engine

    @contextmanager
    def drafts(self, inputs: list[Path], *, force: bool) -> Iterator[Drafts]:
        """Temporary files next to the targets; checked to be writable before any work is done."""
        if self.report and page_form(self.report) == "html":
            check_charts()
        targets = [Target.of(path, private=self._is_private(name)) for name, path in self.paths().items()]
        with whole_files(targets, force=force, inputs=inputs) as drafts:
            if self.report:
                check_page(self.report, REPORT)
            for path in (self.release, self.mapping):
                if path:
                    check_writable(path)
            yield Drafts(**dict(zip(self.paths(), drafts, strict=True)), targets=self)

    def _is_private(self, name: str) -> bool:
        return name in CREATED_FILES and not (name == "report" and self.edition == "external")


@dataclass(frozen=True)
class Drafts(Files):
    targets: Targets = field(default_factory=Targets)  # the final paths

    def fill(self, release: Release, prove: ProvePage | None = None) -> Release:
        """Writes report, certificate and manifests of a release already written and proved; last the manifest, which
        lists the other files. ``prove``: raises an error where an external report shows too much."""
        listed = release.with_files(self.public()) if self.manifest else release
        if self.report:
            write_text(self.report, self._page(listed, prove))
        if self.certificate:
            write_text(self.certificate, release.certificate_json())
            listed = listed.with_certificate(sha256_of(self.certificate))
        if self.private:
            write_text(self.private, listed.private.to_json())
        if self.manifest:
            write_text(self.manifest, listed.manifest.to_json())
        return listed

    def _page(self, release: Release, prove: ProvePage | None) -> str:
        form = page_form(self.targets.report or "")
        page = release.report(form, self.targets.edition)
        if self.targets.edition == "external":
            assert prove, "an external page is proved"
            prove(page, form, release)
        return page

    def public(self) -> tuple[PublicFile, ...]:
        """The public files, with paths relative to the release."""
        paths, final_paths = self.paths(), self.targets.paths()
        return tuple(
            PublicFile(name, str(relative_path(self.targets.release, final_paths[name])), sha256_of(paths[name]))
            for name in PUBLIC
            if name in paths
        )
