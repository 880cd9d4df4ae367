"""Figures of many columns: pages show the worst, and every figure is still there for who asks."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.risk.attack import Attack
from shoal.assessment.utility.column_change import ColumnChange
from shoal.cli.outline_screen import print_outline
from shoal.findings import Finding, UnmeasuredFigure
from shoal.report import html, markdown, page_json
from shoal.report.attack_table import attack_table
from shoal.report.figure_families import figure_families, worst_findings
from shoal.report.findings_table import findings_table
from shoal.report.outline_nodes import Outline, Section
from shoal.report.sections.usefulness_section import column_table
from shoal.report.text_nodes import WHERE_ALL, Table

ODD = ("<b>x</b>", "a, b", "of", "a(b", " pinned down by earlier releases", "total of x", "a|b", "\u05d0\u05d1")


def interval(column: str, estimate: float, baseline: float = 10.0) -> Finding:
    name, meaning = f"interval disclosure of {column}", f"Share of {column}."
    return Finding(name, estimate, meaning, baseline=baseline, unit="%")


def page(table: Table) -> Outline:
    return Outline("Page", "of a test", None, (Section("one", "One", (table,)),))


def first_cells(table: Table) -> list[str]:
    return [row[0].text for row in table.shown_rows]


@pytest.mark.parametrize("n", [1, 3, 4, 13])
def test_up_to_three_columns_are_rows_and_more_are_one(n):
    figures = [interval(f"c{at}", 20.0 + at) for at in range(n)]
    table = findings_table([Finding("k reached", 3, "k."), *figures, Finding("unique records", 0, "None.")])
    shown = first_cells(table)
    assert (shown[0], shown[-1]) == ("k reached", "unique records")
    if n <= 3:
        assert shown[1:-1] == [figure.name for figure in figures]
        assert not table.families
    else:
        assert shown[1:-1] == [f"interval disclosure of c{n - 1}, worst of {n} columns"]
    assert [row[0].text for row in table.rows][1:-1] == [figure.name for figure in figures]


def test_the_worst_is_what_exceeds_its_baseline_most():
    """Against a loop over all of them; of an estimate the upper end of its interval counts, and never a mean."""
    chance = np.random.default_rng(0)
    for _ in range(200):
        figures = [interval(f"c{at}", *map(float, chance.integers(0, 6, 2))) for at in range(5)]
        figures = [
            replace(each, interval=(each.estimate, each.estimate + 3)) if chance.random() < 0.3 else each
            for each in figures
        ]
        (worst,) = worst_findings(figures)
        for each in figures:
            upper = each.interval[1] if each.interval else each.estimate
            of_worst = worst.interval[1] if worst.interval else worst.estimate
            assert (of_worst - worst.baseline, of_worst) >= (upper - each.baseline, upper)
        assert replace(worst, name=worst.name.removesuffix(", worst of 5 columns")) in figures


def test_what_is_not_measured_is_not_among_the_columns_of_the_worst():
    unknown = [UnmeasuredFigure(f"right guesses of u{at}", "not measured: blanks") for at in range(5)]
    known = [Finding(f"right guesses of k{at}", at, "A guess.", baseline=0) for at in range(4)]
    attacks = [Attack("attribute", "an acquaintance", "a class", figure) for figure in (*unknown, *known)]
    table = attack_table(attacks)
    assert first_cells(table) == ["right guesses, 5 of 9 columns", "right guesses of k3, worst of 4 of 9 columns"]
    assert [row[2].text for row in table.shown_rows] == ["not measured", "3"]
    assert worst_findings(known, unknown)[0].name == "right guesses of k3, worst of 4 of 9 columns"


def test_a_figure_of_the_whole_table_is_no_column():
    of_columns = [Finding(f"information loss of c{at}", at, "Lost.", unit="%") for at in range(7)]
    shown = worst_findings([Finding("information loss", 3, "Lost.", unit="%"), *of_columns])
    assert [finding.name for finding in shown] == ["information loss", "information loss of c6, worst of 7 columns"]


def test_attacks_by_different_intruders_are_kept_apart():
    figures = [interval(f"c{at}", at) for at in range(8)]
    attacks = [Attack("interval", f"intruder {at % 2}", "a value", each) for at, each in enumerate(figures)]
    table = attack_table(attacks)
    assert [row[1].text for row in table.shown_rows] == ["intruder 0", "intruder 1"]
    assert [len(family.places) for family in table.families] == [4, 4]


def test_a_column_of_several_key_sets_is_one_column():
    figures = [Finding(f"determined cells, c{at % 3}", at, "Cells.", baseline=0) for at in range(9)]
    assert figure_families(figures) == ()
    (family,) = figure_families([*figures, Finding("determined cells, c3", 0, "Cells.", baseline=0)])
    assert family.shown.name == "determined cells, c2, worst of 4 columns"


def test_every_figure_is_on_the_page_and_in_its_json():
    figures = [interval(f"c{at}", 20 + at + at / 8) for at in range(13)]
    made = page(findings_table(figures))
    shown, words, twin = html.render(made), markdown.render(made), json.loads(page_json.render(made, "internal"))
    before, folded = shown.split("<details>")
    for each in figures[:-1]:
        figure = each.shown(each.estimate)
        assert figure in folded
        assert figure not in before
        assert figure not in words
    assert "worst of 13 columns" in before
    assert "worst of 13 columns" in words
    assert WHERE_ALL in words
    (table,) = twin["sections"][0]["parts"]
    assert [row[0]["text"] for row in table["rows"]] == [each.name for each in figures]
    (family,) = table["families"]
    assert family["places"] == list(range(13))
    assert family["shown"][1]["text"] == figures[-1].shown(figures[-1].estimate)


def test_the_screen_shows_the_worst_and_says_where_the_others_are(capsys):
    print_outline(page(findings_table([interval(f"c{at}", 20.0 + at) for at in range(4)])), width=200)
    said = capsys.readouterr().out
    assert "interval disclosure of c3, worst of 4 columns" in said
    assert "c1" not in said
    assert WHERE_ALL in said


def test_a_note_is_repeated_only_where_it_says_something_else():
    figures = [interval(f"c{at}", 20.0 + at) for at in range(4)]
    figures[1] = replace(figures[1], meaning="Computed from 5 of 9 classes. Share of c1.")
    (family,) = findings_table(figures).families
    assert [row[0].note for row in family.details.part.rows] == ["", figures[1].meaning, "", ""]


def test_odd_names_of_columns_are_only_text():
    figures = [interval(name, float(at)) for at, name in enumerate(ODD)]
    table = findings_table(figures)
    (family,) = table.families
    assert [row[0].text for row in family.details.part.rows] == list(ODD)
    assert "<b>" not in html.render(page(table)).split("<main>")[1]


def test_usefulness_shows_the_largest_figure_of_each_kind():
    columns = [ColumnChange(f"c{at}", "numeric", at, 9.0 - at, None, 0.0, 0.0) for at in range(4)]
    table = column_table(columns)
    (row,) = table.shown_rows
    assert [(cell.text, cell.note) for cell in row] == [
        ("worst of 4 columns", ""), ("3.0\u00a0%", "c3"), ("9.0\u00a0%", "c0"), ("none", ""), ("0.0\u00a0%", ""),
        ("0.0\u00a0%", ""),
    ]  # fmt: skip
    assert len(table.rows) == len(table.families[0].details.part.rows) == 4
    assert column_table(columns[:3]).families == ()


def test_no_figure_of_many_columns_is_shown_for_each():
    """Whatever a release measures by column: names that differ only in the column are shown three times at most."""
    chance, n = np.random.default_rng(1), 120
    keys = {f"key{at}": chance.normal(size=n).round(2) for at in range(5)}
    secrets = {f"secret{at}": chance.choice(["a", "b", "c"], n) for at in range(5)}
    rules = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in keys}
    rules |= {name: {"role": "sensitive"} for name in secrets}
    asked = [{"name": "k_anonymity", "k": 4}, {"name": "distinct_l_diversity", "l": 2, "column": "secret0"}]
    policy = {"requirements": asked, "columns": rules, "suppression": {"limit": 1.0}}
    assessment = shoal.protect(pa.table({**keys, **secrets}), policy).assessment
    tables = findings_table(assessment.findings), attack_table(assessment.attacks)
    for table in tables:
        names = [re.sub(r"(key|secret)\d", "X", text) for text in first_cells(table)]
        assert {name: names.count(name) for name in names if names.count(name) > 3} == {}
    assert sum(len(table.families) for table in tables) >= 5
