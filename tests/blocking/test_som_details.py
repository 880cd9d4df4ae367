"""Small print of maps: axes of records with gaps, the longer side, radii that fall, seeds, parts of just k."""

import numpy as np
import pytest

from shoal.blocking.som import Lattice, MapRules, sequential, som
from shoal.blocking.som.axes import Axes
from shoal.blocking.som.last_map import LastMap
from shoal.blocking.som.map import Map
from shoal.blocking.som.map_fusion import fuse_cells
from shoal.blocking.som.schedule import Phase
from shoal.blocking.som.sizing import lattice_for
from shoal.blocking.som.start import linear_units


def test_axes_take_every_product_over_the_records_that_know_both():
    chance = np.random.default_rng(0)
    X = chance.normal(size=(60, 3)) @ np.array([[3, 1, 0], [0, 2, 1], [0, 0, 1.0]])
    X[chance.random(X.shape) < 0.3] = np.nan
    mean = np.nanmean(X, axis=0)
    centered = X - mean
    expected = np.array([[np.nanmean(centered[:, i] * centered[:, j]) for i in range(3)] for j in range(3)])
    axes = Axes.of(X)
    assert axes.mean == pytest.approx(mean)
    assert axes.variances == pytest.approx(np.maximum(np.sort(np.linalg.eigvalsh(expected))[::-1], 0))


@pytest.mark.parametrize(("rows", "columns"), [(2, 5), (5, 2), (3, 3), (1, 4)])
def test_the_first_axis_lies_along_the_longer_side(rows, columns):
    axes = Axes(np.array([10.0, 20.0]), np.array([9.0, 4.0]), np.array([[0.0, 1.0], [1.0, 0.0]]))
    units = linear_units(Lattice(rows, columns), axes).reshape(rows, columns, 2)
    down, along = units[-1, 0] - units[0, 0], units[0, -1] - units[0, 0]
    first, second = (down, along) if rows >= columns else (along, down)
    assert first.tolist() == [0, 6]
    assert second.tolist() == ([4, 0] if min(rows, columns) > 1 else [0, 0])
    assert units.mean(axis=(0, 1)).tolist() == [10, 20]


def test_radii_fall_on_a_line_while_records_come(monkeypatch):
    seen = []
    around = sequential.Neighborhood.of
    monkeypatch.setattr(
        sequential.Neighborhood, "of", lambda lattice, radius: seen.append(radius) or around(lattice, radius)
    )
    X = np.random.default_rng(1).normal(size=(200, 2))
    phases = (Phase(np.linspace(3.0, 2.0, 2), 0.5), Phase(np.linspace(2.0, 1.0, 1), 0.05))
    sequential.train_sequential(X, X[:6].copy(), Lattice(2, 3), phases, np.random.default_rng(0))
    assert seen == pytest.approx([3.0, 2.75, 2.5, 2.25, 2.0, 2.0])


def test_another_seed_is_another_map_where_chance_has_a_say():
    X = np.random.default_rng(2).normal(size=(150, 2))
    for rules in (MapRules(start="random"), MapRules(training="sequential")):
        assert (som(X, rules=rules, seed=1).units != som(X, rules=rules, seed=2).units).any()
    assert (som(X, seed=1).units == som(X, seed=2).units).all()


def test_a_part_of_just_k_is_large_enough():
    X = np.repeat([[0.0], [1.0], [5.0]], [3, 2, 4], axis=0)
    trained = Map(Lattice(1, 3), np.array([[0.0], [1.0], [5.0]]), np.repeat([0, 1, 2], [3, 2, 4]))
    assert fuse_cells(X, trained, 2).sizes.tolist() == [3, 2, 4]
    assert fuse_cells(X, trained, 3).sizes.tolist() == [5, 4]
    few = Map(Lattice(1, 3), trained.units, np.repeat([0, 1, 2], [1, 2, 5]))
    assert fuse_cells(trained.units[few.labels], few, 4).sizes.tolist() == [8]  # three are still too few


@pytest.mark.parametrize("n_records", range(20, 400, 17))
def test_shifted_rows_alternate_all_the_way_round_a_toroid(n_records):
    lattice = lattice_for(MapRules(shape="toroid"), n_records, np.array([3.0, 1.0]))
    assert lattice.rows % 2 == 0
    sheet = lattice_for(MapRules(), n_records, np.array([3.0, 1.0]))
    assert (lattice.rows, lattice.columns) == (sheet.rows + sheet.rows % 2, sheet.columns)


def test_the_last_map_is_returned_for_the_same_table_rules_and_seed_alone():
    X = np.random.default_rng(0).random((60, 2))
    rules, last = MapRules(size=(3, 3), start="random"), LastMap()

    def found(records=X, rules=rules, seed=1):
        return last.find_or_train(records, rules=rules, missing="refuse", seed=seed)

    first = found()
    assert found() is first
    for other in ({"seed": 2}, {"records": X + 1}, {"records": X[::-1].copy()}, {"rules": MapRules(size=(3, 3))}):
        given = {"records": X, "rules": rules, "seed": 1} | other
        expected = som(given["records"], rules=given["rules"], seed=given["seed"])
        assert np.array_equal(found(**given).units, expected.units)
    assert np.array_equal(found().units, first.units)
