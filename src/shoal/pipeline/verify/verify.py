"""The function ``verify``: proof of a written release, and checks of its certificate."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from shoal.engines.choose import EngineName, choose, open_engine
from shoal.engines.protocol import Engine, F
from shoal.errors import CertificateError
from shoal.gate.gate import Proof
from shoal.pipeline.files.certificates import Certificates, PlanCertificate, certificates_of
from shoal.pipeline.files.file_names import sensitive_path
from shoal.pipeline.files.promises import Promises
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.verify.check_on_original import of_original
from shoal.pipeline.verify.check_on_release import (
    Check,
    ProofWithCertificate,
    agrees_with_itself,
    bounds_left_open,
    of_release,
)
from shoal.pipeline.verify.completeness import wholeness
from shoal.pipeline.verify.prove_file import PolicyLike, as_released, prove_source
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
) -> Proof:
    """The proof of a release (a file or any dataframe) under ``policy``.

    ``sensitive``: the second table of an anatomy; by default the file next to the first one. ``certificate``: of the
    method gensearch, a file or ``release.certificates``; its claims are checked as well, those that need the original
    only if ``original`` (a file or any dataframe) is given. For a file, the manifest next to it must state its hash
    and the counted figures; a note says if there is none. ``spreadsheet_safe``: the release was made with this option.
    """
    rules = load(policy).spreadsheet_safe() if spreadsheet_safe else load(policy)
    if original is not None and certificate is None:
        raise CertificateError.nothing_to_recount()
    plan = ReleasePlan.of(rules)
    if "sensitive" in plan.files and sensitive is None and isinstance(released, str | os.PathLike):
        sensitive = sensitive_path(Path(released))
    with open_engine(choose(released, engine, memory)) as carrier:
        promises = Promises.beside(released, rules.summary())
        proof = counted = prove_source(released, as_released(rules), rules, carrier, sensitive, promises)
        if certificate is not None:
            proof = ProofWithCertificate.of(
                proof, tuple(_checks(released, rules, plan, certificates_of(certificate), original, carrier))
            )
    if not isinstance(released, str | os.PathLike):
        return proof
    return wholeness(Path(released), counted, plan, rules.summary()).told_of(proof)


def _checks(
    source: Any, policy: Policy, plan: ReleasePlan, certificates: Certificates, original: Any, engine: Engine[F]
) -> Iterator[Check]:
    search, certified = plan.method.certified_search, certificates.certified
    if search is None:
        raise CertificateError.other_method(plan.method.name)
    if not certified:
        yield Check("says something", False, "it holds no certificate")
    yield from _of_this_file(source, certificates)
    yield from agrees_with_itself(certified, plan, search)
    # extents are read as text, columns of strata and losses by their kind
    release = engine.read(source, as_released(policy), columns=None, kinds=plan.cell_kinds)
    if any(name not in release.names for one in certified for name in (*plan.within, *one.columns)):
        yield Check("is about these columns", False, "the release has others")
        return
    yield from of_release(release, engine, plan, certified)
    if original is None:
        yield from bounds_left_open(certified)
    else:
        yield from of_original(FittedTable.read(engine, original, policy), search, certified, release, engine)


def _of_this_file(source: Any, certificates: Certificates) -> Iterator[Check]:
    if certificates.release is not None and isinstance(source, str | os.PathLike):
        yield Check("is of this very file", sha256_of(Path(source)) == certificates.release, "SHA-256")
