"""Gensearch: the cut tree of least loss among all there are, with a proof, or as near as the budget allows.

a table of counts -> Found(CutTree, cost, lower bound)

Hore, Jammalamadaka, Mehrotra & D'Ascanio, Constrained generalization for data anonymization: a systematic search based
approach. The paper enumerates hierarchical partitions one by one and is done up to 10 or 14 splits.

Where we depart: every loss is a sum over blocks and every requirement a test of one block, so the optimum of a box is
that of its parts, whatever surrounds it. The search is over boxes, not over partitions:

    OPT(box) = min(loss of the box as one block, min over its splits of the sum of OPT over their parts)

Every box seen is remembered with a lower and an upper bound. In turns, each twice as long as the one before, but
shorter for the one that gets nowhere,
- a beam looks for something cheaper: the best few splits of a box, small boxes solved exactly;
- a rising threshold looks for a proof: what must cost less than the threshold is looked into, nothing else.
They begin with the better of strict and greedy Mondrian, so a valid plan is at hand from the start. What is found is
counted again on the data and judged again by the requirements before it is handed out.

Empty blocks are allowed unless told otherwise: then all children of a taxonomy node must have records, or none are cut.
A budget of ``nodes`` gives the same result again; one of ``seconds`` depends on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa

from shoal import kernels, progress
from shoal.encode.counts import count_combinations
from shoal.errors import PolicyError
from shoal.losses import LOSSES, LossName, measure, total
from shoal.methods.generalization.boxes import Boxes
from shoal.methods.generalization.certificate import OPEN, PROVEN, Certificate, all_hold, classes_of
from shoal.methods.generalization.coded import Coded
from shoal.methods.generalization.cutting_method import CuttingMethod
from shoal.methods.generalization.found import Found, Moment
from shoal.methods.generalization.growing import tree_of_nodes
from shoal.methods.generalization.mondrian import Mondrian
from shoal.methods.generalization.reading import read_columns
from shoal.methods.generalization.splits import Cuts
from shoal.plan import CutTree
from shoal.requirements import Requirement
from shoal.requirements.judge import Domains
from shoal.schema import Schema

LISTENING = 0.1  # seconds between two looks at the clock
STEP = 5000  # boxes between two looks at the plan; more than boxes can lie in each other, or nothing is ever finished
FIRST_TURN = 5000  # boxes
SHARE = 0.3  # of a turn in search of something cheaper, beside the whole turn in search of a proof
PATIENCE = 0.7  # what is left of the share after a turn in vain
HOPELESS = 2.0  # how the share grows while no proof is in sight
MOST = 4.8  # that it grows to
WORTHWHILE = 0.995  # a plan that costs less than this share of the best one is counted at once, others after the turn
MEMORY = 768  # MB
NODES = 1_000_000  # of a policy that says nothing


def gensearch(
    table: Any,
    schema: Schema,
    wanted: Sequence[Requirement],
    loss: LossName = "discernibility",
    *,
    target: str | None = None,
    cuts: Cuts | None = None,
    empty_blocks: bool = True,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = MEMORY,
) -> Found:
    """The best cut tree of ``table`` (a file or any dataframe) whose blocks hold all requirements ``wanted``.

    ``cuts`` says where numbers may be cut: a list of values (c means "< c | >= c"), or a number of intervals with
    about as many records in each; left out: at every value. ``target`` is the column that loss "classification" is
    about. Without ``seconds`` and ``nodes`` it goes on until the optimum is proven; Ctrl-C returns the best so far.
    ``memory``: MB for what is remembered; when they are full the smaller boxes are forgotten.
    """
    if seconds is not None and nodes is not None:
        raise PolicyError.one_of("the budget", ("seconds", "nodes"), ("seconds", "nodes"))
    read = {one.column for one in wanted if one.column} | ({target} if target else set())
    names = list(dict.fromkeys([*schema.quasi_identifiers, *sorted(read)]))
    counts = count_combinations(read_columns(table, schema, names), names)
    search = Gensearch(loss, target, cuts, empty_blocks, nodes, memory).started(counts, schema, wanted)
    with suppress(KeyboardInterrupt):
        search.run(seconds)
    return search.found()


@dataclass(frozen=True)
class Gensearch(CuttingMethod):
    """The search for the best cut tree as the method of a policy.

    loss          discernibility, classification, volume or certainty
    target        the column that loss classification is about
    cuts          where numbers may be cut, by column: values, or a number of intervals; left out: everywhere
    empty_blocks  whether a cut may leave a part without records
    nodes         the budget: boxes that are looked into; the same number gives the same release
    memory        MB for boxes that are remembered
    """

    loss: LossName = "discernibility"
    target: str | None = None
    cuts: Mapping[str, int | Sequence[float | str | date]] | None = None
    empty_blocks: bool = True
    nodes: int | None = NODES
    memory: int = MEMORY
    name: Literal["gensearch"] = "gensearch"

    proves: ClassVar[bool] = True
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    def __post_init__(self) -> None:
        if self.loss not in get_args(LossName):
            raise PolicyError.unknown_choice("method.loss", self.loss, get_args(LossName))
        if self.loss == "classification" and self.target is None:
            raise PolicyError.no_target()
        for key, least in (("nodes", 1), ("memory", 1)):
            value = getattr(self, key)
            if value is not None and value < least:
                raise PolicyError.too_small(f"method.{key}", least, value, "it is a budget")

    def cut(
        self, counts: pa.Table, schema: Schema, requirements: Sequence[Requirement], whole: Domains | None = None
    ) -> CutTree:
        return self.find(counts, schema, requirements, whole).tree

    def search(
        self, counts: pa.Table, schema: Schema, requirements: Sequence[Requirement], whole: Domains | None = None
    ) -> tuple[CutTree, Found | None]:
        found = self.find(counts, schema, requirements, whole)
        return found.tree, found

    def find(
        self, counts: pa.Table, schema: Schema, requirements: Sequence[Requirement], whole: Domains | None = None
    ) -> Found:
        """As ``cut``, with what it costs and what is proved. After Ctrl-C there is nothing: half of a budget would make
        another release than the policy does."""
        search = self.started(counts, schema, requirements, whole)
        search.run(None)
        return search.found()

    def started(
        self, counts: pa.Table, schema: Schema, requirements: Sequence[Requirement], whole: Domains | None = None
    ) -> _Search:
        """With the better one of Mondrian's plans."""
        coded = Coded.of(counts, schema, requirements, self.cuts, whole=whole)
        target = self.target if self.loss == "classification" else None
        classes = classes_of(counts, target)
        search = _Search(self, counts, coded, Boxes.of(coded, self.loss, classes), target)
        for mode in ("strict", "greedy"):
            start = Mondrian(mode, self.loss if mode == "greedy" else "discernibility", target, self.cuts)
            tree = start.cut(counts, schema, requirements, whole)
            if self.empty_blocks or np.unique(tree.block_of(counts)).size == tree.n_blocks:
                search.take(tree)
        return search


