"""Completeness of a release: whether its files are those listed in the manifest, which is written last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from shoal.errors import ManifestError
from shoal.gate.gate import Proof
from shoal.pipeline.files.file_names import manifest_path
from shoal.pipeline.verify.interval_ends import grid_mismatches
from shoal.pipeline.verify.manifest_figures import figure_mismatches, is_of_policy, other_code_notes
from shoal.policy import Policy, ReleasePlan
from shoal.release.manifest import Manifest
from shoal.sources import sha256_of

NO_MANIFEST = "There is no manifest next to the release: whether it is complete cannot be checked."
OTHER_POLICY = "describes a release under another policy: its figures of the proof are not compared."
NAMES = {"sensitive": "second table"}
IN_A_FOLDER = "manifest.json"  # as written by Release.write


@dataclass(frozen=True)
class Completeness:
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def added_to(self, proof: Proof) -> Proof:
        return replace(proof, faults=(*proof.faults, *self.faults), notes=(*proof.notes, *self.notes))


def check_completeness(release: Path, proof: Proof, plan: ReleasePlan, policy: Policy) -> Completeness:
    """Comparison of a release file with its manifest; ``proof`` was counted from the file under ``plan``, that of
    ``policy``, whose digest is computed only if there is a manifest.

    A release without a manifest may come from another tool, or from a run that was killed.
    """
    try:
        found = find_manifest(release)
    except ManifestError as error:
        return Completeness((str(error),))
    if found is None:
        return Completeness(notes=(NO_MANIFEST,))
    path, manifest = found
    is_described = sha256_of(release) == manifest.output.sha256
    faults, notes = tuple(_faults(release, path, manifest, is_described)), tuple(_missing_files(path, manifest))
    if proof.faults or not is_described:  # the figures of another file cannot be compared
        return Completeness(faults, notes)
    summary = policy.summary()
    other_policy = () if is_of_policy(manifest, summary) else (f"{path.name} {OTHER_POLICY}",)
    other_policy = (*other_policy, *other_code_notes(path.name, manifest, summary))
    faults = (*faults, *grid_mismatches(path.name, manifest, plan, summary))
    return Completeness(
        (*faults, *figure_mismatches(path.name, manifest, proof, plan, summary)), (*notes, *other_policy)
    )


def find_manifest(release: Path) -> tuple[Path, Manifest] | None:
    """The manifest named after the release, unless it describes another existing file; else the ``manifest.json`` of
    the folder, if it describes the release."""
    named, of_folder = manifest_path(release), release.with_name(IN_A_FOLDER)
    if named.exists():
        manifest = Manifest.read(named)
        if _describes(release, manifest) or not _describes_other_file(release, manifest):
            return named, manifest
    if of_folder.exists():
        try:
            manifest = Manifest.read(of_folder)
        except ManifestError:  # not a manifest of Shoal
            return None
        return (of_folder, manifest) if _describes(release, manifest) else None
    return None


def _describes(release: Path, manifest: Manifest) -> bool:
    """Whether the manifest describes ``release``, by its name or, if renamed, by its hash."""
    return manifest.output.path == release.name or manifest.output.sha256 == sha256_of(release)


def _describes_other_file(release: Path, manifest: Manifest) -> bool:
    """Whether the manifest describes another file that exists in the folder."""
    path = manifest.output.path
    return path is not None and (release.parent / path).exists()


def _faults(release: Path, path: Path, manifest: Manifest, is_described: bool) -> Iterator[str]:
    unfinished = "it was changed later, or the run that wrote it did not finish"
    if not is_described:
        yield f"{release.name} is not the file that {path.name} describes (SHA-256 differs): {unfinished}"
    for file in manifest.files:
        listed = path.parent / file.path
        if file.what != "release" and listed.exists() and sha256_of(listed) != file.sha256:
            what = NAMES.get(file.what, file.what)
            yield f"{listed.name} is not the {what} that {path.name} describes (SHA-256 differs): {unfinished}"


def _missing_files(path: Path, manifest: Manifest) -> Iterator[str]:
    """Notes on files that are listed and not in the folder; a second table may be elsewhere."""
    for file in manifest.files:
        if file.what != "release" and not (path.parent / file.path).exists():
            what = NAMES.get(file.what, file.what)
            yield f"{path.name} lists a {what}, {Path(file.path).name}, that is not in its folder."
