"""Classes that join recoded intervals show the value of whoever has most; the steward is told, and a grid is not so."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from attacks.tables import NUMBER
from shoal.report.exposure_words import exposure_caution

RICHEST, WIDTH, OLDEST = 2_345_678.0, 1000, "1911-07-03"
WHAT = ("income", "birth")
RECODED = {"income": {"recode": {"width": WIDTH}}, "birth": {"recode": {"date_part": "month"}}}
GRIDS = {"income": {"grid": WIDTH}, "birth": {"grid": "month"}}


def persons(n=300):
    draw = np.random.default_rng(5)
    income, birth = draw.lognormal(10, 0.6, n).round(), np.datetime64("1950-01-01") + draw.integers(0, 20_000, n)
    income[7], birth[8] = RICHEST, np.datetime64(OLDEST)
    return pa.table({"age": draw.integers(20, 80, n), "income": income, "birth": birth.astype("datetime64[D]")})


def released(method, name, more):
    kind = {"income": "numeric", "birth": "date"}[name]
    columns = {"age": NUMBER, name: {"role": "quasi_identifier", "kind": kind, **more[name]}}
    rules = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 5}], "method": {"name": method}}
    return shoal.protect(persons().select(list(columns)), {**rules, "output": {"representation": "extents"}})


def knows_the_extreme(release, name):
    """Whoever reads the outermost end knows the income to the width, and the birth date to the month."""
    texts = set(release.records[name].to_pylist())
    low = WIDTH * (RICHEST // WIDTH)
    return any(f", {low + WIDTH:.0f})" in text if name == "income" else f"[{OLDEST[:7]}" in text for text in texts)


def warned(release):
    return [each for each in release.assessment.exposures if each.kind == "outermost"]


@pytest.mark.gate(but=("mondrian-birth", "mdav-income"))
@pytest.mark.parametrize("name", WHAT)
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_recoded_intervals_show_the_extreme_value_and_the_steward_is_told(method, name):
    release = released(method, name, RECODED)
    assert knows_the_extreme(release, name)
    (exposure,) = warned(release)
    assert exposure.columns == (name,)
    assert any("grid" in line for line in exposure_caution(exposure).lines)


@pytest.mark.parametrize("name", WHAT)
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_a_grid_leaves_the_outermost_ends_open(method, name):
    release = released(method, name, GRIDS)
    assert not knows_the_extreme(release, name)
    assert not warned(release)


def test_values_that_k_records_have_are_no_extremes():
    ages = {"columns": {"age": {**NUMBER, "recode": {"width": 30}}}, "requirements": [{"name": "k_anonymity", "k": 5}]}
    release = shoal.protect(persons().select(["age"]), {**ages, "output": {"representation": "extents"}})
    assert not warned(release)
