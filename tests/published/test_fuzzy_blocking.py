"""What the paper on fuzzy blocking prints."""

import json

import pytest

from shoal.reproduce.fuzzy_blocking import fuzzy_blocking_paper

pytestmark = pytest.mark.slow


@pytest.mark.usefixtures("reference_data")
def test_both_tables():
    found = fuzzy_blocking_paper.reproduce(full=False, n_seeds=3)  # the command takes 20
    assert len(found.rows) == 100
    # The printed SB of RS-17 is below that of RS-18, which masks more.
    assert {(row.row, row.column) for row in found.rows if not row.holds} <= {("RS-17", "%SB")}
    assert len(json.loads(found.extra["recall.json"])) == 18 * 30
    noises = {(row["noise"], row["blocking"]): row["recall"] for row in json.loads(found.extra["unprotected.json"])}
    assert noises["given name and surname swapped in 20 %", "fuzzy"] == 100
    assert noises["a little of all", "fuzzy"] < noises["a little of all", "sorted"]
