"""One setting of an experiment: three Mondrians, GenSearch by enumeration and GenSearch over boxes, on the same splits.

Both searches examine the same number of nodes, partitions and boxes. The enumeration is run with every queue length.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from shoal.methods.generalization.enumeration.bounds import LossName
from shoal.methods.generalization.gensearch import gensearch
from shoal.reproduce.gensearch.enumerations import Enumerations
from shoal.reproduce.gensearch.experiment_data import ExperimentData, Privacy
from shoal.reproduce.gensearch.mondrians import MONDRIANS, MondrianName, mondrian_tree, problem_of

QUEUE_LENGTHS = (1_000, 10_000, 100_000)  # the paper's MAXSIZE, which it does not state


@dataclass(frozen=True)
class Run:
    """Costs and proven lower bounds: no partition with these splits costs less than ``lower_bound``."""

    experiment: str
    setting: str
    loss: str
    n_splits: int
    n_nodes: int  # of each search, unless it has proven the optimum before
    mondrians: Mapping[MondrianName, float]
    enumerations: Mapping[int, float]  # by queue length: the paper's search, starting from the undivided space
    boxes: float  # the search over boxes
    lower_bound: float

    @property
    def enumeration(self) -> float:
        """The cost of the enumeration with the least favorable queue length."""
        return max(self.enumerations.values())

    @property
    def costs(self) -> dict[str, float]:
        """By method."""
        mondrians = {str(name): cost for name, cost in self.mondrians.items()}
        return {**mondrians, "enumeration": self.enumeration, "boxes": self.boxes}

    def factor(self, cost: float) -> float:
        return cost / self.lower_bound

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "factors": {name: self.factor(cost) for name, cost in self.costs.items()}}


def run(
    experiment: str,
    data: ExperimentData,
    privacy: Privacy,
    loss: LossName,
    n_nodes: int,
    rival: ExperimentData | None = None,
) -> Run:
    """Runs all methods. ``rival``: the splits of the Mondrians, if they differ."""
    table, schema, requirements, cuts = data.table, data.schema, data.requirements(privacy), data.cuts
    target = data.sensitive if loss == "classification" else None
    found = gensearch(table, schema, requirements, loss=loss, target=target, cuts=cuts, nodes=n_nodes)
    problem, of_rival = problem_of(data, privacy, loss), problem_of(rival or data, privacy, loss)
    enumerations = Enumerations(problem)
    enumerated = {length: enumerations.search(n_nodes, length) for length in QUEUE_LENGTHS}
    return Run(
        experiment,
        str(privacy),
        loss,
        data.n_splits,
        n_nodes,
        {name: problem.cost(mondrian_tree(name, of_rival)) for name in MONDRIANS},
        {length: one.cost for length, one in enumerated.items()},
        found.cost,
        max(found.lower_bound, *(one.lower_bound for one in enumerated.values())),
    )
