"""Control of the kernel's search over boxes: alternating turns, the best plan so far, time limit and Ctrl-C.

counts, boxes, an initial plan -> GensearchResult
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from shoal import kernels, progress
from shoal.encode.count_table import CountTable
from shoal.kernels import thread_pool
from shoal.losses import LOSSES, AnyLoss, loss_of, measure, total
from shoal.methods.generalization.boxes import Boxes
from shoal.methods.generalization.certificate import FULL, OPEN, PROVEN, Certificate, all_hold
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.cut_tree_builder import tree_from_nodes
from shoal.methods.generalization.gensearch_result import GensearchResult, PlanLosses, SearchProgress
from shoal.plan import CutTree
from shoal.user_rule import resting_on

SECONDS_BETWEEN_CHECKS = 0.1  # seconds between two checks of the time
SHARE = 0.3  # length of a turn in search of a lower cost, relative to the turn in search of a proof
FACTOR_WITHOUT_SUCCESS = 0.7  # factor on the share after a turn without success
FACTOR_WITHOUT_RISE = 2.0  # factor on the share while the bound does not rise
MAX_SHARE = 4.8  # maximum of the share


Result = TypeVar("Result")


@dataclass(frozen=True)
class SearchPace:
    """How long the turns of a search are, and which plans it evaluates."""

    first_turn: int = 5000  # boxes
    worthwhile: float = 0.995  # a plan below this share of the least cost is evaluated at once, others after the turn


USUAL = SearchPace()


class SearchSettings(Protocol):
    """The settings of the calling method that a search needs."""

    @property
    def loss(self) -> AnyLoss: ...
    @property
    def empty_blocks(self) -> bool: ...
    @property
    def nodes(self) -> int | None: ...
    @property
    def memory(self) -> int: ...  # MB


class BoxSearch:
    """The best plan so far, and the kernel that searches for better ones."""

    def __init__(
        self,
        settings: SearchSettings,
        counts: CountTable,
        coded: CodedCounts,
        boxes: Boxes,
        target: str | None,
        pace: SearchPace = USUAL,
        threads: int | None = None,
    ) -> None:
        self.settings, self.counts, self.coded, self.boxes, self.target = settings, counts, coded, boxes, target
        self.pace = pace
        self.kernel: kernels.AndOr = boxes.search(settings.empty_blocks, settings.memory * 10**6)
        self.started_at = time.monotonic()
        self.tree = tree_from_nodes(coded.attributes, self.kernel.tree(), {})  # the kernel's initial plan: one block
        self.cost = self._cost(self.tree)
        self.history: list[SearchProgress] = []
        self.others: list[PlanLosses] = []
        self.pool = ThreadPoolExecutor(thread_pool.n_threads(threads))

    def take_if_better(self, tree: CutTree) -> None:
        """Takes the tree as the best plan if it costs less."""
        cost = self._cost(tree)
        if cost < self.cost:
            self.tree, self.cost = tree, cost
        self.kernel.set_upper(self.cost)

    def compare_with(self, name: str, tree: CutTree) -> None:
        """Keeps the losses of another plan, to be told beside those of the best."""
        self.others.append(self._losses(name, tree))

    def run(self, seconds: float | None) -> None:
        """Runs in turns until the optimum is proven or the budget is spent. Ctrl-C leaves the best plan so far."""
        until = None if seconds is None else self.started_at + seconds
        self._add_to_history()
        try:
            with progress.stage("searching boxes", self.settings.nodes or 0) as at, self.pool:
                self._alternate(until, at)
        finally:
            self._take_plan(1.0)
            self.history.append(self._progress())

    def _alternate(self, until: float | None, at: progress.Advance) -> None:
        turn, share = self.pace.first_turn, SHARE
        while not self._is_finished(until):
            cost, lower = self.cost, self.lower_bound
            self._turn(self.kernel.plan_improvement, int(share * turn), until, at)
            self._turn(self.kernel.plan_proof, turn, until, at)
            if self.lower_bound <= lower and not self._solves_all:
                share = min(FACTOR_WITHOUT_RISE * share, MAX_SHARE)
            else:
                share = SHARE if self.cost < cost else share * FACTOR_WITHOUT_SUCCESS
            turn *= 2

    def result(self) -> GensearchResult:
        proven = self.lower_bound >= self.cost
        certificate = Certificate(
            {attribute.domain.name: attribute.domain.n_codes for attribute in self.coded.attributes},
            loss_of(self.settings.loss).name,
            self.target,
            tuple(map(repr, self.coded.requirements)),
            self.settings.empty_blocks,
            self.coded.n_records,
            len(self.boxes.cells),
            self.cost,
            self.lower_bound,
            proven,
            self.kernel.n_nodes,
            self._how_proven(proven),
            self.tree.to_json(),
            {a.domain.name: a.weight for a in self.coded.attributes if a.weight != 1},
            resting_on((*self.coded.requirements, self.settings.loss)),
        )
        history = tuple(self.history or [self._progress()])
        losses = (self._losses("gensearch", self.tree), *self.others)
        return GensearchResult(self.tree, self.cost, self.lower_bound, proven, certificate, history, losses)

    def _how_proven(self, proven: bool) -> str:
        if proven:
            return PROVEN
        return FULL if self.kernel.is_out_of_memory else OPEN

    @property
    def lower_bound(self) -> float:
        """The proven bound. For certainty, widths are rounded down: a bound within this rounding equals the cost."""
        lower = min(float(self.kernel.lower), self.cost)
        return self.cost if self.cost - lower <= self._slack else lower

    @property
    def _slack(self) -> float:
        return self.boxes.grain_of_loss

    def _is_finished(self, until: float | None) -> bool:
        is_done = self.kernel.lower >= min(self.kernel.upper, self.cost)  # the kernel may have dropped the plan itself
        if is_done or self.lower_bound >= self.cost or self.kernel.is_out_of_memory:
            return True
        return self._is_out_of_time(until) or (
            self.settings.nodes is not None and self.kernel.n_nodes >= self.settings.nodes
        )

    def _is_out_of_time(self, until: float | None) -> bool:
        return until is not None and time.monotonic() >= until

    @property
    def _solves_all(self) -> bool:
        """Whether every box is solved exactly when met, as the same boxes recur: then all will be solved eventually."""
        return bool(self.kernel.small > self.coded.n_records)

    def _turn(self, plan: Callable[[], int], n_nodes: int, until: float | None, at: progress.Advance) -> None:
        end = self.kernel.n_nodes + max(n_nodes, 1)
        while self.kernel.n_nodes < end and not self._is_finished(until):
            if not self._round(plan, until):
                break
            self._take_plan(1.0 if self.kernel.lower >= self.kernel.upper else self.pace.worthwhile)
            self._add_to_history()
            at(self.kernel.n_nodes)
        self.kernel.update_plan()
        self._take_plan(1.0)

    def _round(self, plan: Callable[[], int], until: float | None) -> int:
        """The number of its jobs."""
        [n_jobs] = self._run([plan], until)
        self._run([partial(self.kernel.run, job) for job in range(n_jobs)], until)
        self._run([self.kernel.merge], until)
        return n_jobs

    def _run(self, work: Sequence[Callable[[], Result]], until: float | None) -> list[Result]:
        """On other threads than this one: Ctrl-C and the time limit take effect at once, even in large boxes."""
        running = [self.pool.submit(one) for one in work]
        waiting = set(running)
        try:
            while waiting and not self._is_out_of_time(until):
                _, waiting = wait(waiting, SECONDS_BETWEEN_CHECKS)
        finally:
            if waiting:
                self.kernel.stop()
                wait(running)
        found = [one.result() for one in running]
        self.boxes.failures.raise_first()
        return found

    def _take_plan(self, share: float) -> None:
        """Evaluates the kernel's plan on the data if it may cost less than a ``share`` of the best, and takes it."""
        if self.kernel.upper < share * self.cost:
            tree = tree_from_nodes(self.coded.attributes, self.kernel.tree(), {})
            if all_hold(self.coded, tree):
                self.take_if_better(tree)

    def _cost(self, tree: CutTree) -> float:
        return total(loss_of(self.settings.loss), measure(tree, self.counts, self.target, self.coded.weights))

    def _losses(self, name: str, tree: CutTree) -> PlanLosses:
        blocks = measure(tree, self.counts, self.target, self.coded.weights)
        return PlanLosses(name, *(total(LOSSES[loss], blocks) for loss in ("discernibility", "certainty")))

    def _add_to_history(self) -> None:
        now = self._progress()
        last = self.history[-1] if self.history else None
        if last is None or (now.cost, now.lower_bound) != (last.cost, last.lower_bound):
            self.history.append(now)

    def _progress(self) -> SearchProgress:
        return SearchProgress(time.monotonic() - self.started_at, self.kernel.n_nodes, self.cost, self.lower_bound)
