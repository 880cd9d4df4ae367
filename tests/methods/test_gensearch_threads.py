"""Gensearch on several threads: the optimum of brute force, and with a budget of nodes the same search throughout."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference.best_cuts import least_loss
from reference.cut_problems import a_problem, asked_of

THREADS = (1, 2, 4)


def same_on_all_threads(table, schema, wanted, **more):
    """The result, after all that a reader can see of it was compared."""
    found = [shoal.gensearch(table, schema, wanted, threads=threads, **more) for threads in THREADS]
    seen = [(one.certificate, [(m.n_nodes, m.cost, m.lower_bound) for m in one.history]) for one in found]
    assert seen[1:] == seen[:-1]
    return found[0]


def compare_with_brute_force(seeds):
    for seed in seeds:
        table, schema, cuts, records, box = a_problem(seed)
        wanted, holds = asked_of(seed, records)
        found = same_on_all_threads(table, schema, wanted, cuts=cuts)
        assert found.is_optimal
        assert found.cost == least_loss(records, box, holds, "discernibility", True), seed


@pytest.mark.gate
def test_the_optimum_is_that_of_brute_force_on_any_number_of_threads():
    compare_with_brute_force(range(40))


@pytest.mark.long
def test_the_optimum_is_that_of_brute_force_on_any_number_of_threads_for_long():
    compare_with_brute_force(range(40, 2000))


@pytest.mark.gate(but="discernibility-100")
@pytest.mark.parametrize("nodes", [100, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 10_000))])
@pytest.mark.parametrize("loss", ["discernibility", "certainty"])
def test_a_budget_of_nodes_gives_the_same_tree_cost_and_bound_on_any_number_of_threads(loss, nodes):
    chance = np.random.default_rng(nodes)
    table = pa.table({f"c{j}": chance.binomial(12, 0.4, 1500) for j in range(5)})
    schema = shoal.Schema(shoal.Column(f"c{j}", role="quasi_identifier", kind="numeric") for j in range(5))
    found = same_on_all_threads(table, schema, [shoal.KAnonymity(10)], loss=loss, nodes=nodes)
    assert not found.is_optimal
    assert found.n_nodes >= nodes


@pytest.mark.gate
def test_as_many_nodes_as_a_search_of_seconds_reports_give_its_tree():
    chance = np.random.default_rng(5)
    table = pa.table({f"c{j}": chance.binomial(12, 0.4, 1500) for j in range(5)})
    schema = shoal.Schema(shoal.Column(f"c{j}", role="quasi_identifier", kind="numeric") for j in range(5))
    seconds = 0.3
    while not (once := shoal.gensearch(table, schema, [shoal.KAnonymity(10)], seconds=seconds)).n_nodes:
        seconds *= 2  # a busy machine ends before the first one
    again = shoal.gensearch(table, schema, [shoal.KAnonymity(10)], nodes=once.n_nodes)
    assert again.tree.to_json() == once.tree.to_json()
    assert again.cost == once.cost
