"""Attacks told in every assessment: on both engines, in protect and in assess, with a population or without."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pytest

import shoal
from shoal.assessment.exposure import UNIQUE
from shoal.assessment.risk.membership import HIGHEST, NEEDS_POPULATION
from shoal.findings import UnmeasuredFigure
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.policy import load
from shoal.report import render_html
from survey_example import carrier, shell, survey, survey_policy, write_csv, write_policy

N = 400
KEY = bytes(32)


def people(seed: int = 0, n: int = N) -> pa.Table:
    chance = np.random.default_rng(seed)
    return pa.table(
        {
            "age": chance.integers(18, 90, n),
            "town": chance.choice(["north", "south", "east", "west"], n),
            "illness": chance.choice(["flu", "gout", "cold", None], n, p=[0.5, 0.3, 0.1, 0.1]),
            "pay": chance.lognormal(8, 1, n).round(),
            "shoe": chance.integers(35, 48, n),
            "who": [f"P{at}" for at in chance.integers(0, n // 2, n)],
        }
    )


def policy(method: str = "mondrian", unit: str = "other", **more: Any) -> dict[str, Any]:
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "town": {"role": "quasi_identifier"},
        "illness": {"role": "sensitive"},
        "pay": {"role": "sensitive", "kind": "numeric"},
        "shoe": {"role": "other", "kind": "numeric"},
        "who": {"role": unit},
    }
    asked = [{"name": "k_anonymity", "k": 4}]
    return {"columns": columns, "method": {"name": method}, "requirements": asked, **more}


def population(table: pa.Table) -> pa.Table:
    return pa.concat_tables([table, people(1).slice(0, 100), people(2)]).select(["age", "town"])


def figures(assessment: shoal.Assessment) -> dict[str, Any]:
    """Figures of attacks, without what only a policy knows."""
    found = [attack.figure for attack in assessment.attacks]
    return {each.name: each if isinstance(each, UnmeasuredFigure) else replace(each, goal=None) for each in found}


CASES = {
    "cuts": policy(),
    "means": policy("mdav"),
    "units": policy(unit="unit"),
    "anatomy": policy("mdav", output={"representation": "anatomy"}),
    "key sets": policy("mdav", requirements=[{"name": "k_anonymity", "k": 4, "columns": [n]} for n in ("age", "town")]),
    "blanks": policy("none", local_suppression={"blanks": "wildcard"}),
    "recoded": {
        **policy(),
        "columns": {
            **policy()["columns"],
            "age": {"role": "quasi_identifier", "kind": "numeric", "recode": {"width": 5}},
        },
    },
}


@pytest.mark.gate
@pytest.mark.parametrize("case", CASES)
def test_every_engine_tells_the_same_attacks(tmp_path: Path, case: str) -> None:
    source = tmp_path / "people.csv"
    csv.write_csv(people(), source)
    found = []
    for name in ("memory", "duckdb"):
        with carrier(name, tmp_path) as engine:
            target = Targets.of(tmp_path / f"{name}.csv", None, None)
            release = protect_by(
                engine, source, load(CASES[case]), target, KEY, force=False, population=population(people())
            )
            found.append(release.assessment.attacks)
    assert [attack.figure.name for attack in found[0]] == [attack.figure.name for attack in found[1]]
    for one, other in zip(*found, strict=True):
        assert one.to_dict()["figure"] == pytest.approx(other.to_dict()["figure"])


@pytest.mark.gate(but="means")
@pytest.mark.parametrize("case", CASES)
def test_assess_tells_what_protect_told(case: str) -> None:
    table = people()
    release = shoal.protect(table, CASES[case], key=KEY, population=population(table))
    told = figures(release.assessment)
    found = figures(shoal.assess(table, release.records, CASES[case], key=KEY, population=population(table)))
    assert set(told) - set(found) == set()
    for name, figure in told.items():
        assert found[name].to_dict() == pytest.approx(figure.to_dict()), name


def test_membership_without_a_population_is_not_measured_and_no_note() -> None:
    release = shoal.protect(people(), policy())
    assert UnmeasuredFigure(HIGHEST, NEEDS_POPULATION) in release.assessment.not_measured
    assert not any(NEEDS_POPULATION in note for note in release.manifest.notes)


def test_a_population_changes_no_release() -> None:
    table = people()
    releases = [shoal.protect(table, policy(), key=KEY, population=each) for each in (None, population(table))]
    assert releases[0].records.equals(releases[1].records)
    assert releases[0].manifest.output == releases[1].manifest.output


def test_the_shell_prints_membership(tmp_path: Path) -> None:
    """Only where a population is given."""
    files = {name: write_csv(table, tmp_path / name) for name, table in
             (("people.csv", people()), ("all.csv", population(people())))}  # fmt: skip
    rules = write_policy(policy(), tmp_path / "policy.toml")
    command = ("protect", files["people.csv"], "-p", rules, "-o", tmp_path / "r.csv", "--force")
    assert f"  {HIGHEST}: " in shell(*command, "--population", files["all.csv"]).out
    assert HIGHEST not in shell(*command).out


def test_a_population_is_written_as_the_policy_says_of_the_original(tmp_path: Path) -> None:
    """-99 is no age, in neither file; a file of its own says what it is otherwise."""
    table = people()
    table = table.set_column(
        0, "age", pa.array([age if at % 7 else None for at, age in enumerate(table["age"].to_pylist())])
    )
    files = {"people.csv": table, "all.csv": population(table)}
    for name, each in files.items():
        csv.write_csv(each.set_column(0, "age", each["age"].fill_null(-99)), tmp_path / name)
    rules = policy(source={"missing": ["", "-99"], "delimiter": ","})
    found = []
    for persons in (population(table), tmp_path / "all.csv"):
        release = shoal.protect(tmp_path / "people.csv", rules, key=KEY, population=persons)
        records = release.records
        assessed = shoal.assess(tmp_path / "people.csv", records, rules, key=KEY, population=persons)
        found.append([figures(each)[HIGHEST] for each in (release.assessment, assessed)])
    assert found[0] == found[1]


def test_counts_of_a_population_are_as_good_as_its_persons() -> None:
    table = people()
    persons = population(table)
    counts = persons.group_by(["age", "town"]).aggregate([([], "count_all")]).rename_columns(["age", "town", "Count"])
    told = [figures(shoal.protect(table, policy(), population=each).assessment) for each in (persons, counts)]
    assert told[0] == told[1]
    assert told[0][HIGHEST].estimate > told[0][HIGHEST].baseline


def test_a_recoded_population_falls_into_recoded_classes() -> None:
    """Everybody twice: the presence is one half in every class, whatever was recoded."""
    table = people()
    twice = pa.concat_tables([table, table]).select(["age", "town"])
    found = figures(shoal.protect(table, CASES["recoded"], population=twice).assessment)[HIGHEST]
    assert (found.estimate, found.baseline) == pytest.approx((50, 50))


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (people().select(["age"]), "no column town"),
        (people().slice(0, 3), "the population has 3 persons"),
        (people().append_column("count", pa.array([-1] * N)), "400 cells of 'count' are not whole numbers"),
        (people().append_column("count", pa.array(["many"] * N)), "400 cells of 'count' are not whole numbers"),
    ],
)
def test_a_population_that_cannot_be_one_is_an_error(table: pa.Table, words: str) -> None:
    with pytest.raises(shoal.ShoalError, match=words):
        shoal.protect(people(), policy(), population=table)


@pytest.mark.gate
def test_the_shell_takes_a_population_and_prints_by_subject(tmp_path: Path) -> None:
    import tomlkit

    original, register, rules = (tmp_path / name for name in ("people.csv", "register.csv", "policy.toml"))
    csv.write_csv(people(), original)
    csv.write_csv(population(people()), register)
    rules.write_text(tomlkit.dumps(policy()))
    made = shell("protect", original, "-p", rules, "-o", tmp_path / "release.csv", "--population", register)
    assert made.code == 0, made.err
    told = shell("assess", original, tmp_path / "release.csv", "-p", rules, "--population", register)
    assert told.code == 0, told.err
    subjects = ["Identity disclosure", "Attribute disclosure", "Membership", "Partial knowledge", "Information loss"]
    places = [told.out.index(subject) for subject in subjects]
    assert places == sorted(places)
    assert "highest presence" in told.out
    refused = shell("protect", original, "-p", rules, "-o", register, "--population", register, "--force")
    assert refused.code != 0  # an input is never replaced


def test_a_release_of_another_tool_is_told_without_pairs() -> None:
    table = people()
    found = figures(shoal.assess(table, table))
    assert found["mean prosecutor risk"].estimate > 50
    assert found[UNIQUE].estimate > 50


@pytest.mark.gate
def test_a_survey_with_everything_is_told() -> None:
    release = shoal.protect(survey(), survey_policy())
    assert {attack.subject for attack in release.assessment.attacks} >= {"identity", "attribute", "membership"}
    page = render_html(release.manifest, release.assessment)
    assert "highest presence" in page
    assert NEEDS_POPULATION in page
