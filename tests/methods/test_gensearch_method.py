"""Gensearch: what it promises of large problems, and what it refuses."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
import shoal.datasets
from reference.cut_problems import SCHEMA, a_table, searched
from shoal.encode.combination_counts import count_combinations
from shoal.errors import ShoalError
from shoal.losses import LOSSES, measure, total
from shoal.methods.generalization.box_search import SearchPace
from shoal.methods.generalization.certificate import check
from shoal.methods.generalization.gensearch import Gensearch


def test_it_is_never_dearer_than_mondrian_and_the_bound_never_above_the_cost():
    table = a_table(3, n=3000)
    for nodes in (1, 100, 3000):
        found = shoal.gensearch(table, SCHEMA, [shoal.KAnonymity(5)], nodes=nodes)
        for mode in ("strict", "greedy"):
            tree = shoal.mondrian(table, SCHEMA, [shoal.KAnonymity(5)], mode=mode)
            assert found.cost <= total(
                LOSSES["discernibility"], measure(tree, count_combinations(table, list(tree.columns)))
            )
        assert found.lower_bound <= found.cost
        assert found.gap >= 0
        costs, bounds = [m.cost for m in found.history], [m.lower_bound for m in found.history]
        assert costs == sorted(costs, reverse=True)
        assert bounds == sorted(bounds)


def test_as_many_nodes_give_the_same_tree_and_little_memory_the_same_optimum():
    table = a_table(4, n=2000)
    once, again = (shoal.gensearch(table, SCHEMA, [shoal.KAnonymity(10)], nodes=20_000) for _ in range(2))
    assert once.tree.to_json() == again.tree.to_json()
    assert once.lower_bound == again.lower_bound
    assert shoal.gensearch(table, SCHEMA, [shoal.KAnonymity(10)], memory=1).cost == once.cost


@pytest.mark.gate(but="0-1")
@pytest.mark.parametrize("memory", [1, 100])
@pytest.mark.parametrize("seed", range(2))
def test_plans_taken_on_the_way_leave_the_search_as_it_is(memory, seed):
    """What is asked between two steps, here after every few boxes, must not change what is remembered of any box."""
    chance = np.random.default_rng(seed)
    tree = shoal.Taxonomy(tuple((f"v{leaf}", f"b{leaf // 3}", f"d{leaf // 6}", "*") for leaf in range(12)))
    columns = [shoal.Column(f"c{j}", role="quasi_identifier", kind="numeric") for j in range(2)]
    columns.append(shoal.Column("job", role="quasi_identifier", kind="nominal", taxonomy=tree))
    table = pa.table({f"c{j}": chance.binomial(6, 0.4, 1200) for j in range(2)})
    table = table.append_column("job", pa.array([f"v{leaf}" for leaf in chance.binomial(11, 0.5, 1200)]))
    schema, wanted = shoal.Schema(columns), [shoal.KAnonymity(15)]
    found = searched(table, schema, wanted, SearchPace(first_turn=20, worthwhile=1.0), memory=memory)
    checked = check(found.certificate, count_combinations(table, table.column_names), schema, wanted, most_boxes=10**6)
    assert len(found.history) > 5
    assert found.is_optimal
    assert checked.holds
    assert checked.bound_holds


def test_jobs_of_a_search_know_all_records_of_the_ends_of_a_line():
    """Values of two records and more are blocks of their own; the first and the last, of one, join a neighbor."""
    n = np.resize([30, 2, 3], 49)
    n[[0, -1]] = 1
    schema = shoal.Schema([shoal.Column("x", role="quasi_identifier", kind="numeric")])
    found = shoal.gensearch(pa.table({"x": np.repeat(np.arange(49), n)}), schema, [shoal.KAnonymity(2)], nodes=20_000)
    assert found.is_optimal
    assert found.cost == (np.array([1 + n[1], *n[2:-2], n[-2] + 1]) ** 2).sum()


@pytest.mark.parametrize("loss", ["discernibility", "certainty"])
def test_both_losses_are_told_beside_those_of_mondrian(loss):
    table, wanted = a_table(5), [shoal.KAnonymity(4)]
    found = shoal.gensearch(table, SCHEMA, wanted, loss=loss)
    plans = {"gensearch": found.tree, "Mondrian, strict": shoal.mondrian(table, SCHEMA, wanted)}
    plans["Mondrian, greedy"] = shoal.mondrian(table, SCHEMA, wanted, mode="greedy", loss=loss)
    assert [each.plan for each in found.losses] == list(plans)
    for each in found.losses:
        blocks = measure(plans[each.plan], count_combinations(table, ["age", "job", "town"]))
        assert each.discernibility == total(LOSSES["discernibility"], blocks)
        assert each.certainty == total(LOSSES["certainty"], blocks)
    assert getattr(found.losses[0], loss) == found.cost
    assert all(getattr(each, loss) >= found.cost for each in found.losses)


def test_what_was_found_is_shown_in_a_line():
    found = shoal.gensearch(a_table(5), SCHEMA, [shoal.KAnonymity(4)])
    assert "proven to be the least" in repr(found)
    assert len(repr(found)) < 200
    assert len(repr(found.certificate)) < 600


def test_the_method_cuts_as_gensearch_does():
    table = a_table(5)
    counts = count_combinations(table, ["age", "job", "town"])
    tree = Gensearch().cut(counts, SCHEMA, [shoal.KAnonymity(4)])
    found = shoal.gensearch(table, SCHEMA, [shoal.KAnonymity(4)])
    assert tree.to_json() == found.tree.to_json()


def test_a_policy_with_gensearch_is_released_and_proved():
    table = a_table(6, n=300)
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "town": {"role": "quasi_identifier"},
        "job": {"role": "quasi_identifier"},
        "s": {"role": "sensitive"},
    }
    wanted = [{"name": "k_anonymity", "k": 5}, {"name": "distinct_l_diversity", "l": 2, "column": "s"}]
    method = {"name": "gensearch", "nodes": 2000}
    released = [
        shoal.protect(table, {"columns": columns, "requirements": wanted, "method": method}).table for _ in range(2)
    ]
    assert released[0].equals(released[1])
    sizes = released[0].group_by(["age", "town", "job"]).aggregate([([], "count_all")])["count_all"].to_pylist()
    assert min(sizes) >= 5
    assert sum(sizes) == 300


@pytest.mark.gate
@pytest.mark.parametrize(
    ("k", "optimum"),
    [(1000, 38_363_310), (500, 19_269_072), pytest.param(100, 3_774_152, marks=pytest.mark.long)],
)
def test_adult_is_proven(reference_data, k, optimum):
    """The same optima come out of a dynamic program without bounds, written apart."""
    columns = ["sex", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
    trees = shoal.datasets.adult_taxonomies()
    schema = shoal.Schema(
        [
            shoal.Column("age", role="quasi_identifier", kind="numeric"),
            *(
                shoal.Column(name, role="quasi_identifier", taxonomy=shoal.Taxonomy.read(trees[name]))
                for name in columns
            ),
        ]
    )
    cuts = {"age": [18, *range(20, 91, 5)]}
    found = shoal.gensearch(shoal.datasets.adult(), schema, [shoal.KAnonymity(k)], cuts=cuts)
    assert found.is_optimal
    assert found.cost == optimum


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"loss": "sse"}, "loss is 'sse'"),
        ({"loss": "classification"}, "needs a target"),
        ({"seconds": 1, "nodes": 1}, "the budget needs exactly one of"),
        ({"nodes": 0}, "nodes must be 1 or more"),
        ({"cuts": {"town": [1]}}, "cuts.town is only allowed with kind"),
    ],
)
def test_what_cannot_be_is_refused_in_words(options, words):
    with pytest.raises(ShoalError, match=words):
        shoal.gensearch(a_table(1), SCHEMA, [shoal.KAnonymity(2)], **options)


def test_a_certificate_of_other_requirements_is_refused():
    table = a_table(1)
    found = shoal.gensearch(table, SCHEMA, [shoal.KAnonymity(4)])
    with pytest.raises(ShoalError, match="other requirements"):
        check(found.certificate, count_combinations(table, ["age", "job", "town"]), SCHEMA, [shoal.KAnonymity(3)])
