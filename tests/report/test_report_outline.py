"""What the reader is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.release.manifest import Manifest
from shoal.report.class_size_nodes import class_sizes
from shoal.report.outline import outline
from shoal.report.outline_nodes import Gallery, Outline, Section
from shoal.report.pictures.bar_chart import Chart
from shoal.report.sections.information_loss import loss_by_column
from shoal.report.text_nodes import Paragraph, Table
from shoal.report.words import name_list


def told(made: Any) -> Outline:
    return outline(made.manifest, made.assessment)


def section(made: Any, name: str) -> Section:
    return next(section for section in told(made).sections if section.name == name)


def prose(found: Section) -> str:
    return " ".join(part.text for part in found.parts if isinstance(part, Paragraph))


def cells(found: Section) -> Iterator[str]:
    for part in found.parts:
        if isinstance(part, Table):
            yield from (str(cell) for row in part.rows for cell in row)


def test_a_proof_that_holds_says_what_was_asked_and_reached(made: Any) -> None:
    verdict = told(made).verdict
    assert verdict.outcome == "holds"
    assert verdict.mark == "The proof holds"
    assert "k-anonymity with k = 5 (5 reached)" in verdict.sentence


def test_a_proof_that_fails_says_where_and_what_to_do(failing: Any) -> None:
    verdict = told(failing).verdict
    assert verdict.outcome == "fails"
    assert verdict.sentence == (
        "Do not publish this release: the identifier column 'name' is in the release; "
        "k-anonymity requires k = 5, but 3 is reached: 1 of 2 classes fail, with 3 records."
    )
    assert "fails" in set(cells(section(failing, "proof")))


def test_without_requirements_nothing_is_promised(making: Any) -> None:
    verdict = told(making(requirements=())).verdict
    assert verdict.outcome == "open"
    assert verdict.mark == "Structure checked, no requirement set"
    assert "smallest class has 5 records" in verdict.sentence


def test_a_fault_of_structure_fails_without_requirements_too(making: Any) -> None:
    made = making(requirements=())
    proof = {**made.manifest.proof, "faults": ("the column 'age' is not in the release",)}
    assert told(replace(made, manifest=replace(made.manifest, proof=proof))).verdict.outcome == "fails"


def test_a_release_without_records_is_told_as_such(making: Any) -> None:
    empty = making(n_records=0)
    assert told(empty).verdict.mark == "Nothing was released"
    assert "no record" in prose(section(empty, "intruder"))
    assert "no record" in prose(section(empty, "spread"))
    assert "10 were suppressed" in prose(section(empty, "released"))


def test_a_manifest_that_was_written_tells_the_same(made: Any, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(made.manifest.to_json(), encoding="utf-8")
    assert told(replace(made, manifest=Manifest.read(path))) == told(made)


def test_the_intruder_is_told_as_a_story(made: Any) -> None:
    story = prose(section(made, "intruder")).replace("\u00a0", " ")
    assert "quasi-identifiers (age and job)" in story
    assert "at most 20 % (1 in 5)" in story
    assert "probability of 10 %" in story  # a blind guess among ten records


def test_sensitive_columns_that_nobody_watches_are_named(made: Any) -> None:
    assert "sensitive values of 'illness'" in prose(section(made, "intruder"))


def test_hashes_are_short_but_whole_on_demand(made: Any) -> None:
    contents = next(part for part in section(made, "released").parts if isinstance(part, Table))
    assert [row[-1].full for row in contents.rows][1] == "b" * 64
    assert "a" * 12 not in str(contents.rows[0])
    assert all(len(row[-1].text) < 20 for row in contents.rows)


def test_what_made_it_is_all_there(made: Any) -> None:
    facts = list(cells(section(made, "making")))
    for fact in ("mdav, k = 5", "memory", "python 3.12.0, shoal 0.1.0", "2026-01-31 12:00:00 UTC"):
        assert fact in facts


def test_every_quasi_identifier_is_pictured_by_its_kind(made: Any) -> None:
    gallery = next(part for part in section(made, "spread").parts if isinstance(part, Gallery))
    assert [(chart.title, chart.drawn) for chart in gallery.pictures] == [("age", "columns"), ("job", "bars")]


def test_losses_come_largest_first() -> None:
    chart = loss_by_column({"a": 1.0, "b": 30.0, "c": 5.0})
    assert chart.bins == ("b", "c", "a")
    assert chart.series[0].values == (30.0, 5.0, 1.0)


@pytest.mark.parametrize("k", [2, 5, 10, 13, 40])
def test_a_bin_of_class_sizes_begins_at_k(k: int) -> None:
    chart = class_sizes(ClassSizes.of([1, 1, 2, 14, 300]), ClassSizes.of([k, k + 1]), k)
    assert chart.start is not None
    at, words = chart.start
    assert words == f"k = {k}"
    assert chart.bins[at].split("-")[0] == str(k)
    assert sum(chart.series[1].values[:at]) == 0


def test_class_sizes_count_records_not_classes() -> None:
    chart = class_sizes(ClassSizes.of([1, 1, 2, 16]), ClassSizes.of([20]), None)
    shares = dict(zip(chart.bins, chart.series[0].values, strict=True))
    assert shares["1"] == pytest.approx(10)
    assert shares["2"] == pytest.approx(10)
    assert shares["10-19"] == pytest.approx(80)
    assert chart.bins[-1] == "20"
    assert chart.start is None


def test_the_table_of_a_chart_has_its_figures() -> None:
    table = loss_by_column({"a": 1.0, "b": 30.04}).table
    assert [[str(cell) for cell in row] for row in table.rows] == [["b", "30.0\u00a0%"], ["a", "1.0\u00a0%"]]


def test_every_chart_says_what_to_see(made: Any) -> None:
    parts = [part for found in told(made).sections for part in found.parts]
    charts = [part for part in parts if isinstance(part, Chart)]
    charts += [chart for part in parts if isinstance(part, Gallery) for chart in part.pictures]
    assert len(charts) == 4
    assert all(chart.caption and chart.title in chart.description for chart in charts)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((), ""),
        (("a",), "a"),
        (("a", "b", "c"), "a, b and c"),
        (tuple("abcdefghij"), "a, b, c, d, e, f, g, h and 2 more"),
        (("\u05d2\u05d9\u05dc", "b"), "\u2068\u05d2\u05d9\u05dc\u2069 and b"),
    ],
)
def test_names_in_a_row(names: tuple[str, ...], expected: str) -> None:
    assert name_list(names) == expected
