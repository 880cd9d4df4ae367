"""Control of the kernel's search over boxes: alternating turns, the best plan so far, the price of suppressed records.

counts, boxes, an initial plan -> GensearchResult
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from shoal import kernels, progress
from shoal.encode.count_table import CountTable
from shoal.kernels import thread_pool
from shoal.losses import LOSSES, AnyLoss, Loss, UserLoss, loss_of, measure
from shoal.methods.generalization.boxes import Boxes
from shoal.methods.generalization.certificate import FULL, OPEN, PRICED, PROVEN, Certificate
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.cut_tree_builder import tree_from_nodes
from shoal.methods.generalization.gensearch_result import GensearchResult, PlanLosses, SearchProgress
from shoal.methods.generalization.plan_cost import PlanCost, plan_cost, plan_costs
from shoal.methods.generalization.search_rounds import SearchBudget, run_round
from shoal.methods.generalization.suppression_price import PricedBound, PriceRange
from shoal.plan import CutTree
from shoal.plan.limit import most_within
from shoal.user_rule import resting_on

ONE_BLOCK = np.array([[-1, -1, 0, 0, 0]])
SHARE = 0.3  # length of a turn in search of a lower cost, relative to the turn in search of a proof
FACTOR_WITHOUT_SUCCESS = 0.7  # factor on the share after a turn without success
FACTOR_WITHOUT_RISE = 2.0  # factor on the share while the bound does not rise
MAX_SHARE = 4.8  # maximum of the share
LONG_TURN = 320_000  # boxes
SHARE_WHILE_SOLVING = 0.03  # after a long turn, where even large boxes are solved when met: a proof finds the best plan
LARGE_BOX = 32  # times the least size of a block
N_TRIALS = 6  # a price at which too many records are suppressed gets one of so many parts of the budget
BOXES_OF_TRIAL = 100_000  # without a budget
SUPPRESSED_COSTS = "cost of a suppressed record: taken to be no less than in any block"


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
    @property
    def suppression(self) -> float: ...  # share of the records that may be suppressed


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
        self.started_at = time.monotonic()
        self.most_suppressed = most_within(coded.n_records, settings.suppression)
        self.tree = tree_from_nodes(coded.attributes, ONE_BLOCK, {})
        self.found = self.evaluate(self.tree)  # of the best plan
        self.proven = PricedBound(0.0, 0.0)  # the best of earlier prices
        self.n_nodes_before = 0
        self.limits = self.limits_if_too_many = SearchBudget()
        self._start_at(0.0)
        self.take_if_better(tree_from_nodes(coded.attributes, self.kernel.tree(), {}))
        self.history: list[SearchProgress] = []
        self.others: list[PlanLosses] = []
        self.pool = ThreadPoolExecutor(thread_pool.n_threads(threads))

    def _start_at(self, price: float) -> None:
        """A new kernel, for which a suppressed record costs ``price`` more than its loss."""
        suppressed = self._cost_of_suppressed + price if self.most_suppressed else None
        n_bytes = self.settings.memory * 10**6
        self.price = price
        self.kernel: kernels.AndOr = self.boxes.search(self.settings.empty_blocks, n_bytes, suppressed)
        self.least = self.found  # of the plan that is the least known at this price
        self.taken = np.inf  # what the kernel's last plan costs that was evaluated, by the kernel
        self.cascades = False  # whether that plan, or a later one, suppresses more records than the kernel knows
        self._learn(self.found)

    def _learn(self, found: PlanCost) -> None:
        if found.at_price(self.price) < self.least.at_price(self.price):
            self.least = found
        self.kernel.set_upper(self.least.at_price(self.price))

    @property
    def _cost_of_suppressed(self) -> float:
        """Of one record."""
        blocks = measure(self.tree, self.counts, self.target, self.coded.weights)
        return self.boxes.rounded(self._loss.of_suppressed(blocks))

    @property
    def _loss(self) -> Loss:
        return loss_of(self.settings.loss)

    @property
    def cost(self) -> float:
        """Of the best plan."""
        return self.found.cost

    @property
    def n_nodes(self) -> int:
        """Boxes examined, at all prices."""
        return int(self.n_nodes_before + self.kernel.n_nodes)

    def take_if_better(self, tree: CutTree) -> None:
        """Takes the tree as the best plan if it costs less and can be released."""
        found = self.evaluate(tree)
        self.cascades = found.cascades
        if not found.is_long_enough:
            return
        is_better = found.cost < self.cost or not self.holds
        if is_better and found.is_within(self.most_suppressed):
            self.tree, self.found = tree, found
        self._learn(found)

    @property
    def holds(self) -> bool:
        """Whether the best plan can be released: all records as one block may fail, and no other plan be found."""
        return self.found.is_within(self.most_suppressed)

    def allows(self, tree: CutTree) -> bool:
        """Whether the tree has no block without records, or may have some."""
        return (
            self.settings.empty_blocks or np.unique(tree.block_of(self.coded.counts.combinations)).size == tree.n_blocks
        )

    def compare_with(self, name: str, tree: CutTree) -> None:
        """Keeps the losses of another plan, to be stated beside those of the best."""
        self.others.append(self.losses_of(name, tree))

    def run(self, seconds: float | None) -> None:
        """Runs in turns until the optimum is proven or the budget is spent. Ctrl-C leaves the best plan so far."""
        until = None if seconds is None else self.started_at + seconds
        self.limits = self.limits_if_too_many = SearchBudget(until, self.settings.nodes)
        self._add_to_history()
        try:
            with progress.stage("searching boxes", self.settings.nodes or 0) as at, self.pool:
                self._search(at)
        finally:
            self._take_plan(1.0)
            self.history.append(self._progress())

    def _search(self, at: progress.Advance) -> None:
        """Without a price of suppressed records while the least plan keeps their limit, else at the least that does."""
        self._alternate(at)
        prices = PriceRange(self.boxes.grain, self.boxes.most_of_a_record, self._cost_of_suppressed)
        while prices.is_open(self._suppresses_too_many) and not self.limits.are_reached(self.n_nodes):
            self._change_price(prices.next_price)
            self._alternate(at)
            prices = prices.after(self.price, not self._suppresses_too_many)

    def _change_price(self, price: float) -> None:
        self._take_plan(1.0)
        self.proven = max(self.proven, self._bound)
        self.n_nodes_before = self.n_nodes
        self._start_at(price)

    @property
    def _suppresses_too_many(self) -> bool:
        """Whether the least plan known at this price does; also where it suppresses more than the kernel counts, as
        further blocks fail once others are suppressed: a higher price avoids that."""
        return self.cascades or not self.least.is_within(self.most_suppressed)

    def _alternate(self, at: progress.Advance) -> None:
        """At one price; part of the budget is spent on one that suppresses too many records."""
        turn, share = self.pace.first_turn, SHARE
        self.limits_if_too_many = self.limits.first_of(N_TRIALS, self.started_at, self.n_nodes, BOXES_OF_TRIAL)
        while not self._is_finished:
            cost, lower = self.cost, self.lower_bound
            self._turn(self.kernel.plan_improvement, int(share * turn), at)
            self._turn(self.kernel.plan_proof, turn, at)
            if self._solves_large_boxes and turn >= LONG_TURN:
                share = SHARE_WHILE_SOLVING
            elif self.lower_bound <= lower and not self._solves_all:
                share = min(FACTOR_WITHOUT_RISE * share, MAX_SHARE)
            else:
                share = SHARE if self.cost < cost else share * FACTOR_WITHOUT_SUCCESS
            turn *= 2

    def result(self) -> GensearchResult:
        """Raises PolicyError where no plan was found that can be released."""
        if not self.holds:
            self.coded.check()
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
            self.n_nodes,
            self._how_proven(proven),
            self.tree.to_json(),
            {a.domain.name: a.weight for a in self.coded.attributes if a.weight != 1},
            self._rests_on,
            self.most_suppressed,
            self.found.n_suppressed,
            max(self.proven, self._bound).price,
        )
        history = tuple(self.history or [self._progress()])
        losses = (self.losses_of("gensearch", self.tree), *self.others)
        return GensearchResult(self.tree, self.cost, self.lower_bound, proven, certificate, history, losses)

    @property
    def _rests_on(self) -> tuple[str, ...]:
        """What users declared of their rules. Where blocks may fail once others are suppressed, it matters that a
        record costs no less suppressed than in a block: the losses of Shoal are so, and that of a user is taken to be.
        """
        declared = resting_on((*self.coded.requirements, self.settings.loss))
        if isinstance(self.settings.loss, UserLoss) and self.most_suppressed and self.coded.sensitive:
            return (*declared, SUPPRESSED_COSTS)
        return declared

    def _how_proven(self, proven: bool) -> str:
        if proven:
            return PROVEN
        if self.kernel.is_out_of_memory:
            return FULL
        return PRICED if self.price > 0 and self._is_solved else OPEN

    @property
    def _bound(self) -> PricedBound:
        """On the cost of plans within the limit, by the search at this price. The kernel compares blocks with all
        records, so it suppresses no more than the release, and what it suppresses costs no less than in a block: its
        bound holds for the release, too."""
        return PricedBound(float(self.kernel.lower) - self.price * self.most_suppressed, self.price)

    @property
    def _is_solved(self) -> bool:
        """Whether the least plan at this price is known. The kernel may have dropped the plan itself."""
        return bool(self.kernel.lower >= min(self.kernel.upper, self.least.at_price(self.price)))

    @property
    def lower_bound(self) -> float:
        """The proven bound. For certainty, widths are rounded down: a bound within this rounding equals the cost."""
        lower = min(max(self.proven, self._bound).lower, self.cost)
        return self.cost if self.cost - lower <= self._slack else lower

    @property
    def _slack(self) -> float:
        return self.boxes.grain_of_loss

    @property
    def _is_finished(self) -> bool:
        limits = self.limits_if_too_many if self._suppresses_too_many else self.limits
        is_done = self._is_solved or self.lower_bound >= self.cost or self.kernel.is_out_of_memory
        return is_done or limits.are_reached(self.n_nodes)

    @property
    def _solves_all(self) -> bool:
        """Whether every box is solved exactly when met, as the same boxes recur: then all will be solved eventually."""
        return bool(self.kernel.small > self.coded.n_records)

    @property
    def _solves_large_boxes(self) -> bool:
        """Whether boxes recur so often that even large ones are solved when met."""
        return bool(self.kernel.small > LARGE_BOX * self.boxes.least)

    def _turn(self, plan: Callable[[], int], n_nodes: int, at: progress.Advance) -> None:
        end = self.kernel.n_nodes + max(n_nodes, 1)
        while self.kernel.n_nodes < end and not self._is_finished:
            n_jobs = run_round(self.kernel, plan, self.pool, self.limits)
            self.boxes.failures.raise_first()
            if not n_jobs:
                break
            self._take_plan(1.0 if self.kernel.lower >= self.kernel.upper else self.pace.worthwhile)
            self._add_to_history()
            at(self.n_nodes)
        self.kernel.update_plan()
        self._take_plan(1.0)

    def _take_plan(self, share: float) -> None:
        """Evaluates the kernel's plan on the data if it may cost less than a ``share`` of the least, and takes it."""
        if self.kernel.upper < share * min(self.least.at_price(self.price), self.taken):
            self.taken = self.kernel.upper
            self.take_if_better(tree_from_nodes(self.coded.attributes, self.kernel.tree(), {}))

    def evaluate(self, tree: CutTree) -> PlanCost:
        """What the tree costs on the data, and whether it can be released."""
        return plan_cost(self.coded, self.counts, tree, self._loss, self.target)

    def losses_of(self, name: str, tree: CutTree) -> PlanLosses:
        losses = (LOSSES["discernibility"], LOSSES["certainty"])
        found = plan_costs(self.coded, self.counts, tree, losses, self.target)
        return PlanLosses(name, *(each.cost for each in found))

    def _add_to_history(self) -> None:
        now = self._progress()
        last = self.history[-1] if self.history else None
        if last is None or (now.cost, now.lower_bound) != (last.cost, last.lower_bound):
            self.history.append(now)

    def _progress(self) -> SearchProgress:
        return SearchProgress(time.monotonic() - self.started_at, self.n_nodes, self.cost, self.lower_bound)
