"""Runs tests in forks of a process that has loaded the libraries, but nothing of Shoal.

A line of JSON comes in for every run (see `Asked`), and one goes out (see `run`): to load numpy, scipy and DuckDB takes
longer than most tests. It is started by plant_faults.py, in a copy of the tree.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

# In this order: a fault is noticed by the first tier that has a test which goes red.
TIERS = ("test", "gate", "long", "spark")
LIBRARIES = (
    "pytest", "hypothesis.extra.numpy", "scipy.stats", "scipy.optimize", "scipy.spatial", "scipy.sparse.csgraph",
    "pyarrow.compute", "pyarrow.csv", "pyarrow.dataset", "pyarrow.parquet", "duckdb", "narwhals", "pydantic", "tomlkit",
    "typer.testing", "rich.table", "jinja2", "pandas", "PIL.Image", "openpyxl", "highspy", "sklearn.linear_model",
)  # fmt: skip
# What these two are loaded before is not rewritten by pytest, which warns of it, and every warning is an error.
OPTIONS = ("-q", "-rf", "--tb=short", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:pytest_cov")
LOADED_BEFORE = "ignore::pytest.PytestAssertRewriteWarning"
TIMED_OUT = 124


@dataclass(frozen=True)
class Asked:
    """Tests, as pytest is told them, and where in the folder its words and what became of each test are written."""

    tests: list[str]
    tiers: list[str]
    left_out: list[str]  # names of tests, with their case
    until_red: bool
    seconds: float
    words: str = "build/fault_run.txt"
    events: str = "build/fault_run.jsonl"


class Tiers:
    """A plugin that runs the tests of make test before those of make gate, and keeps what became of each."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.events = Path(asked.events).open("w", encoding="utf-8", buffering=1)  # noqa: SIM115
        self.tiers: dict[str, str] = {}

    def pytest_collection_finish(self, session: Any) -> None:
        """After conftest.py has said which cases of a mark are meant."""
        self.tiers = {item.nodeid: tier_of({mark.name for mark in item.iter_markers()}) for item in session.items}
        asked = [item for item in session.items if self.tiers[item.nodeid] in self.asked.tiers]
        asked = [item for item in asked if item.nodeid not in self.asked.left_out]
        session.items[:] = sorted(asked, key=lambda item: TIERS.index(self.tiers[item.nodeid]))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._write(nodeid, "started", 0.0)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._write(report.nodeid, report.outcome, report.duration)

    def _write(self, test: str, outcome: str, seconds: float) -> None:
        self.events.write(json.dumps([test, self.tiers[test], outcome, seconds]) + "\n")


def tier_of(marks: set[str]) -> str:
    return next((tier for tier in reversed(TIERS) if tier in marks), "test")


def run(asked: Asked) -> dict[str, Any]:
    """The exit code of pytest, its last words, and per phase of a test its name, tier, outcome and seconds."""
    Path(asked.events).parent.mkdir(exist_ok=True)
    Path(asked.events).write_text("")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = os.fork()
    if not child:
        test(asked)
    code = wait(child, asked.seconds)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "code": code,
        "words": Path(asked.words).read_text(encoding="utf-8", errors="replace")[-6000:],
        "events": [json.loads(line) for line in Path(asked.events).read_text(encoding="utf-8").splitlines()],
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    }


def test(asked: Asked) -> None:
    """In the fork, which does not come back."""
    code = 3
    try:
        os.setsid()
        words = os.open(asked.words, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(words, 1)
        os.dup2(words, 2)
        import pytest

        options = [*OPTIONS, "-W", LOADED_BEFORE, "--basetemp=build/fault_files", *(["-x"] if asked.until_red else [])]
        code = int(pytest.main([*options, *asked.tests], plugins=[Tiers(asked)]))
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def wait(child: int, seconds: float) -> int:
    """The exit code of a fork; nothing that it has started outlives it."""
    until, ended, status = time.monotonic() + seconds, 0, 0
    while not ended and time.monotonic() < until:
        time.sleep(0.01)
        ended, status = os.waitpid(child, os.WNOHANG)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not ended:
        os.waitpid(child, 0)
        return TIMED_OUT
    return os.waitstatus_to_exitcode(status)


def main() -> None:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a thread of it would be lost in a fork
    for library in LIBRARIES:
        try:
            import_module(library)
        except ImportError:
            continue
    if any(name.split(".")[0] == "shoal" for name in sys.modules):
        raise SystemExit("a library has loaded shoal: its faults would not be planted")
    for line in sys.stdin:
        sys.stdout.write(json.dumps(run(Asked(**json.loads(line)))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
