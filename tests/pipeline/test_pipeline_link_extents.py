"""Linkage by extents: columns that were released as they are count as well."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.linkage.intruder import Intruder

ROLES = shoal.Schema(
    [
        shoal.Column("age", "quasi_identifier", "numeric"),
        shoal.Column("zip", "quasi_identifier", "nominal"),
        shoal.Column("sex", "quasi_identifier", "nominal"),
    ]
)


def files(n=300):
    """Intervals of ages and masked postcodes, as another tool writes them, and the sex as it is."""
    chance = np.random.default_rng(1)
    ages, zips = chance.integers(20, 80, n).tolist(), chance.integers(10_000, 10_900, n).astype(str).tolist()
    sex = chance.choice(["f", "m"], n)
    intervals = [f"[{age // 10 * 10}, {age // 10 * 10 + 10})" for age in ages]
    masked = [code[:3] + "**" for code in zips]
    return pa.table({"age": ages, "zip": zips, "sex": sex}), pa.table({"age": intervals, "zip": masked, "sex": sex})


def mean_of_classes(released):
    return len({tuple(row.values()) for row in released.to_pylist()}) / len(released)


def test_the_risk_is_that_of_the_classes_in_assess_and_link():
    original, released = files()
    expected = mean_of_classes(released)
    assessed = shoal.assess(original, released, ROLES, truth="position").linkages["extents"]
    linked = shoal.link(original, released, ROLES, by="extents", truth="position")
    for found in (assessed, linked):
        assert found.columns == ("age", "zip", "sex")
        assert found.risk == pytest.approx(expected)


@pytest.mark.gate
def test_a_column_that_changed_or_is_known_roughly_is_left_out():
    original, released = files()
    swapped = released.set_column(2, "sex", released["sex"].take(np.roll(np.arange(300), 1)))
    assert shoal.assess(original, swapped, ROLES, truth="position").linkages["extents"].columns == ("age", "zip")
    both = [table.append_column("income", pa.array(np.arange(300) * 1000.0)) for table in (original, released)]
    roles = shoal.Schema([*ROLES.columns, shoal.Column("income", "quasi_identifier", "numeric")])
    roughly = Intruder(precision={"income": 50_000})
    found = shoal.assess(*both, roles, truth="position", intruder=roughly).linkages["extents"]
    assert found.columns == ("age", "zip", "sex")
    assert shoal.assess(*both, roles, truth="position").linkages["extents"].risk == 1


def test_a_missing_value_is_only_in_a_missing_cell():
    original, released = files(40)
    sex = pa.array([None if at % 5 == 0 else value for at, value in enumerate(original["sex"].to_pylist())])
    both = [table.set_column(2, "sex", sex) for table in (original, released)]
    found = shoal.assess(*both, ROLES, truth="position").linkages["extents"]
    assert found.risk == pytest.approx(mean_of_classes(both[1]))
