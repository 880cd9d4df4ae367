"""The certificates of a release, as a file next to it. They contain values of the data: for internal use only.

{"format": "shoal certificates 1", "release": SHA-256 of the release,
 "certificates": [{"columns", "stratum", requirements, result and proof, "tree": columns with their cuts}]}
"""

from __future__ import annotations

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
ABOUT = TypeAdapter(tuple[tuple[str, ...], dict[str, str | None]])


@dataclass(frozen=True)
class PlanCertificate:
    """A certificate, with the columns and the stratum to which it applies."""

    columns: tuple[str, ...]  # that are cut
    stratum: Mapping[str, str | None]  # the values that all records share; empty without strata
    certificate: Certificate

    def to_dict(self) -> dict[str, Any]:
        proved = {**self.certificate.to_dict(), "tree": json.loads(self.certificate.tree)}
        return {"columns": list(self.columns), "stratum": dict(self.stratum), **proved}

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> PlanCertificate:
        columns, stratum = ABOUT.validate_json(json.dumps([found.pop("columns"), found.pop("stratum")]), strict=True)
        tree = json.dumps(found["tree"], ensure_ascii=False)
        CutTree.from_json(tree)  # validates; raises TableError
        return cls(columns, stratum, Certificate.from_json(json.dumps({**found, "tree": tree})))


@dataclass(frozen=True)
class Certificates:
    certified: tuple[PlanCertificate, ...]
    release: str | None = None  # SHA-256 of the release

    def to_json(self) -> str:
        content = {"format": FORMAT, "release": self.release, "certificates": [c.to_dict() for c in self.certified]}
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, path: Path) -> Certificates:
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if content["format"] != FORMAT:
                raise CertificateError.not_a_certificate(path)
            return cls(tuple(map(PlanCertificate.from_dict, content["certificates"])), content["release"])
        except OSError as reason:
            raise CertificateError.unreadable(path, reason.strerror or "unreadable") from None
        except (ValueError, KeyError, TypeError, AttributeError, ShoalError):
            raise CertificateError.not_a_certificate(path) from None


def certificates_of(given: str | Path | Sequence[PlanCertificate]) -> Certificates:
    """The certificates of a file, or of ``release.certificates``."""
    return Certificates.read(Path(given)) if isinstance(given, str | Path) else Certificates(tuple(given))
