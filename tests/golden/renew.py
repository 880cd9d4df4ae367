"""make golden: every kept release made anew, and all that Shoal says; what differs is printed, and the new is kept."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from golden import answers, lines
from golden.cases import CASES
from golden.policies import NET
from golden.releases import HASHES, KEPT, differences, hashes, keep, kept, make

SHOWN = 20  # differences of a release, or of what is said of a case


def renew(name: str) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        files = make(name, Path(folder))
    tell(name, differences(kept(name), files))
    keep(name, files)
    return hashes(files)


def renew_findings(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        said = answers.ask_for_help() if name == answers.HELP else answers.ask(name, Path(folder))
    path = answers.KEPT / f"{name}.txt"
    before = lines.from_text(path.read_text(encoding="utf-8")) if path.exists() else {}
    found = list(lines.differences(before, said))
    tell(f"what is said of {name}", found)
    if found:  # otherwise the last digit of a figure would change with the machine
        path.write_text(lines.to_text(said), encoding="utf-8")


def tell(name: str, differences: Iterable[str]) -> None:
    found = list(differences)
    shown = [f"{name}: {len(found) or 'no'} differences", *(f"  {line}" for line in found[:SHOWN])]
    sys.stdout.write("\n".join([*shown, *(["  ..."] if len(found) > SHOWN else [])]) + "\n")


def main() -> None:
    os.environ |= {"COLUMNS": "80"}  # as in tests
    for variable in ("FORCE_COLOR", "NO_COLOR", "TERMINAL_WIDTH"):
        os.environ.pop(variable, None)
    for path in KEPT.glob("*"):
        if path.name not in CASES:
            shutil.rmtree(path)
    found = {name: renew(name) for name in CASES}
    HASHES.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    answers.KEPT.mkdir(exist_ok=True)
    for path in answers.KEPT.glob("*.txt"):
        if path.stem not in (*NET, answers.HELP):
            path.unlink()
    for name in (*NET, answers.HELP):
        renew_findings(name)


if __name__ == "__main__":
    main()
