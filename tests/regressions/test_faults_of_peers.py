"""Two faults that were published of a peer's checks: records with missing values left out, and an index that is not
0, 1, 2, ... taken for places. The gate counts all records, and looks at no index."""

import numpy as np
import pandas as pd
import pytest

import shoal

POLICY = {
    "columns": {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "job": {"role": "quasi_identifier"},
        "disease": {"role": "sensitive"},
    },
    "requirements": [
        {"name": "k_anonymity", "k": 2},
        {"name": "distinct_l_diversity", "l": 2, "column": "disease"},
        {"name": "t_closeness", "t": 0.5, "column": "disease"},
    ],
}


def release():
    ages, jobs = [30.0] * 4 + [50.0] * 4, ["nurse"] * 4 + ["clerk"] * 4
    return pd.DataFrame({"age": ages, "job": jobs, "disease": ["flu", "flu", "gout", "gout"] * 2})


def reached(table):
    return [verdict.reached for verdict in shoal.verify(table, POLICY).verdicts]


@pytest.mark.parametrize("cell", [None, np.nan, pd.NA])
def test_a_record_with_a_missing_value_is_a_record(cell):
    table = release().astype({"job": object})
    table.loc[0, "job"] = cell
    proof = shoal.verify(table, POLICY)
    assert (proof.n_records, proof.k_reached, proof.holds) == (8, 1, False)
    assert reached(table)[:2] == [1, 1]


@pytest.mark.filterwarnings("ignore")
def test_the_order_of_an_index_changes_nothing():
    plain = release()
    permuted = plain.copy()
    permuted.index = np.random.default_rng(0).permutation(len(plain))
    assert reached(permuted) == reached(plain) == [4, 2, 0.0]
