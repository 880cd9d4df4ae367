"""Slow twin of the count of a population: every person is compared with every written record, cell by cell.

Sweeney (2001), "Computational disclosure control": a release is k-map protected if every record of it may be that of at
least k persons of the population. ARX counts so, too: the size of the class in the population table that the research
subset was drawn from (ARX, "k-map", https://arx.deidentifier.org/overview/privacy-criteria).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

Record = Mapping[str, str | None]
Labels = Mapping[Any, Sequence[str]]  # of a taxonomy: from a value to itself and the nodes above it


def may_be(cell: str | None, value: Any, order: Sequence[str] = (), labels: Labels | None = None) -> bool:
    """Whether a written cell may stand for a value, which is None where it is missing."""
    if cell == "*":
        return True
    if cell is None or value is None:
        return cell is None and value is None
    if labels is not None:
        return cell in labels[value]
    if isinstance(value, int | float | date):
        return _in_interval(cell, value)
    if cell.startswith("{"):
        return str(value) in cell[1:-1].split(", ")
    if " .. " in cell:
        low, high = cell[1:-1].split(" .. ")
        return order.index(low) <= order.index(value) <= order.index(high)
    if cell.startswith("["):  # intervals that were joined
        (low, high), (first, last) = _ends(cell), _ends(str(value))
        return low <= first and last <= high
    return cell == str(value)


def _in_interval(cell: str, value: Any) -> bool:
    number = float(value.toordinal()) if isinstance(value, date) else float(value)
    low, high = _ends(cell)
    return low == number == high if low == high else low <= number < high


def _ends(cell: str) -> tuple[float, float]:
    found = re.fullmatch(r"\[(.+), (.+)\)", cell)
    low, high = (found[1], found[2]) if found else (cell, cell)
    return _number(low), _number(high)


def _number(text: str) -> float:
    return float(date.fromisoformat(text).toordinal()) if re.match(r"\d{4}-", text) else float(text)


def fitting_persons(
    records: Sequence[Record],
    population: Sequence[Mapping[str, Any]],
    orders: Mapping[str, Sequence[str]],
    labels: Mapping[str, Labels],
    columns: Sequence[str],
) -> list[int]:
    """For every written record the persons whom it may be."""
    return [
        sum(
            all(may_be(record[name], person[name], orders.get(name, ()), labels.get(name)) for name in columns)
            for person in population
        )
        for record in records
    ]


def persons_of_records(
    records: Sequence[Record],
    population: Sequence[Mapping[str, Any]],
    orders: Mapping[str, Sequence[str]],
    labels: Mapping[str, Labels],
    columns: Sequence[str],
) -> list[int]:
    """The same, never fewer than the records that are written alike."""
    fitting = fitting_persons(records, population, orders, labels, columns)
    alike = [sum(all(other[name] == one[name] for name in columns) for other in records) for one in records]
    return list(map(max, fitting, alike))
