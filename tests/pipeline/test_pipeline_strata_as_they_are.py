"""Columns of ``within`` are released as they are, whatever their digits."""

import numpy as np
import pyarrow as pa
import pytest

import shoal


@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_numbers_that_part_strata_are_not_rounded(method):
    draw = np.random.default_rng(0)
    areas = draw.normal(size=4)[np.arange(60) % 4]
    table = pa.table({"age": draw.integers(18, 80, 60), "area": areas})
    number = {"role": "quasi_identifier", "kind": "numeric"}
    policy = {
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "method": {"name": method},
        "within": ["area"],
        "output": {"representation": "centroids"},
        "columns": {"age": number, "area": number},
    }
    released = shoal.protect(table, policy)
    assert set(released.table["area"].to_pylist()) == set(areas.tolist())
    assert list(released.manifest.steps) == ["age"]
