"""The largest values of a table do not stay in a release because their strata are small."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from attacks.rates import Rate

N, SHARE = 3000, 0.2  # in strata of four, of whom a fifth is nobody
KEY = bytes(range(32))


def incomes():
    draw = np.random.default_rng(0)
    names = {"zone": [f"z{at % 750:03}" for at in range(N)], "sex": draw.choice(["f", "m"], N)}
    return pa.table({**names, "income": draw.lognormal(14, 0.8, N).astype(np.int64)})


def policy(within, **coding):
    columns = {"zone": {"role": "other"}, "sex": {"role": "quasi_identifier"}}
    columns["income"] = {"role": "sensitive", "kind": "numeric"}
    rule = {"name": "top_bottom_code", "columns": ["income"], **coding}
    return {"columns": columns, "perturbations": [rule], "within": within, "output": {"shuffle": False}}


def rate(records):
    """Who earns most is taken to earn what the release says."""
    truth, told = (np.array(each["income"].to_pylist()) for each in (incomes(), records))
    largest = np.argsort(-truth, kind="stable")[: int(SHARE * N)]
    return Rate(int((told == truth)[largest].sum()), len(largest))


@pytest.mark.gate
def test_the_largest_incomes_are_coded_in_strata_of_any_size():
    nothing = shoal.protect(incomes(), policy(["zone"], top=10**12), key=KEY).records
    assert rate(nothing).succeeds(0.99)
    for put in ("bound", "mean"):
        released = shoal.protect(incomes(), policy(["zone"], top_share=SHARE, put=put), key=KEY).records
        assert rate(released).fails(0)


@pytest.mark.gate
@pytest.mark.parametrize("before", [[], [{"name": "noise", "columns": ["income"]}]], ids=["alone", "after noise"])
def test_bounds_are_those_of_the_whole_table_on_both_engines(tmp_path, before):
    pq.write_table(incomes(), tmp_path / "original.parquet")
    rules = policy(["zone"], top_share=SHARE, bottom_share=0.01)
    rules["perturbations"] = [*before, *rules["perturbations"]]
    for engine in ("memory", "duckdb"):
        shoal.protect(
            tmp_path / "original.parquet", rules, key=KEY, engine=engine, output=tmp_path / f"{engine}.parquet"
        )
    one, other = (pq.read_table(tmp_path / f"{engine}.parquet") for engine in ("memory", "duckdb"))
    assert one.equals(other)
    released = np.array(one["income"].to_pylist())
    assert np.isclose((released == released.max()).mean(), SHARE, atol=2 / N)
    assert np.isclose((released == released.min()).mean(), 0.01, atol=2 / N)
    if not before:
        assert (released.min(), released.max()) == tuple(np.sort(incomes()["income"].to_numpy())[[30, -601]])
