"""Where requirements count units, the report says units: of the smallest class, of the chart, of the intruder."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.report.assessment_outline import assessment_outline
from shoal.report.outline import outline
from shoal.report.pictures.bar_chart import Chart
from shoal.report.text_nodes import Paragraph, Tiles

N = 60
TABLE = pa.table(
    {
        "patient": [f"p{at // 2}" for at in range(N)],  # two stays each
        "age": [20 + at // 2 for at in range(N)],
        "town": ["Ax", "Ay"] * (N // 2),
    }
)


def release(role: str, requirements: Any = ({"name": "k_anonymity", "k": 3},)) -> Any:
    columns = {
        "patient": {"role": role},
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "town": {"role": "other"},
    }
    method = {} if requirements else {"method": {"k": 3}}
    policy = {"columns": columns, "requirements": list(requirements), "output": {"shuffle": False}} | method
    return shoal.protect(TABLE, policy)


def section(made: Any, name: str) -> Any:
    return next(each for each in outline(made.manifest, made.assessment).sections if each.name == name)


def part(made: Any, name: str, kind: Any) -> Any:
    return next(each for each in section(made, name).parts if isinstance(each, kind))


def smallest_class(made: Any, of_units: bool) -> int:
    """The number of records, or of distinct patients, of the smallest class, by hand."""
    members: dict[Any, list[Any]] = defaultdict(list)
    for age, patient in zip(made.records["age"].to_pylist(), TABLE["patient"].to_pylist(), strict=True):
        members[age].append(patient)
    return min(len(set(each) if of_units else each) for each in members.values())


@pytest.mark.parametrize(("role", "noun"), [("unit", "unit"), ("household", "unit"), ("identifier", "record")])
def test_the_tile_names_what_its_figure_counts(role: str, noun: str) -> None:
    made = release(role)
    tile = part(made, "proof", Tiles).tiles[1]
    assert tile.note == f"{noun}s in the smallest class"
    assert tile.figure == str(smallest_class(made, of_units=noun == "unit"))


@pytest.mark.parametrize(("role", "noun"), [("unit", "unit"), ("identifier", "record")])
def test_the_chart_and_the_text_name_it_too(role: str, noun: str) -> None:
    made = release(role)
    chart = part(made, "intruder", Chart)
    assert chart.title == f"{noun.capitalize()}s by the size of their class"
    assert chart.bin_title == f"{noun}s in the class"
    assert f"fewer than 3 {noun}s" in chart.caption
    text = " ".join(each.text for each in section(made, "intruder").parts if isinstance(each, Paragraph))
    assert f"a class of at least {smallest_class(made, of_units=noun == 'unit')} {noun}s" in text


def test_the_verdict_without_requirements_names_it_too() -> None:
    made = release("unit", requirements=())
    sentence = outline(made.manifest, made.assessment).verdict.sentence
    assert f"The smallest class has {smallest_class(made, of_units=True)} unit" in sentence


@pytest.mark.parametrize("role", ["unit", "household"])
def test_findings_name_units_where_these_are_counted(role: str) -> None:
    """In the findings of protect and of assess, and in the chart of the latter; the sentences on records stay there."""
    made = release(role)
    compared = shoal.assess(TABLE, made.table, made.policy)
    page = assessment_outline(compared, "release.csv")
    for found in (made.findings, compared.findings):
        assert "of at least" in found["k reached"].meaning
        for name in ("k reached", "highest prosecutor risk", "mean prosecutor risk", "unique records"):
            assert "unit" in found[name].meaning
    charts = [each for section in page.sections for each in section.parts if isinstance(each, Chart)]
    assert "Units by the size of their class" in [chart.title for chart in charts]
    assert "record" not in page.subtitle


def test_findings_name_records_where_these_are_counted() -> None:
    found = release("identifier").findings
    assert "shares its quasi-identifiers with at least" in found["k reached"].meaning
    assert found["mean prosecutor risk"].meaning == "The same chance, averaged over all records."


@pytest.mark.gate(but=("unit-memory", "household-memory", "identifier-memory"))
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("role", ["unit", "household", "identifier"])
def test_who_knows_nothing_guesses_among_all_units(role: str, engine: Any, tmp_path: Path) -> None:
    """Records of a unit are in different classes. Two records have no patient: each is a unit of its own."""
    patients = [f"p{at // 2}" for at in range(N)]
    if role == "unit":
        patients[-2:] = [None, None]
    source = tmp_path / "stays.parquet"
    pq.write_table(pa.table({"patient": patients, "age": [20 + 31 * at % N for at in range(N)]}), source)
    columns = {"patient": {"role": role}, "age": {"role": "quasi_identifier", "kind": "numeric"}}
    policy = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}], "output": {"shuffle": False}}
    made = shoal.protect(source, policy, engine=engine, output=tmp_path / "release.parquet")
    assert pq.read_metadata(tmp_path / "release.parquet").num_rows == N
    n = {"identifier": N, "household": N // 2, "unit": N // 2 + 1}[role]
    for name in ("highest prosecutor risk", "mean prosecutor risk"):
        assert made.findings[name].baseline == pytest.approx(100 / n)
