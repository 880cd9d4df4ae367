"""Wholeness: whether the files of a release are those that its manifest tells of, which took its name last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from shoal.errors import ManifestError
from shoal.policy import Policy
from shoal.release.gate import Proof
from shoal.release.manifest import Manifest
from shoal.run.figures import is_of_policy, untrue
from shoal.run.grids import other_grids
from shoal.run.names import manifest_path
from shoal.sources import sha256_of

NO_MANIFEST = "There is no manifest beside the release: nothing says that it is whole."
OTHER_POLICY = "tells of a release of another policy: what it says of the proof is not compared."
NAMES = {"sensitive": "second table"}
IN_A_FOLDER = "manifest.json"  # of Release.write


@dataclass(frozen=True)
class Wholeness:
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def told_of(self, proof: Proof) -> Proof:
        return replace(proof, faults=(*proof.faults, *self.faults), notes=(*proof.notes, *self.notes))


def wholeness(release: Path, proof: Proof, policy: Policy) -> Wholeness:
    """Of a release as a file, of which ``proof`` was counted under ``policy``.

    Without a manifest it may be of another tool, or of a run that was killed.
    """
    try:
        found = manifest_beside(release)
    except ManifestError as error:
        return Wholeness((str(error),))
    if found is None:
        return Wholeness(notes=(NO_MANIFEST,))
    path, manifest = found
    is_told_of = sha256_of(release) == manifest.output.sha256
    faults, notes = tuple(_faults(release, path, manifest, is_told_of)), tuple(_gone(path, manifest))
    if proof.faults or not is_told_of:  # of another file nothing was counted
        return Wholeness(faults, notes)
    of_other = () if is_of_policy(manifest, policy) else (f"{path.name} {OTHER_POLICY}",)
    faults = (*faults, *other_grids(path.name, manifest, policy))
    return Wholeness((*faults, *untrue(path.name, manifest, proof, policy)), (*notes, *of_other))


def manifest_beside(release: Path) -> tuple[Path, Manifest] | None:
    """The one that is named after the release, unless it is of another that is there, or that of its folder."""
    named, of_folder = manifest_path(release), release.with_name(IN_A_FOLDER)
    if named.exists():
        manifest = Manifest.read(named)
        if _tells_of(release, manifest) or not _tells_of_another(release, manifest):
            return named, manifest
    if of_folder.exists():
        try:
            manifest = Manifest.read(of_folder)
        except ManifestError:  # of something else
            return None
        return (of_folder, manifest) if _tells_of(release, manifest) else None
    return None


def _tells_of(release: Path, manifest: Manifest) -> bool:
    """By its name, whatever became of its bytes, or by its bytes, however it is called now."""
    return manifest.output.path == release.name or manifest.output.sha256 == sha256_of(release)


def _tells_of_another(release: Path, manifest: Manifest) -> bool:
    """Of a file that lies beside."""
    path = manifest.output.path
    return path is not None and (release.parent / path).is_file()


def _faults(release: Path, path: Path, manifest: Manifest, is_told_of: bool) -> Iterator[str]:
    unfinished = "it was changed later, or the run that wrote it did not come to its end"
    if not is_told_of:
        yield f"{release.name} is not the file that {path.name} tells of (SHA-256 differs): {unfinished}"
    for file in manifest.files:
        there = path.parent / file.path
        if file.what != "release" and there.is_file() and sha256_of(there) != file.sha256:
            yield f"{there.name} is not the {file.what} that {path.name} tells of (SHA-256 differs): {unfinished}"


def _gone(path: Path, manifest: Manifest) -> Iterator[str]:
    """A second table may lie elsewhere."""
    for file in manifest.files:
        if file.what != "release" and not (path.parent / file.path).is_file():
            yield f"{path.name} tells of a {NAMES.get(file.what, file.what)}, {Path(file.path).name}, that is not here."
