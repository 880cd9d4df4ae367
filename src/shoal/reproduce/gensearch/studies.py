"""Studies of the searches: number of splits, queue key, more nodes; count queries (Experiment 9)."""

from __future__ import annotations

from time import process_time
from typing import Any

from shoal.assessment.utility.queries import ADULT_QUERIES, answers
from shoal.encode.combination_counts import count_combinations
from shoal.methods.generalization.enumeration.enumerate_partitions import enumerate_partitions
from shoal.methods.generalization.enumeration.enumeration_search import KeyName
from shoal.methods.generalization.gensearch import gensearch
from shoal.reproduce.gensearch.enumerations import Enumerations
from shoal.reproduce.gensearch.experiment_data import ExperimentData, Privacy, adult
from shoal.reproduce.gensearch.experiment_runs import QUEUE_LENGTHS
from shoal.reproduce.gensearch.experiments import STATED
from shoal.reproduce.gensearch.mondrians import MONDRIANS, mondrian_tree, problem_of

KEYS: tuple[KeyName, ...] = ("bound", "cost", "ratio")
STUDIED = (1000, 100)  # k of figures 23 and 24
PARTS = {"a fifth": 5, "all": 1}  # of the nodes: the paper compares 1 hour with 5
SMALL = ("age", "sex", "race")  # 5 splits in addition to those of age
AGES = (40, 30, 50, 25, 35, 45, 60, 55, 20)


def scalability(n_nodes: int) -> list[dict[str, Any]]:
    """Time to the optimum, and the proven factor where the limit was reached.

    Without taxonomies: the split of a taxonomy node counts as several splits but is a single, much easier decision.
    """
    columns = [("age", "sex"), *[SMALL] * 5]
    tables = [adult(names, sorted(AGES[:n]), lines=True) for names, n in zip(columns, (3, 1, 3, 5, 7, 9), strict=True)]
    return [_search_until_proven(data, k, n_nodes) for k in (500, 50) for data in tables]


def _search_until_proven(data: ExperimentData, k: int, n_nodes: int) -> dict[str, Any]:
    began = process_time()
    requirements = data.requirements(Privacy(k))
    one = enumerate_partitions(data.table, data.schema, requirements, cuts=data.cuts, nodes=n_nodes)
    figures = {"cpu_seconds": process_time() - began, "n_nodes": one.n_nodes, "factor": one.factor}
    return {"k": k, "n_splits": data.n_splits, **figures, "is_optimal": one.is_optimal}


def costs_by_key(n_nodes: int) -> list[dict[str, Any]]:
    """Figure 23: the cost after ``n_nodes`` partitions, by k, length and key of the queue."""
    data = adult()
    enumerations = {k: Enumerations(problem_of(data, Privacy(k), "discernibility")) for k in STUDIED}
    return [
        {"k": k, "max_size": length, "key": key, "cost": of_k.search(n_nodes, length, key).cost}
        for k, of_k in enumerations.items()
        for length in QUEUE_LENGTHS
        for key in KEYS
    ]


def early_costs(n_nodes: int, n_boxes: int) -> list[dict[str, Any]]:
    """Figure 24: costs after a fifth of the nodes and after all, by k and search; boxes also with more nodes."""
    data, found = adult(), []
    for k in STUDIED:
        enumerations = Enumerations(problem_of(data, Privacy(k), "discernibility"))
        for part, share in PARTS.items():
            for length in QUEUE_LENGTHS:
                cost = enumerations.search(n_nodes // share, length).cost
                name = f"enumeration, {n_nodes:,} nodes, {length:,} wait"
                found.append({"k": k, "search": name, "part": part, "cost": cost})
            for most in (n_nodes, n_boxes):
                requirements = data.requirements(Privacy(k))
                one = gensearch(data.table, data.schema, requirements, cuts=data.cuts, nodes=most // share)
                found.append({"k": k, "search": f"boxes, {most:,} nodes", "part": part, "cost": one.cost})
    return found


def queries(n_nodes: int) -> list[dict[str, float]]:
    """Experiment 9: relative error of count queries, in %, by Mondrian and by the search over boxes."""
    data = adult()
    found = gensearch(data.table, data.schema, data.requirements(STATED), cuts=data.cuts, nodes=n_nodes)
    counts = count_combinations(data.table, list(data.schema.quasi_identifiers))
    problem = problem_of(data, STATED, "discernibility")
    trees = {"boxes": found.tree, **{str(name): mondrian_tree(name, problem) for name in MONDRIANS}}
    errors = {name: answers(tree, counts, ADULT_QUERIES) for name, tree in trees.items()}
    return [
        {"query": at + 1, **{name: of_tree[at].error for name, of_tree in errors.items()}}
        for at in range(len(ADULT_QUERIES))
    ]
