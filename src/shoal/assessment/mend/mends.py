"""The result of ``mend``: why records are at risk, and what every change of the policy that was tried does about it.

For internal use: it names records of the original.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from shoal import notebook
from shoal.assessment.mend.homogeneous_classes import HomogeneousClasses
from shoal.assessment.mend.known_columns import RiskyRecord
from shoal.assessment.mend.tried_change import ReleaseFigures, TriedChange
from shoal.assessment.profile.unique_sets import UniqueSet
from shoal.errors import plural


@dataclass(frozen=True)
class RiskCauses:
    """Why records of a release are at risk.

    columns        that an intruder may know: quasi-identifiers, and columns released as they are that are neither
                   sensitive nor weights
    n_records      released records
    n_singled_out  those that all of these columns together single out
    n_special      those that one, two or three of them single out already
    contributions  percent of the minimal sample uniques, by their scores, that each column is part of
    sets           sets of columns that single out most records which no part of them does
    records        the riskiest ones
    homogeneous    classes that share a sensitive value
    """

    columns: tuple[str, ...] = ()
    n_records: int = 0
    n_singled_out: int = 0
    n_special: int = 0
    contributions: tuple[tuple[str, float], ...] = ()
    sets: tuple[UniqueSet, ...] = ()
    records: tuple[RiskyRecord, ...] = ()
    homogeneous: tuple[HomogeneousClasses, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Mends:
    """What was found and tried.

    n_records  of the table
    n_tried    records that changes were tried on; all, or a sample
    before     figures of the policy as it is, on the records that were tried
    before_all the same on all records
    causes     why records are at risk, in the release of all records
    changes    that were tried, the best first
    n_left_out changes that were not tried, because there were too many
    """

    n_records: int
    n_tried: int
    before: ReleaseFigures
    before_all: ReleaseFigures
    causes: RiskCauses
    changes: tuple[TriedChange, ...] = ()
    n_left_out: int = 0
    notes: tuple[str, ...] = ()

    @property
    def is_needed(self) -> bool:
        """Whether the release of the policy has a risk above its limit."""
        return bool(self.before_all.above)

    @property
    def is_sampled(self) -> bool:
        return self.n_tried < self.n_records

    @property
    def mends(self) -> tuple[TriedChange, ...]:
        """The changes that remove the risk on all records, that of the least loss first."""
        return tuple(each for each in self.changes if each.confirmed is not None and each.removes_risk)

    @property
    def best(self) -> TriedChange | None:
        """The change of the least loss that removes the risk; None where none does, or none is needed."""
        return next(iter(self.mends), None)

    def __repr__(self) -> str:
        """Figures only: which record is at risk is private."""
        n = len(self.changes)
        lines = [f"Mends: {len(self.before_all.above)} risks above their limits, {n} {plural(n, 'change')} tried"]
        lines += [f"  {each.title}: loss {self._loss(each)}" for each in self.mends]
        return "\n".join(lines)

    def _loss(self, change: TriedChange) -> str:
        return f"{self.before_all.loss:.4g} % -> {change.confirmed.loss:.4g} %" if change.confirmed else ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "n_records": self.n_records,
            "n_tried": self.n_tried,
            "before": self.before.to_dict(),
            "before_all": self.before_all.to_dict(),
            "causes": self.causes.to_dict(),
            "changes": [change.to_dict() for change in self.changes],
            "n_left_out": self.n_left_out,
            "notes": list(self.notes),
        }

    def _repr_html_(self) -> str | None:
        return notebook.fragment(self)
