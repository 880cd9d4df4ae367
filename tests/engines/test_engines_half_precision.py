"""Reals of 16 bits: the release of the same numbers in 64 bits, whatever their role, whoever carries them."""

import numpy as np
import pyarrow as pa
import pytest

from shoal.errors import ShoalError
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.pipeline.verify.verify import verify
from shoal.policy import load
from survey_example import as_parquet, carrier

N = 60
AGES = [18 + 7 * i % 60 for i in range(N)]
HALVES = np.array([0.1, -0.0, 2.5, 1e-7, 0.0, 65504.0], dtype=np.float16)[np.arange(N) % 6]
MISSING = np.arange(N) % 11 == 0
K = {"name": "k_anonymity", "k": 3}
REQUIREMENTS = [
    K,
    {"name": "distinct_l_diversity", "column": "x", "l": 2},
    {"name": "entropy_l_diversity", "column": "x", "l": 1.5},
    {"name": "recursive_l_diversity", "column": "x", "c": 9.0, "l": 2},
    {"name": "t_closeness", "column": "x", "t": 0.6},
    {"name": "t_closeness", "column": "x", "t": 0.6, "distance": "ordered"},
    {"name": "delta_disclosure", "column": "x", "delta": 9.0},
    {"name": "beta_likeness", "column": "x", "beta": 9.0},
    {"name": "alpha_k_anonymity", "column": "x", "alpha": 0.9, "k": 3},
]
ROLES = [
    *(("quasi_identifier", kind) for kind in ("numeric", "ordinal", "nominal")),
    *(("sensitive", kind) for kind in ("numeric", "ordinal", "nominal")),
    *((role, "numeric") for role in ("other", "weight", "household", "identifier")),
]


def released(folder, kind, suffix, engine_name, policy):
    """The bytes of the release, or the words of its refusal."""
    folder.mkdir()
    numbers = pa.array(np.abs(HALVES) + 1 if policy["columns"]["x"]["role"] == "weight" else HALVES, mask=MISSING)
    source = as_parquet(pa.table({"age": AGES, "x": numbers.cast(kind)}), folder / "t.parquet")
    target = folder / f"r.{suffix}"
    try:
        with carrier(engine_name, folder) as engine:
            protect_by(engine, source, load(policy), Targets.of(target, None, None), bytes(32), force=False)
    except ShoalError as error:
        return str(error).replace(str(folder), "")
    assert verify(target, policy).holds
    return target.read_bytes()


def check_alike(folder, suffix, engine_name, policy):
    half = released(folder / "half", pa.float16(), suffix, engine_name, policy)
    double = released(folder / "double", pa.float64(), suffix, engine_name, policy)
    assert half == double
    return half


def rules(role, kind):
    return {"age": {"role": "quasi_identifier", "kind": "numeric"}, "x": {"role": role, "kind": kind}}


# Requirements are judged alike on every engine: on the second one a few suffice.
JUDGED = [
    pytest.param(*where, requirement, marks=[pytest.mark.long] * (where[1] == "duckdb" and at > 1))
    for at, requirement in enumerate(REQUIREMENTS)
    for where in (("csv", "memory"), ("parquet", "duckdb"))
]


@pytest.mark.gate(but=("csv-memory-requirement0", "csv-memory-requirement2"))
@pytest.mark.parametrize(("suffix", "engine_name", "requirement"), JUDGED)
def test_half_precision_meets_every_requirement(tmp_path, suffix, engine_name, requirement):
    policy = {
        "columns": rules("sensitive", "numeric"),
        "requirements": [requirement] if "k" in requirement else [K, requirement],
        "suppression": {"limit": 1.0},
    }
    assert isinstance(check_alike(tmp_path, suffix, engine_name, policy), bytes)


@pytest.mark.gate(
    but=(
        "weight-numeric-parquet-memory",
        "quasi_identifier-numeric-parquet-memory",
        "quasi_identifier-ordinal-parquet-memory",
    )
)
@pytest.mark.parametrize(("suffix", "engine_name"), [("parquet", "memory"), ("csv", "duckdb")])
@pytest.mark.parametrize(("role", "kind"), ROLES)
def test_half_precision_has_every_role(tmp_path, suffix, engine_name, role, kind):
    check_alike(tmp_path, suffix, engine_name, {"columns": rules(role, kind), "requirements": [K]})
