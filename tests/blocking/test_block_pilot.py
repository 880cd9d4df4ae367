"""The pilot estimates the loss within blocks, and the tree that it chooses is the better one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from reference import twod_tree as twin
from reference.tables import groups, tables
from shoal.blocking.block_pilot import BlockSpreads, estimate_loss
from shoal.blocking.tree_plan import InMemory, TreeOptions, plan_tree
from shoal.blocking.tree_space import Ranges
from shoal.plan import Partition


def heavy_tails(n):
    return np.random.default_rng(21).standard_t(2.5, (n, 3))


def correlated(n):
    chance = np.random.default_rng(22)
    return chance.normal(size=(n, 2)) @ chance.normal(size=(2, 6)) + 0.1 * chance.normal(size=(n, 6))


def grid(n):
    chance = np.random.default_rng(23)
    return np.column_stack([chance.integers(0, most, n) for most in (4, 7, 15, 60)]).astype(float)


def mixture(n):
    chance = np.random.default_rng(24)
    of = chance.integers(0, 30, n)
    return chance.random((30, 4))[of] + chance.gamma(1.0, 0.02, (30, 1))[of] * chance.normal(size=(n, 4))


FRESH = {"heavy tails": heavy_tails, "correlated": correlated, "grid": grid, "mixture": mixture}


def sse(X, k, blocks):
    return shoal.mdav(X, k, blocks=blocks).sse(X)


@given(X=tables(most=80, columns=3, least=12), k=st.integers(2, 4))
def test_a_small_table_has_its_exact_loss(X, k):
    blocks = shoal.twod_tree(X, k, limit=12, whole=False)
    found = estimate_loss(InMemory(X), blocks.rule, k, Ranges.of(X))
    assert found.loss == pytest.approx(sse(X, k, blocks), rel=1e-9, abs=1e-9)
    assert (found.n_grouped, found.largest) == (len(X), blocks.sizes.max())


@pytest.mark.parametrize("points", FRESH.values(), ids=FRESH)
@pytest.mark.parametrize("limit", [60, 400])
def test_a_tenth_of_the_records_shows_the_loss_of_all(points, limit):
    X = shoal.standardize(points(20_000))
    blocks = shoal.twod_tree(X, 3, limit=limit, whole=False)
    found = estimate_loss(InMemory(X), blocks.rule, 3, Ranges.of(X), records=2000)
    assert found.n_grouped < 3500
    exact = sse(X, 3, blocks)
    assert found.loss == pytest.approx(exact, rel=0.25, abs=1e-5 * len(X))


@given(X=tables(most=60, columns=3, least=6), seed=st.integers(0, 99))
def test_spreads_of_batches_add_up(X, seed):
    rule, ranges = shoal.twod_tree(X, 2, limit=6, whole=False).rule, Ranges.of(X)
    shuffled = np.array_split(np.random.default_rng(seed).permutation(X), 3)
    parts = [BlockSpreads.of(part, rule, ranges) for part in shuffled]
    added, whole = parts[0] + parts[1] + parts[2], BlockSpreads.of(X, rule, ranges)
    assert all((getattr(added, name) == getattr(whole, name)).all() for name in ("counts", "sums", "squares"))
    blocks = rule.block_of(X)
    within = [((X[blocks == block] - X[blocks == block].mean(axis=0)) ** 2).sum() for block in range(rule.n_blocks)]
    coarse = ((X.max(axis=0) - X.min(axis=0)) ** 2).sum() * 1e-5
    assert whole.sst(ranges) == pytest.approx(within, rel=1e-3, abs=coarse)


def test_points_of_blocks_are_theirs_in_the_order_of_the_table():
    X = np.random.default_rng(3).random((400, 2))
    blocks = shoal.twod_tree(X, 3, limit=40, whole=False)
    found = InMemory(X).points_of(blocks.rule, np.array([1, 4, 5]))
    for block, points in zip((1, 4, 5), found, strict=True):
        assert (points == X[blocks.labels == block]).all()


@pytest.mark.long
def test_the_tree_is_nearly_the_better_one_on_fresh_tables():
    ratios = []
    for points in FRESH.values():
        X = shoal.standardize(points(30_000))
        for k, limit in ((3, 100), (5, 100), (3, 400), (5, 1000)):
            whole, gradual, chosen = (
                sse(X, k, shoal.twod_tree(X, k, limit=limit, whole=rule)) for rule in (True, False, "auto")
            )
            ratios.append((max(chosen, 1e-6) / max(min(whole, gradual), 1e-6), whole / max(gradual, 1e-6)))
    over_better, of_rules = np.array(ratios).T
    assert np.exp(np.log(over_better).mean()) <= 1.02
    assert over_better.max() <= 1.10
    assert of_rules.min() < 0.97  # neither rule alone would do
    assert of_rules.max() > 1.05


def test_what_is_chosen_is_one_of_both_and_is_said():
    X = shoal.standardize(mixture(3000))
    chosen, whole = (shoal.twod_tree(X, 5, limit=60, whole=rule) for rule in ("auto", True))
    assert sse(X, 5, whole) < sse(X, 5, shoal.twod_tree(X, 5, limit=60, whole=False))
    assert chosen.rule.to_json() == whole.rule.to_json()
    assert "All dimensions are halved at once" in chosen.reasons[-1]


def test_a_tree_that_is_as_published_already_is_grown_once():
    class Counting(InMemory):
        n_counts = 0

        def cells(self, growth):
            Counting.n_counts += 1
            return super().cells(growth)

    X = np.random.default_rng(8).random((12_000, 2))
    plan = plan_tree(Counting(X), TreeOptions(2000, 3))
    assert groups(Partition(plan.rule.block_of(X))) == groups(shoal.twod_tree(X, 3, limit=2000, whole=True))
    assert Counting.n_counts == 1


def test_the_published_tree_halves_all_of_many_columns():
    X = np.random.default_rng(5).random((90, 11))
    blocks = shoal.twod_tree(X, 3, limit=40, fuse="none", whole=True)
    assert groups(blocks) == twin.leaves(X, 40)
    assert len(blocks.tree.space.dimensions) == 11


@pytest.mark.parametrize("whole", [True, False, "auto"])
@pytest.mark.parametrize("dimensions", [None, "auto"])
def test_limit_auto_gives_the_blocks_of_its_number(whole, dimensions):
    chance = np.random.default_rng(6)
    X = chance.normal(size=(9000, 4)) @ chance.normal(size=(4, 14)) + 0.3 * chance.normal(size=(9000, 14))
    by_choice = shoal.twod_tree(X, 3, limit="auto", whole=whole, dimensions=dimensions)
    by_number = shoal.twod_tree(X, 3, limit=by_choice.limit, whole=whole, dimensions=dimensions)
    assert by_choice.n_groups > 1
    assert by_choice.rule.to_json() == by_number.rule.to_json()
