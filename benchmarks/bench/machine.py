"""Where and of what a figure was measured: the machine, the versions, the commit."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = ("shoal", "numpy", "pyarrow", "duckdb", "scipy")
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Machine:
    cpu: str
    cores: int
    memory: int  # MB
    system: str

    @property
    def name(self) -> str:
        return f"{self.cpu}, {self.cores} cores, {self.memory / 1024:.0f} GB, {self.system}"


@dataclass(frozen=True)
class Source:
    """``is_changed``: the working tree differs from the commit."""

    commit: str
    is_changed: bool
    python: str
    libraries: dict[str, str]

    @property
    def name(self) -> str:
        return f"{self.commit[:10]}{' with changes' if self.is_changed else ''}"


def this_machine() -> Machine:
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return Machine(_cpu_model(), os.cpu_count() or 1, pages // 1024**2, f"{platform.system()} {platform.machine()}")


def _cpu_model() -> str:
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        for line in cpus.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown CPU"


def this_source() -> Source:
    changed = bool(git("status", "--porcelain", "--untracked-files=no"))
    return Source(git("rev-parse", "HEAD"), changed, platform.python_version(), library_versions())


def library_versions() -> dict[str, str]:
    return {name: _version(name) for name in LIBRARIES}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def git(*words: str) -> str:
    run = subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else ""
