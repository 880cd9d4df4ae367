"""The export of a run: its files, with the policy and key that repeat it, copied to a folder, all of them or none.

The release is copied as it was proved. Only the private manifest is written anew, because it has paths in it.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from shoal.errors import StudioError
from shoal.pipeline.files.file_names import manifest_path, private_path
from shoal.pipeline.files.manifest_content import relative_path
from shoal.pipeline.files.release import created_folder
from shoal.release.private_manifest import PrivateManifest
from shoal.sources import Target, whole_files
from shoal.sources.key_file import Key, key_path
from shoal.studio.run import Run
from shoal.studio.tasks import EXTERNAL_REPORT, REPORT

POLICY_NAME = "policy.toml"
WORDS = {
    "release": "the release",
    "sensitive": "its second table, with the sensitive values by group",
    "certificate": "what the search proved",
    "private": "inputs, key and seed: for the owner only",
    "report": "the report, with figures of the original",
    "external": "the report that may leave the house",
    "taxonomy": "a hierarchy file that the policy names",
    "policy": "the policy",
    "key": "the key of all random draws: keep it, and give it to nobody",
    "manifest": "how the release was made and what was proved; it holds no value of the data",
}
PRIVATE = ("certificate", "private", "report", "key")


@dataclass(frozen=True)
class ExportedFile:
    kind: str
    path: Path  # where it goes
    source: Path | bytes  # a file or folder that is copied, or the content

    @property
    def size(self) -> int:
        return len(self.source) if isinstance(self.source, bytes) else _size(self.source)

    def write(self, draft: Path) -> None:
        if isinstance(self.source, bytes):
            draft.write_bytes(self.source)
        else:
            _copy(self.source, draft)

    @property
    def is_private(self) -> bool:
        return self.kind in PRIVATE

    @property
    def is_single(self) -> bool:
        """Whether it can be downloaded: a browser saves no folder, and cannot keep a key from other users."""
        return self.kind != "key" and (isinstance(self.source, bytes) or self.source.is_file())

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.path.name,
            "size": self.size,
            "words": WORDS[self.kind],
            "private": self.is_private,
            "single": self.is_single,
        }


@dataclass(frozen=True)
class Export:
    run: Run
    folder: Path

    @property
    def made(self) -> Path:
        """The release in the private folder of the sitting."""
        if not self.run.has_release or self.run.release is None:
            raise StudioError.no_release(self.run.id)
        return self.run.release

    @property
    def release(self) -> Path:
        return self.folder / self.made.name

    @property
    def policy(self) -> Path:
        return self.folder / POLICY_NAME

    @property
    def data(self) -> str:
        """The path of the table; of an upload, whose copy is removed with Studio, its name."""
        return self.run.data.path.name if self.run.data.is_upload else str(self.run.data.path)

    @property
    def files(self) -> list[ExportedFile]:
        """In the order in which they get their names: the manifest last, so that where it is, all are."""
        made = {path.name: path for path in sorted(self.made.parent.iterdir())}
        private, manifest = private_path(self.made), manifest_path(self.made)
        copied = [
            self._copied(_kind(path, self.made), path) for path in made.values() if path not in (private, manifest)
        ]
        return [
            *sorted(copied, key=lambda file: file.kind != "release"),
            *self._taxonomies(),
            self._text("policy", self.policy, self.run.document.text),
            self._key(),
            self._text("private", private_path(self.release), self._private_manifest(private)),
            self._copied("manifest", manifest),
        ]

    def _copied(self, kind: str, path: Path) -> ExportedFile:
        return ExportedFile(kind, self.folder / path.name, path)

    def _text(self, kind: str, path: Path, text: str) -> ExportedFile:
        return ExportedFile(kind, path, text.encode())

    def _key(self) -> ExportedFile:
        return ExportedFile("key", key_path(self.policy), self.run.secret)

    def _private_manifest(self, path: Path) -> str:
        """With paths relative to the folder of the export."""
        found = PrivateManifest.read(path)
        return replace(
            found,
            input_path=self.data if self.run.data.is_upload else self._relative(self.run.data.path),
            policy_path=self._relative(self.policy),
            key_path=self._relative(key_path(self.policy)),
        ).to_json()

    def _relative(self, path: Path) -> str:
        return str(relative_path(self.release, path))

    def _taxonomies(self) -> Iterator[ExportedFile]:
        """The hierarchy files that the policy names by relative paths, at the same ones: the text of a policy, with the
        paths in it, determines its random draws."""
        document = self.run.document
        home = document.file.parent
        if home == self.folder:
            return
        policy = document.policy
        taxonomies = {rule.taxonomy.file for rule in policy.columns.values() if rule.taxonomy and rule.taxonomy.file}
        named = [path for path in _named_files(policy) if not path.is_absolute()]
        for path in named:
            if path not in taxonomies or len(path.parts) > 1:
                raise StudioError.relative_file(str(path), home)
        for path in sorted(set(named)):
            yield replace(self._copied("taxonomy", home / path), path=self.folder / path)

    def to_dict(self) -> dict[str, Any]:
        return {
            "run": self.run.id,
            "folder": str(self.folder),
            "files": [file.to_dict() for file in self.files],
            "shell": list(self.shell_lines),
            "python": list(self.python_lines),
            "external": self.run.no_external,
        }

    @property
    def shell_lines(self) -> tuple[str, ...]:
        """What repeats the release in the shell, byte by byte, and proves it."""
        paths = [str(path) for path in (self.policy, self.release, self.folder / REPORT)]
        data, policy, release, report = map(shlex.quote, (self.data, *paths))
        return (
            f"shoal protect {data} --policy {policy} --output {release} --report {report} --force",
            f"shoal verify {release} --policy {policy}",
        )

    @property
    def python_lines(self) -> tuple[str, ...]:
        data, policy, release = map(repr, (self.data, str(self.policy), str(self.release)))
        return (
            "import shoal",
            "",
            f"release = shoal.protect({data}, {policy}, output={release}, force=True)",
            f"shoal.verify({release}, {policy})",
        )

    def write(self, *, force: bool) -> list[Path]:
        """Copies all files. Raises an error where one exists already and ``force`` is not set."""
        if self.run.released is None or self.run.document.policy.digest() != self.run.released.digest:
            raise StudioError.files_changed()
        files = [file for file in self.files if not self._is_there(file)]
        if not force:
            for file in files:
                if file.path.exists():
                    raise StudioError.export_exists(file.path)
        targets = [Target.of(file.path, private=file.is_private) for file in files]
        with created_folder(self.folder), whole_files(targets, force=force, inputs=[self.run.data.path]) as drafts:
            for file, draft in zip(files, drafts, strict=True):
                file.write(draft)
        return [file.path for file in files]

    def _is_there(self, file: ExportedFile) -> bool:
        """Whether this is the policy or the key itself. Another key is never replaced."""
        if not file.path.is_file():
            return False
        if file.kind == "key" and Key.read(file.path).secret != self.run.secret:
            raise StudioError.other_key(file.path)
        text = self.run.document.text.encode()
        return file.kind == "key" or (file.kind == "policy" and file.path.read_bytes() == text)


def _named_files(policy: Any) -> list[Path]:
    """The files that a policy names, as it names them."""
    rules = policy.columns.values()
    taxonomies = [rule.taxonomy.file for rule in rules if rule.taxonomy and rule.taxonomy.file]
    pseudonyms = [rule.pseudonym for rule in rules if rule.pseudonym]
    own = [Path(policy.rules.file)] if policy.rules else []
    earlier = policy.earlier.releases if policy.earlier else ()
    return [*taxonomies, *pseudonyms, *own, *earlier]


def _kind(path: Path, release: Path) -> str:
    if path == release:
        return "release"
    if path.name in (REPORT, EXTERNAL_REPORT):
        return "report" if path.name == REPORT else "external"
    return "certificate" if path.name.endswith(".certificate.json") else "sensitive"


def _size(path: Path) -> int:
    return sum(part.stat().st_size for part in path.iterdir()) if path.is_dir() else path.stat().st_size


def _copy(path: Path, draft: Path) -> None:
    if path.is_dir():
        shutil.copytree(path, draft, dirs_exist_ok=True)
    else:
        shutil.copyfile(path, draft)
