"""A map is trained as its slow twin says, the same on any number of threads."""

from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference import som as twin
from reference.lattices import lattices
from reference.tables import tables
from shoal import datasets, kernels
from shoal.blocking.som import batch, nearest_units
from shoal.blocking.som.axes import Axes
from shoal.blocking.som.lattice import Lattice
from shoal.blocking.som.neighborhood import Neighborhood
from shoal.blocking.som.schedule import Phase, epochs_of, phases
from shoal.errors import ArrayError


def sides(lattice):
    return lattice.rows, lattice.columns, lattice.form, lattice.shape


def with_gaps(X, seed):
    gaps = np.random.default_rng(seed).random(X.shape) < 0.3
    gaps[np.arange(len(X)), np.arange(len(X)) % X.shape[1]] = False  # everybody knows something
    return np.where(gaps, np.nan, X)


@given(tables(most=60), st.integers(1, 40), st.integers(0, 2**32), st.booleans())
def test_the_nearest_units_ties_and_gaps_and_all(X, n_units, seed, gaps):
    chance = np.random.default_rng(seed)
    units = X[chance.integers(0, len(X), n_units)] + chance.integers(-1, 2, (n_units, X.shape[1]))
    records = with_gaps(X, seed) if gaps else X
    hints = chance.integers(0, n_units, len(X))
    found = nearest_units.nearest_units(records, units, hints, 2)
    assert found.tolist() == [twin.nearest(x, units) for x in records]
    if n_units > 1:
        second = nearest_units.second_units(records, units, found, 2)
        assert second.tolist() == [twin.nearest(x, units, but=u) for x, u in zip(records, found, strict=True)]


@settings(max_examples=examples(60))
@given(tables(most=30), lattices(longest=5), st.floats(0.5, 4), st.integers(0, 2**32), st.booleans())
def test_a_batch_step_agrees_with_its_twin(X, lattice, radius, seed, gaps):
    units = np.random.default_rng(seed).normal(size=(lattice.n_units, X.shape[1]))
    records = with_gaps(X, seed) if gaps else X
    labels = nearest_units.nearest_units(records, units, np.zeros(len(X), dtype=np.int64), 1)
    moved = batch.update_units(records, units, labels, Neighborhood.of(lattice, radius))
    assert np.allclose(moved, twin.batch_step(records, units, radius, *sides(lattice)), atol=1e-9)


@settings(max_examples=examples(30))
@given(tables(most=20), lattices(longest=5), st.floats(0.5, 4), st.integers(0, 2**32), st.booleans())
def test_sequential_steps_agree_with_their_twin(X, lattice, radius, seed, gaps):
    units = np.random.default_rng(seed).normal(size=(lattice.n_units, X.shape[1]))
    records = with_gaps(X, seed) if gaps else X
    around = Neighborhood.of(lattice, radius)
    found = kernels.kohonen_steps(units, records, around.rows, around.columns, lattice.form == "hexagonal", 0.3)
    assert np.allclose(found, twin.kohonen_steps(records, units, radius, 0.3, *sides(lattice)), atol=1e-9)


@given(tables())
def test_axes_agree_with_a_library(X):
    axes = Axes.of(X)
    covariance = np.cov(X, rowvar=False, bias=True).reshape(X.shape[1], -1)
    assert np.allclose(axes.mean, X.mean(axis=0))
    assert np.allclose(axes.variances, np.linalg.eigvalsh(covariance)[::-1], atol=1e-9)
    assert np.allclose(axes.directions @ axes.directions.T, np.eye(X.shape[1]))
    assert np.allclose(axes.directions @ covariance, axes.variances[:, None] * axes.directions, atol=1e-9)


@pytest.mark.parametrize("form", ["hexagonal", "rectangular"])
@pytest.mark.parametrize("shift", [(2, 0), (0, 3), (4, 5)])
def test_a_toroid_has_no_place_of_its_own(form, shift):
    """Started from units that are shifted around it, the whole map comes out shifted."""
    chance = np.random.default_rng(5)
    X, lattice = chance.normal(size=(400, 3)), Lattice(6, 7, form, "toroid")
    units = chance.normal(size=(42, 3))
    plan = (Phase(np.array([2.0, 1.5, 1.0]), 0.5),)

    def rolled(values):
        return np.roll(values.reshape(6, 7, -1), shift, axis=(0, 1)).reshape(42, -1)

    trained, labels = batch.train_batch(X, units, lattice, plan, 1)
    shifted, moved_labels = batch.train_batch(X, rolled(units), lattice, plan, 1)
    assert np.allclose(rolled(trained), shifted)
    assert np.array_equal(rolled(np.arange(42)).ravel()[moved_labels], labels)


