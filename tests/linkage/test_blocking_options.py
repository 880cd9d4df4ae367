"""Blockings as they are written in a policy or the shell, several passes, the tree and the map as blockings."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import LinkageError, PolicyError
from shoal.linkage.blocking_options import BlockingOptions, resolve_blocking
from shoal.linkage.blocking_passes import BlockingPasses
from shoal.linkage.blocking_table import blocking_table
from shoal.linkage.linkage_blocking import blocking_quality
from shoal.linkage.linkage_tables import encode_linkage_arrays
from shoal.linkage.quantifiers import Logistic, Power, published_quantifiers, quantifier_of, quantifier_text
from shoal.linkage.tree_blocking import MapBlocking, TreeBlocking
from shoal.policy import load
from shoal.schema import Column, Schema

BLOCKINGS = {
    "standard": shoal.StandardBlocking(("0",)),
    "sorted": shoal.SortedNeighborhood(("1",), 0.1),
    "fuzzy": shoal.FuzzyBlocking((Power(1.4),), n_blocks=7),
    "twod_tree": TreeBlocking(9),
    "som": MapBlocking(9),
}


def sides(seed=0, n=200, noise=0.2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return encode_linkage_arrays(X, X + noise * rng.normal(size=X.shape))


def recall(blocking, tables):
    return blocking_quality(blocking.candidates(tables), np.arange(tables.n_original)).recall


def kept(blocking, tables):
    one, other = np.indices((tables.n_original, tables.n_released))
    return blocking.candidates(tables).contains(one.ravel(), other.ravel())


@pytest.mark.gate
@given(st.integers(0, 2**32), st.permutations(list(BLOCKINGS)))
def test_more_passes_keep_more_true_pairs(seed, order):
    tables = sides(seed, n=60)
    passes = [BLOCKINGS[name] for name in order]
    recalls = [recall(BlockingPasses(tuple(passes[:n])), tables) for n in range(1, len(passes) + 1)]
    assert recalls == sorted(recalls)


def test_passes_keep_what_any_of_them_keeps():
    tables = sides(n=80)
    expected = np.any([kept(blocking, tables) for blocking in BLOCKINGS.values()], axis=0)
    assert (kept(BlockingPasses(tuple(BLOCKINGS.values())), tables) == expected).all()


@pytest.mark.parametrize("made", [TreeBlocking, MapBlocking])
def test_the_tree_and_the_map(made):
    tables = sides(n=400)
    one, many, wider = (made(1), made(16), made(16, neighbors=True))
    assert recall(one, tables) == 1
    assert kept(one, tables).all()
    assert blocking_quality(many.candidates(tables), np.arange(400)).reduction_ratio > 0.7
    assert (kept(wider, tables) >= kept(many, tables)).all()
    assert recall(wider, tables) > recall(many, tables)
    same = encode_linkage_arrays(tables.points[1], tables.points[1])
    assert recall(many, same) == 1  # an unmasked record is in the block of its person
    with pytest.raises(LinkageError, match="n_blocks must be 1 or more"):
        made(0)


@pytest.mark.parametrize("made", [TreeBlocking(5), MapBlocking(5)], ids=["twod_tree", "som"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_very_few_records(made, n):
    assert recall(made, sides(n=n, noise=0.0)) == 1


def test_quantifiers_are_read_as_they_are_written():
    for quantifier in (q for family in published_quantifiers().values() for q in family):
        assert quantifier_of(quantifier_text(quantifier)) == quantifier
    assert quantifier_of("logistic 0.5") == Logistic(0.5)
    for wrong in ("power", "power x", "Q1 1.2", "power 0", "threshold -1", "power nan", ""):
        with pytest.raises(LinkageError, match=r"such as 'power 1.2'"):
            quantifier_of(wrong)


def test_options_of_another_method_are_refused():
    for method, options in (
        ("sorted", {"decimals": 1}),
        ("standard", {"window": 0.1}),
        ("twod_tree", {"keys": ("age",)}),
        ("auto", {"n_blocks": 5}),
        ("standard", {"quantifier": ("power 1",)}),
    ):
        with pytest.raises(PolicyError, match=rf"blocking.{next(iter(options))} is only allowed with"):
            BlockingOptions(method, **options)
    with pytest.raises(LinkageError, match="exactly one"):
        BlockingOptions("fuzzy", decimals=1, n_blocks=4)
    with pytest.raises(LinkageError, match="window must be"):
        BlockingOptions("sorted", window=1.5)
    with pytest.raises(LinkageError, match="fuzzy blocking averages"):
        BlockingOptions("fuzzy", keys=(("a", "b"),))


def test_every_pair_among_the_passes_is_every_pair():
    tables = sides(n=20)
    assert resolve_blocking(["fuzzy", "none"], tables, np.arange(20), 0) is None


POLICY = {"columns": {"a": {"role": "quasi_identifier", "kind": "numeric"}, "b": {"role": "other", "kind": "numeric"}}}


def with_linkage(blocking):
    return {**POLICY, "linkage": {"blocking": blocking}}


def test_a_policy_names_one_blocking_or_several_and_its_hash_stays():
    one = load(with_linkage({"method": "fuzzy", "quantifier": "power 1.2", "n_blocks": 4}))
    two = load(with_linkage([{"method": "standard", "keys": ["a", ["a", "b"]]}, {"method": "sorted", "window": 5}]))
    assert one.linkage.blocking[0].options.blocking == shoal.FuzzyBlocking((Power(1.2),), n_blocks=4)
    assert [rule.options.blocking for rule in two.linkage.blocking] == [
        shoal.StandardBlocking(("a", ("a", "b"))),
        shoal.SortedNeighborhood((), 5),
    ]
    assert load(POLICY).digest() == one.digest() == two.digest()
    assert load(POLICY).digest_of_values() == two.digest_of_values()
    assert load(POLICY).summary() == two.summary()


@pytest.mark.parametrize(
    ("blocking", "words"),
    [
        ({"method": "fuzzi"}, "linkage.blocking"),
        ({"method": "fuzzy", "window": 3}, "linkage.blocking.window is only allowed with"),
        ({"method": "standard", "keys": ["c"]}, "linkage.blocking.keys"),
        ({"method": "fuzzy", "quantifier": "most"}, "such as 'power 1.2'"),
    ],
)
def test_wrong_keys_of_a_policy(blocking, words):
    with pytest.raises(PolicyError, match=words):
        load(with_linkage(blocking))


def test_the_blocking_of_the_policy_is_used_unless_another_is_given():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    tables = [pa.table({"a": Y[:, 0], "b": Y[:, 1]}) for Y in (X, X + 0.1 * rng.normal(size=X.shape))]
    policy = with_linkage({"method": "fuzzy", "n_blocks": 5})
    blocked = shoal.link(*tables, policy, truth="position")
    assert blocked.blocking.n_pairs < 10_000
    assert shoal.link(*tables, policy, truth="position", blocking="none").blocking is None
    wider = shoal.link(*tables, policy, truth="position", blocking=["fuzzy", shoal.SortedNeighborhood(("a",), 0.2)])
    assert wider.blocking.recall >= shoal.link(*tables, policy, truth="position", blocking="fuzzy").blocking.recall


def test_without_a_budget_small_files_keep_a_tenth_of_the_pairs():
    """1,000 pairs per person are all pairs of 500 records: then every blocking would keep every true pair."""
    rows, stated = (blocking_table(sides(n=500), np.arange(500), n_pairs=n).rows for n in (None, 25_000))
    assert rows == stated


def test_a_table_keeps_its_budget():
    tables = sides(n=500)
    table = blocking_table(tables, np.arange(500), n_pairs=25_000)
    assert len(table.rows) == 30 + 3 + 3 + 2
    assert all(0.05 < row.pair_share < 0.15 for row in table.rows if row.method in ("fuzzy", "standard", "sorted"))
    assert all(row.n_found == round(row.recall * 500) for row in table.rows)
    by = {(row.method, row.by): row.recall for row in table.rows}
    assert by["standard", "0"] == recall(shoal.StandardBlocking(("0",), n_blocks=10), tables)
    with pytest.raises(LinkageError, match="not both"):
        blocking_table(tables, np.arange(500), n_pairs=5, decimals=1)
    with pytest.raises(LinkageError, match="no true pair"):
        blocking_table(tables, np.full(500, -1))


EXTENTS = pa.table({"age": ["[20, 30)", "[20, 30)", "[30, 40]", "[30, 40]"], "sex": ["f", "m", "{f, m}", "{f, m}"]})
PERSONS = pa.table({"age": [21, 25, 33, 38], "sex": ["f", "m", "f", "m"]})
AGE_IS_A_NUMBER = Schema([Column("age", "quasi_identifier", "numeric")])


def test_linkage_by_extents():
    linked = shoal.link(PERSONS, EXTENTS, AGE_IS_A_NUMBER, truth="position", by="extents")
    assert linked.columns == ("age", "sex")
    assert linked.chances == pytest.approx([1, 1, 0.5, 0.5])
    with pytest.raises(LinkageError, match="takes no blocking"):
        shoal.link(PERSONS, EXTENTS, truth="position", by="extents", blocking="fuzzy")
    with pytest.raises(LinkageError, match="nothing can be linked by extents"):
        shoal.link(PERSONS, PERSONS, truth="position", by="extents")
