"""Certificates: what a search has proven, as data that others can verify.

A certificate states the problem (columns with their splits, loss, requirements, whether empty blocks are allowed), the
result, the lower bound, and how it was proven. The cost is always verified by counting. The bound is verified, for a
small problem, by solving it again without any bound or shortcut: all boxes that cuts can reach, each once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

import numpy as np
from pydantic import StringConstraints, TypeAdapter

from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError
from shoal.kernels import Labels
from shoal.losses import LOSSES, AnyLoss, LossName, loss_of, measure
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.exhaustive_boxes import TooLargeError, Work, optimum
from shoal.methods.generalization.plan_cost import plan_cost
from shoal.plan import CutTree
from shoal.requirements import Requirement
from shoal.requirements.judge import Domains
from shoal.requirements.requirement import of_schema
from shoal.schema import Schema

PROVEN = "every box whose cost could have been less was looked into"
OPEN = "boxes were left to look into: the bound is the least that any of them could still cost"
FULL = "the memory was full before all boxes were looked into: the bound is the least that any of them could still cost"
PRICED = "the best plan at a price of suppressed records is known: the bound is its cost less the price of the limit"
NEXT = "plans that cost less suppress too many records beside what other searches suppress: the bound is theirs"
PROBLEM = (
    "splits",
    "loss",
    "target",
    "requirements",
    "empty_blocks",
    "n_records",
    "n_cells",
    "weights",
    "rests_on",
    "most_suppressed",
)
LARGEST_EXACT = 2**53  # integer of a float64
OPTIONAL = ("weights", "rests_on", "most_suppressed", "n_suppressed", "price")
UserLossName = Annotated[str, StringConstraints(pattern=r"^\w+\(.*\)$")]  # a class with its parameters


@dataclass(frozen=True)
class Certificate:
    splits: Mapping[str, int]  # column -> maximum number of codes it is divided into
    loss: LossName | UserLossName
    target: str | None
    requirements: tuple[str, ...]
    empty_blocks: bool
    n_records: int
    n_cells: int
    cost: float
    lower_bound: float
    is_optimal: bool
    n_nodes: int  # boxes examined
    how: str
    tree: str = field(repr=False)  # as JSON
    weights: Mapping[str, float] = field(default_factory=dict)  # of the columns whose weight is not 1
    rests_on: tuple[str, ...] = ()  # what users declared of their rules, which nobody has proved
    most_suppressed: int = 0  # records that may be suppressed
    n_suppressed: int = 0  # records that are suppressed, as their blocks fail
    price: float = 0.0  # of a suppressed record, at which the bound was proven

    @property
    def is_consistent(self) -> bool:
        """Whether cost, bound and the claim of an optimum agree."""
        is_bound = self.price >= 0 and self.lower_bound <= self.cost
        return is_bound and (self.lower_bound == self.cost) == self.is_optimal

    def other_problem(self, other: Certificate) -> list[str]:
        """The parts of the problem, all but the result, in which two certificates differ."""
        return [each for each in PROBLEM if getattr(self, each) != getattr(other, each)]

    def to_dict(self) -> dict[str, Any]:
        """Its content for JSON, without what few problems have."""
        return {name: value for name, value in asdict(self).items() if name not in OPTIONAL or value}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2)

    @staticmethod
    def from_json(text: str) -> Certificate:
        """Strictly validated, as the text may come from anywhere."""
        return TypeAdapter(Certificate).validate_json(text, strict=True, extra="forbid")


@dataclass(frozen=True)
class CertificateCheck:
    cost_holds: bool
    requirements_hold: bool
    bound_holds: bool | None  # None: the problem is too large to solve again

    @property
    def holds(self) -> bool:
        return self.cost_holds and self.requirements_hold and self.bound_holds is not False


def check(
    certificate: Certificate,
    counts: CountTable,
    schema: Schema,
    requirements: Sequence[Requirement],
    cuts: Mapping[str, Any] | None = None,
    most_boxes: int = 20_000,
    whole: Domains | None = None,
    work: Work | None = None,
    loss: AnyLoss | None = None,
) -> CertificateCheck:
    """Verifies a certificate on a table of counts; the bound by solving again, if at most ``most_boxes`` are reachable.

    ``work``: the limit of computation for this. ``whole``: the sensitive values of the whole table, if ``counts`` is a
    part of it; by default ``counts`` is the whole. ``loss``: that of the certificate, if a user wrote it.
    """
    if tuple(map(repr, of_schema(requirements, schema))) != certificate.requirements:
        raise PolicyError.other_requirements(certificate.requirements)
    lost = named_loss(certificate.loss) if loss is None else loss
    if loss_of(lost).name != certificate.loss:
        raise PolicyError.unknown_choice("loss", loss_of(lost).name, [certificate.loss])
    tree = CutTree.from_json(certificate.tree)
    coded = CodedCounts.read(counts, schema, requirements, cuts, whole=whole)
    found = plan_cost(coded, counts, tree, loss_of(lost), certificate.target)
    slack = slack_of(certificate.loss, found.cost)
    suppressed = None
    if certificate.most_suppressed:
        suppressed = certificate.price + loss_of(lost).of_suppressed(
            measure(tree, counts, certificate.target, coded.weights)
        )
    try:
        classes = classes_of(coded.counts, certificate.target)
        best = optimum(coded, lost, classes, certificate.empty_blocks, most_boxes, work, suppressed)
        best -= certificate.price * certificate.most_suppressed
        bound_holds = certificate.lower_bound <= best + slack and best <= found.cost + slack
        bound_holds = bound_holds and certificate.price >= 0  # below 0 the cost at the price bounds no plan
        bound_holds = bound_holds and (not certificate.is_optimal or found.cost <= best + slack)
    except TooLargeError:
        bound_holds = None
    counted = certificate.n_records, certificate.n_suppressed
    cost_holds = abs(found.cost - certificate.cost) <= slack and counted == (coded.n_records, found.n_suppressed)
    return CertificateCheck(cost_holds, found.is_within(certificate.most_suppressed), bound_holds)


def slack_of(loss: str, cost: float) -> float:
    """Permitted difference of two sums. Certainty has fractions, and a user's loss may; the others are counts, exact up
    to 2^53."""
    if loss == "certainty":
        return 1e-6 * max(cost, 1.0)
    if loss not in LOSSES:
        return 1e-9 * cost
    return 0.0 if cost < LARGEST_EXACT else 1e-12 * cost


def classes_of(counts: CountTable, target: str | None) -> Labels | None:
    """(n_rows,) the class of every row; a missing value is a class of its own."""
    if target is None:
        return None
    if target not in counts.names:
        raise PolicyError.unknown_column("target", target, counts.names)
    encoded: Any = counts[target].combine_chunks().dictionary_encode(null_encoding="encode")
    classes: Labels = encoded.indices.to_numpy().astype(np.int64)
    return classes


def named_loss(name: str) -> LossName:
    """The loss of a certificate; raises PolicyError where a user wrote it and it was not given."""
    for known in LOSSES:
        if known == name:
            return known
    raise PolicyError.unknown_choice("loss", name, list(LOSSES))
