"""What a command of the shell runs: modules loaded, files in which a function ran, functions that ran, CPU.

    tools/traced_commands.py FILE WORD...      runs ``shoal WORD...`` and writes to FILE what of it ran

Every command runs in a process of its own, on a CSV of 500 records with fixed values, a fixed key and no report. Code
that runs because a module is imported is not counted, nor is what has no name of its own (lambdas, comprehensions):
versions of Python differ in these.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any

MDAV, MONDRIAN, VERIFY, ASSESS = "protect by MDAV", "protect by Mondrian", "verify", "assess"
COMMANDS = {
    MDAV: ("protect", "data.csv", "--policy", "mdav.toml", "--output", "mdav.csv"),
    MONDRIAN: ("protect", "data.csv", "--policy", "mondrian.toml", "--output", "mondrian.csv"),
    VERIFY: ("verify", "mdav.csv", "--policy", "mdav.toml"),
    ASSESS: ("assess", "data.csv", "mdav.csv", "--policy", "mdav.toml"),
}
ROWS = {
    "modules": "modules loaded",
    "files": "files in which a function ran",
    "functions": "functions that ran",
    "shared": f"of the files, run by {MDAV}, too",
}
N_RECORDS, N_RUNS, MOST_SECONDS = 500, 3, 600
KEY = bytes(range(32))
POLICY = """\
[[requirements]]
name = "k_anonymity"
k = 3
[method]
name = "{method}"
[columns.age]
role = "quasi_identifier"
kind = "numeric"
[columns.height]
role = "quasi_identifier"
kind = "numeric"
[columns.zip]
role = "quasi_identifier"
kind = "nominal"
[columns.sex]
role = "quasi_identifier"
kind = "nominal"
[columns.disease]
role = "sensitive"
[columns.income]
role = "other"
kind = "numeric"
"""
RUN = "import sys; sys.argv[:1] = ['shoal']; from shoal.cli import main; main()"


def traces() -> dict[str, dict[str, int]]:
    """By command: how many modules are loaded, files and functions run, and how many of the files protect runs, too."""
    found = {}
    with TemporaryDirectory() as name:
        folder = _filled(Path(name))
        for command, words in COMMANDS.items():
            _run(folder, __file__, str(folder / "trace.json"), *words)
            found[command] = json.loads((folder / "trace.json").read_text())
    for command, others in ((VERIFY, MDAV), (ASSESS, MDAV)):
        found[command]["shared"] = sorted({*found[command]["files"]} & {*found[others]["files"]})
    return {command: {ROWS[row]: len(names) for row, names in rows.items()} for command, rows in found.items()}


def cpu_seconds() -> dict[str, float]:
    """By command: user and system time of its process, the least of three runs."""
    found: dict[str, float] = {}
    for _ in range(N_RUNS):
        with TemporaryDirectory() as name:
            folder = _filled(Path(name))
            for command, words in COMMANDS.items():
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                _run(folder, "-c", RUN, *words)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                found[command] = min(seconds, found.get(command, seconds))
    return found


def _filled(folder: Path) -> Path:
    """The folder, with data, policies and their keys."""
    draw = random.Random(0)
    rows = ["age,height,zip,sex,disease,income"]
    for _ in range(N_RECORDS):
        numbers = (draw.randrange(18, 90), draw.randrange(150, 200), draw.randrange(10_000, 10_020))
        names = (draw.choice("fm"), draw.choice(("flu", "cold", "none")), str(draw.randrange(100, 9_000)))
        rows.append(",".join([*map(str, numbers), *names]))
    (folder / "data.csv").write_text("\n".join(rows) + "\n")
    for method in ("mdav", "mondrian"):
        (folder / f"{method}.toml").write_text(POLICY.format(method=method))
        key = folder / f"{method}.key"
        key.write_bytes(KEY)
        key.chmod(0o600)
    return folder


def _run(folder: Path, *words: str) -> None:
    ran = subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, timeout=MOST_SECONDS, env=_environment()
    )
    if ran.returncode:
        raise SystemExit(f"{' '.join(words)}\n{ran.stdout}{ran.stderr}")


def _environment() -> dict[str, str]:
    """Without what tests measure of processes that they start."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "COVERAGE_", "PYTEST_"))}


class Trace:
    """The functions of a folder that run while nothing is imported."""

    def __init__(self, folder: Path) -> None:
        self.folder = f"{folder}{os.sep}"
        self.ran: set[tuple[str, str, int]] = set()
        self.importing = threading.local()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event not in ("call", "return"):
            return
        code, depth = frame.f_code, getattr(self.importing, "depth", 0)
        if code.co_name == "<module>":
            self.importing.depth = depth + (1 if event == "call" else -1)
        elif event == "call" and not depth and self._is_counted(code):
            self.ran.add((code.co_filename, code.co_name, code.co_firstlineno))

    def _is_counted(self, code: CodeType) -> bool:
        return code.co_filename.startswith(self.folder) and not code.co_name.startswith("<")

    def rows(self) -> dict[str, list[str]]:
        return {
            "modules": sorted(name for name in sys.modules if name.split(".")[0] == "shoal"),
            "files": sorted({file for file, _, _ in self.ran}),
            "functions": sorted(f"{file}:{line}, {name}" for file, name, line in self.ran),
        }


def main() -> int:
    file, *words = sys.argv[1:]
    sys.argv = ["shoal", *words]
    from shoal import cli

    trace, code = Trace(Path(str(cli.__file__)).parent.parent), 0
    threading.setprofile(trace)
    sys.setprofile(trace)
    try:
        cli.main()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    Path(file).write_text(json.dumps(trace.rows()), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
