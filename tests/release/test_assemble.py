"""What no method changes leaves nothing behind of those who are gone, and cannot be put back in order."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.release.assemble import HouseholdNumbers, Order, assemble
from shoal.rng import Rng

COLUMNS = {"a": {"role": "quasi_identifier", "kind": "numeric"}, "d": {"role": "sensitive"}}
POLICY = {
    "columns": COLUMNS,
    "requirements": [{"name": "k_anonymity", "k": 5}, {"name": "distinct_l_diversity", "l": 2, "column": "d"}],
    "suppression": {"limit": 0.5},
    "method": {"merge": False},
}


@pytest.mark.parametrize("ordered", [False, True])
def test_categories_of_suppressed_records_are_gone(tmp_path, ordered):
    diseases = ["flu", "cold"] * 10 + ["CANARY"] * 5
    table = pd.DataFrame({"a": [*range(20), *range(900, 905)], "d": pd.Categorical(diseases, ordered=ordered)})
    release = shoal.protect(table, POLICY)
    assert release.manifest.counts["n_suppressed"] == 5
    assert list(release.table["d"].cat.categories) == ["cold", "flu"]
    assert release.table["d"].cat.ordered == ordered
    folder = release.write(tmp_path / "out")
    assert all(b"CANARY" not in file.read_bytes() for file in folder.iterdir())
    pq.write_table(release.records, tmp_path / "again.parquet")
    assert b"CANARY" not in (tmp_path / "again.parquet").read_bytes()


def shuffled(secret, seed):
    """What stands where, and the household of each place."""
    chance = Rng(secret, seed)
    column = shoal.Column("h", "household")
    table = pa.table({"place": range(50), "h": [f"H{i // 2:02}" for i in range(50)]})
    numbers = HouseholdNumbers.of(column, table.group_by("h").aggregate([]), chance)
    told = assemble(table, shoal.Schema([shoal.Column("place"), column]), numbers)
    return told.take(np.argsort(Order.of(chance).places(np.arange(50)))).to_pydict()


def test_the_seed_alone_gives_neither_order_nor_numbers():
    one, other = b"one", b"other"
    assert shuffled(one, 0) == shuffled(one, 0)
    assert shuffled(one, 0)["place"] != shuffled(other, 0)["place"]
    assert shuffled(one, 0)["place"] != shuffled(one, 1)["place"]
    numbers = [dict(zip(f["place"], f["h"], strict=True)) for f in (shuffled(one, 0), shuffled(other, 0))]
    assert numbers[0] != numbers[1]
    assert all(numbers[0][2 * i] == numbers[0][2 * i + 1] for i in range(25))


def test_no_two_records_have_one_place():
    places = Order.of(Rng(b"a key", 3)).places(np.arange(100_000))
    assert len(np.unique(places)) == 100_000
    assert abs(np.corrcoef(np.argsort(places), np.arange(100_000))[0, 1]) < 0.02
