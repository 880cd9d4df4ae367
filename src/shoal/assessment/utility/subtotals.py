"""Subtotals: how far the sums of numbers by industry, region or the like are from those of the original.

sums by cell, before and after -> bounds in percent

A cell is a combination of values of the columns by which totals are given. As for totals, a bound is reported and no
sum. A cell with fewer than k records, in the original or in the release, is not shown: its value would be that of few.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.assessment.utility.totals import Totals
from shoal.findings import UnmeasuredFigure

MOST_CELLS = 200  # that a report shows

Values = tuple[str | None, ...]  # of a cell, as text; None: missing


def in_order(values: Values) -> tuple[tuple[bool, str], ...]:
    """By text, missing values last."""
    return tuple((value is None, value or "") for value in values)


@dataclass(frozen=True)
class Subtotal:
    """A cell. ``changes``: bounds of the change of each sum, in percent of the release."""

    values: Values
    n_records: int  # released
    changes: tuple[float, ...]


@dataclass(frozen=True)
class Subtotals:
    by: tuple[str, ...]
    names: tuple[str, ...]  # of the columns that are added up
    cells: tuple[Subtotal, ...]  # in the order of their values
    n_hidden: int  # cells of fewer than k records
    k: int
    weighted: bool
    not_measured: tuple[UnmeasuredFigure, ...] = ()  # of columns that cannot be added up

    @classmethod
    def of(
        cls,
        by: tuple[str, ...],
        values: list[Values],
        n_before: list[int],
        totals: Totals,
        not_measured: tuple[UnmeasuredFigure, ...] = (),
    ) -> Subtotals:
        """``values``: of the rows of ``totals``; ``n_before``: records of each in the original."""
        bounds = [totals.bounds(at) for at in range(len(totals.names))]
        found = [
            Subtotal(value, n_after, tuple(of_column[row] for of_column in bounds))
            for row, (value, n_after) in enumerate(zip(values, totals.n_records.tolist(), strict=True))
            if min(n_after, n_before[row]) >= totals.k
        ]
        cells = tuple(sorted(found, key=lambda cell: in_order(cell.values)))
        return cls(by, totals.names, cells, len(values) - len(cells), totals.k, totals.weighted, not_measured)

    @property
    def largest(self) -> tuple[Subtotal, ...]:
        """The cells that a report shows: all, or those of most records."""
        most = sorted(self.cells, key=lambda cell: (-cell.n_records, in_order(cell.values)))[:MOST_CELLS]
        return tuple(sorted(most, key=lambda cell: in_order(cell.values)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "by": list(self.by),
            "columns": list(self.names),
            "cells": [
                {"values": list(cell.values), "n_records": cell.n_records, "changes": list(cell.changes)}
                for cell in self.cells
            ],
            "n_hidden": self.n_hidden,
            **({"not_measured": [each.to_dict() for each in self.not_measured]} if self.not_measured else {}),
        }
