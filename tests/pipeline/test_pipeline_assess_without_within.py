"""A release from elsewhere may lack columns that the policy divides by: it is assessed all the same."""

import numpy as np
import pyarrow as pa
import pytest

import shoal


@pytest.mark.parametrize("role", ["quasi_identifier", "other"])
def test_a_release_without_its_strata_is_assessed(role):
    draw = np.random.default_rng(0)
    table = pa.table({"age": draw.integers(18, 80, 60), "region": draw.choice(["a", "b"], 60)})
    policy = {
        "method": {"k": 3},
        "within": ["region"],
        "output": {"shuffle": False},
        "columns": {"age": {"role": "quasi_identifier", "kind": "numeric"}, "region": {"role": role}},
    }
    released = shoal.protect(table, policy).table.drop_columns(["region"])
    assert "determined cells, age" in [
        each.name for each in shoal.assess(table, released, policy, truth="position").findings
    ]
