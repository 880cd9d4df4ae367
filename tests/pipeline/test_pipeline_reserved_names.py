"""A release with a column that bears a name of Shoal's own is refused like any other that does not hold."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.csv
import pytest

import shoal
from shoal.errors import ReservedNameError
from shoal.schema.helper_columns import HELPERS
from survey_example import shell, write_policy

POLICY = {
    "columns": {"age": {"role": "quasi_identifier", "kind": "numeric", "decimals": 0}},
    "requirements": [{"name": "k_anonymity", "k": 2}],
    "method": {"name": "mdav"},
}


@pytest.mark.parametrize("name", HELPERS)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_it_is_a_fault_of_the_proof(name, engine, tmp_path):
    pyarrow.csv.write_csv(pa.table({"age": [30, 30], name: [1, 1]}), tmp_path / "release.csv")
    proof = shoal.verify(tmp_path / "release.csv", POLICY, engine=engine)
    assert not proof.holds
    assert any(name in fault for fault in proof.failures)


def test_the_shell_says_that_it_does_not_hold(tmp_path):
    pyarrow.csv.write_csv(pa.table({"age": [30, 30], "__unit__": [1, 1]}), tmp_path / "release.csv")
    said = shell("verify", tmp_path / "release.csv", "--policy", write_policy(POLICY, tmp_path / "policy.toml"))
    assert said.code == 1
    assert "__unit__" in said.out + said.err


def test_of_an_original_it_is_bad_input():
    with pytest.raises(ReservedNameError):
        shoal.protect(pa.table({"age": [30, 30], "__unit__": [1, 1]}), POLICY)
