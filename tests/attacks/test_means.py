"""An intruder who solves the means of classes for the values: right on means with all digits, lost on rounded ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import shoal
from attacks import means, tables
from attacks.means import Known
from attacks.published import Published, publish
from attacks.rates import Rate

AGES, CENSUS_AGES = Known(17, 90), Known(0, 110)
STATED = 0.01  # what warn.determined lets pass
Roles = dict[str, dict[str, Any]]


def policy(roles: Roles, **more: Any) -> dict[str, Any]:
    return {"columns": roles, "requirements": [{"name": "k_anonymity", "k": 3}], **more}


def weighted_adult(n: int) -> tuple[pa.Table, Roles]:
    """Some of Adult as a sample with weights of four decimals."""
    table = tables.adult(n)
    weights = np.round(np.random.default_rng(5).uniform(20, 300, n), 4)
    roles = tables.ADULT | {"weight": {"role": "weight", "kind": "numeric"}}
    return numbered(table.append_column("weight", pa.array(weights))), numbered_roles(roles)


def survey(n: int) -> tuple[pa.Table, Roles]:
    """Persons of a survey, each with a weight of their own."""
    table = tables.survey(n)
    weights = np.round(np.random.default_rng(6).uniform(5, 90, n), 4)
    table = table.set_column(table.column_names.index("weight"), "weight", pa.array(weights))
    roles = tables.SURVEY | {"household_id": {"role": "identifier"}}
    return numbered(table), numbered_roles(roles)


def numbered(table: pa.Table) -> pa.Table:
    return table.append_column("record", pa.array(np.arange(len(table))))


def numbered_roles(roles: Roles) -> Roles:
    """The number says who is who to those who count; the intruder does not look at it."""
    return roles | {"record": {"role": "other", "kind": "numeric"}}


def truth(table: pa.Table, published: Published) -> list[int]:
    ages = table["age"].to_pylist()
    return [ages[int(at)] for at in published.records["record"].to_pylist()]


def with_all_digits(published: Published, table: pa.Table) -> Published:
    """The same classes, told by weighted means as exact as they can be written: a release that is weak on purpose."""
    records = published.records
    names = [name for name, rule in published.policy["columns"].items() if rule["role"] == "quasi_identifier"]
    keys: dict[tuple[str, ...], int] = {}
    labels = np.array([keys.setdefault(tuple(row.values()), len(keys)) for row in records.select(names).to_pylist()])
    ages = np.array(truth(table, published), dtype=float)
    weights = np.array(records["weight"].to_pylist(), dtype=float)
    exact = np.bincount(labels, ages * weights) / np.bincount(labels, weights)
    at = records.column_names.index("age")
    return replace(published, records=records.set_column(at, "age", pa.array([repr(float(m)) for m in exact[labels]])))


@pytest.fixture(params=["adult", "survey"])
def source(request: pytest.FixtureRequest, reference_data: Path) -> tuple[pa.Table, Roles, Known]:
    return (*weighted_adult(600), AGES) if request.param == "adult" else (*survey(600), CENSUS_AGES)


def published_means(
    source: tuple[pa.Table, Roles, Known], folder: Path, decimals: int | None, **more: Any
) -> Published:
    table, roles, _ = source
    age = roles["age"] if decimals is None else roles["age"] | {"decimals": decimals}
    return publish(table, policy(roles | {"age": age}, **more), folder)


@pytest.mark.gate(but="survey")
def test_exact_means_give_the_values_back(source: tuple[pa.Table, Roles, Known], tmp_path: Path) -> None:
    table, _, known = source
    weak = with_all_digits(published_means(source, tmp_path, 0), table)
    assert means.rate(weak, "age", known, truth(table, weak), "weight").succeeds(0.5)


@pytest.mark.gate(but="survey")
def test_of_what_is_sure_all_is_right(source: tuple[pa.Table, Roles, Known], tmp_path: Path) -> None:
    table, _, known = source
    weak = with_all_digits(published_means(source, tmp_path, 0), table)
    found, ages = means.guesses(weak, "age", known, "weight"), truth(table, weak)
    assert found
    assert all(ages[at] == value for at, value in found.items())


MADE: dict[str, dict[str, Any]] = {
    "mdav": {},
    "vmdav": {"method": {"name": "vmdav"}},
    "mu_approx": {"method": {"name": "mu_approx"}},
    "micro_som": {"method": {"name": "micro_som"}},
    "microaggregate": {"method": {"name": "microaggregate"}},
    "mondrian": {"method": {"name": "mondrian"}, "output": {"representation": "centroids"}},
    "gensearch": {"method": {"name": "gensearch"}, "output": {"representation": "centroids"}},
}


OTHER_METHODS = ("mu_approx", "micro_som", "microaggregate", "gensearch")


@pytest.mark.gate(but="adult-mdav-as the policy has it")
@pytest.mark.parametrize(
    "decimals", [pytest.param(0, marks=pytest.mark.long), None], ids=["decimals = 0", "as the policy has it"]
)
@pytest.mark.parametrize(
    "made", [pytest.param(name, marks=pytest.mark.long) if name in OTHER_METHODS else name for name in MADE]
)
def test_means_as_they_are_released_keep_the_values(
    source: tuple[pa.Table, Roles, Known], made: str, decimals: int | None, tmp_path: Path
) -> None:
    """Whether a mean goes to the nearest whole number or to one of its neighbors, so that totals are kept."""
    table, _, known = source
    published = published_means(source, tmp_path, decimals, **MADE[made])
    for reach in (0.5, 1.0):
        known = replace(known, reach=reach)
        assert means.rate(published, "age", known, truth(table, published), "weight").fails(STATED)


ODD = {"six digits": 34.333333, "four digits": 34.3333, "ten digits": 34.3333333333, "halves": 34.5}


@pytest.mark.gate(but="six digits")
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_one_odd_cell_makes_no_mean_finer(odd: float, reference_data: Path, tmp_path: Path) -> None:
    """Whole ages, and one that a computer filled in."""
    table, roles = weighted_adult(1000)
    ages = [*map(float, table["age"].to_pylist()[:-1]), odd]
    table = table.set_column(table.column_names.index("age"), "age", pa.array(ages))
    published = publish(table, policy(roles), tmp_path)
    rate = means.rate(published, "age", replace(AGES, reach=1.0), truth(table, published), "weight")
    assert rate.n_right == 0
    assert rate.fails(STATED)
    assert published.manifest["steps"]["age"] == {"step": "1", "offset": "0"}


DAY, QUARTER = 86_400 * 10**6, 15 * 60 * 10**6
CLOCKS = {"days": (DAY, 120), "quarters of an hour": (QUARTER, 96)}


def released_times(step: int, n_steps: int, odd: int) -> tuple[Rate, dict[str, Any]]:
    """Of 900 persons with a weight each: how many whole steps since the first can be solved, by who knows the step."""
    draw, n = np.random.default_rng(5), 900
    at = draw.integers(0, n_steps, n)
    ticks = at * step
    ticks[7] += odd
    first = np.datetime64("2024-01-01", "us")
    table = {"t": first + ticks.astype("timedelta64[us]"), "sex": draw.choice(["f", "m"], n), "record": np.arange(n)}
    table["w"] = np.round(draw.lognormal(6, 0.6, n), 4)
    roles: Roles = {"t": {"role": "quasi_identifier", "kind": "date"}, "sex": {"role": "quasi_identifier"}}
    roles |= {"w": {"role": "weight", "kind": "numeric"}, "record": {"role": "other", "kind": "numeric"}}
    release = shoal.protect(pa.table(table), policy(roles))
    told = (release.records["t"].to_numpy() - first).astype(np.int64)
    apart = max(int(np.gcd.reduce(told)), 1)
    records, weights, right = release.records["record"].to_numpy(), release.records["w"].to_numpy(), 0
    _, labels = np.unique(
        np.column_stack([told, release.records["sex"].to_numpy() == "f"]), axis=0, return_inverse=True
    )
    for label in range(labels.max() + 1):
        members = np.flatnonzero(labels.ravel() == label)
        off = apart / step + 1e-13 * n_steps
        found = means.determined(weights[members], told[members[0]] / step, off, Known(0, n_steps - 1))
        right += sum(value == at[records[one]] for one, value in zip(members, found, strict=True))
    return Rate(right, n), release.manifest.steps


@pytest.mark.gate(but="quarters of an hour-as they are")
@pytest.mark.parametrize("odd", [0, 1], ids=["as they are", "one odd cell"])
@pytest.mark.parametrize("clock", CLOCKS)
def test_means_of_times_keep_the_times(clock: str, odd: int) -> None:
    """A mean of days was told to the microsecond."""
    step, n_steps = CLOCKS[clock]
    rate, steps = released_times(step, n_steps, odd)
    assert rate.fails(STATED)
    assert steps["t"] == {"step": str(step), "offset": "0", "unit": "microseconds"}
