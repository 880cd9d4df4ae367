"""A chart: one square, in a section of the report."""

from registry.package_copy import Edit, Toy

FOLDER = "report/pictures"
TABLE = f"{FOLDER}/__init__.py"
SECTION = "report/sections/glossary.py"
DRAWN, LISTED = "tests/report/test_picture_schema.py", "tests/report/test_report_pages.py"

MODULE = '''"""A toy: one square."""

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
    [Edit(f"src/shoal/{FOLDER}/toy.py", MODULE)],
    [  # the import and the name of the kind in the table
        Edit(f"src/shoal/{TABLE}", IMPORT, before="\nAnyPicture = "),
        Edit(f"src/shoal/{TABLE}", "Toy | ", before="Chart | CoefficientChart | "),
    ],
    [  # a section that makes the value
        Edit(f"src/shoal/{SECTION}", IMPORT, before="from shoal.report.text_nodes import Terms\n"),
        Edit(f"src/shoal/{SECTION}", 'Toy("A <toy>", "It is square & small."), ', before="Terms(words),"),
    ],
    [
        Edit(DRAWN, IMPORT, before="from shoal.report.svg import"),
        Edit(DRAWN, '        Toy("Title", "Caption"),\n', before="        *maps,\n"),
        Edit(LISTED, ', "A <toy>. It is square & small."', before=']\n    assert [label.split(":")[0] for'),
    ],
]
SCRIPT = r"""
import shoal
from shoal.report import render_html, render_markdown
from survey_example import survey, survey_policy

release = shoal.protect(survey(), survey_policy())
page, text = (each(release.manifest, release.assessment) for each in (render_html, render_markdown))
label = 'aria-label="A &lt;toy&gt;. It is square &amp; small."'
assert f'<svg role="img" {label} viewBox="0 0 1 1"><rect id="toy"' in page
assert "<figcaption><b>A &lt;toy&gt;</b><small>It is square &amp; small.</small></figcaption>" in page
assert "### A \\<toy\\>\n\nIt is square \\& small." in text
"""
TOY = Toy(
    STEPS,
    SCRIPT,
    checks=(
        f"{DRAWN}::test_every_kind_of_picture_is_a_chart_of_the_schema",
        f"{LISTED}::test_charts_are_drawn_and_described",
    ),
)
