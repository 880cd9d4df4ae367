"""Names of the files next to a release."""

from __future__ import annotations

from pathlib import Path

from shoal.sources import compression_of


def manifest_path(output: Path) -> Path:
    """The manifest: release.csv, release.manifest.json; release.v2.csv.gz, release.v2.manifest.json."""
    return output.with_name(_plain(output).stem + ".manifest.json")


def private_path(output: Path) -> Path:
    """The private manifest, for the owner only: release.csv, release.private.json."""
    return output.with_name(_plain(output).stem + ".private.json")


def has_private_manifest(folder: Path) -> bool:
    """Whether an earlier release was written to this folder."""
    return any(folder.glob("*.private.json"))


def private_path_of_manifest(manifest: Path) -> Path:
    """The private manifest of a manifest: release.manifest.json, release.private.json; manifest.json, private.json."""
    return manifest.with_name(manifest.name.removesuffix("manifest.json") + "private.json")


def certificate_path(output: Path) -> Path:
    """The certificate of a method that proves its result: release.csv, release.certificate.json."""
    return output.with_name(_plain(output).stem + ".certificate.json")


def sensitive_path(output: Path) -> Path:
    """The second table of an anatomy: release.csv, release.sensitive.csv; release.csv.gz, release.sensitive.csv.gz."""
    stem = _plain(output).stem
    return output.with_name(f"{stem}.sensitive{output.name.removeprefix(stem)}")


def _plain(output: Path) -> Path:
    return output.with_suffix("") if compression_of(output) else output