class _Search:
    """The best plan so far, and the kernel that looks for better ones."""

    def __init__(self, asked: Gensearch, counts: pa.Table, coded: Coded, boxes: Boxes, target: str | None) -> None:
        self.asked, self.counts, self.coded, self.boxes, self.target = asked, counts, coded, boxes, target
        self.kernel: kernels.AndOr = boxes.search(asked.empty_blocks, asked.memory * 10**6)
        self.begun = time.monotonic()
        self.tree = tree_of_nodes(coded.attributes, self.kernel.tree(), {})  # one block, or what is known of it
        self.cost = self._cost(self.tree)
        self.history: list[Moment] = []
        self.thread = ThreadPoolExecutor(1)

    def take(self, tree: CutTree) -> None:
        """If it is better than what there is."""
        cost = self._cost(tree)
        if cost < self.cost:
            self.tree, self.cost = tree, cost
        self.kernel.know(self.cost)

    def run(self, seconds: float | None) -> None:
        """In turns, until it is proved or the budget is spent. Also after Ctrl-C what was found so far is a plan."""
        until = None if seconds is None else self.begun + seconds
        self._note()
        try:
            with progress.stage("searching boxes", self.asked.nodes or 0) as at, self.thread:
                self._in_turns(until, at)
        finally:
            self._keep(1.0)
            self.history.append(self._now())

    def _in_turns(self, until: float | None, at: progress.Advance) -> None:
        turn, share = FIRST_TURN, SHARE
        while not self._is_over(until):
            cost, lower = self.cost, self.lower_bound
            self._turn(self.kernel.widen, int(share * turn), until, at)
            self._turn(self.kernel.raise_bound, turn, until, at)
            if self.lower_bound <= lower and not self._solves_all:
                share = min(HOPELESS * share, MOST)
            else:
                share = SHARE if self.cost < cost else share * PATIENCE
            turn *= 2

    def found(self) -> Found:
        proven = self.lower_bound >= self.cost
        certificate = Certificate(
            {attribute.domain.name: attribute.domain.n_codes for attribute in self.coded.attributes},
            self.asked.loss,
            self.target,
            tuple(map(repr, self.coded.requirements)),
            self.asked.empty_blocks,
            self.coded.n_records,
            len(self.boxes.cells),
            self.cost,
            self.lower_bound,
            proven,
            self.kernel.n_nodes,
            PROVEN if proven else OPEN,
            self.tree.to_json(),
        )
        return Found(self.tree, self.cost, self.lower_bound, proven, certificate, tuple(self.history))

    @property
    def lower_bound(self) -> float:
        """Of certainty the widths are rounded down: what is equal but for that is the cost."""
        lower = min(float(self.kernel.lower), self.cost)
        return self.cost if self.cost - lower <= self._slack else lower

    @property
    def _slack(self) -> float:
        return self.boxes.grain_of_loss

    def _is_over(self, until: float | None) -> bool:
        is_done = self.kernel.lower >= min(self.kernel.upper, self.cost)  # the plan itself may have been forgotten
        if is_done or self.lower_bound >= self.cost or self.kernel.is_out_of_memory:
            return True
        return self._is_late(until) or (self.asked.nodes is not None and self.kernel.n_nodes >= self.asked.nodes)

    def _is_late(self, until: float | None) -> bool:
        return until is not None and time.monotonic() >= until

    @property
    def _solves_all(self) -> bool:
        """The same boxes come again and again, so that each is solved when it is met: in the end all will be."""
        return bool(self.kernel.small > self.coded.n_records)

    def _turn(self, work: Callable[[int], None], n_nodes: int, until: float | None, at: progress.Advance) -> None:
        end = self.kernel.n_nodes + max(n_nodes, STEP)
        while self.kernel.n_nodes < end and not self._is_over(until):
            left = end if self.asked.nodes is None else min(end, self.asked.nodes)
            self._do(partial(work, min(STEP, left - self.kernel.n_nodes)), until)
            self._keep(1.0 if self.kernel.lower >= self.kernel.upper else WORTHWHILE)
            self._note()
            at(self.kernel.n_nodes)
        self._keep(1.0)

    def _do(self, work: Callable[[], None], until: float | None) -> None:
        """On a thread of its own, so that Ctrl-C and the clock are heard at once, however large the boxes are."""
        done = self.thread.submit(work)
        try:
            while not self._is_late(until):
                with suppress(TimeoutError):
                    return done.result(LISTENING)
        finally:
            if not done.done():
                self.kernel.stop()
                wait([done])
        return done.result()

    def _keep(self, share: float) -> None:
        """The plan of the kernel, counted and judged anew, if it promises to cost less than a share of the best."""
        if self.kernel.upper < share * self.cost:
            tree = tree_of_nodes(self.coded.attributes, self.kernel.tree(), {})
            if all_hold(self.coded, tree, self.counts):
                self.take(tree)

    def _cost(self, tree: CutTree) -> float:
        return total(LOSSES[self.asked.loss], measure(tree, self.counts, self.target))

    def _note(self) -> None:
        now = self._now()
        last = self.history[-1] if self.history else None
        if last is None or (now.cost, now.lower_bound) != (last.cost, last.lower_bound):
            self.history.append(now)

    def _now(self) -> Moment:
        return Moment(time.monotonic() - self.begun, self.kernel.n_nodes, self.cost, self.lower_bound)
