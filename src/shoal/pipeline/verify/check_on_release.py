"""Checks of a certificate against its release: what can be recounted from the release alone.

The discernibility cost is the sum of the squared class sizes; the classification cost can be counted where the release
contains the target. What suppressed records cost is added to it. Strata are distinguished by their values, and their
sorted costs and numbers of records are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.encode.count_table import CountTable
from shoal.engines.protocol import Engine, F
from shoal.gate.gate import Proof
from shoal.kernels import Labels, Vector
from shoal.losses import Loss, Measures, loss_of
from shoal.methods import Gensearch
from shoal.methods.generalization.certificate import Certificate, named_loss
from shoal.pipeline.files.certificates import PlanCertificate, certificate_labels
from shoal.pipeline.protect.strata import Strata
from shoal.plan.limit import most_within
from shoal.policy import ReleasePlan


@dataclass(frozen=True)
class Check:
    """The result of checking one claim of a certificate."""

    what: str
    holds: bool | None  # None: not checked
    detail: str = ""  # reason or details
    label: str = ""  # which of several certificates

    def to_dict(self) -> dict[str, Any]:
        """The check for JSON, whose key ``of`` is older than the name of its field."""
        return {"what": self.what, "holds": self.holds, "detail": self.detail, "of": self.label}

    def __str__(self) -> str:
        return f"certificate{self.label}, {self.what}" + (f": {self.detail}" if self.detail else "")


@dataclass(frozen=True)
class ProofWithCertificate(Proof):
    """A proof of the release together with the checks of a certificate."""

    checks: tuple[Check, ...] = ()

    @classmethod
    def of(cls, proof: Proof, checks: Sequence[Check]) -> ProofWithCertificate:
        counted = proof.n_records, proof.n_classes, proof.k_reached
        checked = (*counted, proof.verdicts, proof.faults, tuple(checks))
        return cls(*checked, notes=proof.notes, carriers=proof.carriers)

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "checks": [check.to_dict() for check in self.checks]}

    @property
    def holds(self) -> bool:
        return super().holds and all(check.holds is not False for check in self.checks)

    @property
    def failures(self) -> tuple[str, ...]:
        return (*super().failures, *(str(check) for check in self.checks if check.holds is False))


def consistency_checks(certified: Sequence[PlanCertificate], plan: ReleasePlan, method: Gensearch) -> Iterator[Check]:
    """Checks that need no table: agreement with the policy, and of cost and bound."""
    required = {tuple(map(repr, key.requirements)) for key in plan.key_sets}
    for one, label in zip(certified, certificate_labels(certified), strict=True):
        proved = one.certificate
        same = (proved.loss, proved.empty_blocks) == (loss_of(method.loss).name, method.empty_blocks)
        same = same and proved.target == method.class_column
        weights = {name: plan.columns[name].weight for name in one.columns if plan.columns[name].weight != 1}
        same = same and dict(proved.weights) == weights and _keeps_share(proved, method.suppression)
        yield Check("matches the policy", same and proved.requirements in required, label=label)
        yield Check("cost and bound agree", proved.is_consistent, label=label)


def _keeps_share(proved: Certificate, share: float) -> bool:
    """Whether it suppresses no more records than the policy allows its search, and says how many these are."""
    return proved.n_suppressed <= proved.most_suppressed == most_within(proved.n_records, share)


def unchecked_bounds(certified: Sequence[PlanCertificate]) -> Iterator[Check]:
    """Bounds reported as unchecked: they cannot be verified from the release, so a forged bound would go unnoticed."""
    for one, label in zip(certified, certificate_labels(certified), strict=True):
        yield Check("bound", None, f"not checked for the loss {one.certificate.loss}: this needs the original", label)


def checks_on_release(
    frame: F, engine: Engine[F], plan: ReleasePlan, certified: Sequence[PlanCertificate]
) -> Iterator[Check]:
    """Checks of cost and number of records, for each key set."""
    sets = list(dict.fromkeys(one.columns for one in certified))
    for at, columns in enumerate(sets, 1):
        label = f", key set {at} of {len(sets)}" if len(sets) > 1 else ""
        proved = [one.certificate for one in certified if one.columns == columns]
        reason = _not_countable(plan, proved[0], columns, frame.names)
        if reason:
            yield Check("cost of the release", None, reason, label)
            continue
        found = _costs(frame, engine, plan.within, columns, proved[0])
        loss = loss_of(named_loss(proved[0].loss))
        lost = np.array([_cost_of_suppressed(loss, one) for one in proved])
        certified_costs = np.array([one.cost for one in proved])
        expected = np.sort(certified_costs - lost)
        holds = found.costs.size == expected.size and np.allclose(found.costs, expected, rtol=1e-15, atol=0.5)
        yield Check(
            "cost of the release",
            bool(holds),
            f"{found.costs.sum() + lost.sum():,.0f} counted, {certified_costs.sum():,.0f} certified",
            label,
        )
        n_released = sorted(one.n_records - one.n_suppressed for one in proved)
        yield Check("records of the release", n_released == found.n_records.tolist(), label=label)


def _cost_of_suppressed(loss: Loss, proved: Certificate) -> float:
    """Of all suppressed records, by a loss that can be counted."""
    n = proved.n_records
    return proved.n_suppressed * loss.of_suppressed(Measures(np.array([n]), n))


def _not_countable(plan: ReleasePlan, proved: Certificate, columns: Sequence[str], names: Sequence[str]) -> str:
    """Why the cost cannot be counted from the release alone; empty if it can."""
    if plan.unit:
        return "it counts only the first record of every unit"
    if not plan.releases_cuts:
        return "the classes of this release are not the blocks of the tree"
    if proved.loss not in ("discernibility", "classification"):
        return f"the loss {proved.loss} can only be counted on the original"
    if proved.target is not None and (proved.target not in names or proved.target in columns):
        return "the release does not contain the target"
    return ""


@dataclass(frozen=True, eq=False)
class StratumCosts:
    """Of the released classes of all strata, each ascending."""

    costs: Vector  # (n_strata,)
    n_records: Labels  # (n_strata,)


def _costs(
    frame: F, engine: Engine[F], within: Sequence[str], columns: Sequence[str], proved: Certificate
) -> StratumCosts:
    target = [proved.target] if proved.target else []
    counts = CountTable.of(engine.group_counts(frame, list(dict.fromkeys([*within, *columns, *target]))))
    strata = Strata.of(within, lambda names: engine.group_counts(frame, names))
    classes = counts.class_numbers([*within, *columns])
    stratum = np.zeros(int(classes.max()) + 1, dtype=np.int64)
    stratum[classes] = strata.stratum_of(counts.combinations)
    costs = np.bincount(stratum, weights=_class_costs(proved.loss, classes, counts.n))
    return StratumCosts(np.sort(costs), np.sort(strata.sizes))


def _class_costs(loss: str, classes: Labels, n: Labels) -> Vector:
    """(n_classes,) The cost of each class; a row of the counts is a class, or a class with one value of the target."""
    totals = np.bincount(classes, weights=n).astype(np.float64)
    if loss == "discernibility":
        return totals**2
    most = np.zeros(totals.size)
    np.maximum.at(most, classes, n.astype(np.float64))
    return totals - most
