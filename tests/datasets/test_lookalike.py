"""A larger table like a given one."""

from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pytest

from shoal import datasets
from shoal.datasets.random_draws import CHUNK
from shoal.errors import DatasetError

DAY = datetime.date(2020, 2, 29)
SMALL = pa.table(
    {
        "age": pa.array([20, 30, None, 90, 0], pa.int8()),
        "income": pa.array([0.0, 10.5, 99.0, None, float("nan")]),
        "town": ["a", "b", None, "a", "c"],
        "dictionary": pa.array(["x", "y", "x", "x", None]).dictionary_encode(),
        "moved": pa.array([DAY, None, DAY, DAY, DAY]),
        "constant": [7, 7, 7, 7, 7],
        "empty": pa.nulls(5, pa.float64()),
    }
)
N = CHUNK + 500


def test_the_same_seed_the_same_table_whatever_the_batch() -> None:
    table = datasets.resample_and_jitter(SMALL, N, seed=4)
    batches = list(datasets.resample_and_jitter_batches(SMALL, N, seed=4, batch_size=10_000))
    again = pa.Table.from_batches(batches)
    assert table.schema == SMALL.schema
    assert max(batch.num_rows for batch in batches) == 10_000
    for name in SMALL.column_names:  # NaN differs from itself, so text is compared
        assert str(table[name].to_pylist()) == str(again[name].to_pylist())
    assert not table["age"].equals(datasets.resample_and_jitter(SMALL, N, seed=5)["age"])


def test_numbers_move_a_little_and_stay_inside() -> None:
    ages = datasets.resample_and_jitter(SMALL, N)["age"].drop_null().to_numpy()
    assert ages.dtype == np.int8
    assert (ages.min(), ages.max()) == (0, 90)
    assert len(np.unique(ages)) > 10
    assert np.mean(ages == 0) == pytest.approx(0.25, abs=0.01)  # zeros stay zeros


def test_what_is_not_a_number_is_kept() -> None:
    table = datasets.resample_and_jitter(SMALL, N)
    for name in ("town", "dictionary", "moved", "constant", "empty"):
        assert set(table[name].to_pylist()) == set(SMALL[name].to_pylist())
    for name in ("age", "income", "town"):
        assert table[name].null_count == pytest.approx(N / 5, rel=0.05)
    assert np.isnan(table["income"].drop_null().to_numpy()).sum() == pytest.approx(N / 5, rel=0.05)


def test_without_jitter_every_record_is_an_original_one() -> None:
    table = datasets.resample_and_jitter(datasets.uniform(10, 2), 1000, jitter=0.0)
    originals = set(zip(*datasets.uniform(10, 2).to_pydict().values(), strict=True))
    assert set(zip(*table.to_pydict().values(), strict=True)) == originals


def test_a_table_in_many_chunks_gives_the_same() -> None:
    parts = pa.concat_tables([SMALL.slice(0, 2), SMALL.slice(2)])
    one, other = (datasets.resample_and_jitter(table, 100).drop(["income"]) for table in (SMALL, parts))
    assert one.equals(other)


def test_correlations_survive() -> None:
    x = np.random.default_rng(0).normal(size=2000)
    original = pa.table({"x": x, "y": 2 * x + 1})
    table = datasets.resample_and_jitter(original, 20_000)
    assert np.corrcoef(table["x"], table["y"])[0, 1] > 0.99


def test_impossible_wishes_are_refused() -> None:
    with pytest.raises(DatasetError, match="one record or more"):
        datasets.resample_and_jitter(SMALL.slice(0, 0), 10)
    with pytest.raises(DatasetError, match="jitter must be 0 or more"):
        datasets.resample_and_jitter(SMALL, 10, jitter=-1.0)
