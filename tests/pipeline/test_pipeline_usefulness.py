"""Usefulness in protect and assess: measured for the report, alike on every engine, and no part of the release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pytest

import shoal
from shoal.assessment.utility.analyses import estimators
from shoal.errors import PolicyError
from shoal.findings import UnmeasuredFigure
from shoal.report.assessment_outline import assessment_outline
from shoal.report.markdown import render
from shoal.report.outline import outline

KEY = bytes(range(32))
ANALYSES = [{"name": "pay", "formula": "income ~ age + sex"}, {"name": "odds", "formula": "ill ~ age"}]


def people(n: int = 600) -> pa.Table:
    draw = np.random.default_rng(6)
    age, sex = draw.integers(18, 80, n), draw.choice(["f", "m"], n)
    income = (900 + 30 * age + 400 * (sex == "m") + draw.normal(0, 300, n)).round()
    ill = np.where(draw.random(n) < 1 / (1 + np.exp(-(age - 50) / 8)), "yes", "no")
    area = draw.choice(["north", "south", "west"], n)
    home = [f"h{at // 2}" for at in range(n)]
    return pa.table({"home": home, "age": age, "sex": sex, "area": area, "income": income, "ill": ill})


def policy(**more: Any) -> dict[str, Any]:
    return {
        "requirements": [{"name": "k_anonymity", "k": 5}],
        "columns": {
            "home": {"role": "identifier"},
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "sex": {"role": "quasi_identifier"},
            "area": {"role": "quasi_identifier"},
            "income": {"role": "sensitive", "kind": "numeric"},
            "ill": {"role": "sensitive"},
        },
        **more,
    }


def protect(folder: Path, asked: dict[str, Any], *, report: bool = True, engine: Any = "memory") -> Any:
    folder.mkdir(exist_ok=True)
    source = folder / "people.csv"
    pc.write_csv(people(), source)
    page = folder / "report.html" if report else None
    return shoal.protect(source, asked, output=folder / "release.csv", report=page, engine=engine, key=KEY)


@pytest.mark.gate
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_engines_measure_the_same(tmp_path, method):
    asked = policy(analyses=ANALYSES, method={"name": method})
    memory, duckdb = (
        protect(tmp_path / each, asked, engine=each).assessment.usefulness for each in ("memory", "duckdb")
    )
    assert json.dumps(memory.to_dict()) == json.dumps(duckdb.to_dict())
    assert [analysis.name for analysis in memory.analyses] == ["pay", "odds"]


def test_analyses_change_no_byte_of_the_release(tmp_path):
    plain = protect(tmp_path / "one", policy(), report=False)
    named = protect(tmp_path / "two", policy(analyses=ANALYSES), report=False)
    assert (tmp_path / "one/release.csv").read_bytes() == (tmp_path / "two/release.csv").read_bytes()
    assert plain.manifest.policy == named.manifest.policy
    assert plain.assessment.usefulness is None
    assert named.assessment.usefulness is not None


@pytest.mark.gate
def test_protect_and_assess_find_the_same(tmp_path):
    asked = policy(analyses=ANALYSES)
    own = protect(tmp_path, asked).assessment.usefulness
    found = shoal.assess(tmp_path / "people.csv", tmp_path / "release.csv", asked, key=KEY).usefulness
    assert [column.to_dict() for column in found.columns] == [column.to_dict() for column in own.columns]
    assert [a.overlap for a in found.analyses] == pytest.approx([a.overlap for a in own.analyses])
    assert [a.score.after for a in found.analyses] == pytest.approx([a.score.after for a in own.analyses])


def test_without_pairs_all_but_the_propensity_score_and_the_analyses_is_measured(tmp_path):
    protect(tmp_path, policy())
    assessed = shoal.assess(tmp_path / "people.csv", tmp_path / "release.csv")
    found = assessed.usefulness
    assert {"largest change of a correlation", "count queries on the release"} <= {f.name for f in found.findings}
    assert [figure.name for figure in found.not_measured] == ["propensity score, pMSE ratio"]
    assert "pMSE ratio: not measured: needs" in render(assessment_outline(assessed, "release.csv")).replace("\\", "")
    assert found.analyses == ()


@pytest.mark.gate
def test_the_pages_tell_it(tmp_path):
    areas, in_order = {"name": "areas", "formula": "area ~ age"}, {"shuffle": False}
    made = protect(tmp_path, policy(analyses=[*ANALYSES, areas], within=["area"], output=in_order))
    page = render(outline(made.manifest, made.assessment))
    section = page.split("## Usefulness for analyses")[1].split("\n## ")[0]
    assert "pay gives the same answer: overlap" in section
    assert "areas: not measured: column 'area' has 3 values" in section.replace("\\", "")
    assert "subtotal by area" in section
    assert "| intercept |" in section
    assert "Change of the correlations" in section
    assert 'id="useful"' in (tmp_path / "report.html").read_text()
    assessed = shoal.assess(tmp_path / "people.csv", tmp_path / "release.csv", truth="position")
    assert "## Usefulness for analyses" in render(assessment_outline(assessed, "release.csv"))


@pytest.mark.gate
def test_an_anatomy_has_no_sensitive_column_to_compare(tmp_path):
    asked = policy(
        output={"representation": "anatomy"},
        requirements=[{"name": "distinct_l_diversity", "l": 2, "column": "ill"}, {"name": "k_anonymity", "k": 5}],
        analyses=ANALYSES[1:],
    )
    found = protect(tmp_path, asked).assessment.usefulness
    assert "ill" not in {column.column for column in found.columns}
    assert isinstance(found.analyses[0], UnmeasuredFigure)
    assert "the release has no such column" in found.analyses[0].reason


def test_top_codes_are_compared_with_the_numbers_before(tmp_path):
    columns = policy()["columns"] | {"income": {"role": "other", "kind": "numeric", "recode": {"top": 2500}}}
    found = protect(tmp_path, policy(columns=columns)).assessment.usefulness
    share = float(np.mean(people()["income"].to_numpy() > 2500))
    assert {c.column: c.kolmogorov_smirnov for c in found.columns}["income"] == pytest.approx(100 * share, abs=0.5)


@pytest.mark.gate
def test_members_of_a_household_are_held_out_together(tmp_path, monkeypatch):
    from shoal.assessment.utility.analyses import analysis_run

    splits, plain = [], analysis_run.HeldOutSplit.of
    monkeypatch.setattr(analysis_run.HeldOutSplit, "of", lambda *given: splits.append(plain(*given)) or splits[-1])
    columns = policy()["columns"] | {"home": {"role": "unit"}}
    protect(tmp_path, policy(columns=columns, analyses=ANALYSES[:1]))
    homes = [{at // 2 for at in records.tolist()} for records in (splits[0].training, splits[0].held_out)]
    assert homes[0].isdisjoint(homes[1])
    assert len(homes[0]) + len(homes[1]) == 300


def test_a_missing_package_is_told_before_any_work(tmp_path, monkeypatch):
    monkeypatch.setattr(estimators, "find_spec", lambda name: None)
    asked = policy(analyses=[{"target": "ill"}])
    for run in (lambda: shoal.protect("no such file.csv", asked), lambda: shoal.assess("a.csv", "b.csv", asked)):
        with pytest.raises(PolicyError) as raised:
            run()
        assert "pip install 'shoal[analyses]'" in str(raised.value)
    assert protect(tmp_path, policy(analyses=ANALYSES)).assessment.usefulness is not None
