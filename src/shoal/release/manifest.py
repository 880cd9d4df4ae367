"""The manifest: how a release came about and what was proved of it. It holds no cell value of the data."""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self

import shoal
from shoal.errors import ManifestError

# What can change a release: they compute, read, count, solve, or pack a picture.
PACKAGES = ("numpy", "scipy", "pyarrow", "duckdb", "highspy", "pillow", "pandas", "pyreadstat", "openpyxl")


@dataclass(frozen=True)
class Content:
    """The table that came out."""

    format: str
    path: str | None  # of a file, in the folder of the manifest
    sha256: str  # of the bytes of a file, else of the values
    n_records: int
    n_columns: int


@dataclass(frozen=True)
class Input:
    """The table that went in, of which nothing is told that would confirm a guess."""

    format: str
    hmac: str  # of its hash, by the private key
    n_records: int
    n_columns: int


@dataclass(frozen=True)
class PublicFile:
    """A file that is handed out with the manifest."""

    what: str  # release, sensitive or report
    path: str  # seen from the folder of the manifest
    sha256: str


@dataclass(frozen=True)
class Cost:
    seconds: float
    cpu_seconds: float
    peak_memory_mib: float


class Stopwatch:
    """What a run costs, from here on."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def cost(self) -> Cost:
        unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss counts bytes there, KiB elsewhere
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
        seconds, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return Cost(round(seconds, 3), round(cpu, 3), round(peak, 1))


def versions() -> dict[str, str]:
    """Of Python, of Shoal, and of the packages that are installed."""
    found = {
        "python": sys.version.split()[0],
        "shoal": shoal.__version__,
        **{name: _version(name) for name in PACKAGES},
    }
    return {name: number for name, number in found.items() if number}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


@dataclass(frozen=True)
class Manifest:
    input: Input
    output: Content
    policy: dict[str, Any]  # digest, method, requirements, roles and kinds; no values, no seed
    engine: str
    counts: dict[str, int]
    k_reached: int
    proof: dict[str, Any]
    notes: tuple[str, ...]
    cost: Cost
    decimals: dict[str, int] = field(default_factory=dict)  # digits after the point of released means, by column
    steps: dict[str, dict[str, str]] = field(default_factory=dict)  # by column: how far released means are apart
    plans: tuple[dict[str, Any], ...] = ()  # of cut trees: blocks and depth, as the classes show them
    grids: dict[str, Any] = field(default_factory=dict)  # by column: where its intervals may end
    files: tuple[PublicFile, ...] = ()  # that lie beside it: a release is whole when they are as told here
    versions: dict[str, str] = field(default_factory=versions)
    made: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    def other_versions(self) -> tuple[str, ...]:
        """What is here of another version than it was made with: ``numpy 2.0 then, 2.1 now``."""
        now = versions()
        names = dict.fromkeys((*self.versions, *now))
        both = {name: (self.versions.get(name, "none"), now.get(name, "none")) for name in names}
        return tuple(f"{name} {then} then, {here} now" for name, (then, here) in both.items() if then != here)

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, path: Path) -> Self:
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            content["input"], content["output"] = Input(**content["input"]), Content(**content["output"])
            content["cost"] = Cost(**content["cost"])
            content["files"] = tuple(PublicFile(**file) for file in content.get("files", ()))
            content["notes"], content["plans"] = tuple(content["notes"]), tuple(content.get("plans", ()))
            return cls(**{**content, "policy": dict(content["policy"])})
        except OSError as reason:
            raise ManifestError.unreadable(path, reason.strerror or "unreadable") from None
        except (ValueError, KeyError, TypeError):
            raise ManifestError.no_manifest(path) from None
