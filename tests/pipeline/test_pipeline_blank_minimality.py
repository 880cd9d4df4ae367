"""protect blanks cells once more by k alone: what it finds of its own release, and how it is told."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.risk import blank_minimality
from shoal.findings import Finding
from shoal.pipeline.protect.minimality_attack import with_attacks
from shoal.pipeline.protect.suppression_minimality import TOO_LARGE_CLASSES
from shoal.policy import ReleasePlan, load
from survey_example import as_parquet, shell, write_policy

FOUND = "minimality of blanks, illness"
L_DIVERSITY = {"name": "distinct_l_diversity", "column": "illness", "l": 2}


def people(n=2400, seed=0):
    draw = np.random.default_rng(seed)
    return pa.table(
        {
            "age": (draw.integers(4, 18, n) * 5).astype(str),
            "job": draw.choice([f"j{at}" for at in range(10)], n),
            "zip": draw.choice([f"z{at}" for at in range(8)], n),
            "illness": draw.choice(["flu", "none"], n, p=[0.7, 0.3]),
        }
    )


def policy(*asked, **rule):
    nominal = {"role": "quasi_identifier", "kind": "nominal"}
    columns = {**dict.fromkeys(("age", "job", "zip"), nominal), "illness": {"role": "sensitive"}}
    return {
        "columns": columns,
        "requirements": [{"name": "k_anonymity", "k": 3}, *asked],
        "local_suppression": rule,
    }


def test_it_is_measured_warned_of_and_told_in_the_report(tmp_path):
    data, rules = as_parquet(people(), tmp_path / "a.parquet"), write_policy(policy(L_DIVERSITY), tmp_path / "p.toml")
    said = shell("protect", data, "--policy", rules, "--output", tmp_path / "out.csv")
    assert "sees which cells were blanked because of 'illness'" in said.out
    release = shoal.protect(people(), policy(L_DIVERSITY))
    assert release.findings[FOUND].interval[0] > release.findings[FOUND].baseline
    assert [each.kind for each in release.assessment.exposures] == ["blanked"]
    assert "The proof holds, with a warning" in release.report()


@pytest.mark.parametrize("rules", [policy(), policy(blanks="wildcard")], ids=["k alone", "wildcard"])
def test_where_sensitive_values_decided_nothing_there_is_nothing_to_replay(rules):
    assert FOUND not in [finding.name for finding in shoal.protect(people(400), rules).findings]


@pytest.mark.gate
def test_what_is_measured_is_the_same_on_every_engine(tmp_path):
    data = as_parquet(people(), tmp_path / "people.parquet")
    made = [
        shoal.protect(data, policy(L_DIVERSITY, importance={"age": 3}), output=tmp_path / f"{name}.csv", engine=name)
        for name in ("memory", "duckdb")
    ]
    assert made[0].private.findings == made[1].private.findings
    assert FOUND in [finding["name"] for finding in made[0].private.findings]


def test_few_classes_get_no_figure_that_names_values():
    for seed in range(5):
        release = shoal.protect(people(250, seed), policy(L_DIVERSITY))
        assert FOUND not in [each.name for each in release.findings if "Nobody can be accused" not in each.meaning]


def test_of_every_kind_that_lies_open_something_is_said():
    """The worst of all stood for the others, and whoever mended that one was warned of the next."""
    kinds = ("minimality", "minimality of the suppressed", "minimality of blanks")
    found = [Finding(f"{kind}, illness, own", 80.0, "", (70.0, 90.0), 60.0, unit="%") for kind in kinds]
    assessment = shoal.protect(people(400), policy()).assessment
    told = with_attacks(
        assessment, ReleasePlan.of(load(policy())), [*found, Finding("minimality, other", 70.0, "", (60.0, 80.0), 59.0)]
    )
    more = told.exposures[len(assessment.exposures) :]
    assert [each.kind for each in more] == ["minimality", "suppressed", "blanked"]
    assert {each.columns for each in more} == {("illness, own",)}


def test_on_several_sets_of_columns_it_is_said_that_it_was_not_measured():
    ages = [20 + at % 7 for at in range(60)]
    table = pa.table({"age": ages, "sex": ["f", "m"] * 30, "illness": ["flu", "cold", "flu"] * 20})
    policy = {
        "requirements": [
            {"name": "k_anonymity", "k": 2, "columns": ["age"]},
            {"name": "k_anonymity", "k": 2, "columns": ["sex"]},
            {"name": "distinct_l_diversity", "l": 2, "column": "illness"},
        ],
        "local_suppression": {},
        "columns": {
            "age": {"role": "quasi_identifier"},
            "sex": {"role": "quasi_identifier"},
            "illness": {"role": "sensitive"},
        },
    }
    assert "several sets of columns" in " ".join(map(str, shoal.protect(table, policy).assessment.not_measured))


def test_where_the_classes_are_too_large_nothing_is_said_rather_than_nobody(monkeypatch):
    monkeypatch.setattr(blank_minimality, "MOST_RECORDS", 2)
    release = shoal.protect(people(), policy(L_DIVERSITY))
    assert FOUND not in [finding.name for finding in release.findings]
    assert [each.reason for each in release.assessment.not_measured if each.name == FOUND] == [TOO_LARGE_CLASSES]
