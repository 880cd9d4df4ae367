"""What only its owner may know of how a release was made: where its input, policy and key are, and the seed.

With it a release can be made once more; nothing of it is handed out. The hash of an input confirms any guess of a
suppressed cell, and so do losses of columns and costs of plans with all of their digits, so none of them is in the
manifest that is.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from shoal.errors import ManifestError


@dataclass(frozen=True)
class PrivateManifest:
    release_sha256: str  # of the release that it tells of
    input_path: str | None  # paths as seen from its own folder; None of what was no file
    input_sha256: str  # of the bytes of a file, else of the values
    policy_path: str | None
    policy_sha256: str  # of all that decides a release but the seed
    seed: int
    key_path: str | None  # None: the key was drawn or given, and is kept by nobody or by the caller
    findings: list[dict[str, Any]]  # risk and utility, measured beside the original: with all digits they can be solved
    plans: tuple[dict[str, Any], ...] = ()  # of searches: what they cost, and what was proved
    notes: tuple[str, ...] = ()

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, path: Path) -> Self:
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            content["notes"], content["plans"] = tuple(content["notes"]), tuple(content.get("plans", ()))
            return cls(**content)
        except OSError as reason:
            raise ManifestError.no_private(path, reason.strerror or "unreadable") from None
        except (ValueError, KeyError, TypeError):
            raise ManifestError.no_manifest(path) from None
