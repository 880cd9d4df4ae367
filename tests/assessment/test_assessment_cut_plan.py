"""What is told of a cut tree: figures that add up, a top that hides what is small, errors of count queries."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.assessment.utility.cut_plan import MOST_HISTORY, CutPlan, SearchSummary
from shoal.assessment.utility.cut_tree_summary import MOST_DEPTH, MOST_NODES, DrawnTree
from shoal.assessment.utility.queries import CountQuery, answers, estimates
from shoal.assessment.utility.query_errors import Stratum, query_findings
from shoal.assessment.utility.random_queries import random_queries
from shoal.encode.combination_counts import count_combinations
from shoal.errors import PolicyError
from shoal.plan import AnyExtent
from shoal.plan.cut_levels import depths, node_totals

SCHEMA = shoal.Schema(
    [
        shoal.Column("age", role="quasi_identifier", kind="numeric"),
        shoal.Column("grade", role="quasi_identifier", kind="ordinal", order=("low", "middle", "rare", "high")),
        shoal.Column("town", role="quasi_identifier", kind="nominal"),
    ]
)
NAMES = ["age", "grade", "town"]


def a_table(seed=0, n=600):
    chance = np.random.default_rng(seed)
    town = chance.choice([f"t{i}" for i in range(9)], n)
    town[0] = "t3-rare"
    grade = chance.choice(["low", "middle", "high"], n)
    grade[1] = "rare"
    return pa.table({"age": chance.integers(18, 70, n), "grade": grade, "town": town})


def cut(table, k=5, **more):
    counts = count_combinations(table, NAMES)
    return counts, shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(k)], **more)


def totals_of(tree, counts, released=True):
    blocks = tree.block_of(counts.combinations)
    n = np.bincount(blocks, weights=counts.n, minlength=tree.n_blocks).astype(np.int64)
    return np.where(released, n, 0)


def test_levels_are_those_of_a_walk():
    counts, tree = cut(a_table())
    depth, totals = [0] * tree.n_nodes, np.zeros(tree.n_nodes, dtype=np.int64)
    totals[tree.blocks] = n = totals_of(tree, counts)
    for node in range(1, tree.n_nodes):
        depth[node] = depth[tree.parents[node]] + 1
    for node in range(tree.n_nodes - 1, 0, -1):
        totals[tree.parents[node]] += totals[node]
    assert depths(tree).tolist() == depth
    assert node_totals(tree, n).tolist() == totals.tolist()


@given(seed=st.integers(0, 10**6), k=st.integers(2, 60), share=st.floats(0, 0.4))
def test_the_top_adds_up_and_hides_what_is_small(seed, k, share):
    counts, tree = cut(a_table(seed), k, unordered="subsets")
    released = np.random.default_rng(seed).random(tree.n_blocks) >= share
    nodes = DrawnTree(tree, totals_of(tree, counts, released), counts, SCHEMA, k).nodes()
    assert len(nodes) <= MOST_NODES
    assert max(node.depth for node in nodes) <= MOST_DEPTH
    assert all(node.n_records >= k for node in nodes[1:])
    for at, node in enumerate(nodes):
        parts = [part for part in nodes if part.parent == at]
        if parts:
            assert sum(part.n_records for part in parts) == node.n_records
            assert sum(part.n_blocks for part in parts) == node.n_blocks
            assert {part.depth for part in parts} == {node.depth + 1}
    assert not any("rare" in node.label for node in nodes)
    plan = CutPlan.of(tree, totals_of(tree, counts, released), {})
    assert (plan.n_records, plan.n_blocks) == (nodes[0].n_records, nodes[0].n_blocks)


def test_a_node_of_many_parts_tells_the_largest_and_the_rest_together():
    values = [f"v{at}" for at in range(20)]
    tree = shoal.Taxonomy(tuple((value, "*") for value in values))
    schema = shoal.Schema([shoal.Column("a", role="quasi_identifier", kind="nominal", taxonomy=tree)])
    table = pa.table({"a": [value for at, value in enumerate(values) for _ in range(5 + at)]})
    counts = count_combinations(table, ["a"])
    plan = shoal.mondrian(table, schema, [shoal.KAnonymity(5)])
    root, *parts, rest = DrawnTree(plan, totals_of(plan, counts), counts, schema, 5).nodes()
    assert [part.label for part in parts] == ["v15", "v16", "v17", "v18", "v19"]
    assert (rest.label, rest.n_blocks) == ("15 other parts", 15)
    assert rest.n_records + sum(part.n_records for part in parts) == root.n_records


def test_a_search_keeps_its_ends():
    table = a_table(n=60)
    found = shoal.gensearch(table, SCHEMA, [shoal.KAnonymity(5)], nodes=50)
    many = shoal.GensearchResult(
        found.tree, 1.0, 0.0, False, found.certificate, found.history[:1] * 1000 + found.history[-1:]
    )
    kept = SearchSummary.of(many)
    assert len(kept.history) <= MOST_HISTORY + 1
    assert (kept.history[0], kept.history[-1]) == (many.history[0], many.history[-1])
    counts = count_combinations(table, NAMES)
    plan = CutPlan.of(found.tree, totals_of(found.tree, counts), {}, many)
    assert plan.search_figures()["gap"] is None  # JSON knows no infinity


def asked_by_hand(table, tree, query):
    """Record by record: the true count, and the share of its block that every record adds."""
    ages, true, estimate = table["age"].to_pylist(), 0, 0.0
    lowest, above = min(ages), max(ages) + 1
    values = {"grade": list(SCHEMA["grade"].order), "town": sorted(set(table["town"].to_pylist()))}
    for record, block in zip(table.to_pylist(), tree.block_of(table).tolist(), strict=True):
        share = 1.0
        for name, (low, high) in query.ranges.items():
            extent = tree.extents[name].distinct[tree.extents[name].of_group[block]]
            low_end, high_end = (None, None) if extent == AnyExtent() else (extent.low, extent.high)
            start, stop = max(lowest, low_end or lowest), min(above, high_end or above)
            share *= max(0, min(stop, high) - max(start, low)) / (stop - start)
        for name, wanted in query.values.items():
            extent = tree.extents[name].distinct[tree.extents[name].of_group[block]]
            held = set(values[name]) if extent == AnyExtent() else set(extent.values) & set(values[name])
            share *= len(wanted & held) / len(held)
        estimate += share
        fits = all(low <= record[name] < high for name, (low, high) in query.ranges.items())
        true += fits and all(record[name] in wanted for name, wanted in query.values.items())
    return true, estimate


@pytest.mark.gate
@given(seed=st.integers(0, 10**6), k=st.integers(2, 40))
def test_answers_are_those_of_a_count_by_hand(seed, k):
    table = a_table(seed, n=80)
    counts, tree = cut(table, k, unordered="subsets")
    queries = random_queries(counts, tree.domains, 10, seed)
    assert queries == random_queries(counts, tree.domains, 10, seed)
    assert all(2 <= len({*query.ranges, *query.values}) <= 3 for query in queries)
    for query, answer in zip(queries, answers(tree, counts, queries), strict=True):
        true, estimate = asked_by_hand(table, tree, query)
        assert (answer.true, answer.estimate) == (true, pytest.approx(estimate))


def test_records_that_are_not_released_are_missed():
    counts, tree = cut(a_table())
    query = [CountQuery({"age": (0, 100)})]
    (seen,) = answers(tree, counts, query)
    assert (seen.true, seen.estimate) == (600, pytest.approx(600))
    totals = totals_of(tree, counts, np.arange(tree.n_blocks) % 2 == 0)
    assert estimates(tree, counts, query, totals) == pytest.approx([totals.sum()])


def test_finer_blocks_answer_better_and_the_baseline_is_the_other_tree():
    table = a_table(n=2000)
    (counts, fine), (_, rough) = cut(table, 5), cut(table, 500)
    everything = totals_of(fine, counts)
    findings = query_findings([Stratum(counts, fine, everything, rough)], fewest=5, baseline="the rough tree's")
    median = findings["count queries, median error"]
    assert median.estimate < median.baseline
    again = query_findings([Stratum(counts, fine, everything, fine)], fewest=5, baseline="itself")
    assert again["count queries, median error"].estimate == again["count queries, median error"].baseline
    first = np.arange(len(counts)) < 900
    halves = [Stratum(half, fine, totals_of(fine, half)) for half in (counts.only(first), counts.only(~first))]
    assert len(query_findings(halves, fewest=5, baseline="one block")) == 2
    assert len(query_findings(halves, fewest=10**9, baseline="one block")) == 0


def test_a_query_asks_for_what_the_tree_has():
    counts, tree = cut(a_table())
    for query in (CountQuery({}, {"age": frozenset({"20"})}), CountQuery({"town": (0, 1)})):
        with pytest.raises(PolicyError, match="because the cut tree holds it so"):
            answers(tree, counts, [query])


@pytest.mark.parametrize("name", ["age", "town"])
def test_a_cut_between_known_and_missing_values_says_known(name):
    """A release writes all known values as *; a cut off the missing ones is more than that."""
    values = pa.array([30, 40] * 4 + [None] * 4) if name == "age" else pa.array(["a", "b"] * 4 + [None] * 4)
    schema = shoal.Schema([SCHEMA[name]])
    tree = shoal.mondrian(pa.table({name: values}), schema, [shoal.KAnonymity(4)])
    counts = count_combinations(pa.table({name: values}), [name])
    labels = {node.label for node in DrawnTree(tree, totals_of(tree, counts), counts, schema, 4).nodes()}
    assert {"known", "missing"} <= labels
    assert f"{name} is known" in str(tree)
