"""Pilot: the stages of a release, run on small samples of the table, and their CPU seconds extrapolated to all records.

    reading, assessing, proving, ...   proportional to the records, after a fixed part
    grouping within blocks             the same: there are more blocks, of the same size
    grouping a whole table             a power of the records, from 1 to 2, estimated from two samples
    a search with a budget             proportional to the budget, of which the pilot spends a share
    neighbors of a sample              a power of the records, from 0 to 1
    record linkage, solving classes    proportional to the persons or classes, of which a limited number is examined
    the first time                     what modules and libraries need to be loaded, measured once

Nothing is written: the release of a sample is made, assessed and proven in memory, and dropped.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import log

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.assessment.risk.determined_cells import MOST_CLASSES
from shoal.assessment.utility.coverage import FEASIBLE, NEIGHBORS, WITHOUT_BLOCKS
from shoal.pipeline.protect.own_assessment import n_linked_persons
from shoal.pipeline.protect.protect import protect
from shoal.policy import Policy
from shoal.policy.parts import BlockingRules, Suppression

Stage = tuple[str, ...]  # a stage within stages
CpuSeconds = Mapping[Stage, float]

LARGEST_SAMPLE = 16_000
FEWEST_RECORDS = 4000  # of the larger sample, where the table has as many
SHARE_OF_TABLE = 8  # the larger sample is at most this part of the table
SMALLER = 4  # the larger sample has so many times the records of the smaller one
WARM_UP = 200  # records of a first run, in which modules are loaded
SHARE_OF_BUDGET = 0.02  # of a search, that the pilot spends
NEGLIGIBLE = 0.03  # CPU seconds too few to estimate a power from
KEY = bytes(32)  # the releases of a pilot are not kept
PROPORTIONAL = (
    "reading the table",
    "dividing records into blocks",
    "perturbing values",
    "asking count queries",
    "assessing the release",
    "writing and proving the release",
)
LINKING, SOLVING = "linking records", "solving classes"
ASSESSING = "assessing the release"


@dataclass(frozen=True)
class TableSize:
    """What the seconds of a stage depend on."""

    n_records: int
    width: int  # coordinates of a record
    k: int  # records of a class at least
    block_limit: int | None  # records of a block at most; None: the table is not divided
    is_repaired: bool = False  # across the borders of blocks


@dataclass(frozen=True)
class Pilot:
    """CPU seconds of all stages for two samples of a table."""

    n_small: int
    n_large: int
    first: CpuSeconds  # of a few records, when modules were not loaded yet
    small: CpuSeconds
    large: CpuSeconds
    share: float = 1.0  # of the budget of a search
    searches: tuple[str, ...] = ()  # the stages on which a search spends its budget

    @classmethod
    def of(cls, table: pa.Table, policy: Policy, size: TableSize) -> Pilot:
        """``table``: records from which the samples are taken."""
        n_large = min(len(table), LARGEST_SAMPLE, max(FEWEST_RECORDS, size.n_records // SHARE_OF_TABLE))
        fewest = 2 * size.k  # two groups; of a table that has fewer records, all of them
        n_small = min(n_large, max(fewest, n_large // SMALLER))
        budget = policy.method.budget
        share = 1.0 if budget is None else SHARE_OF_BUDGET
        reduced = _pilot_policy(policy, size, share)
        sizes = (min(n_small, max(fewest, WARM_UP)), n_small, n_large)
        first, small, large = (_cpu_seconds(_sample(table, policy, n), reduced) for n in sizes)
        return cls(n_small, n_large, first, small, large, share, () if budget is None else budget.stages)

    def forecast(self, size: TableSize) -> dict[str, float]:
        """CPU seconds of the stages of a release of all records, by stage."""
        seconds = defaultdict[str, float](float)
        seconds["loading modules"] = max(0.0, sum(self.first.values()) - sum(self.small.values()))
        for stage in self.large:
            seconds[stage[0] if stage else "between stages"] += self._of_stage(stage, size)
        return dict(seconds)

    def _of_stage(self, stage: Stage, size: TableSize) -> float:
        if set(stage) & set(self.searches):
            return self.large[stage] / self.share
        if stage[:1] == (ASSESSING,) and LINKING in stage:
            searched = n_linked_persons(self.n_large, size.width)
            return self.large[stage] * n_linked_persons(size.n_records, size.width) / max(1, searched)
        if SOLVING in stage:
            solved, to_solve = (min(MOST_CLASSES, n / size.k) for n in (self.n_large, size.n_records))
            return self.large[stage] * to_solve / solved
        if WITHOUT_BLOCKS in stage and size.n_records > FEASIBLE:
            return 0.0
        if NEIGHBORS in stage:
            return self._by_power(stage, size, 0.0, 1.0)
        grows_faster = stage[:1] not in {(), *((name,) for name in PROPORTIONAL)} and size.block_limit is None
        return self._by_power(stage, size, 1.0, 2.0) if grows_faster else self._proportional(stage, size)

    def _proportional(self, stage: Stage, size: TableSize) -> float:
        small, large = self.small.get(stage, 0.0), self.large[stage]
        per_record = max(0.0, large - small) / max(1, self.n_large - self.n_small)
        return large + per_record * (size.n_records - self.n_large)

    def _by_power(self, stage: Stage, size: TableSize, least: float, most: float) -> float:
        small, large = self.small.get(stage, 0.0), self.large[stage]
        measured = small > NEGLIGIBLE / SMALLER and large > NEGLIGIBLE and self.n_large > self.n_small
        power = log(large / small) / log(self.n_large / self.n_small) if measured else 1.0
        return large * float((size.n_records / self.n_large) ** min(most, max(least, power)))


def _pilot_policy(policy: Policy, size: TableSize, share: float) -> Policy:
    """The policy for a sample: in blocks of the same size, and however many records fail."""
    update: dict[str, object] = {"suppression": Suppression(limit=1.0), "method": policy.method.with_share(share)}
    if size.block_limit is not None:
        limit = min(size.block_limit, LARGEST_SAMPLE // 2)
        update["blocking"] = BlockingRules(method="twod_tree", limit=limit, repair=size.is_repaired)
    return policy.model_copy(update=update)


def _sample(table: pa.Table, policy: Policy, n: int) -> pa.Table:
    """``n`` records spread over the table; the first ones where records form units, which a sample would split."""
    if any(rule.role in ("household", "unit") for rule in policy.columns.values()):
        return table.slice(0, n)
    return table.take(np.arange(n) * len(table) // n)


def _cpu_seconds(sample: pa.Table, policy: Policy) -> CpuSeconds:
    clock = StageClock()
    with progress.report_to(clock):
        protect(sample, policy, key=KEY)
    return clock.seconds()


class StageClock:
    """A listener that measures the CPU seconds of every stage, without those of the stages within it."""

    def __init__(self) -> None:
        self._seconds = defaultdict[Stage, float](float)
        self._stage: Stage = ()
        self._since = time.process_time()

    @contextmanager
    def __call__(self, what: str, total: int) -> Iterator[progress.Advance]:
        self._charge((*self._stage, what.split(",")[0]))
        try:
            yield lambda done: None
        finally:
            self._charge(self._stage[:-1])

    def seconds(self) -> CpuSeconds:
        self._charge(self._stage)
        return dict(self._seconds)

    def _charge(self, following: Stage) -> None:
        now = time.process_time()
        self._seconds[self._stage] += now - self._since
        self._stage, self._since = following, now
