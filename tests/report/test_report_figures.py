"""Which figure stands in which place: before and after, estimate and baseline, asked and reached."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from shoal.assessment.comparison import ComparedPolicy, Comparison, PolicyOutcome
from shoal.assessment.exposure import Exposure
from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.assessment.risk_limits import LimitCheck
from shoal.assessment.utility.distributions import Distribution
from shoal.findings import Finding, Findings
from shoal.report import markdown
from shoal.report.class_size_nodes import class_sizes
from shoal.report.comparison_outline import comparison_outline
from shoal.report.findings_table import findings_table
from shoal.report.limit_table import met_word
from shoal.report.outline import outline
from shoal.report.outline_nodes import Outline, Section
from shoal.report.pictures.frontier import Frontier
from shoal.report.sections.before_after import before_after
from shoal.report.text_nodes import Items, Paragraph, Table, Tiles
from shoal.report.verdict import read_proof, verdict

FINDING = Finding("loss", 1.5, "What is lost.", interval=(1.25, 2.0), baseline=70.0, goal=4.0, unit="%")


def part(made: Any, name: str, kind: Any) -> Any:
    found = next(section for section in outline(made.manifest, made.assessment).sections if section.name == name)
    return [each for each in found.parts if isinstance(each, kind)]


def texts(row: Any) -> list[str]:
    return [cell.text for cell in row]


def told_of(made: Any, **changes: Any) -> dict[str, str]:
    """What becomes of every column, under a policy with these changes."""
    manifest = replace(made.manifest, policy={**made.manifest.policy, **changes})
    table = part(replace(made, manifest=manifest), "released", Table)[-1]
    return {row[1].text: row[2].text for row in table.rows}


def test_a_finding_has_its_figures_in_their_columns() -> None:
    table = findings_table([FINDING, Finding("k", 3, "Alike.")])
    assert table.head == ("Finding", "Estimate", "Baseline", "Goal")
    assert [texts(row) for row in table.rows] == [["loss", "1.5 %", "70 %", "4 %"], ["k", "3", "none", "none"]]
    assert table.rows[0][0].note == "What is lost."
    assert table.rows[0][1].note == "1.25 % to 2 %"


def test_findings_by_themselves_have_them_in_the_same_order() -> None:
    page = Findings((FINDING,))._repr_html_()
    words = [
        "<th>estimate</th>",
        "<th>baseline</th>",
        "<th>goal</th>",
        "<td>1.5 %</td>",
        "<td>70 %</td>",
        "<td>4 %</td>",
    ]
    places = [page.index(word) for word in words]
    assert places == sorted(places)


@pytest.mark.parametrize(("caveat", "note"), [("within blocks", "1.25 % to 2 %; within blocks"), ("", "1.25 % to 2 %")])
def test_an_interval_is_told_with_its_caveat(caveat: str, note: str) -> None:
    (row,) = findings_table([replace(FINDING, caveat=caveat)]).rows
    assert row[1].note == note


@pytest.mark.parametrize(("most", "word"), [(1.0, "no"), (1.8, "not certain"), (2.0, "yes")])
def test_a_limit_within_the_interval_is_not_certain(most: float, word: str) -> None:
    """The figure is 1.5 %, perhaps 1.25 %, perhaps 2 %."""
    assert met_word(LimitCheck("linked_persons", most, FINDING)) == word


def test_a_proof_that_fails_stays_one_beside_a_warning(failing: Any, made: Any) -> None:
    exposed = (Exposure("unique", 10.0, 5.0, ("pay",), ""),)
    proofs = [read_proof(each.manifest) for each in (failing, made)]
    assert [verdict(proof, exposed, made.manifest.policy).outcome for proof in proofs] == ["fails", "warns"]
    assert [verdict(proof, (), made.manifest.policy).outcome for proof in proofs] == ["fails", "holds"]


def test_the_original_is_before_and_the_release_after() -> None:
    chart = before_after(Distribution("age", "numeric", ("low", "high"), (10.0, 90.0), (35.0, 65.0)))
    assert [(series.name, series.values) for series in chart.series] == [
        ("original", (10.0, 90.0)),
        ("release", (35.0, 65.0)),
    ]
    assert "10.0\u00a0% before, 35.0\u00a0% after" in chart.caption


def test_classes_of_the_original_and_of_the_release() -> None:
    chart = class_sizes(ClassSizes.of([1, 1, 2]), ClassSizes.of([2, 3, 5]), 3)
    assert [series.name for series in chart.series] == ["original", "release"]
    assert chart.series[0].values[:2] == (50.0, 50.0)
    assert chart.series[1].values[:5] == (0.0, 20.0, 30.0, 0.0, 50.0)
    assert "In the original 100\u00a0% of the records are in classes of fewer than 3 records" in chart.caption
    assert "in the release 20\u00a0%." in chart.caption


def test_an_identifier_is_dropped_or_replaced_by_a_pseudonym(made: Any) -> None:
    columns = {
        "name": {"role": "identifier", "kind": "nominal"},
        "number": {"role": "identifier", "kind": "nominal", "pseudonym": True},
    }
    assert told_of(made, columns=columns) == {"name": "dropped", "number": "replaced by a keyed pseudonym"}


def test_what_becomes_of_a_column_hangs_on_the_policy(made: Any) -> None:
    plain, changed = told_of(made), "replaced by a value that all records of a group share"
    assert plain == {"age, job": changed, "illness": "released unchanged"}
    assert told_of(made, within=("job",)) == {
        "age": changed,
        "job": "released unchanged",
        "illness": "released unchanged",
    }
    assert told_of(made, output={"permute": True})["illness"] == "permuted among the records of a group"
    assert told_of(made, output={"permute": False})["illness"] == "released unchanged"
    anatomy = told_of(made, representation="anatomy")
    assert anatomy["age, job"] == "released unchanged, with a group number"
    assert anatomy["illness"] == "counted by group, in the sensitive table"


def test_contents_are_those_of_their_file(making: Any) -> None:
    table = part(making(n_records=5), "released", Table)[0]
    assert [texts(row)[:3] for row in table.rows] == [["Original", "10", "3"], ["Release", "5", "3"]]
    assert [row[0].note for row in table.rows] == ["", "release.csv"]


def test_every_note_is_told(made: Any) -> None:
    notes = ("one", "two", "three")
    noted = replace(made, manifest=replace(made.manifest, notes=notes))
    assert part(noted, "making", Items) == [Items(notes)]
    silent = replace(made, manifest=replace(made.manifest, notes=()))
    assert part(silent, "making", Items) == []
    assert all("Notes" not in paragraph.text for paragraph in part(silent, "making", Paragraph))


def test_what_was_asked_stands_before_what_was_reached(failing: Any) -> None:
    table = part(failing, "proof", Table)[0]
    assert table.head[1:3] == ("Required", "Reached")
    assert texts(table.rows[0])[1:] == ["k = 5", "k = 3", "1 of 2", "fails"]


def test_tiles_count_what_was_released(making: Any) -> None:
    tile = part(making(n_records=5), "proof", Tiles)[0].tiles[0]
    assert (tile.label, tile.figure) == ("Records released", "5")
    assert tile.note.replace("\u00a0", " ") == "5 suppressed (50 %)"


def compared(*made: PolicyOutcome) -> tuple[Section, ...]:
    return comparison_outline(
        Comparison(tuple(ComparedPolicy(f"p{at}", {}, each) for at, each in enumerate(made))), "t"
    ).sections


@pytest.mark.parametrize(("loss", "risk"), [(10.0, 30.0), (30.0, 10.0)])
def test_policies_have_their_figures_in_their_places(loss: float, risk: float) -> None:
    frontier, figures, *_ = compared(PolicyOutcome(4, True, 2.5, loss, risk, None, None, 0.5))
    chart = next(each for each in frontier.parts if isinstance(each, Frontier))
    assert [(spot.x, spot.y) for spot in chart.spots] == [(loss, risk)]
    table = next(each for each in figures.parts if isinstance(each, Table))
    told = dict(zip(table.head, texts(table.rows[0]), strict=True))
    assert (told["k"], told["Proven"]) == ("4", "yes")
    assert (told["Suppressed"], told["Loss"], told["Linked"]) == (
        "2.5\u00a0%",
        f"{loss:.1f}\u00a0%",
        f"{risk:.1f}\u00a0%",
    )


def test_the_chart_of_policies_is_a_table_in_markdown() -> None:
    outcomes = (PolicyOutcome(4, True, 0.0, loss, 20.0, None, None, 0.5) for loss in (12.34, 30.0))
    frontier = compared(*outcomes)[0]
    words = markdown.render(Outline("t", "t", None, (frontier,))).replace("\u00a0", " ")
    assert "| Policy | information loss, percent | persons found, percent | The frontier |" in words
    assert "| 1<br>p0 | 12.3 % | 20 % | yes |" in words
    assert "| 2<br>p1 | 30 % | 20 % |  |" in words
    assert "No other release beats 1 in both risk and loss." in words
    assert not any(word in words for word in ("left", "gray", "point", "ring"))  # what only the drawing shows
    drawn = next(each for each in frontier.parts if isinstance(each, Frontier))
    assert "in gray" in drawn.caption


def test_a_note_names_a_release_once() -> None:
    outcome = PolicyOutcome(4, True, 0.0, 10.0, 20.0, None, None, 0.5, notes=("Once.", "Once."))
    notes = next(section for section in compared(outcome, outcome) if section.name == "notes")
    assert notes.parts == (Items(("1 and 2: Once.",)),)
