"""Experiments 1 to 8: Mondrian and GenSearch on Adult and Census-Income.

Losses are the discernibility, the classification and the volume metric (DM, CM, VM).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shoal import progress
from shoal.methods.generalization.enumeration.bounds import LossName
from shoal.methods.generalization.enumeration.enumerate_partitions import enumerate_partitions
from shoal.reproduce.gensearch.experiment_data import ADULT, FIVES, ExperimentData, Privacy, adult, census_income
from shoal.reproduce.gensearch.experiment_runs import Run, cost_of, greedy, run

SIZES = (1000, 500, 100, 50)
MORE_SIZES = (*SIZES, 10, 5)
COMBINED = (  # chosen here, from strict to lenient: the text does not state the paper's parameters
    Privacy(1000, l=2, t=0.1, sigma=10_000),
    Privacy(500, l=2, t=0.2, sigma=5_000),
    Privacy(100, l=2, t=0.2),
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


def runs(seconds: float, *, full: bool) -> list[Run]:
    """Experiments 1 to 7."""
    cases = list(_cases(full=full))
    found = []
    with progress.stage("experiments of GenSearch", len(cases)) as at:
        for done, one in enumerate(cases):
            found.append(run(one.experiment, one.data, one.privacy, one.loss, seconds, one.rival))
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


def improvements(seconds: float) -> dict[str, float]:
    """Experiment 8: percentage by which the enumeration reduces the cost of Mondrian's partition, starting from it."""
    data = census_income(CENSUS)
    found = {}
    for privacy in COMBINED:
        start = cost_of(greedy(data, privacy, "discernibility"), data, "discernibility")
        requirements = data.requirements(privacy)
        end = enumerate_partitions(data.table, data.schema, requirements, cuts=data.cuts, seconds=seconds).cost
        found[str(privacy)] = 100 * (1 - end / start)
    return found