@pytest.mark.parametrize("training", ["batch", "sequential"])
def test_same_seed_same_map_on_any_number_of_threads(training):
    X = np.random.default_rng(1).normal(size=(12_000, 3))
    rules = shoal.MapRules(size=(8, 6), start="random", training=training, epochs=(1, 1))
    maps = [shoal.som(X, rules=rules, seed=4, threads=threads) for threads in (1, 2, 5)]
    assert all(found.units.tobytes() == maps[0].units.tobytes() for found in maps)
    assert all(np.array_equal(found.labels, maps[0].labels) for found in maps)
    assert not np.array_equal(shoal.som(X, rules=rules, seed=5).units, maps[0].units)


def test_the_order_of_the_records_decides_nothing_but_the_last_bits():
    """Only the axes of the start are summed in the order of the records."""
    X, order = np.random.default_rng(2).normal(size=(3000, 4)), np.random.default_rng(3).permutation(3000)
    found, shuffled = shoal.som(X), shoal.som(X[order])
    assert np.allclose(found.units, shuffled.units)
    assert (found.labels[order] == shuffled.labels).mean() > 0.999


def test_the_toolbox_trains_large_tables_once_and_we_a_few_times():
    assert epochs_of(1582, 100_000) == (2, 8)
    assert epochs_of(130, 650) == (2, 8)  # 2 and 8 by the rule
    assert epochs_of(60, 150) == (4, 16)
    rough, fine = phases(shoal.MapRules(), Lattice(43, 37), 100_000)
    assert (rough.radii[0], rough.radii[-1], fine.radii[0], fine.radii[-1]) == (6, 1.5, 1.5, 1)


def test_gaps_cost_little_where_columns_hang_together():
    x = np.random.default_rng(3).normal(size=2000)
    X = np.column_stack([x, 2 * x, -x]) + np.random.default_rng(4).normal(scale=0.05, size=(2000, 3))
    holes = with_gaps(X, 5)
    trained = shoal.som(holes, missing="known")
    assert np.abs(trained.impute_missing(holes) - X)[np.isnan(holes)].mean() < 0.2
    assert np.isfinite(trained.units).all()
    assert np.array_equal(trained.unit_of(holes, missing="known"), trained.labels)


@pytest.mark.parametrize(
    ("X", "words"),
    [
        ([[np.nan, 1.0], [np.nan, np.nan]], "1 records contain only NaN"),
        ([[np.nan, 1.0], [np.nan, 2.0]], "1 columns contain only NaN"),
        ([[np.inf, 1.0], [np.nan, 2.0]], "1 infinite"),
        (np.empty((0, 2)), "is empty"),
        ([["a"]], "must hold numbers"),
        (np.ma.masked_array([[1.0, 2.0]], [[True, False]]), "masked"),
    ],
)
def test_records_that_no_map_can_take(X, words):
    with pytest.raises(ArrayError, match=words):
        shoal.som(X, missing="known")


def test_gaps_are_refused_unless_they_are_asked_for():
    with pytest.raises(ArrayError, match="1 NaN"):
        shoal.som([[1.0], [np.nan]])


@pytest.mark.parametrize(
    ("X", "sides"),
    [
        (np.ones((1, 3)), (1, 1)),
        (np.ones((50, 2)), (6, 6)),  # nothing to tell apart
        (np.arange(50.0)[:, None], (1, 36)),
        (np.column_stack([np.arange(50.0), np.ones(50)]), (1, 36)),
        (np.random.default_rng(0).normal(size=(7, 2)), (4, 2)),
    ],
    ids=["one record", "constant", "one column", "on a line", "seven records"],
)
def test_odd_tables_get_a_small_map(X, sides):
    trained = shoal.som(X)
    assert (trained.lattice.rows, trained.lattice.columns) == sides
    assert np.isfinite(trained.units).all()
    assert trained.hits.sum() == len(X)


def test_more_training_brings_units_nearer():
    X = shoal.standardize(datasets.uniform_array(5000, 3, seed=1))
    losses = []
    for epochs in ((1, 1), (1, 3), (4, 16)):
        labels = np.unique(shoal.som(X, rules=shoal.MapRules(epochs=epochs)).labels, return_inverse=True)[1]
        losses.append(shoal.Partition(labels).information_loss(X))
    assert losses == sorted(losses, reverse=True)


def test_the_same_map_to_the_last_bit_on_every_machine():
    X = datasets.uniform_array(500, 3, seed=0)
    trained = shoal.som(X, rules=shoal.MapRules(size=(6, 5)))
    assert trained.units[17].tolist() == [0.6274179732444967, 0.5701776991528205, 0.6342211829919383]
    assert sha256(trained.units.tobytes()).hexdigest()[:16] == "7692617d6f9155bb"
    assert sha256(trained.labels.tobytes()).hexdigest()[:16] == "d39414a81bfee338"
