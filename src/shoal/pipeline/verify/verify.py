"""The function ``verify``: proof of a written release, and checks of its certificate."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.engines.choose import EngineName, choose, open_engine
from shoal.engines.protocol import Engine, F
from shoal.errors import CertificateError, ManifestError
from shoal.gate.gate import Proof
from shoal.pipeline.files.certificates import Certificates, PlanCertificate, certificates_of
from shoal.pipeline.files.file_names import sensitive_path
from shoal.pipeline.files.promises import Promises
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.verify.check_on_original import checks_on_original
from shoal.pipeline.verify.check_on_release import (
    Check,
    ProofWithCertificate,
    checks_on_release,
    consistency_checks,
    unchecked_bounds,
)
from shoal.pipeline.verify.completeness import check_completeness, find_manifest
from shoal.pipeline.verify.earlier_proof import NOT_GIVEN, NOT_PROVED, compared_release, with_earlier_proof
from shoal.pipeline.verify.prove_file import PolicyLike, prove_source
from shoal.pipeline.verify.second_lock import faults_of_verifier
from shoal.pipeline.verify.written_release import release_read_options
from shoal.policy import Policy, ReleasePlan, load
from shoal.sources import sha256_of


def verify(
    released: Any,
    policy: PolicyLike,
    *,
    sensitive: Any = None,
    certificate: str | Path | Sequence[PlanCertificate] | None = None,
    original: Any = None,
    memory: int | str | None = None,
    engine: EngineName = "auto",
    spreadsheet_safe: bool = False,
    earlier: Sequence[str | Path] = (),
    person: str | None = None,
    rules: str | Path | None = None,
) -> Proof:
    """The proof of a release (a file or any dataframe) under ``policy``.

    ``sensitive``: the second table of an anatomy; by default the file next to the first one. ``certificate``: of the
    method gensearch, a file or ``release.certificates``; its claims are checked as well, those that need the original
    only if ``original`` (a file or any dataframe) is given. For a file, the manifest next to it must state its hash
    and the counted figures; a note says if there is none. ``spreadsheet_safe``: the release was made with this option.
    ``earlier``: files of earlier releases of the same persons; ``person``: the column that identifies a person in all
    originals. Both can be in the policy. What earlier releases leave of the classes is proved where the private
    manifest is next to the release; a note says if it is not. ``rules``: the file of rules that users wrote, which the
    policy names and which may run; a note says if the release was made with other code.
    """
    loaded = load(policy, rules)
    loaded = loaded.spreadsheet_safe() if spreadsheet_safe else loaded
    loaded = loaded.with_earlier(tuple(map(Path, earlier)), person)
    if original is not None and certificate is None:
        raise CertificateError.original_without_certificate()
    plan = ReleasePlan.of(loaded)
    if "sensitive" in plan.files and sensitive is None and isinstance(released, str | os.PathLike):
        sensitive = sensitive_path(Path(released))
    with open_engine(choose(released, engine, memory)) as chosen_engine:
        promises = Promises.of_file(released, loaded)
        proof = counted = prove_source(
            released, release_read_options(loaded), loaded, chosen_engine, sensitive, promises
        )
        if certificate is not None:
            proof = ProofWithCertificate.of(
                proof, tuple(_checks(released, loaded, plan, certificates_of(certificate), original, chosen_engine))
            )
    if plan.earlier:
        proof = _with_earlier(proof, released, plan)
    is_file = isinstance(released, str | os.PathLike)
    if is_file and not plan.earlier:
        proof = replace(proof, notes=(*proof.notes, *_earlier_notes(Path(released))))
    if is_file:
        proof = check_completeness(Path(released), counted, plan, loaded).added_to(proof)
    if proof.holds:
        proof = replace(
            proof, faults=tuple(faults_of_verifier(released, loaded, sensitive, promises, is_published=is_file))
        )
    return proof


def _earlier_notes(released: Path) -> Iterator[str]:
    """A note if the manifest names earlier releases that are not given."""
    try:
        found = find_manifest(released)
    except ManifestError:  # reported by the check of completeness
        return
    stated = found[1].policy.get("earlier") if found else None
    if stated:
        yield NOT_GIVEN


def _with_earlier(proof: Proof, released: Any, plan: ReleasePlan) -> Proof:
    """The proof with the verdict on earlier releases, or with a note that it could not be proved."""
    from shoal.pipeline.known_release import KnownRelease  # it produces releases again, and proves them

    if not isinstance(released, str | os.PathLike) or proof.faults:
        return replace(proof, notes=(*proof.notes, NOT_PROVED))
    new, *before = (
        KnownRelease(path, plan.person).records(plan.quasi_identifiers) for path in (Path(released), *plan.earlier)
    )
    if new.persons is None:
        return replace(proof, notes=(*proof.notes, NOT_PROVED))
    return with_earlier_proof(proof, compared_release(new, before, plan), plan)


def _checks(
    source: Any, policy: Policy, plan: ReleasePlan, certificates: Certificates, original: Any, engine: Engine[F]
) -> Iterator[Check]:
    search, certified = plan.method.certified_search, certificates.certified
    if search is None:
        raise CertificateError.other_method(plan.method.name)
    if not certified:
        yield Check("is not empty", False, "there is no certificate")
    yield from _file_checks(source, certificates)
    yield from consistency_checks(certified, plan, search)
    # extents are read as text, columns of strata and losses by their kind
    release = engine.read(source, release_read_options(policy), columns=None, kinds=plan.cell_kinds)
    if any(name not in release.names for one in certified for name in (*plan.within, *one.columns)):
        yield Check("columns of the release", False, "the release has other columns")
        return
    yield from checks_on_release(release, engine, plan, certified)
    if original is None:
        yield from unchecked_bounds(certified)
    else:
        yield from checks_on_original(FittedTable.read(engine, original, policy), search, certified, release, engine)


def _file_checks(source: Any, certificates: Certificates) -> Iterator[Check]:
    if certificates.release is not None and isinstance(source, str | os.PathLike):
        yield Check("belongs to this file", sha256_of(Path(source)) == certificates.release, "SHA-256")
