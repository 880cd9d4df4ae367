"""The steps for a new chart in CONTRIBUTING.md, taken in a copy of the package: one new file and two edited ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from registry.package_copy import Edit, PackageCopy, files_of, steps_in_contributing
from shoal.report.pictures import PICTURES, AnyPicture

FOLDER = "report/pictures"
TABLE = f"{FOLDER}/__init__.py"
SECTION = "report/sections/glossary.py"

TOY = '''"""A toy: one square."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.report.pictures.picture import Picture


@dataclass(frozen=True)
class Toy(Picture):
    title: str
    caption: str
    form: ClassVar[str] = "toy"

    @property
    def description(self) -> str:
        return f"{self.title}. {self.caption}"

    def draw(self, *, small: bool = False) -> str:
        return '<svg viewBox="0 0 1 1"><rect id="toy" width="1" height="1"/></svg>'
'''
IMPORT = "from shoal.report.pictures.toy import Toy\n"
STEPS = [
    [Edit(f"src/shoal/{FOLDER}/toy.py", TOY)],
    [  # the import and the name of the kind in the table
        Edit(f"src/shoal/{TABLE}", IMPORT, before="\nAnyPicture = "),
        Edit(f"src/shoal/{TABLE}", "Toy | ", before="Chart | CoefficientChart | "),
    ],
    [  # a section that makes the value
        Edit(f"src/shoal/{SECTION}", IMPORT, before="from shoal.report.text_nodes import Terms\n"),
        Edit(f"src/shoal/{SECTION}", 'Toy("A <toy>", "It is square & small."), ', before="Terms(words),"),
    ],
    [],  # its test is this file
]
REPORT = """
import sys
sys.path.insert(0, {tests!r})
import shoal
from shoal.report import render_html, render_markdown
from survey_example import survey, survey_policy

release = shoal.protect(survey(), survey_policy())
open("report.html", "w", encoding="utf-8").write(render_html(release.manifest, release.assessment))
open("report.md", "w", encoding="utf-8").write(render_markdown(release.manifest, release.assessment))
"""


@pytest.fixture
def copy(tmp_path_factory: pytest.TempPathFactory) -> PackageCopy:
    """A copy of the tree, which Python imports instead of the installed package."""
    return PackageCopy.of(tmp_path_factory.mktemp("chart"))


def run_report(copy: PackageCopy, folder: Path) -> subprocess.CompletedProcess[str]:
    """The report of a small release, written to this folder by the copy of the package."""
    code = REPORT.format(tests=str(Path(__file__).parents[1]))
    return subprocess.run(
        [sys.executable, "-c", code],
        env=copy.scratch.environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.gate
def test_a_new_chart_is_one_file_and_its_line_in_the_table(tmp_path: Path, copy: PackageCopy) -> None:
    copy.take(STEPS)
    done = run_report(copy, tmp_path)
    assert done.returncode == 0, done.stderr
    page, text = (Path(tmp_path / name).read_text(encoding="utf-8") for name in ("report.html", "report.md"))
    assert (
        '<svg role="img" aria-label="A &lt;toy&gt;. It is square &amp; small." viewBox="0 0 1 1"><rect id="toy"' in page
    )
    assert "<figcaption><b>A &lt;toy&gt;</b><small>It is square &amp; small.</small></figcaption>" in page
    assert "### A \\<toy\\>\n\nIt is square \\& small." in text


@pytest.mark.gate
def test_a_chart_that_the_table_does_not_list_is_not_shown(tmp_path: Path, copy: PackageCopy) -> None:
    copy.take([STEPS[0], STEPS[2]])
    done = run_report(copy, tmp_path)
    assert done.returncode != 0
    assert "toy" in done.stderr
    assert not (tmp_path / "report.md").exists()


def test_every_kind_has_a_form_of_its_own() -> None:
    assert set(PICTURES.values()) == set(get_args(AnyPicture))


def test_the_steps_are_those_of_contributing() -> None:
    assert steps_in_contributing("chart") == (len(STEPS), len(STEPS))
    assert files_of(STEPS) == [f"src/shoal/{path}" for path in (TABLE, f"{FOLDER}/toy.py", SECTION)]
