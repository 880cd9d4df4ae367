"""Individual risk of the records of an original, and the risk of their households.

Benedetti & Franconi (1998) as in `shoal.assessment.risk.individual_risk`; a household is at risk if one of its members
is: 1 - (1 - r1) (1 - r2) ..., as in sdcMicro. Where a unit is a person with several records, such as a patient with
stays, sample and population frequencies count units: five stays of one patient do not hide each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from shoal import kernels
from shoal.assessment.profile.key_table import KeyClasses, KeyTable
from shoal.assessment.risk.individual_risk import household_risk, individual_risk
from shoal.kernels import Ints, Vector


@dataclass(frozen=True)
class RiskFigures:
    """Risks over all records, in percent except for the number expected.

    highest   the largest risk of a record
    mean      the mean over all records, called global risk in sdcMicro
    expected  the number of records expected to be re-identified: the sum of all risks
    """

    highest: float
    mean: float
    expected: float

    @property
    def expected_text(self) -> str:
        """The expected number in four digits, or as a whole number."""
        return f"{self.expected:,.0f}" if self.expected >= 1000 else f"{self.expected:.4g}"

    @classmethod
    def of(cls, risks: Vector) -> Self:
        """From the risk of every record."""
        rows = np.ascontiguousarray(risks[:, None])
        expected = float(kernels.group_sums(rows, np.zeros(risks.size, dtype=np.int64), 1)[0, 0])
        return cls(100 * float(risks.max()), 100 * expected / risks.size, expected)


def risk_figures(table: KeyTable, classes: KeyClasses) -> tuple[RiskFigures, RiskFigures | None]:
    """The risks of records, and those of units where the table has some."""
    of_row = individual_risk(classes.n_persons, classes.persons)[classes.of_row]
    order = np.argsort(of_row, kind="stable")
    rows = order.repeat(table.n[order])
    return RiskFigures.of(of_row[rows]), _unit_risk(of_row, order, rows, table) if table.has_units else None


def _unit_risk(of_row: Vector, order: Ints, rows: Ints, table: KeyTable) -> RiskFigures:
    """``order``, ``rows``: all rows, and the row of every record, by increasing risk, since a product of floats depends
    on their order. Records of one person that share all keys are linked or not linked together."""
    if table.units_are_persons:
        of_units = household_risk(of_row[order], np.unique(table.units[order], return_inverse=True)[1])
        return RiskFigures.of(of_units.repeat(table.n[order]))
    units = table.units[rows]
    alone = table.n_units[rows] > 1  # several records without a unit: each is a unit of its own
    units[alone] = units.max() + 1 + np.arange(alone.sum())
    return RiskFigures.of(household_risk(of_row[rows], np.unique(units, return_inverse=True)[1]))
