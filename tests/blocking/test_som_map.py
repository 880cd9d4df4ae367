"""What a trained map tells: hits, U-matrix, quality, regions, blocks."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference import som as twin
from reference.lattices import lattices
from reference.tables import groups, tables
from shoal import datasets
from shoal.blocking.som.map import Map
from shoal.blocking.som.map_fusion import fuse_cells
from shoal.blocking.som.quality import map_quality
from shoal.blocking.som.regions import davies_bouldin, map_regions
from shoal.blocking.som.tree_structured import tree_structured_som


def placed(X, lattice, seed):
    """A map with units anywhere, so that cells are empty and twisted as no training leaves them."""
    units = np.random.default_rng(seed).normal(size=(lattice.n_units, X.shape[1]))
    return Map(lattice, units, np.array([twin.nearest(x, units) for x in X], dtype=np.int64))


def next_to(lattice):
    return [found[found >= 0].tolist() for found in lattice.neighbors]


@settings(max_examples=examples(60))
@given(tables(most=30), lattices(longest=4), st.integers(0, 2**32))
def test_quality_agrees_with_its_twin(X, lattice, seed):
    found = placed(X, lattice, seed)
    quality = map_quality(found, X)
    distances = [twin.squared(x, found.units[u]) ** 0.5 for x, u in zip(X, found.labels, strict=True)]
    assert quality.quantization == pytest.approx(np.mean(distances))
    if lattice.n_units > 1:
        second = [twin.nearest(x, found.units, but=u) for x, u in zip(X, found.labels, strict=True)]
        near, ways = next_to(lattice), twin.shortest_ways(found.units, next_to(lattice))
        pairs = list(zip(found.labels, second, strict=True))
        assert quality.topographic == pytest.approx(np.mean([b not in near[a] for a, b in pairs]))
        along = [distance + ways[a][b] for distance, (a, b) in zip(distances, pairs, strict=True)]
        assert quality.combined == pytest.approx(np.mean(along))


@settings(max_examples=examples(60))
@given(tables(most=40), lattices(longest=5), st.integers(2, 6), st.integers(0, 2**32))
def test_parts_are_fused_as_their_twin_says(X, lattice, k, seed):
    X = X + np.random.default_rng(seed).normal(scale=1e-3, size=X.shape)  # centroids that tie by rounding prove nothing
    found = placed(X, lattice, seed)
    parts = fuse_cells(X, found, k)
    assert sorted(groups(parts)) == twin.fused(X, found.labels, k, lattice.n_units, next_to(lattice))
    assert np.array_equal(parts.of_unit[found.labels], parts.labels)
    assert np.array_equal(parts.of_unit < 0, found.hits == 0)
    assert np.count_nonzero(found.hits) - len(parts.fusions) == parts.n_groups
    as_published = fuse_cells(X, found, k, "at_once")
    assert sorted(groups(as_published)) == twin.fused_at_once(X, found.labels, k, lattice.n_units, next_to(lattice))
    assert np.count_nonzero(found.hits) - len(as_published.fusions) == as_published.n_groups


def test_the_u_matrix_is_high_between_two_clusters():
    chance = np.random.default_rng(0)
    X = np.concatenate([chance.normal(-5, 1, (500, 2)), chance.normal(5, 1, (500, 2))])
    trained = shoal.som(X, rules=shoal.MapRules(size=(12, 4)))
    rows = trained.u_matrix.reshape(12, 4).mean(axis=1)
    assert 4 <= np.argmax(rows) <= 7
    assert trained.hits.sum() == 1000
    assert np.nanmin(trained.neighbor_distances) > 0


def test_regions_are_the_clusters_that_are_there():
    chance = np.random.default_rng(1)
    centers = np.array([[0, 0], [10, 0], [0, 10]])
    cluster = chance.integers(0, 3, 3000)
    X = centers[cluster] + chance.normal(size=(3000, 2))
    trained = shoal.som(X, rules=shoal.MapRules(size=(14, 12)))
    regions = map_regions(trained, seed=3)
    assert regions.n == 3
    counts = np.zeros((3, 3), dtype=int)
    np.add.at(counts, (cluster, regions.of_unit[trained.labels]), 1)
    assert counts.max(axis=0).sum() > 0.98 * 3000
    assert regions.index == pytest.approx(davies_bouldin(trained.units, shoal.Partition(regions.of_unit)))


@given(tables(), st.integers(0, 2**32))
def test_the_davies_bouldin_index_agrees_with_its_twin(X, seed):
    X = X + np.random.default_rng(seed).normal(scale=1e-3, size=X.shape)  # no two centers coincide
    labels = np.unique(np.random.default_rng(seed).integers(0, 3, len(X)), return_inverse=True)[1]
    if labels.max() > 0:
        expected = twin.davies_bouldin(X.tolist(), labels.tolist())
        assert davies_bouldin(X, shoal.Partition(labels)) == pytest.approx(expected)


def test_records_that_are_all_alike_are_one_region():
    assert map_regions(shoal.som(np.ones((60, 2)))).n == 1


def test_blocks_of_a_map_and_their_rule():
    X = shoal.standardize(datasets.clustered_array(3000, 3, (20, 40), 0.02, seed=1))
    blocks = shoal.som_blocks(X, 25)
    assert blocks.check(25).n_groups > 10
    assert np.array_equal(blocks.rule.block_of(X), blocks.labels)
    rule = json.loads(blocks.rule.to_json())
    assert max(rule["blocks"]) == blocks.n_groups - 1
    assert np.array_equal([rule["blocks"][twin.nearest(x, rule["units"])] for x in X[:200]], blocks.labels[:200])
    new = np.random.default_rng(2).normal(size=(50, 3))
    assert ((blocks.rule.block_of(new) >= 0) & (blocks.rule.block_of(new) < blocks.n_groups)).all()


def test_a_tree_of_layers_finds_nearly_the_nearest_unit():
    X = shoal.standardize(datasets.uniform_array(3000, 3, seed=2))
    found = tree_structured_som(X, 5)
    assert (found.lattice.rows, found.lattice.columns) == (16, 16)
    assert (found.labels == found.unit_of(X)).mean() > 0.8
    flat = shoal.som(X, rules=shoal.MapRules(size=(16, 16), lattice="rectangular"))
    assert map_quality(found, X).quantization < 1.1 * map_quality(flat, X).quantization


@pytest.mark.parametrize("training", ["batch", "sequential"])
def test_large_records_that_are_all_alike_have_a_map_at_their_place(training):
    """A mean that is off by its last bit squares to infinity here."""
    trained = shoal.som(np.full((7, 2), 1e300), rules=shoal.MapRules(training=training))
    assert np.allclose(trained.units, 1e300, rtol=1e-12)
