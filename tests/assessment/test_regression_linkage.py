"""Linkage within classes by columns that depend on quasi-identifiers: the attack is carried out, and stated."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.assessment.risk.regression_candidates import pairs_within
from shoal.assessment.risk.regression_posterior import regression_posterior
from shoal.linkage.intruder import Intruder

KEY = bytes(32)
N = 600
KINDS = {"age": "numeric", "schooling": "numeric", "sex": "nominal", "zip": "numeric"}


def people(seed: int = 1) -> pa.Table:
    """Nobody is unique on birth, wealth or shoe; birth is a function of age, income depends on age and schooling."""
    draw = np.random.default_rng(seed)
    age, schooling = draw.integers(18, 91, N), draw.integers(0, 4, N)
    return pa.table(
        {
            "age": age,
            "schooling": schooling,
            "sex": np.where(draw.random(N) < 0.5, "m", "f"),
            "zip": draw.integers(0, 30, N),
            "birth": 2024 - age,
            "income": (20_000 + 300 * age + 8_000 * schooling + draw.normal(0, 3_000, N)).round(-2),
            "shoe": draw.integers(36, 46, N),
            "person": np.arange(N),
        }
    )


def policy(method: str, others: tuple[str, ...], k: int = 3) -> dict[str, object]:
    known = {name: {"role": "quasi_identifier", "kind": kind} for name, kind in KINDS.items()}
    roles = {name: {"role": "other" if name in others else "identifier"} for name in people().column_names[4:]}
    requirements = [{"name": "k_anonymity", "k": k}]
    return {"requirements": requirements, "method": {"name": method}, "columns": {**known, **roles}}


def found_by_birth(released: pa.Table, known: pa.Table) -> float:
    """Share of the persons whom a simple intruder finds. They see that mean ages and mean years of birth of classes lie
    on a line, and take the record of the class whose year is nearest to that of the person's age."""
    values = [released[name].to_pylist() for name in KINDS]
    classes = np.unique([str(row) for row in zip(*values, strict=True)], return_inverse=True)[1]
    birth, ages = released["birth"].to_numpy(), released["age"].to_numpy()
    means = np.bincount(classes, birth) / np.bincount(classes)
    slope, start = np.polyfit(ages, means[classes], 1)
    chances = []
    for record, person in enumerate(released["person"].to_numpy()):  # the class of the person; the record is not used
        among = np.flatnonzero(classes == classes[record])
        distance = np.abs(birth[among] - (start + slope * known["age"][int(person)].as_py()))
        nearest = among[distance == distance.min()]
        chances.append((record in nearest) / len(nearest))
    return float(np.mean(chances))


@pytest.mark.gate(but="3")
@pytest.mark.parametrize("k", [3, 5])
def test_an_intruder_who_learns_years_of_birth_finds_no_more_than_is_stated(k: int) -> None:
    table = people()
    with_persons = shoal.protect(table, policy("mdav", ("birth", "person"), k), key=KEY).table
    stated = shoal.protect(table, policy("mdav", ("birth",), k), key=KEY).assessment
    found = found_by_birth(with_persons, table)
    by, strongest = stated.strongest_linkage
    assert found > 1.8 / k  # what the classes promise, nearly doubled
    assert by == "regression"
    assert strongest.risk >= found
    assert any("depend on quasi-identifiers (birth)" in note for note in stated.notes)
    assert stated.findings["unique on untouched columns"].estimate == 0


@pytest.mark.gate
def test_extents_are_attacked_alike_and_assess_states_it() -> None:
    table, rules = people(), policy("mondrian", ("birth",))
    made = shoal.protect(table, rules, key=KEY)
    found = shoal.assess(table, made.records, rules, key=KEY)
    assert found.linkages["regression"].risk > 2 * made.assessment.linkages["extents"].risk
    assert found.linkages["regression"].risk == pytest.approx(made.assessment.linkages["regression"].risk)


def test_income_tells_records_of_a_class_apart_and_shoes_do_not() -> None:
    table = people()
    rich, shod = (shoal.protect(table, policy("mdav", (name,)), key=KEY).assessment for name in ("income", "shoe"))
    assert rich.linkages["regression"].risk > 0.4
    assert "regression" not in shod.linkages
    assert shod.strongest_linkage[1].risk == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.gate(but="intruder1")
@pytest.mark.parametrize(
    "intruder", [Intruder(columns=("age", "zip")), Intruder(persons=0.5), Intruder(precision={"age": 10})]
)
def test_who_knows_less_is_not_said_to_have_tried_it(intruder: Intruder) -> None:
    table, rules = people(), policy("mondrian", ("birth",))
    made = shoal.protect(table, rules, key=KEY)
    assert "regression" not in shoal.assess(table, made.records, rules, key=KEY, intruder=intruder).linkages


@pytest.mark.gate
def test_noise_does_not_hide_an_age_whose_year_of_birth_is_shown() -> None:
    """A simple intruder draws one of the records whose year of birth fits the age."""
    noise = [{"name": "noise", "alpha": 1.0, "columns": ["age", "schooling", "zip"]}]
    rules = policy("none", ("birth",)) | {"perturbations": noise, "requirements": []}
    table = people()
    found = shoal.protect(table, rules, key=KEY).assessment
    n_years = len(np.unique(table["birth"].to_numpy()))
    assert found.linkages["informed"].risk < n_years / N < found.linkages["regression"].risk


