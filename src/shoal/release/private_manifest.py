"""The private manifest: what only the owner of a release may know, such as the seed and the paths of input and key.

With it a release can be reproduced; it is never published. A hash of the input could confirm any guess of a suppressed
cell, and so could information losses and costs of plans with all of their digits; so these are here and not in the
public manifest.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from shoal.errors import ManifestError


@dataclass(frozen=True)
class PrivateManifest:
    release_sha256: str  # of the release that it describes
    input_path: str | None  # paths are relative to its own folder; None where the input was not a file
    input_sha256: str  # of the bytes of a file, else of the values
    policy_path: str | None
    policy_sha256: str  # of everything in the policy that determines a release except the seed
    seed: int
    key_path: str | None  # None: the key was drawn, and not kept, or passed in by the caller
    findings: list[dict[str, Any]]  # risk and utility against the original: exact figures may disclose values
    plans: tuple[dict[str, Any], ...] = ()  # of searches: their cost, and what was proved
    notes: tuple[str, ...] = ()
    earlier: dict[str, Any] | None = (
        None  # earlier releases whose groups were kept: paths and hashes, column of persons
    )
    certificate_sha256: str | None = None  # of the file of certificates next to the release
    population_sha256: str | None = None  # of the file of the population that requirements count

    def __repr__(self) -> str:
        """Counts only: no seed, hash, path or figure."""
        counts = f"{len(self.findings)} findings, {len(self.plans)} plans, {len(self.notes)} notes"
        return f"PrivateManifest: {counts}; its fields are private"

    def to_json(self) -> str:
        optional = ("earlier", "certificate_sha256", "population_sha256")
        content = {name: value for name, value in asdict(self).items() if name not in optional or value is not None}
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, path: Path) -> Self:
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            content["notes"], content["plans"] = tuple(content["notes"]), tuple(content.get("plans", ()))
            return cls(**content)
        except OSError as reason:
            raise ManifestError.private_unreadable(path, reason.strerror or "unreadable") from None
        except (ValueError, KeyError, TypeError):
            raise ManifestError.not_a_manifest(path) from None
