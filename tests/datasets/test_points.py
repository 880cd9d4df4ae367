"""Uniform and clustered numbers: the same for a seed, in every form and size of batch."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from shoal import datasets
from shoal.datasets.random_draws import CHUNK
from shoal.errors import DatasetError

N = CHUNK + 1000  # more than one chunk


def array(table: pa.Table) -> np.ndarray:
    return np.column_stack([column.to_numpy() for column in table.columns])


@pytest.mark.parametrize("name", ["uniform", "clustered"])
def test_table_array_and_batches_agree(name: str) -> None:
    table = getattr(datasets, name)(N, 3, seed=5)
    batches = list(getattr(datasets, f"{name}_batches")(N, 3, seed=5, batch_size=777))
    assert table.column_names == ["x1", "x2", "x3"]
    assert max(batch.num_rows for batch in batches) == 777
    assert pa.Table.from_batches(batches).equals(table)
    np.testing.assert_array_equal(getattr(datasets, f"{name}_array")(N, 3, seed=5), array(table))


@pytest.mark.parametrize("name", ["uniform", "clustered"])
def test_seeds_and_chunks_differ(name: str) -> None:
    draw = getattr(datasets, f"{name}_array")
    X = draw(2 * CHUNK, 2, seed=0)
    assert not np.array_equal(X, draw(2 * CHUNK, 2, seed=1))
    assert not np.array_equal(X[:CHUNK], X[CHUNK:])


@pytest.mark.parametrize("name", ["uniform", "clustered"])
def test_no_records_is_a_table_too(name: str) -> None:
    assert getattr(datasets, name)(0, 2).shape == (0, 2)
    assert getattr(datasets, f"{name}_array")(0, 2).shape == (0, 2)


def test_uniform_fills_the_unit_cube() -> None:
    X = datasets.uniform_array(50_000, 4, seed=1)
    assert X.min() >= 0
    assert X.max() < 1
    np.testing.assert_allclose(X.mean(axis=0), 0.5, atol=0.01)
    np.testing.assert_allclose(X.var(axis=0), 1 / 12, atol=0.002)


@pytest.mark.parametrize(
    ("n", "sizes"), [(1000, (3, 9)), (100, (3, 3)), (101, (3, 3)), (2, (3, 5)), (500, (10, 10_000))]
)
def test_clusters_have_the_sizes_asked_for(n: int, sizes: tuple[int, int]) -> None:
    X = datasets.clustered_array(n, 2, cluster_sizes=sizes, spread=0.0, seed=2)
    counts = np.unique(X, axis=0, return_counts=True)[1]
    low, high = sizes
    assert counts.min() >= min(low, n)
    assert np.sum(counts > high) <= 1  # what is left over joins the last one
    assert counts.max() <= high + low - 1


def test_spread_is_the_deviation_around_the_center() -> None:
    X = datasets.clustered_array(20_000, 3, cluster_sizes=(20_000, 20_000), spread=0.02, seed=3)
    np.testing.assert_allclose(X.std(axis=0), 0.02, rtol=0.05)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"n": -1, "d": 2}, "0 or more, got -1"),
        ({"n": 5, "d": 0}, "d must be 1 or more"),
        ({"n": 5, "d": 2, "seed": -1}, "seed must be 0 or more"),
        ({"n": 5, "d": 2, "cluster_sizes": (4, 3)}, "cluster_sizes must be"),
        ({"n": 5, "d": 2, "spread": float("nan")}, "spread must be"),
    ],
)
def test_impossible_wishes_are_refused_at_the_call(arguments: dict[str, object], complaint: str) -> None:
    for name in ("clustered_batches", "clustered_array"):
        with pytest.raises(DatasetError, match=complaint):
            getattr(datasets, name)(**arguments)
