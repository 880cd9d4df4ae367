"""Automatic blocks: none while time allows, then the tree or the map, whichever loses less."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.blocking.block_choice import choose_blocks
from shoal.blocking.block_limit import MAX_SLOWDOWN, even_limit
from shoal.blocking.blocks import Blocks
from shoal.blocking.map_plan import MapPlan, plan_map
from shoal.blocking.predicted_time import is_repair_cheap, mdav_seconds, stays_whole
from shoal.blocking.som.map_rules import BY_RULE
from shoal.blocking.tree_plan import InMemory, TreeOptions, TreePlan
from shoal.blocking.tree_space import Ranges


def test_a_minute_is_the_limit_whatever_the_columns():
    assert stays_whole(250_000, 4, 3)
    assert stays_whole(200_000, 10, 3)
    assert not stays_whole(200_000, 40, 3)
    assert stays_whole(30_000, 40, 3)
    assert not stays_whole(1_000_000, 10, 3)
    assert stays_whole(1_000_000, 3, 3)


@given(n=st.integers(1000, 10**7), d=st.integers(1, 60), k=st.integers(2, 50))
def test_more_records_or_columns_are_never_whole_where_fewer_are_not(n, d, k):
    if not stays_whole(n, d, k):
        assert not stays_whole(2 * n, d, k)
        assert not stays_whole(n, d + 5, k)


@given(d=st.integers(1, 40), k=st.integers(2, 500))
def test_an_even_limit_is_the_largest_that_is_fast_enough(d, k):
    limit, finest = even_limit(d, k), max(500, 2 * k)
    per_record = [mdav_seconds(np.array([size]), d, k) / size for size in (finest, limit, 2 * limit)]
    assert per_record[1] <= MAX_SLOWDOWN * per_record[0] * (1 + 1e-9)
    assert per_record[2] > MAX_SLOWDOWN * per_record[0] or limit >= 64_000


def test_repair_is_cheap_up_to_a_minute():
    assert is_repair_cheap(2_000_000, 7, 1)
    assert not is_repair_cheap(2_000_000, 7, 2)
    assert not is_repair_cheap(2_000_000, 8, 1)


def clusters(n, d, seed):
    chance = np.random.default_rng(seed)
    return chance.random((40, d))[chance.integers(0, 40, n)] + 0.02 * chance.normal(size=(n, d))


SHAPES = {
    "clusters": (clusters(12_000, 4, 1), MapPlan),
    "uniform": (np.random.default_rng(2).random((12_000, 8)), TreePlan),
}


@pytest.mark.gate(but="clusters")
@pytest.mark.parametrize(("X", "kind"), SHAPES.values(), ids=SHAPES)
def test_the_blocks_lose_no_more_than_tree_and_map(X, kind):
    plan = choose_blocks(InMemory(X), TreeOptions(1000, 3))
    assert isinstance(plan, kind)
    by_map = plan_map(InMemory(X), Ranges.of(X), 3, 1000, BY_RULE, 0)
    tree = shoal.twod_tree(X, 3, limit=1000)
    losses = {
        of: shoal.mdav(X, 3, blocks=Blocks(rule.block_of(X), rule)).sse(X)
        for of, rule in {"auto": plan.rule, "map": by_map.rule, "tree": tree.rule}.items()
    }
    assert losses["auto"] <= 1.02 * min(losses["map"], losses["tree"])
    assert "in a pilot" in plan.reasons[-1]


@pytest.mark.parametrize("options", [{"whole": False}, {"fuse": "supervised"}, {"dimensions": [0, 1]}])
def test_options_of_the_tree_choose_the_tree(options):
    plan = choose_blocks(InMemory(SHAPES["clusters"][0]), TreeOptions(1000, 3, **options))
    assert isinstance(plan, TreePlan)


def test_a_map_of_a_sample_has_no_block_below_k():
    X = np.random.default_rng(4).lognormal(0, 1.5, (60_000, 3))
    plan = plan_map(InMemory(X), Ranges.of(X), 7, 400, BY_RULE, 0)
    sizes = np.bincount(plan.rule.block_of(X), minlength=plan.rule.n_blocks)
    assert sizes.min() >= 7
    assert sizes.max() == plan.limit
    assert 100 < sizes.mean() < 400
