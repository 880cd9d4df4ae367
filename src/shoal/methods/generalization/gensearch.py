"""Gensearch: the cut tree of least loss, with a proof of optimality or a gap that the budget allows.

a table of counts -> Found(CutTree, cost, lower bound)

Hore, Jammalamadaka, Mehrotra & D'Ascanio, Constrained generalization for data anonymization: a systematic search based
approach. The paper enumerates hierarchical partitions one by one and is feasible up to 10 or 14 splits.

Where we depart: every loss is a sum over blocks and every requirement a test of one block, so the optimum of a box
depends on its parts alone, not on its surroundings. The search is over boxes, not over partitions:

    OPT(box) = min(loss of the box as one block, min over its splits of the sum of OPT over their parts)

Every box met is stored with a lower and an upper bound. Two searches alternate in turns, each twice as long as the one
before, but shorter for the one without progress:
- for a lower cost: parts of the best plan, first small ones and then larger ones, are searched for a better plan, by a
  beam over the best few splits of a box, small boxes solved exactly;
- for a proof: under a rising threshold only what could cost less than the threshold is examined.
Each works in rounds of jobs, and a job searches within one box. What a job finds is known to the others after the
round, so any number of threads finds the same.
They begin with the better of strict and greedy Mondrian, so a valid plan is available from the start. The result is
counted again on the data and checked again by the requirements before it is returned.

Empty blocks are allowed by default; otherwise all children of a taxonomy node must have records, or it is not cut.
A budget of ``nodes`` gives reproducible results; one of ``seconds`` depends on the machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, ClassVar, Literal, get_args

from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError
from shoal.losses import AnyLoss, LossName, UserLoss
from shoal.methods.generalization.box_search import BoxSearch
from shoal.methods.generalization.boxes import Boxes
from shoal.methods.generalization.certificate import Certificate, classes_of
from shoal.methods.generalization.certified_result import certified_result
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.column_reader import read_counts
from shoal.methods.generalization.generalization_method import GeneralizationMethod
from shoal.methods.generalization.gensearch_result import GensearchResult
from shoal.methods.generalization.mondrian import Mondrian
from shoal.methods.generalization.native_tests import least_size
from shoal.methods.generalization.splits import Cuts
from shoal.methods.method_budget import MethodBudget
from shoal.plan import CutTree
from shoal.plan.limit import is_above
from shoal.requirements import Requirement
from shoal.requirements.judge import Domains
from shoal.schema import Schema

MEMORY = 768  # MB
NODES = 1_000_000  # default of a policy


def gensearch(
    table: Any,
    schema: Schema,
    requirements: Sequence[Requirement],
    *,
    loss: AnyLoss = "discernibility",
    target: str | None = None,
    cuts: Cuts | None = None,
    empty_blocks: bool = True,
    seconds: float | None = None,
    nodes: int | None = None,
    memory: int = MEMORY,
    threads: int | None = None,
    suppression: float = 0.0,
) -> GensearchResult:
    """The best cut tree of ``table`` (a file or any dataframe) whose blocks satisfy all ``requirements``.

    ``cuts`` says where numbers may be cut: a list of values (c means "< c | >= c"), or a number of intervals with
    about as many records in each; if omitted, at every value. ``loss`` may be one that you wrote (``UserLoss``), and
    ``target`` is the class column of it, or of the loss "classification". Without ``seconds`` and ``nodes`` it runs
    until the optimum is proven; Ctrl-C returns the best so far. ``memory``: MB for stored boxes; when it is full the
    smaller ones are dropped. ``threads``: by default as many as there are CPUs; with a budget of ``nodes`` any number
    of them finds the same. ``suppression``: the share of the records that may be suppressed, in blocks that fail.
    """
    if seconds is not None and nodes is not None:
        raise PolicyError.one_of("the budget", ("seconds", "nodes"), ("seconds", "nodes"))
    counts = read_counts(table, schema, requirements, target)
    method = Gensearch(loss, target, cuts, empty_blocks, nodes, memory, suppression)
    search = method.new_search(counts, schema, requirements, threads=threads)
    with suppress(KeyboardInterrupt):
        method.add_initial_plans(search, schema)
        search.run(seconds)
    return search.result()


@dataclass(frozen=True)
class Gensearch(GeneralizationMethod):
    """The search for the best cut tree as the method of a policy.

    loss          discernibility, classification, volume or certainty
    target        the class column of the loss "classification"
    cuts          where numbers may be cut, by column: values, or a number of intervals; if omitted, everywhere
    empty_blocks  whether a cut may leave a part without records
    nodes         the budget: number of boxes examined; the same number gives the same release
    memory        MB for stored boxes
    suppression   share of the records that may be in blocks that fail, from 0 to 1; they are suppressed at their loss
    """

    loss: AnyLoss = "discernibility"
    target: str | None = None
    cuts: Mapping[str, int | Sequence[float | str | date]] | None = None
    empty_blocks: bool = True
    nodes: int | None = NODES
    memory: int = MEMORY
    suppression: float = 0.0
    name: Literal["gensearch"] = "gensearch"

    issues_certificates: ClassVar[bool] = True
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    def __post_init__(self) -> None:
        if self.loss not in get_args(LossName) and not isinstance(self.loss, UserLoss):
            raise PolicyError.unknown_choice("method.loss", self.loss, get_args(LossName))
        if self.loss == "classification" and self.target is None:
            raise PolicyError.no_target()
        for key, least in (("nodes", 1), ("memory", 1)):
            value = getattr(self, key)
            if value is not None and value < least:
                raise PolicyError.too_small(f"method.{key}", least, value, "a budget must be positive")
        if not 0 <= self.suppression <= 1:
            raise PolicyError.outside("method.suppression", 0, 1, self.suppression)

    @property
    def certified_search(self) -> Gensearch:
        return self

    @property
    def budget(self) -> MethodBudget | None:
        return None if self.nodes is None else MethodBudget(self.nodes, "boxes", ("searching boxes",))

    def with_loss(self, loss: UserLoss, target: str | None) -> Gensearch:
        return replace(self, loss=loss, target=target)

    def with_share(self, share: float) -> Gensearch:
        return self if self.nodes is None else replace(self, nodes=max(1, round(share * self.nodes)))

    @property
    def baseline(self) -> Mondrian:
        """Strict Mondrian with the same cuts."""
        return Mondrian(cuts=self.cuts)

    def check_keys(self) -> None:
        if self.target and self.loss != "classification":
            raise PolicyError.only_for("method.target", "method.loss = 'classification'", f"loss = '{self.loss}'")

    @property
    def class_column(self) -> str | None:
        """The target, where the loss reads its classes."""
        return self.target if self.loss == "classification" or isinstance(self.loss, UserLoss) else None

    @property
    def weighs_columns(self) -> bool:
        """Only the loss of certainty is a sum over columns."""
        return self.loss == "certainty"

    def chooses_cuts(self, name: str) -> bool:
        return isinstance((self.cuts or {}).get(name, 1), int)

    def cut(
        self, counts: CountTable, schema: Schema, requirements: Sequence[Requirement], whole: Domains | None = None
    ) -> CutTree:
        return self.find(counts, schema, requirements, whole).tree

    def search(
        self,
        counts: CountTable,
        schema: Schema,
        requirements: Sequence[Requirement],
        whole: Domains | None = None,
        share: float | None = None,
    ) -> tuple[CutTree, GensearchResult | None]:
        found = self.find(counts, schema, requirements, whole)
        if share is not None and is_above(found.n_suppressed, found.certificate.n_records, share):
            found = found.with_plan_of(self.suppressing(share).find(counts, schema, requirements, whole))
        return found.tree, found

    def find(
        self, counts: CountTable, schema: Schema, requirements: Sequence[Requirement], whole: Domains | None = None
    ) -> GensearchResult:
        """As ``cut``, with the cost and what is proven. Ctrl-C returns nothing: part of the budget would give another
        release than the policy.
        """
        search = self.new_search(counts, schema, requirements, whole)
        self.add_initial_plans(search, schema, whole)
        search.run(None)
        return search.result()

    def find_again(
        self,
        certificate: Certificate,
        counts: CountTable,
        schema: Schema,
        requirements: Sequence[Requirement],
        whole: Domains | None = None,
    ) -> GensearchResult:
        """As ``find``, with tree and bound of the certificate that ``find`` issued, instead of a search. Raises
        CertificateError."""
        search = self.new_search(counts, schema, requirements, whole)
        self.add_initial_plans(search, schema, whole)
        return certified_result(search, certificate)

    def new_search(
        self,
        counts: CountTable,
        schema: Schema,
        requirements: Sequence[Requirement],
        whole: Domains | None = None,
        threads: int | None = None,
    ) -> BoxSearch:
        """The search, with all records as one block."""
        coded = CodedCounts.read(counts, schema, requirements, self.cuts, whole=whole)
        if not self.suppression or coded.n_records < least_size(coded):
            coded.check()  # where even all records are too few, none can be released
        classes = classes_of(coded.counts, self.class_column)
        boxes = Boxes.of(coded, self.loss, classes)
        return BoxSearch(self, counts, coded, boxes, self.class_column, threads=threads)

    def add_initial_plans(self, search: BoxSearch, schema: Schema, whole: Domains | None = None) -> None:
        """Initializes the search with the better one of Mondrian's plans, which suppress nothing."""
        counts = search.counts
        if not search.coded.can_hold:
            return
        for mode in ("strict", "greedy"):
            loss = self.loss if mode == "greedy" else "discernibility"
            tree = Mondrian(mode, loss, search.target, self.cuts).cut(counts, schema, search.coded.requirements, whole)
            search.compare_with(f"Mondrian, {mode}", tree)
            if search.allows(tree):
                search.take_if_better(tree)
