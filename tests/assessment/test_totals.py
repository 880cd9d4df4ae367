"""Totals: what a release says of them bounds what they moved by, and hides the sums of groups."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.utility.totals import _one_digit_up

N = 400


def table():
    draw = np.random.default_rng(8)
    return pa.table(
        {
            "sex": draw.choice(["f", "m", "x"], N, p=[0.5, 0.4, 0.1]),
            "age": draw.integers(18, 91, N),
            "children": draw.poisson(0.8, N),
            "spent": np.round(draw.lognormal(3, 1, N), 2),
            "weight": np.round(draw.uniform(20, 3000, N), 3),
        }
    )


def policy(**output):
    number = {"role": "quasi_identifier", "kind": "numeric"}
    return {
        "requirements": [{"name": "k_anonymity", "k": 5}],
        "within": ["sex"],
        "output": {"shuffle": False, **output},
        "columns": {
            "sex": {"role": "other"},
            "age": number,
            "children": number,
            "spent": {"role": "other", "kind": "numeric"},
            "weight": {"role": "weight", "kind": "numeric"},
        },
    }


def changes(original, released, name):
    """In percent of the release: over all, and of every stratum."""
    sex = np.array(original["sex"].to_pylist())
    (before, after) = (np.array(t[name]) * np.array(t["weight"]) for t in (original, released))
    parts = [np.full(N, True), *(sex == value for value in ("f", "m", "x"))]
    return [100 * abs(before[part].sum() / after[part].sum() - 1) for part in parts]


@pytest.mark.gate(but="kept")
@pytest.mark.parametrize("weights", ["kept", "rounded", "stratum"])
def test_no_total_moved_by_more_than_is_told(weights):
    original, release = table(), shoal.protect(table(), policy(weights=weights))
    for name in ("age", "children", "spent"):
        finding = release.findings[f"weighted total of {name}"]
        overall, *strata = changes(original, release.records, name)
        worst = float(finding.meaning.partition("by more than ")[2].partition(" %")[0])
        assert overall <= finding.estimate <= worst
        assert max(strata) <= worst
        assert finding.name in {told["name"] for told in release.private.findings}


def test_what_is_told_of_a_table_of_one_group_is_told_of_every_such_table():
    """Ages of one group whose mean is rounded to the same year: the figure does not tell their sum."""
    rule = {"age": {"role": "quasi_identifier", "kind": "numeric"}}
    found = {}
    for last in range(20, 31):
        release = shoal.protect({"age": [20, 21, 20, 20, last]}, {"method": {"k": 5}, "columns": rule})
        found.setdefault(release.table["age"][0], set()).add(release.findings["total of age"].estimate)
    assert all(len(told) == 1 for told in found.values())


@pytest.mark.parametrize(
    ("percent", "told"),
    [(0.0, 0.0), (0.0237, 0.03), (0.03, 0.03), (1.0, 1.0), (9.2, 10.0), (12.0, 20.0), (99.5, 100.0)],
)
def test_one_digit_rounded_up(percent, told):
    assert _one_digit_up(percent) == told
