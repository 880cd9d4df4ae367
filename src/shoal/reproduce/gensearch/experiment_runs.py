"""One setting of an experiment: Mondrian, GenSearch by enumeration and GenSearch over boxes, on the same splits."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from shoal.encode.combination_counts import count_combinations
from shoal.losses import LOSSES, LossName, measure, total
from shoal.methods.generalization.enumeration.bounds import LossName as EnumeratedLoss
from shoal.methods.generalization.enumeration.enumerate_partitions import enumerate_partitions
from shoal.methods.generalization.gensearch import gensearch
from shoal.methods.generalization.mondrian import mondrian
from shoal.plan import CutTree
from shoal.reproduce.gensearch.experiment_data import ExperimentData, Privacy

MAX_SIZE = 10_000  # see studies.queue_sizes: with a longer queue no probe is reached within the time limit


@dataclass(frozen=True)
class Run:
    """Costs and proven lower bounds: no partition with these splits costs less than ``lower_bound``."""

    experiment: str
    setting: str
    loss: str
    n_splits: int
    mondrian: float
    enumeration: float  # the paper's search, starting from the undivided space
    enumeration_bound: float
    gensearch: float  # the search over boxes
    lower_bound: float

    @property
    def of_enumeration(self) -> float:
        """Cost of Mondrian over cost of the enumeration."""
        return self.mondrian / self.enumeration

    @property
    def of_boxes(self) -> float:
        """Cost of Mondrian over cost of the search over boxes, which starts from Mondrian's partition."""
        return self.mondrian / self.gensearch

    def factor(self, cost: float) -> float:
        """``cost`` over the better of the two proven lower bounds."""
        return cost / max(self.lower_bound, self.enumeration_bound)

    def to_dict(self) -> dict[str, Any]:
        costs = {"mondrian": self.mondrian, "enumeration": self.enumeration, "gensearch": self.gensearch}
        return {**asdict(self), "factors": {name: self.factor(cost) for name, cost in costs.items()}}


def run(
    experiment: str,
    data: ExperimentData,
    privacy: Privacy,
    loss: EnumeratedLoss,
    seconds: float,
    rival: ExperimentData | None = None,
) -> Run:
    """Runs all three methods. ``rival``: the splits of Mondrian, if they differ."""
    table, schema, requirements, cuts = data.table, data.schema, data.requirements(privacy), data.cuts
    target = data.sensitive if loss == "classification" else None
    enumerated = enumerate_partitions(
        table, schema, requirements, loss=loss, target=target, cuts=cuts, seconds=seconds, max_size=MAX_SIZE, start=None
    )
    found = gensearch(table, schema, requirements, loss=loss, target=target, cuts=cuts, seconds=seconds)
    return Run(
        experiment,
        str(privacy),
        loss,
        data.n_splits,
        cost_of(greedy(rival or data, privacy, loss), data, loss),
        enumerated.cost,
        enumerated.lower_bound,
        found.cost,
        found.lower_bound,
    )


def greedy(data: ExperimentData, privacy: Privacy, loss: LossName) -> CutTree:
    """Mondrian as used in the paper: each step takes the cut with the steepest decrease of the cost."""
    target = data.sensitive if loss == "classification" else None
    requirements = data.requirements(privacy)
    return mondrian(data.table, data.schema, requirements, mode="greedy", loss=loss, target=target, cuts=data.cuts)


def cost_of(tree: CutTree, data: ExperimentData, loss: LossName) -> float:
    target = data.sensitive if loss == "classification" else None
    names = list(dict.fromkeys([*data.schema.quasi_identifiers, data.sensitive]))
    return total(LOSSES[loss], measure(tree, count_combinations(data.table, names), target))
