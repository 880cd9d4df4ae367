"""Sensitive values assigned within classes and groups by what they depend on: the attack is carried out, and stated."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import shoal

KEY = bytes(32)
N = 600
KINDS = {"age": "numeric", "grade": "numeric", "zip": "numeric"}


def officials(seed: int = 1) -> pa.Table:
    """Salaries follow grade and age nearly exactly; an illness follows nothing."""
    draw = np.random.default_rng(seed)
    age, grade = draw.integers(20, 66, N), draw.integers(0, 4, N)
    return pa.table(
        {
            "age": age,
            "grade": grade,
            "zip": draw.integers(0, 30, N),
            "salary": (2000 + 900 * grade + 25 * (age - 20) + draw.normal(0, 30, N)).round(),
            "illness": draw.choice(["flu", "gout", "none"], N),
            "birth": 2024 - age,
        }
    )


def policy(sensitive: str, **more: object) -> dict[str, object]:
    known = {name: {"role": "quasi_identifier", "kind": kind} for name, kind in KINDS.items()}
    roles = {name: {"role": "identifier"} for name in ("salary", "illness", "birth") if name != sensitive}
    columns = {**known, **roles, sensitive: {"role": "sensitive"}}
    return {"requirements": [{"name": "k_anonymity", "k": 5}], "method": {"name": "mdav"}, "columns": columns, **more}


def guessed_by_order(release: shoal.Release, known: pa.Table) -> float:
    """Share of right salaries of a simple intruder: they fit the mean salary of the groups to age and grade, and give
    the salaries of each group to its persons in the order of what is fitted."""
    first, second = release.table, release.sensitive
    assert second is not None
    group, of_values = first["group"].to_numpy(), np.repeat(second["group"].to_numpy(), second["count"].to_numpy())
    salaries = np.repeat(second["salary"].to_numpy(), second["count"].to_numpy())
    means = np.bincount(of_values, salaries) / np.maximum(np.bincount(of_values), 1)
    held = np.column_stack([np.ones(N), first["age"].to_numpy(), first["grade"].to_numpy()])
    fitted = held @ np.linalg.lstsq(held, means[group], rcond=None)[0]
    guesses = np.empty(N)
    guesses[np.lexsort((fitted, group))] = salaries[np.lexsort((salaries, of_values))]
    true = dict(zip(zip(*(known[n].to_pylist() for n in KINDS), strict=True), known["salary"].to_pylist(), strict=True))
    persons = zip(*(first[n].to_pylist() for n in KINDS), strict=True)
    return float(np.mean([true[person] == guess for person, guess in zip(persons, guesses, strict=True)]))


def test_salaries_of_an_anatomy_are_guessed_no_better_than_is_stated() -> None:
    table = officials()
    release = shoal.protect(table, policy("salary", output={"representation": "anatomy"}), key=KEY)
    figures = release.assessment.findings
    found = guessed_by_order(release, table)
    assert found > 2 * figures["right guesses of salary"].estimate / 100
    assert figures["right guesses of salary, regression"].estimate > 100 * found - 5
    assert figures["right guesses of salary, regression"].baseline == figures["right guesses of salary"].baseline


@pytest.mark.parametrize("output", [{"permute": True}, {}])
def test_classes_are_attacked_alike(output: dict[str, object]) -> None:
    release = shoal.protect(officials(), policy("salary", output=output), key=KEY)
    found = release.assessment.findings
    assert found["right guesses of salary, regression"].estimate > 2 * found["right guesses of salary"].estimate
    assert ("regression" in release.assessment.linkages) is not output.get("permute", False)


def test_the_year_of_birth_gives_an_illness_away() -> None:
    rules = policy("illness")
    rules["columns"] = {**rules["columns"], "birth": {"role": "other"}}  # type: ignore[dict-item]
    found = shoal.protect(officials(), rules, key=KEY).assessment.findings
    assert found["right guesses of illness, regression"].estimate > 80 > found["right guesses of illness"].estimate + 15


@pytest.mark.parametrize("output", [{"representation": "anatomy"}, {"permute": True}, {}])
def test_what_follows_nothing_is_not_learned(output: dict[str, object]) -> None:
    found = shoal.protect(officials(), policy("illness", output=output), key=KEY).assessment.findings
    assert "right guesses of illness" in [each.name for each in found]
    assert not any(each.name.endswith("regression") for each in found)


@pytest.mark.gate(but="output0")
@pytest.mark.parametrize("output", [{"representation": "anatomy"}, {}])
def test_assess_states_the_same(output: dict[str, object]) -> None:
    table, rules = officials(), policy("salary", output=output)
    release = shoal.protect(table, rules, key=KEY)
    found = shoal.assess(table, release.table, rules, key=KEY)
    name = "right guesses of salary, regression"
    assert found.findings[name].estimate == pytest.approx(release.assessment.findings[name].estimate)


def test_of_large_classes_some_persons_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.assessment.risk.regression_guesses.MOST_NUMBERS", 5_600)
    figure = shoal.protect(officials(), policy("salary"), key=KEY).assessment.findings[
        "right guesses of salary, regression"
    ]
    assert figure.interval is not None
    assert figure.interval[0] < figure.estimate < figure.interval[1]


def test_of_many_persons_some_are_drawn_and_their_share_covers_that_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    release = shoal.protect(officials(), policy("salary"), key=KEY)
    name = "right guesses of salary, regression"
    everybody = release.assessment.findings[name]
    monkeypatch.setattr("shoal.assessment.risk.regression_guesses.MOST_PERSONS", 150)
    some = shoal.assess(officials(), release.table, policy("salary"), key=KEY).findings[name]
    assert (everybody.interval, some.interval is not None) == (None, True)
    assert some.interval[0] <= everybody.estimate <= some.interval[1]
    assert some.estimate != everybody.estimate
    assert "Share of 150 persons drawn at random whose salary" in some.meaning
    assert some.baseline == everybody.baseline


def test_guesses_in_a_class_of_too_many_records_are_said_to_be_not_measured(monkeypatch):
    monkeypatch.setattr("shoal.assessment.risk.regression_guesses.MOST_NUMBERS", 1000)
    found = shoal.protect(officials(), policy("salary"), key=KEY).assessment
    reasons = [
        each.figure.reason for each in found.attacks if each.figure.name == "right guesses of salary, regression"
    ]
    assert reasons == ["not measured: too many records are possible for a person"]
