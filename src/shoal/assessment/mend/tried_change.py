"""A change of a policy that was run: what it costs and which risks are left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from shoal.assessment.mend.risk_figure import RiskFigure

HARDLY_MORE = 1.02  # times the least loss
LOST = 100.0  # percent, of a column that is not released and of a suppressed record


@dataclass(frozen=True)
class ReleaseFigures:
    """Figures of one release.

    suppressed  percent of the records
    losses      percent lost of every column that the policy released before it was changed
    risks       those that the policy limits
    """

    suppressed: float
    losses: Mapping[str, float]
    risks: tuple[RiskFigure, ...]

    @property
    def loss(self) -> float:
        """Percent lost of all cells: the mean over the columns; a suppressed record and a dropped column are lost."""
        of_released = sum(self.losses.values()) / len(self.losses) if self.losses else 0.0
        return self.suppressed + (LOST - self.suppressed) / LOST * of_released

    @property
    def above(self) -> tuple[RiskFigure, ...]:
        """The risks above their limits."""
        return tuple(risk for risk in self.risks if risk.is_above)

    @property
    def excess(self) -> float:
        """Percent points above the limits, over all risks."""
        return sum(risk.share - risk.limit for risk in self.above)

    def share_of(self, name: str) -> float | None:
        """The share of a risk; None where the policy does not warn of it."""
        return next((risk.share for risk in self.risks if risk.name == name), None)

    def keeps(self, risk: RiskFigure) -> bool:
        """Whether this risk is still above its limit."""
        return any(each.name == risk.name and each.is_above for each in self.risks)

    def to_dict(self) -> dict[str, Any]:
        return {
            "loss": self.loss,
            "suppressed": self.suppressed,
            "losses": dict(self.losses),
            "risks": [risk.to_dict() for risk in self.risks],
        }


@dataclass(frozen=True)
class TriedChange:
    """A change that was run.

    title      what it does
    lines      to paste into the policy
    n_edits    tables of the policy that it changes
    figures    on the records that were tried; None: it cannot be run
    reason     why it cannot be run
    confirmed  the figures on all records, where these were tried, too
    text       the whole policy with the change
    remedies   lines that warnings of its release advise
    """

    title: str
    lines: tuple[str, ...]
    n_edits: int
    figures: ReleaseFigures | None
    reason: str = ""
    confirmed: ReleaseFigures | None = None
    text: str = field(default="", repr=False)
    remedies: tuple[str, ...] = field(default=(), repr=False)

    @property
    def best_known(self) -> ReleaseFigures | None:
        """The figures on all records where there are, else on those that were tried."""
        return self.confirmed or self.figures

    @property
    def removes_risk(self) -> bool:
        """Whether no risk is above its limit."""
        return self.best_known is not None and not self.best_known.above

    @property
    def rank(self) -> tuple[bool, float, float, int]:
        """The order of a list: those that remove the risk by their loss, then the others by the risk that is left."""
        figures = self.best_known
        if figures is None:
            return (True, 0.0, 0.0, self.n_edits)
        return (False, figures.excess, figures.loss, self.n_edits)

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "lines": list(self.lines),
            "removes_risk": self.removes_risk,
            "figures": self.figures.to_dict() if self.figures else None,
            "confirmed": self.confirmed.to_dict() if self.confirmed else None,
            "reason": self.reason,
        }


def ranked(changes: Iterable[TriedChange]) -> list[TriedChange]:
    """The changes in the order of their ranks. First is the one with the fewest edits of those that remove the risk and
    lose hardly more than the least: chance moves losses by as much."""
    found = sorted(changes, key=lambda each: each.rank)
    close = [each for each in found if each.removes_risk and _loss(each) <= HARDLY_MORE * _loss(found[0])]
    first = min(close, key=lambda each: (each.n_edits, _loss(each)), default=None)
    return found if first is None else [first, *(each for each in found if each is not first)]


def _loss(change: TriedChange) -> float:
    return change.best_known.loss if change.best_known else LOST
