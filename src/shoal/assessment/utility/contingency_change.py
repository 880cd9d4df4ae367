"""Tables of two columns before and after: Cramer's V, and the share of the records in another cell.

Classes of the columns are those of `column_classes.py`. The total variation of two tables is half the sum of the
differences of their shares: the share of the records that would have to move to another cell. It counts missing values
as a class, Cramer's V does not. Cramer (1946), Mathematical methods of statistics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from shoal.assessment.utility.column_classes import Membership, table_of_two
from shoal.findings import Finding, Findings
from shoal.kernels import Matrix


@dataclass(frozen=True)
class TableOfTwo:
    """Two columns: Cramer's V from 0 to 1 before and after, and the total variation of their tables in percent."""

    columns: tuple[str, str]
    v_before: float
    v_after: float
    total_variation: float


@dataclass(frozen=True)
class ContingencyChange:
    pairs: tuple[TableOfTwo, ...]

    @property
    def largest(self) -> TableOfTwo:
        return max(self.pairs, key=lambda pair: pair.total_variation)

    def findings(self) -> Findings:
        n = len(self.pairs)
        moved = [pair.total_variation for pair in self.pairs]
        association = [abs(pair.v_before - pair.v_after) for pair in self.pairs]
        return Findings(
            (
                Finding(
                    "largest total variation of two columns",
                    max(moved),
                    "Share of the records that would have to move to another cell of the table of two columns.",
                    baseline=0,
                    unit="%",
                ),
                Finding(
                    "mean total variation of two columns", sum(moved) / n, f"Over {n:,} pairs.", baseline=0, unit="%"
                ),
                Finding(
                    "largest change of Cramer's V",
                    max(association),
                    "Of two columns: the difference of their association before and after, from 0 to 1.",
                    baseline=0,
                ),
            )
        )

    def to_dict(self) -> list[dict[str, Any]]:
        return [
            {
                "columns": list(pair.columns),
                "v_before": pair.v_before,
                "v_after": pair.v_after,
                "total_variation": pair.total_variation,
            }
            for pair in self.pairs
        ]


def contingency_change(
    names: Sequence[str], before: Sequence[Membership], after: Sequence[Membership]
) -> ContingencyChange | None:
    """The change of the tables of every two columns. None for fewer than two columns or no record."""
    if len(names) < 2 or not len(before[0].states) or not len(after[0].states):
        return None
    pairs = combinations(range(len(names)), 2)
    return ContingencyChange(
        tuple(
            _of_two((names[i], names[j]), _shares(before[i], before[j]), _shares(after[i], after[j])) for i, j in pairs
        )
    )


def _shares(one: Membership, other: Membership) -> Matrix:
    return table_of_two(one, other) / len(one.states)


def _of_two(names: tuple[str, str], before: Matrix, after: Matrix) -> TableOfTwo:
    moved = 50 * float(np.abs(before - after).sum())
    return TableOfTwo(names, cramers_v(before[:-1, :-1]), cramers_v(after[:-1, :-1]), moved)


def cramers_v(table: Matrix) -> float:
    """Cramer's V of a table of counts or shares; 0 where a column has one value."""
    rows, columns, total = table.sum(axis=1), table.sum(axis=0), table.sum()
    smallest = min(np.count_nonzero(rows), np.count_nonzero(columns))
    if smallest < 2:
        return 0.0
    expected = np.outer(rows, columns) / total
    excess = np.divide((table - expected) ** 2, expected, out=np.zeros_like(expected), where=expected > 0).sum()
    return float(np.sqrt(max(0.0, min(1.0, excess / (total * (smallest - 1))))))