def test_blanks_and_recoded_ages_do_not_hide_a_year_of_birth() -> None:
    recoded = policy("none", ("birth",)) | {"local_suppression": {}}
    blanked = {**recoded, "columns": dict(recoded["columns"])}  # type: ignore[call-overload]
    recoded["columns"]["age"] = {**recoded["columns"]["age"], "recode": {"width": 20}}  # type: ignore[index]
    recoded["columns"]["zip"] = {**recoded["columns"]["zip"], "recode": {"width": 15}}  # type: ignore[index]
    for rules in (blanked, recoded):
        found = shoal.protect(people(), rules, key=KEY).assessment.linkages
        assert found["regression"].risk > 3 * found["informed"].risk


def test_pairs_within_classes() -> None:
    pairs = pairs_within(np.array([1, 0, 1]))
    assert list(zip(pairs.persons.tolist(), pairs.records.tolist(), strict=True)) == [
        (0, 0),
        (0, 2),
        (1, 1),
        (2, 0),
        (2, 2),
    ]


def test_an_exact_dependence_is_found_whatever_its_sign() -> None:
    draw = np.random.default_rng(3)
    values, classes = draw.normal(size=(300, 2)), np.repeat(np.arange(60), 5)
    order = np.concatenate([5 * at + draw.permutation(5) for at in range(60)])
    shown = (values @ np.array([[-1.0], [0.5]]))[order]
    found: CandidatePairs = regression_posterior(pairs_within(classes), values, shown)
    assert found.links(np.argsort(order)).chances.mean() > 0.95


def test_classes_too_large_are_drawn_or_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.assessment.risk.regression_linkage.MOST_NUMBERS", 3_000)
    drawn = shoal.protect(people(), policy("mdav", ("birth",)), key=KEY).assessment
    assert 100 <= len(drawn.linkages["regression"].persons) < N
    assert drawn.linkages["regression"].findings["linked persons"].interval is not None
    monkeypatch.setattr("shoal.assessment.risk.regression_linkage.MOST_NUMBERS", 100)
    left_out = shoal.protect(people(), policy("mdav", ("birth",)), key=KEY).assessment
    assert "Regression linkage was not tried: too many records are possible for a person." in left_out.notes


def test_suppressed_persons_are_not_found() -> None:
    rules = policy("mdav", ("birth",)) | {"suppression": {"limit": 0.5}, "within": ["sex"]}
    table = people().append_column("town", pa.array(["a"] * (N - 2) + ["b"] * 2))
    rules["columns"] = {**rules["columns"], "town": {"role": "other"}}  # type: ignore[dict-item]
    rules["within"] = ["town"]
    linkage = shoal.protect(table, rules, key=KEY).assessment.linkages["regression"]
    assert (linkage.truth < 0).sum() == 2
    assert (linkage.chances[linkage.truth < 0] == 0).all()


def test_odd_columns_do_no_harm() -> None:
    """Missing cells, a constant, a text of everybody's own, and lists."""
    draw = np.random.default_rng(5)
    table = people().append_column("constant", pa.array([1] * N)).append_column("own", pa.array(map(str, range(N))))
    table = table.append_column("list", pa.array([[1]] * N))
    table = table.append_column("gap", pa.array(np.where(draw.random(N) < 0.5, np.nan, 1.0), from_pandas=True))
    table = table.append_column("empty", pa.nulls(N, pa.float64()))
    table = table.append_column("nan", pa.array(np.where(draw.random(N) < 0.5, np.nan, draw.normal(size=N))))
    table = table.append_column("large", pa.array([2**60 + at for at in range(N)]))
    table = table.append_column("infinite", pa.array([np.inf] + [1.0] * (N - 1)))
    rules = policy("mdav", ("birth",))
    others = {
        name: {"role": "other"} for name in ("constant", "own", "list", "gap", "empty", "nan", "large", "infinite")
    }
    rules["columns"] = {**rules["columns"], **others}  # type: ignore[dict-item]
    assert shoal.protect(table, rules, key=KEY).assessment.linkages["regression"].risk > 0.6


def test_nothing_but_quasi_identifiers_is_no_attack() -> None:
    assert "regression" not in shoal.protect(people(), policy("mdav", ()), key=KEY).assessment.linkages


def test_a_table_of_a_few_records_is_not_too_large():
    """Whatever the least number of persons for an estimate is."""
    few = {"age": [20, 22, 24, 40, 42, 44], "birth": [2004, 2002, 2000, 1984, 1982, 1980]}
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "birth": {"role": "other"}}
    wanted = {"requirements": [{"name": "k_anonymity", "k": 3}], "method": {"name": "mdav"}, "columns": columns}
    notes = shoal.protect(pa.table(few), wanted, key=bytes(32)).assessment.notes
    assert not any("not tried" in note for note in notes)
