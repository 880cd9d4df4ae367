"""Ties are exact: a chance is what fractions give, whatever the last bits of a distance are."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference import exact_linkage as twin
from shoal.linkage.candidates import Candidates, Runs
from shoal.schema import Column, Schema


def grid(seed, kind):
    """Small tables full of ties: coarse integers, columns that are permutations of each other, decimals."""
    chance = np.random.default_rng(seed)
    n, d = int(chance.integers(3, 14)), int(chance.integers(1, 5))
    X = chance.integers(0, int(chance.integers(2, 8)), (n, d)).astype(float)
    if kind == "permuted":
        X = np.column_stack([chance.permutation(X[:, 0]) for _ in range(d)])
    Y = X + chance.integers(-1, 2, X.shape) if chance.random() < 0.7 else X[:, chance.permutation(d)]
    Y = Y[chance.permutation(n)[: int(chance.integers(2, n + 1))]]
    scale = 10.0 ** -chance.integers(0, 3, d) if kind == "decimals" else np.ones(d)
    truth = chance.permutation(np.r_[np.arange(len(Y)), np.full(n - len(Y), -1)])
    return np.round(X * scale, 3), np.round(Y * scale, 3), truth


def columns_of(X, Y):
    return [(x.tolist(), y.tolist()) for x, y in zip(X.T, Y.T, strict=True)]


def chances(distances, truth, k):
    """As shares; nobody is found who was not released."""
    found = twin.chances([own for own, t in zip(distances, truth, strict=True) if t >= 0], truth[truth >= 0], k)
    exact = np.zeros(len(truth))
    exact[truth >= 0] = [float(share) for share in found]
    return exact.tolist()


seeds, kinds = st.integers(0, 2**32), st.sampled_from(["integers", "permuted", "decimals"])


@pytest.mark.gate
@settings(max_examples=examples(300))
@given(seeds, kinds, st.integers(1, 3))
def test_ranks(seed, kind, k):
    X, Y, truth = grid(seed, kind)
    links = shoal.rank_linkage(X, Y, truth=truth, k=k)
    assert links.chances.tolist() == chances(twin.distances(columns_of(X, Y), twin.by_rank), truth, k)


@pytest.mark.gate
@settings(max_examples=examples(300))
@given(seeds, kinds, st.integers(1, 3), st.booleans())
def test_arrays_as_they_are(seed, kind, k, in_passes):
    X, Y, truth = grid(seed, kind)
    everybody = Runs.of_keys(np.zeros(len(X), int), np.zeros(len(Y), int))
    candidates = Candidates((everybody, everybody)) if in_passes else None
    plain = twin.distances(columns_of(X, Y), twin.as_they_are)
    links = shoal.distance_linkage(X, Y, truth=truth, k=k, candidates=candidates)
    assert links.chances.tolist() == chances(plain, truth, k)


@pytest.mark.gate
@settings(max_examples=examples(100))
@example(1_233_489_954, "integers", "rank", False)  # fractions too long for machine integers
@example(325_283, "integers", "distance", False)  # a gap at a mean of 4/9 is as far as a value
@given(seeds, kinds, st.sampled_from(["distance", "rank"]), st.booleans())
def test_tables_with_gaps_and_categories(seed, kind, by, with_town):
    X, Y, truth = grid(seed, kind)
    X[0], X[1] = X[0] * 0, X[1] * 0 + 1  # no column is constant
    chance = np.random.default_rng(seed + 1)
    files, towns = [], []
    for values in (X, Y):
        gaps = chance.random(values.shape) < 0.15
        gaps[:2] = False
        files.append([[None if g else v for v, g in zip(*c, strict=True)] for c in zip(values.T, gaps.T, strict=True)])
        towns.append(["Ash", "Elm", *chance.choice(["Ash", "Elm", "Oak"], len(values) - 2).tolist()])
    names = [f"x{j}" for j in range(X.shape[1])]
    schema = Schema(Column(name, "quasi_identifier", "numeric") for name in names)
    tables = [dict(zip(names, file, strict=True)) for file in files]
    exact = twin.distances(list(zip(*files, strict=True)), twin.by_rank if by == "rank" else twin.by_value)
    if with_town:
        schema = Schema([*schema.columns, Column("town", "quasi_identifier", "nominal")])
        tables = [{**table, "town": town} for table, town in zip(tables, towns, strict=True)]
        apart = twin.by_category(*towns)
        exact = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(exact, apart, strict=True)]
    linked = shoal.link(*map(pa.table, tables), schema, truth=truth, by=by,
                        intruder=shoal.Intruder(columns=schema.names))  # fmt: skip
    assert linked.chances.tolist() == chances(exact, truth, 1)


def test_a_step_along_any_column_is_as_far():
    """Three records at the same distance, each along another column; rounded sums of thirds would tell them apart."""
    table = pa.table({"a": [0.0, 2, 4, 6], "b": [0.0, 4, 2, 6], "c": [0.0, 6, 2, 4]})
    moved = pa.table({"a": [2.0, 0, 0, 6], "b": [0.0, 2, 0, 6], "c": [0.0, 0, 2, 6]})
    schema = Schema(Column(name, "quasi_identifier", "numeric") for name in "abc")
    linked = shoal.link(table, moved, schema, truth="position", intruder=shoal.Intruder(columns=("a", "b", "c")))
    assert linked.chances[0] == 1 / 3


def test_trees_find_the_same_ties():
    """Enough records for a tree; files of one length, so that twice a rank is a whole number of the same unit."""
    chance = np.random.default_rng(0)
    X = chance.integers(0, 6, (400, 3))
    Y = X + chance.integers(-1, 2, X.shape)

    def twice_ranks(values):
        return np.column_stack([[(c < v).sum() + (c <= v).sum() for v in c] for c in values.T])

    distances = ((twice_ranks(X)[:, None] - twice_ranks(Y)[None]) ** 2).sum(axis=2)  # whole numbers
    own = np.diag(distances)[:, None]
    expected = np.where((distances < own).any(axis=1), 0.0, 1 / (distances == own).sum(axis=1))
    assert shoal.rank_linkage(X, Y).chances.tolist() == expected.tolist()


def test_what_is_not_quite_a_decimal_is_another_number():
    X, Y = np.array([[0.3], [5.0]]), np.array([[0.3], [0.1 + 0.2], [5.0]])
    assert shoal.distance_linkage(X, Y, truth=np.array([0, 2])).chances.tolist() == [1, 1]


def test_a_gap_of_decimals_sits_at_their_mean():
    schema = Schema([Column("x", "quasi_identifier", "numeric")])
    original, released = pa.table({"x": [None, 0.1, 0.9]}), pa.table({"x": [0.5, 0.1, 0.9]})
    linked = shoal.link(original, released, schema, truth="position", intruder=shoal.Intruder(columns=("x",)))
    assert linked.chances.tolist() == [1, 1, 1]
