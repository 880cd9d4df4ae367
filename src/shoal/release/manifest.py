"""The public manifest: how a release was produced and what was proved about it. It holds no cell value of the data."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self

import shoal
from shoal.errors import ManifestError
from shoal.operating_system import peak_memory

# Packages whose version can change a release: they compute, read, count, solve, or compress images.
PACKAGES = ("numpy", "scipy", "pyarrow", "duckdb", "highspy", "pillow", "pandas", "pyreadstat", "openpyxl")

SIZES = ("n_records", "n_columns")  # of the original and of the release
FIGURES = (
    "policy",
    "counts",
    "k_reached",
    "proof",
    "decimals",
    "steps",
    "plans",
    "grids",
)  # that follow from a release

OF_A_FILE = ("carriers", "notes")  # of a proof: not those of a release that was proved in memory and written later


@dataclass(frozen=True)
class Content:
    """The released table."""

    format: str
    path: str | None  # relative to the folder of the manifest; None where it is not a file
    sha256: str  # of the bytes of a file, else of the values
    n_records: int
    n_columns: int


@dataclass(frozen=True)
class Input:
    """The original table; nothing is stated that could confirm a guess about its values."""

    format: str
    hmac: str  # HMAC of its hash under the private key
    n_records: int
    n_columns: int


@dataclass(frozen=True)
class PublicFile:
    """A file that is published with the manifest."""

    what: str  # release, sensitive or report
    path: str  # relative to the folder of the manifest
    sha256: str


@dataclass(frozen=True)
class Cost:
    seconds: float
    cpu_seconds: float
    peak_memory_mib: float


class Stopwatch:
    """Measures the cost of a run from its construction on."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def cost(self) -> Cost:
        seconds, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        return Cost(round(seconds, 3), round(cpu, 3), round(peak_memory() / 2**20, 1))


def versions() -> dict[str, str]:
    """Versions of Python, of Shoal, and of those of its packages that are installed."""
    found = {
        "python": sys.version.split()[0],
        "shoal": shoal.__version__,
        **{name: _version(name) for name in PACKAGES},
    }
    return {name: number for name, number in found.items() if number}


@cache
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
    decimals: dict[str, int] = field(default_factory=dict)  # decimal places of released means, by column
    steps: dict[str, dict[str, str]] = field(default_factory=dict)  # steps of released means and numbers, by column
    plans: tuple[dict[str, Any], ...] = ()  # cut trees: blocks and depth, which the classes show anyway
    grids: dict[str, Any] = field(default_factory=dict)  # where intervals may end, by column
    files: tuple[PublicFile, ...] = ()  # all files published with it, so that the release can be checked to be complete
    versions: dict[str, str] = field(default_factory=versions)
    made: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    def other_versions(self) -> tuple[str, ...]:
        """Packages whose version differs from that of the release, each as ``numpy 2.0 then, 2.1 now``."""
        now = versions()
        names = dict.fromkeys((*self.versions, *now))
        both = {name: (self.versions.get(name, "none"), now.get(name, "none")) for name in names}
        return tuple(f"{name} {then} then, {here} now" for name, (then, here) in both.items() if then != here)

    def other_figures(self, other: Self) -> tuple[str, ...]:
        """What two manifests of the same release state differently; not the engine, cost, versions and notes of a run,
        nor where its files are."""
        mine, theirs = self._figures(), other._figures()
        return tuple(name for name, figure in mine.items() if figure != theirs[name])

    def _figures(self) -> dict[str, Any]:
        content = json.loads(self.to_json())
        for name in OF_A_FILE:
            content["proof"].pop(name, None)
        tables = {f"{what}.{name}": content[what][name] for what in ("input", "output") for name in SIZES}
        return {**tables, **{name: content[name] for name in FIGURES}}

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
            raise ManifestError.not_a_manifest(path) from None
