"""Nothing changes sides on its way to the reader: estimate and baseline, before and after; and no note is lost."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import shoal
from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.assessment.utility.distributions import distribution
from shoal.cli.console import finding_line
from shoal.findings import Finding, Findings
from shoal.report import render_html, render_markdown
from shoal.report.class_size_nodes import class_sizes
from shoal.report.findings_table import findings_table
from shoal.report.pictures.bar_chart import Chart
from shoal.report.sections.before_after import before_after
from shoal.report.svg import svg
from survey_example import GRADES, shell, survey, survey_policy, write_csv, write_policy

FINDING = Finding("risk", 11.0, "What it is.", (7.0, 13.0), baseline=22.0, goal=33.0, unit="%")


def test_every_figure_of_a_finding_is_in_its_column() -> None:
    table = findings_table([FINDING])
    (row,) = table.rows
    shown = dict(zip(table.head, row, strict=True))
    assert {name: cell.text for name, cell in shown.items()} == {
        "Finding": "risk", "Estimate": "11 %", "Baseline": "22 %", "Goal": "33 %",
    }  # fmt: skip
    assert shown["Estimate"].note == "7 % to 13 %"
    assert shown["Finding"].note == "What it is."


def test_the_shell_and_a_notebook_say_the_same() -> None:
    assert finding_line(FINDING) == "risk: 11 % (7 % to 13 %), baseline 22 %"
    cells = re.findall(r"<t[hd]>(.*?)</t[hd]>", Findings((FINDING,))._repr_html_())
    assert dict(zip(cells[:5], cells[5:], strict=True)) == {
        "finding": "risk", "estimate": "11 %", "baseline": "22 %", "goal": "33 %", "meaning": "What it is.",
    }  # fmt: skip


def test_figures_of_a_page_stand_below_their_heads(made: Any) -> None:
    finding = made.assessment.findings["unique records"]
    page = render_html(made.manifest, made.assessment).replace("&#39;", "'")
    row = re.search(r"<tr><th scope=\"row\">unique records.*?</tr>", page, re.DOTALL)[0]
    shown = dict(re.findall(r'data-head="(\w+)">(.*?)<', row))
    assert shown["Estimate"] == finding.shown(finding.estimate) == "0 %"
    assert shown["Baseline"] == finding.shown(finding.baseline) == "100 %"
    key = '<span class="original">original</span><span class="release">release</span>'
    assert page.count('<span class="original">') == page.count(key) > 0


def before_and_after() -> Chart:
    original = pa.chunked_array([["a"] * 30 + ["b"] * 10])
    released = pa.chunked_array([["a"] * 20 + ["b"] * 20])
    return before_after(distribution(shoal.Column("x", kind="nominal"), original, released, 3))


def test_before_is_before_and_after_is_after_in_a_column() -> None:
    chart = before_and_after()
    assert {series.name: series.values for series in chart.series} == {"original": (75, 25), "release": (50, 50)}
    assert chart.caption.replace("\u00a0", " ") == "Largest difference at a: 75.0 % before, 50.0 % after."
    assert [[cell.text.replace("\u00a0", " ") for cell in row] for row in chart.table.rows] == [
        ["a", "75.0 %", "50.0 %"],
        ["b", "25.0 %", "50.0 %"],
    ]
    assert chart.table.head == ("value", "original", "release")


def test_before_is_before_and_after_is_after_in_sizes_of_classes() -> None:
    chart = class_sizes(ClassSizes.of([1, 1, 2]), ClassSizes.of([4]), 3)
    shares = {series.name: dict(zip(chart.bins, series.values, strict=True)) for series in chart.series}
    assert (shares["original"]["1"], shares["release"]["1"]) == (50, 0)
    assert (shares["original"]["4"], shares["release"]["4"]) == (0, 100)
    told = chart.caption.replace("\u00a0", " ")
    assert told == "In the original 100 % of the records are in classes of fewer than 3 records, in the release 0 %."


class Paths(HTMLParser):
    """Bars of a drawing: what fills them, and how wide they are."""

    def __init__(self, drawing: str) -> None:
        super().__init__()
        self.bars: list[tuple[str, float]] = []
        self.feed(drawing)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        width = re.match(r"M[\d.-]+,[\d.-]+h([\d.]+)v", found.get("d") or "")
        if tag == "path" and width and found.get("fill") in ("currentColor", "#2f7fd6"):
            self.bars.append((str(found["fill"]), float(width[1])))


def test_the_hollow_bars_are_the_original_and_the_full_ones_the_release() -> None:
    bars = Paths(svg(before_and_after())).bars
    hollow = [width for fill, width in bars if fill == "currentColor"]
    full = [width for fill, width in bars if fill == "#2f7fd6"]
    assert hollow[0] / hollow[1] == pytest.approx(3, rel=0.01)
    assert full[0] / full[1] == pytest.approx(1, rel=0.01)
    assert hollow[0] / full[0] == pytest.approx(1.5, rel=0.01)


def test_the_assessment_of_a_release_has_its_sides_right() -> None:
    """The original is spread over many ages, the release over few."""
    people = pa.table({"age": list(range(20, 80)), "job": ["a", "b"] * 30})
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "job": {"role": "other"}}
    release = shoal.protect(people, {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 30}]})
    assert release.assessment.original_sizes.smallest == 1
    assert release.assessment.released_sizes.smallest == 30
    assert release.findings["unique records"].estimate == 0
    assert release.findings["unique records"].baseline == 100


@pytest.mark.gate
def test_no_note_is_lost(tmp_path: Path) -> None:
    """Of every source of notes one: the file, imputation, taxonomies, orders, households, blanks."""
    rules = survey_policy(
        method={"name": "mdav", "split_households": True},
        perturbations=[{"name": "imputation", "how": "mode", "columns": ["age"]}],
        local_suppression={},
    )
    rules["columns"]["grade"] = {"role": "quasi_identifier", "kind": "ordinal"}
    rules["columns"]["note"]["taxonomy"] = {"prefixes": [1]}
    lines = write_csv(survey(), tmp_path / "plain.csv").read_text().replace("\n", "\r\n").replace("\r\n", "\n", 1)
    data = tmp_path / "data.csv"
    data.write_bytes(b"\xef\xbb\xbf" + lines.encode())
    policy = write_policy(rules, tmp_path / "policy.toml")
    said = shell("protect", data, "-p", policy, "-o", tmp_path / "out.csv", "--report", tmp_path / "report.html")
    assert said.code == 0, said.err
    from shoal.release.manifest import Manifest
    from shoal.sources import read

    notes = Manifest.read(tmp_path / "out.manifest.json").notes
    for words in (
        "missing values were imputed",
        "taxonomy",
        "ordinal without an order",
        "households lost their number",
    ):
        assert any(words in note for note in notes), words
    page = (tmp_path / "report.html").read_text()
    items = [re.sub(r"&#39;", "'", text) for text in re.findall(r"<li>(.*?)</li>", page)]
    assert [note for note in notes if note not in items] == []
    said_notes = [line for line in said.out.splitlines() if line.startswith("note: ")]
    assert [line for line in said_notes if "policy.key is in" not in line] == [f"note: {note}" for note in notes]
    assert set(read(data).origin.notes) <= set(notes)


def test_blanks_and_blocks_and_promises_are_noted() -> None:
    people = pa.table({"age": [at % 60 for at in range(400)], "job": [f"job {at % 3}" for at in range(400)]})
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "job": {"role": "quasi_identifier"}}
    blanked = shoal.protect(
        people.slice(0, 50),
        {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}], "local_suppression": {}},
    )
    n_blanks = {name: blanked.records[name].null_count for name in ("age", "job")}
    told = [f"{name}: {n} cells were blanked." for name, n in n_blanks.items() if n]
    assert told
    assert set(told) <= set(blanked.manifest.notes)
    divided = shoal.protect(
        people,
        {"columns": columns, "method": {"name": "mdav", "k": 3}, "blocking": {"method": "twod_tree", "limit": 100}},
    )
    assert any("blocks of a 2^d-tree" in note for note in divided.manifest.notes)
    assert any("nothing was proved" in note for note in divided.manifest.notes)
    for release in (blanked, divided):
        text = render_markdown(release.manifest, release.assessment).replace("\\", "")
        assert [note for note in release.manifest.notes if " ".join(note.split()) not in text] == []


def test_notes_of_a_dataframe_reach_the_manifest() -> None:
    import pandas as pd

    people = pd.DataFrame({"age": [1, 1, 2, 2], "grade": GRADES[:2] * 2}, index=[f"P{at}" for at in range(4)])
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "grade": {"role": "other"}}
    release = shoal.protect(people, {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}]})
    assert any("index" in note for note in release.manifest.notes)
