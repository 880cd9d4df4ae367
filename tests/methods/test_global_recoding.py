"""Global recoding: the same value is told in the same way everywhere, and the best levels are the best of all."""

import random
from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference import requirements as twin
from reference.suppression import stable
from shoal.encode.combination_counts import count_combinations
from shoal.errors import PolicyError
from shoal.methods.generalization.global_recoding import GlobalRecoding

JOBS = shoal.Taxonomy((("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "y", "*")))
SCHEMA = shoal.Schema(
    [
        shoal.Column("age", role="quasi_identifier", kind="numeric"),
        shoal.Column("job", role="quasi_identifier", kind="nominal", taxonomy=JOBS),
        shoal.Column("s", role="sensitive"),
    ]
)


def a_table(seed, n=60, gaps=0.0):
    chance = np.random.default_rng(seed)
    columns = {
        "age": chance.integers(20, 60, n).astype(object),
        "job": chance.choice(list("abcd"), n, p=[0.5, 0.3, 0.15, 0.05]).astype(object),
        "s": chance.choice(list("pq"), n).astype(object),
    }
    for values in columns.values():
        values[chance.random(n) < gaps] = None
    return pa.table({name: pa.array(values.tolist()) for name, values in columns.items()})


def brute_force(table, k, limit):
    """The least discernibility over all levels: values, intervals of 10 and 20, all; values, branches, all."""
    ages = [lambda v: v, lambda v: v // 10, lambda v: v // 20, lambda v: 0]
    jobs = [lambda v: v, lambda v: "x" if v in "ab" else "y", lambda v: 0]
    found = []
    for of_age, of_job in product(ages, jobs):
        keys = [(of_age(r["age"]), of_job(r["job"])) for r in table.to_pylist()]
        sizes = [keys.count(key) for key in set(keys)]
        dropped = sum(size for size in sizes if size < k)
        if dropped <= limit * len(keys):
            found.append(sum(size**2 for size in sizes if size >= k) + dropped * len(keys))
    return min(found)


@settings(max_examples=examples(30))
@given(st.integers(0, 2**32), st.integers(2, 8), st.sampled_from([0.0, 0.1]))
def test_the_best_levels_are_found(seed, k, limit):
    table = a_table(seed)
    tree = shoal.global_recoding(table, SCHEMA, [shoal.KAnonymity(k)], suppression=limit, widths={"age": [10, 20]})
    sizes = np.bincount(tree.block_of(table))
    dropped = sizes[sizes < k].sum()
    assert (sizes[sizes >= k] ** 2).sum() + dropped * len(table) == brute_force(table, k, limit)


@pytest.mark.parametrize("scheme", ["levels", "cuts"])
@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_a_value_is_told_alike_everywhere_and_all_hold(scheme, gaps):
    table = a_table(3, n=300, gaps=gaps)
    wanted = [shoal.KAnonymity(5), shoal.DistinctLDiversity(2, "s")]
    tree = shoal.global_recoding(table, SCHEMA, wanted, scheme=scheme)
    partition = tree.partition(table)
    assert partition.sizes.min() >= 5
    assert partition.n_groups > 1
    block = tree.block_of(table)
    for name in tree.columns:
        extents = tree.extents[name]
        told = {}
        for value, at in zip(table[name].to_pylist(), block, strict=True):
            told.setdefault(value, set()).add(extents.distinct[extents.of_group[at]])
        assert all(len(each) == 1 for each in told.values())


@pytest.mark.parametrize("scheme", ["levels", "cuts"])
def test_classes_are_compared_with_what_is_left(scheme):
    """What is suppressed changes the shares of what is left, so that further classes fail."""
    for seed in (6, 18, 19):
        draw = random.Random(seed)
        age, job = [draw.randint(20, 60) for _ in range(60)], [draw.choice("aaabbcd") for _ in range(60)]
        values = [draw.choice("xyz") if draw.random() < 0.6 else "xyz"[(number // 15) % 3] for number in age]
        table, wanted = (
            pa.table({"age": age, "job": job, "s": values}),
            [shoal.KAnonymity(2), shoal.BetaLikeness(1, "s")],
        )
        tree = shoal.global_recoding(table, SCHEMA, wanted, scheme=scheme, suppression=0.3)
        classes = tree.block_of(table).tolist()
        kept = stable([classes], values, lambda q, p: len(q) >= 2 and twin.beta(q, p, enhanced=False) <= 1 + 1e-9)
        assert len(kept) >= 42


class Greedy(GlobalRecoding):
    most_combinations = most_starts = 1


def test_a_greedy_descent_where_levels_are_too_many():
    table = a_table(5, n=200)
    counts, wanted = count_combinations(table, table.column_names), [shoal.KAnonymity(5)]
    best, tree = (method.cut(counts, SCHEMA, wanted) for method in (GlobalRecoding(), Greedy()))
    sizes, least = tree.partition(table).sizes, best.partition(table).sizes
    assert sizes.min() >= 5
    assert (least**2).sum() <= (sizes**2).sum() < 200**2


@pytest.mark.parametrize(
    "method", [GlobalRecoding(suppression=0.5), Greedy(suppression=0.5), GlobalRecoding("cuts", suppression=0.5)]
)
def test_a_part_may_hold_where_the_whole_does_not(method):
    """The value of most records is that of one age, and no class with all of them is diverse."""
    table = pa.table({"age": [20] * 5 + [40, 40, 40, 40, 60, 60], "job": ["a"] * 11, "s": ["p"] * 5 + ["p", "q"] * 3})
    wanted = [shoal.KAnonymity(2), shoal.EntropyLDiversity(1.9, "s")]
    if method.most_combinations == 1:
        with pytest.raises(PolicyError, match="not even all records"):  # it may look at one recoding
            method.cut(count_combinations(table, table.column_names), SCHEMA, wanted)
        return
    tree = method.cut(count_combinations(table, table.column_names), SCHEMA, wanted)
    blocks = tree.block_of(table)
    assert blocks[0] not in blocks[5:]
    with pytest.raises(PolicyError, match="not even all records"):
        shoal.global_recoding(table, SCHEMA, wanted, suppression=0.4)


def test_cutting_every_block_in_its_own_way_loses_less():
    table = a_table(8, n=500)
    wanted = [shoal.KAnonymity(5)]
    own = shoal.mondrian(table, SCHEMA, wanted).partition(table).sizes
    for scheme in ("levels", "cuts"):
        assert (own**2).sum() < (
            shoal.global_recoding(table, SCHEMA, wanted, scheme=scheme).partition(table).sizes ** 2
        ).sum()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scheme": "grid"}, "scheme is 'grid'"),
        ({"loss": "sse"}, "loss is 'sse'"),
        ({"suppression": 2}, "suppression must be from 0 to 1"),
        ({"widths": {"job": [1]}}, "no column 'job'"),
        ({"widths": {"age": [10, 15]}}, "widths|intervals"),
    ],
)
def test_what_cannot_be_is_refused(options, words):
    with pytest.raises(PolicyError, match=words):
        shoal.global_recoding(a_table(1), SCHEMA, [shoal.KAnonymity(2)], **options)
