"""A copy of the tree in which the steps of CONTRIBUTING.md are taken, and Python runs with what they add."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plant_faults import ROOT, Scratch

COUNTS = r"^## A new {} in (\d+) steps$"


@dataclass(frozen=True)
class Edit:
    """A new file, or some lines put before a text that occurs once in a file, or at its end."""

    file: str
    lines: str
    before: str | None = None

    def make(self, folder: Path) -> None:
        path = folder / self.file
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if self.before is not None:
            assert text.count(self.before) == 1, (self.file, self.before)
            text = text.replace(self.before, self.lines + self.before)
        path.write_text(text if self.before is not None else text + self.lines, encoding="utf-8")


Step = list[Edit]


def files_of(steps: Sequence[Step]) -> list[str]:
    """The files that somebody edits; those that a tool writes anew are not among them."""
    return sorted({edit.file for step in steps for edit in step})


def public_name(namespace: str, module: str, name: str) -> Edit:
    """The line that puts a name into a namespace of the public API."""
    return Edit(f"src/shoal/{namespace}.py", f"from shoal.{module} import {name} as {name}\n")


@dataclass(frozen=True)
class PackageCopy:
    scratch: Scratch

    @classmethod
    def of(cls, folder: Path) -> PackageCopy:
        return cls(Scratch.of(ROOT, folder))

    def take(self, steps: Sequence[Step], *tools: str) -> None:
        """The steps, then what ``make schema`` writes by some of the tools."""
        for edit in (edit for step in steps for edit in step):
            edit.make(self.scratch.folder)
        if tools:
            run = [f"runpy.run_path('tools/{tool}.py', run_name='__main__')" for tool in tools]
            self.python("\n".join(["import runpy", *run]))

    def read(self, file: str) -> str:
        return (self.scratch.folder / file).read_text(encoding="utf-8")

    def python(self, script: str) -> str:
        """What a script prints, which finds the modules of tests/."""
        found = self.scratch.run(sys.executable, "-c", f"import sys; sys.path.insert(0, 'tests')\n{script}")
        assert found.returncode == 0, found.stdout + found.stderr
        return found.stdout

    def test(self, *tests: str) -> None:
        """All of these tests are there and pass."""
        found = self.scratch.test(tests)
        assert found.returncode == 0, found.stdout[-4000:] + found.stderr


def steps_in_contributing(what: str) -> tuple[int, int]:
    """The number of steps that the title of a section of CONTRIBUTING.md says, and how many it has."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    title = re.search(COUNTS.format(what), text, flags=re.MULTILINE)
    assert title is not None
    section = text[title.end() :].split("\n## ")[0]
    return int(title[1]), len(re.findall(r"^\d+\. ", section, flags=re.MULTILINE))
