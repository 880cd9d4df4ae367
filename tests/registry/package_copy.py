"""A copy of the tree in which the steps of CONTRIBUTING.md are taken, and Python runs with what they add."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

from plant_faults import ROOT, Scratch

TITLE = r"^## A new {} in (\d+) steps$"
SCHEMA = r"^schema:.*\n((?:\t.+\n)+)"
ASIDE = """\
import os, sys, tempfile
sys.path.insert(0, {!r})
os.chdir(tempfile.mkdtemp(dir={!r}))
"""


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


def public_name(namespace: str, module: str, name: str) -> Edit:
    """The line that puts a name into a namespace of the public API."""
    return Edit(f"src/shoal/{namespace}.py", f"from shoal.{module} import {name} as {name}\n")


@dataclass(frozen=True)
class Toy:
    """Something that does not exist yet: the steps that add it, and what cannot pass without one of their files.

    Nothing is edited for good manners alone: a page that no test asks for is not among the edits.
    """

    steps: Sequence[Step]  # those of CONTRIBUTING.md; one that takes no file is empty
    script: str  # what somebody does with it
    checks: tuple[str, ...] = ()  # tests of the tree that ask for the examples and documents of everything like it
    typed: tuple[str, ...] = ()  # files of which mypy complains if another one is missing
    schema: tuple[str, ...] = ()  # the files that make schema writes anew

    @property
    def files(self) -> list[str]:
        """The files that somebody edits."""
        return sorted({edit.file for step in self.steps for edit in step})


@dataclass(frozen=True)
class PackageCopy:
    scratch: Scratch

    @classmethod
    def of(cls, folder: Path) -> PackageCopy:
        return cls(Scratch.of(ROOT, folder))

    def take(self, steps: Sequence[Step]) -> None:
        for edit in (edit for step in steps for edit in step):
            edit.make(self.scratch.folder)

    def make_schema(self) -> list[str]:
        """What make schema writes anew; the tools of the Makefile run in one process."""
        before = {path: path.read_bytes() for path in self._pages()}
        recipe = re.search(SCHEMA, (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        assert recipe
        tools = [str(self.scratch.folder / tool) for tool in re.findall(r"tools/\w+\.py", recipe[1])]
        self.python(f"import runpy\nfor tool in {tools}:\n    runpy.run_path(tool, run_name='__main__')\n")
        changed = [path for path in self._pages() if path.read_bytes() != before.get(path)]
        return sorted(path.relative_to(self.scratch.folder).as_posix() for path in changed)

    def _pages(self) -> list[Path]:
        found = (self.scratch.folder.glob(pattern) for pattern in ("docs/*", "tests/*", "src/**/*.json"))
        return [path for paths in found for path in paths if path.is_file()]

    @contextmanager
    def without(self, file: str) -> Iterator[None]:
        """The copy with this file as it is in the tree, or without it."""
        path, original = self.scratch.folder / file, ROOT / file
        edited = path.read_bytes()
        if original.exists():
            path.write_bytes(original.read_bytes())
        else:
            path.unlink()
        yield
        path.write_bytes(edited)

    def python(self, script: str) -> str:
        """What a script prints, which finds the modules of tests/ and works in a new folder."""
        found = self._run(script)
        assert found.returncode == 0, found.stdout + found.stderr
        return found.stdout

    def failure(self, toy: Toy) -> str:
        """What its script says, a test of its kind or mypy; empty if all of them pass."""
        failed = (run for run in self._runs(toy) if run.returncode)
        return next((run.stdout[-4000:] + run.stderr or "failed" for run in failed), "")

    def _runs(self, toy: Toy) -> Iterator[CompletedProcess[str]]:
        yield self._run(toy.script)
        if toy.checks:
            yield self.scratch.test(toy.checks)
        if toy.typed:
            yield self.scratch.run("mypy", *toy.typed)

    def _run(self, script: str) -> CompletedProcess[str]:
        folder = str(self.scratch.folder)
        return self.scratch.run(sys.executable, "-c", ASIDE.format(f"{folder}/tests", folder) + script)


def steps_in_contributing(what: str) -> tuple[int, int]:
    """The number of steps that the title of a section of CONTRIBUTING.md says, and how many it has."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    title = re.search(TITLE.format(what), text, flags=re.MULTILINE)
    assert title is not None
    section = text[title.end() :].split("\n## ")[0]
    return int(title[1]), len(re.findall(r"^\d+\. ", section, flags=re.MULTILINE))
