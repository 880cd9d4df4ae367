"""The certificates of a release, as a file next to it. They contain values of the data: for internal use only.

{"format": "shoal certificates 1", "release": SHA-256 of the release,
 "certificates": [{"columns", "stratum", requirements, result and proof, "tree": columns with their cuts}]}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from shoal.errors import CertificateError, ShoalError
from shoal.methods.generalization.certificate import Certificate
from shoal.plan import CutTree

FORMAT = "shoal certificates 1"
ABOUT = TypeAdapter(tuple[tuple[str, ...], dict[str, str | None], bool])
PlanSubject = tuple[tuple[str, ...], tuple[tuple[str, str | None], ...]]


def plan_subject(columns: Sequence[str], stratum: Mapping[str, str | None]) -> PlanSubject:
    """What a plan is about: the columns that are cut, and the values of its stratum."""
    return tuple(columns), tuple(sorted(stratum.items()))


@dataclass(frozen=True)
class PlanCertificate:
    """A certificate, with the columns and the stratum to which it applies."""

    columns: tuple[str, ...]  # that are cut
    stratum: Mapping[str, str | None]  # the values that all records share; empty without strata
    certificate: Certificate
    in_part: bool = False  # whether its blocks are compared with all strata, of which some are released in part

    def to_dict(self) -> dict[str, Any]:
        proved = {**self.certificate.to_dict(), "tree": json.loads(self.certificate.tree)}
        in_part = {"in_part": True} if self.in_part else {}
        return {"columns": list(self.columns), "stratum": dict(self.stratum), **in_part, **proved}

    @property
    def subject(self) -> PlanSubject:
        return plan_subject(self.columns, self.stratum)

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> PlanCertificate:
        about = found.pop("columns"), found.pop("stratum"), found.pop("in_part", False)
        columns, stratum, in_part = ABOUT.validate_json(json.dumps(about), strict=True)
        tree = json.dumps(found["tree"], ensure_ascii=False)
        CutTree.from_json(tree)  # validates; raises TableError
        return cls(columns, stratum, Certificate.from_json(json.dumps({**found, "tree": tree})), in_part)


@dataclass(frozen=True)
class Certificates:
    certified: tuple[PlanCertificate, ...]
    release: str | None = None  # SHA-256 of the release

    def to_json(self) -> str:
        content = {"format": FORMAT, "release": self.release, "certificates": [c.to_dict() for c in self.certified]}
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, path: Path, sha256: str | None = None) -> Certificates:
        """From a file; ``sha256``: that it must have."""
        try:
            written = path.read_bytes()
        except OSError as reason:
            raise CertificateError.unreadable(path, reason.strerror or "unreadable") from None
        if sha256 is not None and hashlib.sha256(written).hexdigest() != sha256:
            raise CertificateError.changed(path)
        try:
            content = json.loads(written.decode("utf-8"))
            if content["format"] != FORMAT:
                raise CertificateError.not_a_certificate(path)
            return cls(tuple(map(PlanCertificate.from_dict, content["certificates"])), content["release"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ShoalError):
            raise CertificateError.not_a_certificate(path) from None


def certificate_labels(certified: Sequence[PlanCertificate]) -> list[str]:
    """Certificates are numbered in messages, since naming them by stratum would show values of the data."""
    return [f" {at} of {len(certified)}" if len(certified) > 1 else "" for at in range(1, len(certified) + 1)]


def certificates_of(given: str | Path | Sequence[PlanCertificate]) -> Certificates:
    """The certificates of a file, or of ``release.certificates``."""
    return Certificates.read(Path(given)) if isinstance(given, str | Path) else Certificates(tuple(given))
