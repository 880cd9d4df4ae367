"""Codes stand for one-hot coordinates: the same distances, neighbors, sums and groups, to the last bit."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from reference.mdav import mdav as twin
from reference.tables import groups
from shoal import kernels
from shoal.encode.embedding import fit_embedding
from shoal.kernels.coded_points import CodedPoints
from shoal.schema import Column, Schema


def points_of(seed, n, n_categories=(2, 5, 3), on_grid=True):
    """Numbers between columns of codes; a column may have a single value, or values that nobody has."""
    chance = np.random.default_rng(seed)
    numbers = chance.integers(0, 4, n) / 3 if on_grid else chance.normal(size=n)
    columns = [CodedPoints.of_numbers(numbers[:, None])]
    for width in n_categories:
        codes = chance.integers(0, chance.integers(1, width + 1), n).astype(float)
        columns.append(CodedPoints(codes[:, None], np.array([np.sqrt(0.5)]), np.array([width + 1])))
    return CodedPoints.side_by_side([columns[1], columns[0], *columns[2:]])


@given(st.integers(0, 2**32), st.integers(8, 60), st.integers(2, 4), st.booleans(), st.sampled_from(["scan", "tree"]))
def test_groups_of_one_hot_coordinates_agree_with_the_twin(seed, n, k, on_grid, search):
    X = points_of(seed, n, on_grid=on_grid).coordinates()
    assert groups(shoal.mdav(X, k, search=search)) == twin(X, k)


@pytest.mark.parametrize("search", ["tree", "automatic"])
@pytest.mark.parametrize("n_categories", [(2, 3), (40, 2, 9, 13)])
def test_a_tree_of_codes_finds_what_a_scan_finds(n_categories, search):
    X = points_of(5, 1500, n_categories, on_grid=False).coordinates()
    assert (shoal.mdav(X, 5, search=search).labels == shoal.mdav(X, 5, search="scan").labels).all()


@given(st.integers(0, 2**32), st.integers(3, 50))
def test_dummies_that_are_no_one_hot_column_keep_their_distances(seed, n):
    """Columns of 0 and 1 in which a record has none, one or several."""
    chance = np.random.default_rng(seed)
    X = (chance.random((n, 6)) < chance.random(6)).astype(float)
    X = np.hstack([X, np.eye(3)[chance.integers(0, 3, n)]])
    assert groups(shoal.mdav(X, 3)) == twin(X, 3)


@given(st.integers(0, 2**32), st.integers(2, 60))
def test_neighbors_and_sums_are_those_of_the_coordinates(seed, n):
    points = points_of(seed, n, on_grid=False)
    X, chance = points.coordinates(), np.random.default_rng(seed)
    of, k = chance.integers(0, n, 4), int(chance.integers(1, n + 1))
    labels = np.unique(chance.integers(0, 5, n), return_inverse=True)[1]
    dense = CodedPoints.of_numbers(X)
    assert (points.nearest_neighbors(of, k) == dense.nearest_neighbors(of, k)).all()
    assert (points.nearest_neighbors(of, k) == kernels.nearest_neighbors(X, of, k)).all()
    assert points.sse(labels, labels.max() + 1) == kernels.within_groups_sse(X, labels, labels.max() + 1)


def test_an_embedding_has_codes_for_its_one_hot_coordinates():
    cells = {"age": [30, 41, 52, 30], "town": ["a", None, "c", "a"], "sex": ["f", "m", "f", "f"]}
    kinds = {"age": "numeric", "town": "nominal", "sex": "nominal"}
    schema = Schema(tuple(Column(name, role="quasi_identifier", kind=kind) for name, kind in kinds.items()))
    table = pa.table(cells)
    embedding = fit_embedding(table, schema)
    coded = embedding.coded(table)
    assert coded.cells.shape == (4, 3)
    assert (coded.coordinates() == embedding.points(table)).all()
    squared = ((embedding.points(table)[:, None, 1:] - embedding.points(table)[None, :, 1:]) ** 2).sum(axis=2)
    differ = sum(np.not_equal.outer(values, values) for values in (np.array([0, 1, 2, 0]), np.array([0, 1, 0, 0])))
    assert squared == pytest.approx(differ)
