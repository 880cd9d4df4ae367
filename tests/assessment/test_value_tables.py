"""Dependences that no straight line follows: an intruder learns them by tables of values, and is counted."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.risk.informed.joint_posterior import N_BETWEEN
from shoal.assessment.risk.regression_candidates import pairs_within
from shoal.assessment.risk.value_tables import MOST_VALUES, N_STEPS, PRIOR, ValueTable, table_posterior, value_tables

KNOWN = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("age", "zip", "schooling")}


def people(n=400, seed=1, **columns):
    draw = np.random.default_rng(seed)
    known = {"age": draw.integers(18, 91, n), "zip": draw.integers(0, 30, n), "schooling": draw.integers(0, 4, n)}
    return pa.table({**known, **{name: of(known, draw) for name, of in columns.items()}})


def risks(table, extra, **more):
    mdav = {"requirements": [{"name": "k_anonymity", "k": 5}], "method": {"name": "mdav"}}
    policy = {**mdav, "columns": {**KNOWN, **extra}, **more}
    found = shoal.protect(table, policy, key=bytes(32)).assessment
    return {by: linkage.risk for by, linkage in found.linkages.items()}, [each.kind for each in found.exposures]


@pytest.mark.parametrize(
    "of",
    [
        lambda known, draw: np.abs(known["age"] - 54),
        lambda known, draw: (7 * known["age"] + 3) % 73,
        lambda known, draw: np.array([f"d{at:02d}" for at in draw.permutation(30)])[known["zip"]],
    ],
    ids=["least in the middle", "scattered", "a name for each value"],
)
def test_a_dependence_that_is_no_straight_line_is_found(of):
    found, exposures = risks(people(d=of), {"d": {"role": "other"}})
    assert found["regression"] > 2 * found["informed"]
    assert "dependent" in exposures


def test_two_known_columns_together_tell_what_neither_tells():
    table = people(2000, code=lambda known, draw: draw.permutation(40)[known["age"] // 10 * 4 + known["schooling"]])
    chosen = value_tables(table, table, ["age", "zip", "schooling"], ["code"], np.arange(len(table)))
    assert chosen[0].explained > 0.7
    assert len(np.unique(chosen[0].of_persons)) > 73


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "rounding", "columns": ["birth"], "base": 2},
        {"name": "noise", "columns": ["birth"], "alpha": 0.0005},
    ],
    ids=["rounding", "noise"],
)
def test_a_small_change_of_a_dependent_column_does_not_hide_it(changed):
    table, rule = people(birth=lambda known, draw: 2024 - known["age"]), {"birth": {"role": "other", "kind": "numeric"}}
    found, exposures = risks(table, rule, perturbations=[changed])
    assert found["regression"] > 2 * found["informed"]
    assert "dependent" in exposures


def test_a_sensitive_value_that_follows_from_a_known_one_is_guessed():
    table = people(dose=lambda known, draw: np.abs(known["age"] - 54))
    columns = {**KNOWN, "dose": {"role": "sensitive", "kind": "numeric"}}
    policy = {"requirements": [{"name": "k_anonymity", "k": 5}], "columns": columns}
    assert shoal.protect(table, policy, key=bytes(32)).findings["right guesses of dose, regression"].estimate > 90


def test_a_column_that_depends_on_nothing_has_no_table():
    table = people(
        2000, d=lambda known, draw: draw.integers(0, 50, 2000), own=lambda known, draw: draw.permutation(2000)
    )
    assert not value_tables(table, table, ["age", "zip", "schooling"], ["d", "own"], np.arange(2000))


def test_many_values_are_intervals_of_equally_many():
    table = pa.table({"x": np.arange(5000.0), "y": np.arange(5000.0)})
    (found,) = value_tables(table, table, ["x"], ["y"], np.arange(5000))
    sizes = np.bincount(found.of_records)
    assert len(sizes) <= MOST_VALUES
    assert sizes[sizes > 0].max() <= 2 * sizes[sizes > 0].min()


def slow_posterior(classes, known, shown):
    """The same turns, pair by pair."""
    pairs = [(person, record) for members in classes for person in members for record in members]
    n = len(known)
    chances = scaled(dict.fromkeys(pairs, 1.0), n)
    for _ in range(N_STEPS):
        told = {}
        for person, record in pairs:
            alike = {pair: chance for pair, chance in chances.items() if known[pair[0]] == known[person]}
            both = sum(chance for pair, chance in alike.items() if shown[pair[1]] == shown[record])
            of_all = sum(chance for pair, chance in chances.items() if shown[pair[1]] == shown[record]) / n
            told[person, record] = (both + PRIOR * of_all) / (sum(alike.values()) + PRIOR)
        chances = scaled(told, n)
    return chances


def scaled(chances, n):
    best = {person: max(c for (p, _), c in chances.items() if p == person) for person in range(n)}
    chances = {(p, r): c / best[p] for (p, r), c in chances.items()}
    for _ in range(N_BETWEEN):
        for side in (1, 0):
            sums = {number: sum(c for pair, c in chances.items() if pair[side] == number) for number in range(n)}
            chances = {pair: c / sums[pair[side]] for pair, c in chances.items()}
    return chances


def test_the_posterior_by_hand():
    """Two classes of two, of whose persons 0 and 1 are known; in the second, records are the other way round. A fifth
    person, known as 0, is alone with a record of value 0, and tells which value belongs to 0."""
    pairs = pairs_within(np.array([0, 0, 1, 1, 2]))
    table = ValueTable("d", np.array([0, 1, 0, 1, 0]), np.array([0, 1, 1, 0, 0]), 1.0)
    found = table_posterior(pairs, [table], 5)
    chances = {(p, r): c for p, r, c in zip(found.persons, found.records, np.exp(found.log_ratios), strict=True)}
    twin = slow_posterior([[0, 1], [2, 3], [4]], table.of_persons, table.of_records)
    assert chances == pytest.approx(twin, rel=1e-4)
    assert min(chances[0, 0], chances[1, 1], chances[2, 3], chances[3, 2]) > 0.5
    assert chances[4, 4] == pytest.approx(1)


def test_records_in_any_order_give_the_same():
    table, turned = (
        people(300, d=lambda known, draw: np.abs(known["age"] - 54)),
        np.random.default_rng(5).permutation(300),
    )
    one, other = (risks(each, {"d": {"role": "other"}})[0] for each in (table, table.take(turned)))
    assert one["regression"] == pytest.approx(other["regression"], abs=0.05)  # ties of mdav are broken by the order
