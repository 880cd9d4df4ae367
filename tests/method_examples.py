"""One example of every method: the only list of them in the tests.

Tests of the pipeline, of blocks and of the soak take their parameters from here, so that whatever is added here is
tested by all of them. Columns are those of the survey (tests/survey_example.py). ``tests/registry/test_examples.py``
compares the names with those that a policy knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import shoal
from shoal.plan import Partition

Entry = dict[str, Any]  # of a policy


@dataclass(frozen=True)
class MethodExample:
    """A method of a policy.

    written   every key of it that the other methods do not have, and a value
    runs      parameters with which it protects a small table within a moment, the plainest first
    family    whether it forms groups, cuts the space of quasi-identifiers, or neither
    besides   what else a policy needs for it
    grouped   it as a function of points, by a name that says its parameters
    alone     whether that function groups a block as if it were the whole table
    """

    written: Entry
    runs: tuple[Entry, ...]
    family: str = "groups"
    besides: Entry | None = None
    grouped: Mapping[str, Callable[..., Partition]] | None = None
    alone: bool = True


MAP = {"size": [8, 6], "lattice": "rectangular", "shape": "toroid", "start": "random", "training": "sequential"}

METHODS = {
    "mdav": MethodExample(
        written={"name": "mdav", "k": 5, "merge": False, "split_households": True},
        runs=({"name": "mdav"}, {"name": "mdav", "merge": False}),
        grouped={"mdav": lambda X, **more: shoal.mdav(X, 3, **more)},
    ),
    "vmdav": MethodExample(
        written={"name": "vmdav", "k": 4, "merge": False, "split_households": True, "gamma": 1.1, "split": True}
        | {"distance": "euclidean", "leftovers": "centroid"},
        runs=(
            {"name": "vmdav", "gamma": 1.1},
            {"name": "vmdav", "gamma": "auto", "split": True},
            {"name": "vmdav", "gamma": 0.5, "distance": "euclidean", "leftovers": "centroid"},
        ),
        grouped={
            "vmdav": lambda X, **more: shoal.vmdav(X, 3, gamma=0.2, split=True, **more),
            "vmdav auto": lambda X, **more: shoal.vmdav(X, 3, gamma="auto", **more),
        },
    ),
    "mu_approx": MethodExample(
        written={"name": "mu_approx"},
        runs=({"name": "mu_approx"},),
        grouped={"mu_approx": lambda X, **more: shoal.mu_approx(X, 3, **more)},
    ),
    "micro_som": MethodExample(
        written={
            "name": "micro_som",
            "refined": True,
            "grow": 40,
            "fusing": "at_once",
            "map": MAP | {"epochs": [2, 3]},
        },
        runs=(
            {"name": "micro_som", "map": {"size": [4, 3], "shape": "toroid"}},
            {"name": "micro_som", "refined": True, "grow": 20},
        ),
    ),
    "microaggregate": MethodExample(
        written={"name": "microaggregate", "proposals": 1000, "decoys": 0.2},
        runs=({"name": "microaggregate"}, {"name": "microaggregate", "proposals": 2000}),
        grouped={"microaggregate": lambda X, **more: shoal.microaggregate(X, 3, **more)},
        alone=False,  # blocks share its proposals
    ),
    "mondrian": MethodExample(
        written={
            "name": "mondrian",
            "mode": "greedy",
            "loss": "classification",
            "target": "disease",
            "cuts": {"age": 4},
            "unordered": "line",
        },
        runs=({"name": "mondrian"}, {"name": "mondrian", "mode": "greedy", "loss": "certainty"}),
        family="cuts",
    ),
    "gensearch": MethodExample(
        written={
            "name": "gensearch",
            "loss": "classification",
            "target": "disease",
            "cuts": {"age": 4},
            "empty_blocks": False,
            "nodes": 1000,
            "memory": 100,
            "suppression": 0.1,
        },
        runs=(
            {"name": "gensearch", "nodes": 500},
            {"name": "gensearch", "nodes": 200, "loss": "volume", "empty_blocks": False},
            {"name": "gensearch", "nodes": 300, "loss": "certainty", "suppression": 0.2},
        ),
        family="cuts",
        besides={"suppression": {"limit": 0.5}},
    ),
    "global_recoding": MethodExample(
        written={
            "name": "global_recoding",
            "scheme": "levels",
            "loss": "certainty",
            "suppression": 0.1,
            "widths": {"age": [5, 10]},
        },
        runs=({"name": "global_recoding"}, {"name": "global_recoding", "scheme": "cuts", "suppression": 0.2}),
        family="cuts",
        besides={"suppression": {"limit": 0.5}},
    ),
    "none": MethodExample(
        written={"name": "none"}, runs=({"name": "none"},), family="neither", besides={"local_suppression": {}}
    ),
    "mhm": MethodExample(
        written={"name": "mhm", "path": "npn"},
        runs=({"name": "mhm"}, {"name": "mhm", "path": "npn"}),
    ),
    "mst_partition": MethodExample(
        written={"name": "mst_partition"},
        runs=({"name": "mst_partition"},),
    ),
    "genetic": MethodExample(
        written={"name": "genetic", "generations": 20, "population": 10, "crossover": 0.6, "mutation": 0.4},
        runs=({"name": "genetic", "generations": 10, "population": 6},),
    ),
}


def methods_of(family: str) -> list[str]:
    return [name for name, example in METHODS.items() if example.family == family]
