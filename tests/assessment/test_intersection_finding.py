"""What the classes of a unit's records have in common is counted as an intruder would."""

import numpy as np
import pytest

from attacks.intersections import guesses
from shoal.assessment.risk import intersections
from shoal.assessment.risk.intersections import FEWEST_UNITS, UnitClasses


def records(n_units, seed=0):
    """Units with one to four records in random classes; a unit has one value."""
    draw = np.random.default_rng(seed)
    units = np.repeat(np.arange(n_units), draw.integers(1, 5, n_units))
    return draw.integers(0, n_units // 4, units.size), draw.integers(0, 5, n_units)[units], units


@pytest.mark.parametrize("seed", range(3))
def test_the_figure_is_that_of_the_attack(seed):
    classes, values, units = records(200, seed)
    several = np.flatnonzero(np.bincount(units) > 1)
    found = guesses(units.tolist(), classes.tolist(), values.astype(str).tolist())
    value_of = dict(zip(units.tolist(), values.tolist(), strict=True))
    right = np.mean([found[unit] == str(value_of[unit]) for unit in several.tolist()])
    told = UnitClasses(classes, values, units).finding("illness")
    assert told.estimate == pytest.approx(100 * right, abs=3)  # values that are equally likely


def test_one_value_that_two_classes_share_is_the_value_of_the_unit():
    n = 40
    units = np.concatenate([np.repeat(np.arange(n), 2), n + np.arange(2 * n)])
    classes = np.concatenate([np.arange(2 * n), np.arange(2 * n)])
    values = np.concatenate([np.full(2 * n, 2), np.tile([0, 1], n)])
    found = UnitClasses(classes, values, units).finding("illness")
    assert (found.estimate, found.interval[0] > found.baseline) == (100, True)


def test_a_unit_of_many_records_counts_once_in_the_baseline():
    """Sixty units of two records with a class of their own and thirty of fifty, whose classes tell nothing: a single
    class names the value of two thirds of the units, but of few records."""
    units = np.concatenate([np.repeat(np.arange(60), 2), np.repeat(60 + np.arange(30), 50)])
    classes = np.where(units < 60, units, 60)
    values = np.where(units < 60, 0, units)
    found = UnitClasses(classes, values, units).finding("illness")
    assert found.baseline == pytest.approx(100 * (60 + 1) / 90)


def test_of_few_units_nothing_is_told():
    classes, values, units = records(FEWEST_UNITS // 2)
    assert UnitClasses(classes, values, units).finding("illness") is None


def test_units_that_share_all_classes_are_found_no_more_often_than_by_one_class():
    units, classes = np.repeat(np.arange(90), 2), np.tile([0, 1], 90) + 2 * np.repeat(np.arange(30), 6)
    found = UnitClasses(classes, units % 3, units).finding("illness")
    assert found.estimate == pytest.approx(found.baseline)


def test_a_period_of_the_units_does_not_show_in_a_sample(monkeypatch):
    """Every other unit has a value of its own in its classes, the others one of many: half of them are named."""
    n = 2000
    units, place = np.repeat(np.arange(n), 2), np.arange(2 * n)
    is_plain = units % 2 == 0
    classes = np.where(is_plain, units, n + place % 2)
    values = np.where(is_plain, 0, 1 + units // 2 % 50)
    monkeypatch.setattr(intersections, "MOST_CELLS", 2 * 51 * 500)  # a quarter of the units
    assert UnitClasses(classes, values, units).finding("illness").estimate == pytest.approx(51, abs=8)
