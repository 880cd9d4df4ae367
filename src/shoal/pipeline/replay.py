"""Exact repetition of a release from its manifest."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from shoal.errors import CertificateError, KeyFileError, ManifestError
from shoal.pipeline.files.certificates import Certificates
from shoal.pipeline.files.expected_release import ExpectedRelease
from shoal.pipeline.files.file_names import certificate_path, private_path_of_manifest
from shoal.pipeline.files.release import Release
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.certified_plans import CertifiedPlans
from shoal.pipeline.protect.protect import protect_by
from shoal.pipeline.verify.completeness import find_manifest
from shoal.policy import Policy, load
from shoal.release.manifest import Manifest
from shoal.release.private_manifest import PrivateManifest
from shoal.report.page_file import Edition
from shoal.sources import FormatName, Target, check_readable, sha256_of
from shoal.sources.key_file import Key, KeyLike


def replay(
    manifest: str | Path,
    *,
    output: str | Path | None = None,
    report: str | Path | None = None,
    mapping: str | Path | None = None,
    force: bool = False,
    memory: int | str | None = None,
    key: KeyLike | None = None,
    edition: Edition = "internal",
    rules: str | Path | None = None,
) -> Release:
    """The same release, or an error. Without ``output`` it is only compared with the manifest and the file next to it.

    The trees of its certificates, where it has some, are applied again and their costs counted; nothing is searched.

    ``key``: a file or 32 bytes; by default the file named in the private manifest. ``rules``: the file of rules that
    users wrote, which the policy names and which may run.
    """
    public, private = _read_manifests(Path(manifest))
    source, policy_file = _input_and_policy(Path(manifest), public, private)
    policy = _with_input_format(_with_spreadsheet_option(load(policy_file, rules), public), public)
    policy = _with_earlier_releases(policy, Path(manifest).parent, private)
    secret = _key_of(Path(manifest), private, key)
    check_readable(source)
    if sha256_of(source) != private.input_sha256:
        raise ManifestError.changed("input", source)
    if (policy.digest(), policy.seed) != (private.policy_sha256, private.seed):
        raise ManifestError.changed("policy", policy_file)
    if private.population_sha256 is not None and policy.population is not None:
        check_readable(policy.population)
        if sha256_of(policy.population) != private.population_sha256:
            raise ManifestError.changed("population", policy.population)
    if secret.tag("input", private.input_sha256) != public.input.hmac:
        raise KeyFileError.wrong_key(secret.file)
    for path in (report, mapping):
        if path is not None:
            Target.of(path).check(force, [Path(manifest)])
    released = Path(manifest).parent / str(public.output.path)
    expected = ExpectedRelease(public, released, only_compared=output is None)
    certified = _certified_plans(released, public, private)
    with TemporaryDirectory() as folder:
        release = output or Path(folder) / Path(str(public.output.path)).name
        targets = Targets.of(release, report, mapping, edition)
        with targets.open_engine(targets.choose_engine(source, "auto", memory, policy.source.format)) as engine:
            return protect_by(
                engine, source, policy, targets, secret, force=force, expected=expected, certified=certified
            )


def _read_manifests(path: Path) -> tuple[Manifest, PrivateManifest]:
    """A manifest and its private manifest, which must describe the same release if the release has the stated hash."""
    public, private = Manifest.read(path), PrivateManifest.read(private_path_of_manifest(path))
    release = path.parent / str(public.output.path)
    is_true = release.exists() and sha256_of(release) == public.output.sha256
    if is_true and private.release_sha256 != public.output.sha256:
        raise ManifestError.describes_other_release(private_path_of_manifest(path))
    return public, private


def _certified_plans(released: Path, public: Manifest, private: PrivateManifest) -> CertifiedPlans | None:
    """The plans in the certificates next to a release; None, so that their search is repeated, if they are not there,
    or were written before the private manifest stated their hash."""
    path = certificate_path(released)
    if private.certificate_sha256 is None or not path.is_file():
        return None
    certificates = Certificates.read(path, private.certificate_sha256)
    if certificates.release != public.output.sha256:
        raise CertificateError.other_release(path)
    return CertifiedPlans(certificates.certified, path)


def certified_plans_of(released: Any) -> CertifiedPlans | None:
    """The plans in the certificates next to ``released``; None if that is no file, or has none."""
    found = _manifest_of(released)
    private = private_path_of_manifest(found[0]) if found else None
    if found is None or private is None or not private.is_file():
        return None
    return _certified_plans(Path(released), found[1], PrivateManifest.read(private))


def with_manifest_options(policy: Policy, released: Any) -> Policy:
    """The policy with the options stated in the manifest next to ``released``, if that is a file with a manifest."""
    found = _manifest_of(released)
    if found is None:
        return policy
    private = private_path_of_manifest(found[0])
    policy = _with_spreadsheet_option(policy, found[1])
    return (
        _with_earlier_releases(policy, private.parent, PrivateManifest.read(private)) if private.is_file() else policy
    )


def _manifest_of(released: Any) -> tuple[Path, Manifest] | None:
    try:
        return find_manifest(Path(released)) if isinstance(released, str | Path) else None
    except (ManifestError, OSError):  # reported when the release is read
        return None


def _with_earlier_releases(policy: Policy, folder: Path, private: PrivateManifest) -> Policy:
    """The policy with the earlier releases that the private manifest names: these may have been shell options."""
    if private.earlier is None:
        return policy
    files = [(folder / str(each["path"]), each["sha256"]) for each in private.earlier["releases"]]
    for path, sha256 in files:
        check_readable(path)
        if sha256_of(path) != sha256:
            raise ManifestError.changed("earlier release", path)
    return policy.with_earlier([path for path, _ in files], private.earlier["person"])


def _with_spreadsheet_option(policy: Policy, public: Manifest) -> Policy:
    """The policy, made spreadsheet-safe if the manifest says so: this may have been a shell option."""
    output = public.policy.get("output")
    return policy.spreadsheet_safe() if isinstance(output, dict) and output.get("spreadsheet_safe") else policy


def _with_input_format(policy: Policy, public: Manifest) -> Policy:
    """The policy with the format that the input was read in: this may have been a shell option."""
    return next((policy.read_as(name) for name in get_args(FormatName) if name == public.input.format), policy)


def _input_and_policy(path: Path, public: Manifest, private: PrivateManifest) -> tuple[Path, Path]:
    """Paths of input and policy; an error if the release was not made from files."""
    if private.input_path is None or public.output.path is None or private.policy_path is None:
        raise ManifestError.not_from_files(path)
    return path.parent / private.input_path, path.parent / private.policy_path


def _key_of(path: Path, private: PrivateManifest, given_key: KeyLike | None) -> Key:
    """The given key, else the one named in the private manifest."""
    if given_key is not None:
        return Key.from_argument(given_key, None)
    if private.key_path is None:
        raise ManifestError.key_not_kept(path)
    file = path.parent / private.key_path
    if not file.exists():
        raise KeyFileError.missing(file)
    return Key.read(file)
