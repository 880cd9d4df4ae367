"""Studies of the searches: number of splits, queue length, queue key, running time; count queries (Experiment 9)."""

from __future__ import annotations

from time import process_time
from typing import Any, Literal

from shoal.assessment.utility.queries import ADULT_QUERIES, answers
from shoal.encode.combination_counts import count_combinations
from shoal.methods.generalization.enumeration.enumerate_partitions import enumerate_partitions
from shoal.methods.generalization.gensearch import gensearch
from shoal.reproduce.gensearch.experiment_data import ExperimentData, Privacy, adult
from shoal.reproduce.gensearch.experiment_runs import greedy

NINTH = Privacy(500, l=2, t=0.2, sigma=10_000)
KEYS: tuple[Literal["bound", "cost", "ratio"], ...] = ("bound", "cost", "ratio")
SMALL = ("age", "sex", "race")  # 5 splits in addition to those of age
AGES = (40, 30, 50, 25, 35, 45, 60, 55, 20)
QUEUE_SIZES = (100, 1_000, 10_000, 100_000)


def scalability(seconds: float) -> list[dict[str, Any]]:
    """Time to the optimum, and the proven factor where the time limit was reached.

    Without taxonomies: the split of a taxonomy node counts as several splits but is a single, much easier decision.
    """
    columns = [("age", "sex"), *[SMALL] * 5]
    tables = [adult(names, sorted(AGES[:n]), lines=True) for names, n in zip(columns, (3, 1, 3, 5, 7, 9), strict=True)]
    return [_search_until_proven(data, k, seconds) for k in (500, 50) for data in tables]


def _search_until_proven(data: ExperimentData, k: int, seconds: float) -> dict[str, Any]:
    began = process_time()
    requirements = data.requirements(Privacy(k))
    one = enumerate_partitions(data.table, data.schema, requirements, cuts=data.cuts, seconds=seconds)
    figures = {"cpu_seconds": process_time() - began, "n_nodes": one.n_nodes, "factor": one.factor}
    return {"k": k, "n_splits": data.n_splits, **figures, "is_optimal": one.is_optimal}


def queue_sizes(n_nodes: int) -> list[dict[str, Any]]:
    """Effect of the maximum queue length (MAXSIZE) on cost and proven factor."""
    data, found = adult(), []
    for max_size in QUEUE_SIZES:
        one = enumerate_partitions(
            data.table,
            data.schema,
            data.requirements(Privacy(1000)),
            cuts=data.cuts,
            nodes=n_nodes,
            max_size=max_size,
            start=None,
        )
        found.append(
            {
                "max_size": max_size,
                "cost": one.cost,
                "lower_bound": one.lower_bound,
                "factor": one.factor,
                "n_dropped": one.n_dropped,
            }
        )
    return found


def costs_by_key(n_nodes: int) -> dict[str, float]:
    """Figure 23: the cost after ``n_nodes`` partitions, by the key of the queue."""
    data = adult()
    requirements = data.requirements(Privacy(1000))
    return {
        key: enumerate_partitions(
            data.table,
            data.schema,
            requirements,
            cuts=data.cuts,
            priority=key,
            nodes=n_nodes,
            start=None,
            max_size=20_000,
        ).cost
        for key in KEYS
    }


def early_cost_ratios(seconds: float) -> dict[str, float]:
    """Figure 24: cost after a fifth of the time over the final cost, by k."""
    data, found = adult(), {}
    for k in (1000, 100):
        one = gensearch(data.table, data.schema, data.requirements(Privacy(k)), cuts=data.cuts, seconds=seconds)
        early = [moment.cost for moment in one.history if moment.seconds <= seconds / 5]
        found[f"k={k}"] = (early[-1] if early else one.history[0].cost) / one.cost  # slow machines may have none
    return found


def queries(seconds: float) -> list[dict[str, float]]:
    """Experiment 9: relative error of count queries, in %."""
    data = adult()
    found = gensearch(data.table, data.schema, data.requirements(NINTH), cuts=data.cuts, seconds=seconds)
    counts = count_combinations(data.table, list(data.schema.quasi_identifiers))
    trees = {"GenSearch": found.tree, "Mondrian": greedy(data, NINTH, "discernibility")}
    errors = {name: answers(tree, counts, ADULT_QUERIES) for name, tree in trees.items()}
    return [
        {"query": at + 1, **{name: of_tree[at].error for name, of_tree in errors.items()}}
        for at in range(len(ADULT_QUERIES))
    ]
