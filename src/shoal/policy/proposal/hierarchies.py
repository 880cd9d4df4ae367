"""Taxonomy rules that fit the values of a column."""

from __future__ import annotations

from math import floor, log10
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.embedding import MAX_VALUES
from shoal.schema.column import Kind
from shoal.schema.suggest import name_patterns
from shoal.schema.suggest.column_evidence import ColumnEvidence
from shoal.schema.suggest.value_patterns import prefixes
from shoal.schema.time_unit import SECONDS_OF_A_DAY

MOST_AGES = 130
YEARS = (1850, 2100)  # of birth
LARGEST_SPAN = 1e15
MOST_LEAVES = 10_000  # a tree of more values is slow, and no longer read by anybody
SECONDS_OF_A_DECADE = 3653 * SECONDS_OF_A_DAY


def taxonomy(column: ColumnEvidence, kind: Kind) -> dict[str, Any] | None:
    """The rule of a taxonomy; None where no pattern fits the values."""
    if not 1 < column.n_values <= MOST_LEAVES:
        return None
    if kind == "date":
        return {"date_parts": _date_parts(column)}
    if kind == "numeric":
        return _intervals(column)
    if kind == "nominal" and (found := prefixes(column)):
        return {"prefixes": list(found[1])}
    return None


def prefix_within_limit(column: ColumnEvidence) -> int | None:
    """The longest prefix of its codes that leaves few enough values for distances; None where no pattern fits."""
    found = prefixes(column)
    if not found:
        return None
    fitting = [n for n in found[1] if len(pc.unique(pc.utf8_slice_codeunits(column.texts, 0, n))) <= MAX_VALUES]
    return max(fitting, default=None)


def is_age(column: ColumnEvidence) -> bool:
    """Whether its name says so and its values are numbers of years."""
    if not (column.says(name_patterns.AGE) and column.is_number and column.n_known):
        return False
    ends: Any = pc.min_max(column.plain)
    return bool(ends["min"].as_py() >= 0 and ends["max"].as_py() <= MOST_AGES)


def is_birth(column: ColumnEvidence) -> bool:
    """Whether its name says so and its values are dates or years."""
    if not (column.says(name_patterns.BIRTH) and column.n_known):
        return False
    if not column.is_whole:
        return column.is_date
    ends: Any = pc.min_max(column.plain)
    return bool(YEARS[0] <= ends["min"].as_py() and ends["max"].as_py() <= YEARS[1])


def _date_parts(column: ColumnEvidence) -> list[str]:
    """Month and year; decades as well where the dates span more than two of them."""
    ends: Any = pc.min_max(column.plain.cast(pa.timestamp("s"), safe=False))
    seconds = ends["max"].value - ends["min"].value  # as numbers: no calendar reaches beyond the year 9999
    return ["month", "year", "decade"] if seconds > 2 * SECONDS_OF_A_DECADE else ["month", "year"]


def _intervals(column: ColumnEvidence) -> dict[str, Any] | None:
    if pa.types.is_decimal(column.type):
        return None
    if is_age(column):
        return {"intervals": [5, 10, 20]}
    low, high = (float(pc.quantile(column.plain, q=q)[0].as_py()) for q in (0.25, 0.75))
    if not 2 <= high - low < LARGEST_SPAN:  # narrower intervals would end between two decimals
        return None
    width = 10.0 ** floor(log10((high - low) / 2))
    ends: Any = pc.min_max(column.plain)
    span = float(ends["max"].as_py()) - float(ends["min"].as_py())
    widths = [width, *(wide for wide in (10 * width, 100 * width) if wide < span)]
    return {"intervals": [int(each) for each in widths]}
