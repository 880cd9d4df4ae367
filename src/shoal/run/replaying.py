"""Replay: the release of a manifest once more, bit by bit."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from shoal.errors import ManifestError
from shoal.policy import load
from shoal.release.manifest import Manifest
from shoal.run.release import Release
from shoal.run.road import protect_by
from shoal.run.targets import Targets
from shoal.sources import check_readable, sha256_of


def replay(
    manifest: str | Path,
    *,
    output: str | Path | None = None,
    report: str | Path | None = None,
    mapping: str | Path | None = None,
    force: bool = False,
    memory: int | str | None = None,
) -> Release:
    """The same release, or an error. Without ``output`` it is only compared."""
    made = Manifest.read(Path(manifest))
    source, policy_file = _made_from(Path(manifest), made)
    rules = load(policy_file)
    if made.policy.get("output", {}).get("spreadsheet_safe"):  # it may have been asked for in the shell
        rules = rules.spreadsheet_safe()
    check_readable(source)
    if sha256_of(source) != made.input.sha256:
        raise ManifestError.changed("input", source)
    if rules.digest() != made.policy["sha256"]:
        raise ManifestError.changed("policy", policy_file)
    with TemporaryDirectory() as folder:
        release = output or Path(folder) / Path(str(made.output.path)).name
        targets = Targets.of(release, report, mapping)
        with targets.carried(source, "auto", memory) as engine:
            return protect_by(engine, source, rules, targets, force=force, expected=made.output.sha256)


def _made_from(path: Path, made: Manifest) -> tuple[Path, Path]:
    """The input and the policy of a release that was made from files."""
    if made.input.path is None or made.output.path is None or made.policy.get("path") is None:
        raise ManifestError.not_from_files(path)
    return path.parent / made.input.path, path.parent / made.policy["path"]
