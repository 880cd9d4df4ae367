"""Dominance, the p % rule and the number of contributors: slow twins, the law of mergers, and units as contributors."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference import requirements as twin
from shoal.errors import PolicyError
from shoal.requirements.groups import Groups

# (group, unit, n records, amount); a unit of -1: every record is one of its own; None is missing
rows = st.lists(
    st.tuples(
        st.integers(0, 3), st.integers(-1, 4), st.integers(1, 3), st.none() | st.sampled_from([0, 1, 2.5, 10, 80, -7])
    ),
    min_size=1,
    max_size=20,
)
ASKED = [
    *(shoal.Dominance(share, "x", n) for share, n in product((0.4, 0.7, 0.9), (1, 2, 3))),
    *(shoal.PPercent(p, "x") for p in (5, 20, 150)),
    *(shoal.MinimumContributors(n, "x") for n in (2, 3)),
]


def groups_of(rows, merged=None):
    labels = np.unique([row[0] for row in rows], return_inverse=True)[1].astype(np.int64)
    labels = labels if merged is None else merged[labels]
    units, n = (np.array([row[at] for row in rows], dtype=np.int64) for at in (1, 2))
    amounts = np.array([np.nan if row[3] is None else row[3] for row in rows], dtype=np.float64)
    return Groups.of_amounts(labels, n, amounts, units)


def by_hand(rows):
    """The amounts of the contributors of every group, in the order of the groups."""
    found = {}
    for group, unit, n, amount in rows:
        each = found.setdefault(group, ({}, []))
        if amount is None:
            continue
        if unit < 0:
            each[1].extend([amount] * n)
        else:
            each[0][unit] = each[0].get(unit, 0) + n * abs(amount)
    return [[*units.values(), *alone] for _, (units, alone) in sorted(found.items())]


def figure(requirement, amounts):
    if isinstance(requirement, shoal.Dominance):
        return twin.dominance(amounts, requirement.contributors)
    return twin.p_percent(amounts) if isinstance(requirement, shoal.PPercent) else twin.contributors(amounts)


@pytest.mark.gate(
    but=(
        "Dominance(share=0.4, column='x', contributors=2, columns=None, name='dominance')",
        "Dominance(share=0.4, column='x', contributors=1, columns=None, name='dominance')",
        "Dominance(share=0.4, column='x', contributors=3, columns=None, name='dominance')",
    )
)
@pytest.mark.parametrize("requirement", ASKED, ids=repr)
@settings(max_examples=examples(40))
@given(rows=rows)
def test_agrees_with_its_twin(requirement, rows):
    groups, figures = groups_of(rows), [figure(requirement, each) for each in by_hand(rows)]
    worst = min(figures) if requirement.weaker == "smaller" else max(figures)
    assert requirement.reached(groups) == pytest.approx(worst)
    for holds, value in zip(requirement.holds(groups), figures, strict=True):
        if value != pytest.approx(requirement.asked, abs=1e-6):
            assert holds == (
                value > requirement.asked if requirement.weaker == "smaller" else value < requirement.asked
            )


@pytest.mark.gate(but="Dominance(share=0.4, column='x', contributors=1, columns=None, name='dominance')")
@pytest.mark.parametrize("requirement", ASKED, ids=repr)
def test_parts_that_hold_merge_to_a_group_that_holds(requirement):
    """60,000 random mergers each; units have records in both parts, gains and losses."""
    chance, n_asked = np.random.default_rng(3), 0
    for _ in range(3):
        n_rows, n_parts = 120_000, 40_000
        labels = (n_parts * chance.random(n_rows) ** 3).astype(np.int64)  # parts of a few records and of hundreds
        labels[:n_parts] = np.arange(n_parts)
        units = labels // 2 * 20 + chance.integers(0, 16, n_rows)
        spread = chance.choice([0.3, 2.0], n_parts)[labels // 2]
        amounts = chance.lognormal(0, spread) * chance.choice([1, 1, -1, 0], n_rows)
        ones = np.ones(n_rows, dtype=np.int64)
        divided = Groups.of_amounts(labels, ones, amounts, units)
        parts = requirement.holds(divided).reshape(-1, 2).all(axis=1)
        merged = requirement.holds(Groups.of_amounts(labels // 2, ones, amounts, units))
        assert merged[parts].all()
        n_asked += int((parts & (divided.contributed.totals > 0).reshape(-1, 2).all(axis=1)).sum())
    assert n_asked > 20  # the search found pairs that hold, other than those without amounts


def test_the_rules_of_a_small_cell():
    """A total of 100: the contributor of 40 knows the one of 50 up to the 10 of the others."""
    cell = Groups.of_amounts(np.zeros(4, dtype=np.int64), np.ones(4, dtype=np.int64), np.array([50.0, 40, 6, 4]))
    assert shoal.PPercent(10, "x").reached(cell) == 20  # 10 of 50
    assert shoal.Dominance(0.85, "x", 2).reached(cell) == 0.9
    assert not shoal.Dominance(0.85, "x", 2).holds(cell).any()
    assert shoal.PPercent(20, "x").holds(cell).all()
    assert not shoal.PPercent(20.1, "x").holds(cell).any()


def test_the_order_of_records_changes_no_bit():
    chance = np.random.default_rng(5)
    labels, amounts = chance.integers(0, 50, 5000), chance.lognormal(5, 3, 5000)
    units, ones, order = chance.integers(-1, 900, 5000), np.ones(5000, dtype=np.int64), chance.permutation(5000)
    for requirement in ASKED:
        one = requirement.reached(Groups.of_amounts(labels, ones, amounts, units))
        assert requirement.reached(Groups.of_amounts(labels[order], ones, amounts[order], units[order])) == one


def test_a_holding_is_one_contributor():
    labels, ones = np.zeros(4, dtype=np.int64), np.ones(4, dtype=np.int64)
    firms = np.array([40.0, 40, 10, 10])
    assert shoal.Dominance(0.5, "x").holds(Groups.of_amounts(labels, ones, firms)).all()
    of_one = Groups.of_amounts(labels, ones, firms, np.array([7, 7, 8, 9]))
    assert shoal.Dominance(0.5, "x").reached(of_one) == 0.8
    assert shoal.MinimumContributors(4, "x").reached(of_one) == 3


def test_the_losses_of_a_holding_do_not_cancel_its_gains():
    """Two firms of equal amounts in both parts; that of the second is a loss in one of them."""
    parts, firms = np.array([0, 0, 1, 1]), np.array([5, 6, 5, 6])
    amounts, ones = np.array([10.0, 10, 10, -10]), np.ones(4, dtype=np.int64)
    half = shoal.Dominance(0.5, "x")
    assert half.holds(Groups.of_amounts(parts, ones, amounts, firms)).all()
    assert half.reached(Groups.of_amounts(parts * 0, ones, amounts, firms)) == 0.5
    assert shoal.MinimumContributors(2, "x").holds(Groups.of_amounts(parts * 0, ones, amounts, firms)).all()


REFUSED = [
    (lambda: shoal.Dominance(1, "x"), r"dominance\.share must be above 0 and below 1"),
    (lambda: shoal.Dominance(0.5, "x", 0), r"dominance\.contributors must be 1 or more"),
    (lambda: shoal.PPercent(0, "x"), r"p_percent\.p must be a number above 0"),
    (lambda: shoal.MinimumContributors(1, "x"), r"minimum_contributors\.n must be 2 or more"),
    (lambda: shoal.ProsecutorRisk(1), r"prosecutor_risk\.maximum must be above 0 and below 1"),
    (lambda: shoal.JournalistRisk(0.1), r"journalist_risk needs the size of the population"),
    (lambda: shoal.JournalistRisk(0.1, "w", 0.5), r"each state the size of the population"),
    (lambda: shoal.MarketerRisk(0.1, "w", population="p.csv"), r"and 'population' each state the size"),
    (lambda: shoal.MarketerRisk(0.1, sampling_fraction=1.5), r"marketer_risk\.sampling_fraction must be above 0"),
    (lambda: shoal.RecordsAtRisk(1, 0.2), r"records_at_risk\.share must be from 0 to 1"),
    (lambda: shoal.RecordsAtRisk(0.1, 0), r"records_at_risk\.threshold must be above 0 and below 1"),
]


@pytest.mark.parametrize(("make", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_cannot_be_right_is_refused(make, words):
    with pytest.raises(PolicyError, match=words):
        make()


@pytest.mark.parametrize("requirement", ASKED[:1] + ASKED[-1:], ids=repr)
def test_amounts_are_needed(requirement):
    with pytest.raises(TypeError, match="needs groups with the amounts"):
        requirement.holds(Groups(np.array([3])))
