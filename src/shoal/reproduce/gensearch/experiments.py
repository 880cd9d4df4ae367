"""Experiments 1 to 8: three Mondrians and GenSearch on Adult and Census-Income.

Losses are the discernibility, the classification and the volume metric (DM, CM, VM).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shoal import progress
from shoal.methods.generalization.enumeration.bounds import LossName
from shoal.methods.generalization.enumeration.enumerate_partitions import enumerate_partitions
from shoal.methods.generalization.gensearch import gensearch
from shoal.reproduce.gensearch.experiment_data import ADULT, FIVES, ExperimentData, Privacy, adult, census_income
from shoal.reproduce.gensearch.experiment_runs import Run, run

SIZES = (1000, 500, 100, 50)
MORE_SIZES = (*SIZES, 10, 5)
STATED = Privacy(500, l=2, t=0.2, sigma=10_000)  # of Experiment 9, the only parameters that the text states
COMBINED = (  # the whole grid of the other experiments, whose parameters are in figures only
    *(Privacy(k, l=2, t=t) for k in (1000, 500, 100) for t in (0.1, 0.2)),
    STATED,
)
COARSE = tuple(range(15, 66, 10))  # 6 ages: 21 splits
CENSUS = tuple(range(5, 76, 5))  # 15 ages: 30 splits
EVERY_AGE = tuple(range(1, 91))
FINER = tuple(range(20, 78, 3))  # 20 ages: 66 splits


class ExperimentCase(NamedTuple):
    experiment: str
    data: ExperimentData
    privacy: Privacy
    loss: LossName
    rival: ExperimentData | None = None


def runs(n_nodes: int, *, full: bool) -> list[Run]:
    """Experiments 1 to 7."""
    cases = list(_cases(full=full))
    found = []
    with progress.stage("experiments of GenSearch", len(cases)) as at:
        for done, one in enumerate(cases):
            found.append(run(one.experiment, one.data, one.privacy, one.loss, n_nodes, one.rival))
            at(done + 1)
    return found


def _cases(*, full: bool) -> Iterator[ExperimentCase]:
    every, sizes = adult(), MORE_SIZES if full else SIZES[:3]
    for k in sizes:
        yield ExperimentCase("1", every, Privacy(k), "discernibility")
    for k in sizes:
        yield ExperimentCase("2", every, Privacy(k), "classification")
    census, with_18 = census_income(CENSUS), adult(ages=(18, *FIVES))
    coarse, fine = census_income(COARSE), census_income(EVERY_AGE)
    without_country = adult([name for name in ADULT if name != "native-country"], FINER)
    for privacy in COMBINED:
        yield ExperimentCase("3", census, privacy, "discernibility")
        yield ExperimentCase("4", with_18, privacy, "discernibility")
        yield ExperimentCase("5", coarse, privacy, "discernibility", fine)
        yield ExperimentCase("6", census, privacy, "volume")
        yield ExperimentCase("7", without_country, privacy, "volume")


class Improvement(NamedTuple):
    """Costs of Mondrian's partition and of those that both searches find from it."""

    setting: str
    mondrian: float
    enumeration: float
    boxes: float

    def gain(self, cost: float) -> float:
        """In percent of the cost of Mondrian."""
        return 100 * (1 - cost / self.mondrian)


def improvements(n_nodes: int) -> list[Improvement]:
    """Experiment 8: both searches start from the cheaper one of the strict and the greedy Mondrian."""
    data, found = census_income(CENSUS), []
    for privacy in COMBINED:
        requirements = data.requirements(privacy)
        one = enumerate_partitions(data.table, data.schema, requirements, cuts=data.cuts, nodes=n_nodes)
        boxes = gensearch(data.table, data.schema, requirements, cuts=data.cuts, nodes=n_nodes).cost
        found.append(Improvement(str(privacy), one.history[0].cost, one.cost, boxes))
    return found
