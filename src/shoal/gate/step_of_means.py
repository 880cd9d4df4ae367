"""The gate for steps: released means and perturbed numbers are multiples of the promised step, plus an offset.

Where all rents are multiples of 50, a mean between two multiples would disclose more about its class than a rent does,
and noise between them would disclose the rent it hides. Dates and times count microseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import gcd
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.gate.written_counts import WrittenCounts
from shoal.sources.compute import pc
from shoal.sources.conversion_error import ConversionError
from shoal.sources.text_dates import to_dates

NUMBER = r"^[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?$"
TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?Z?$"
MICROSECONDS = "microseconds"
LARGEST = 2**62  # largest number of units: fits an int64


@dataclass(frozen=True)
class StepOfMeans:
    """Means and perturbed numbers are ``offset`` plus a multiple of ``step``. The offset is less than a step, so that
    it is the value of a person only by coincidence."""

    step: Fraction
    offset: Fraction = Fraction(0)
    of_times: bool = False  # in microseconds since 1970

    @classmethod
    def read(cls, entry: Any) -> Self | None:
        """The step from an entry of a manifest; None where the entry is not valid."""
        try:
            found = cls._from_entry(entry) if isinstance(entry, Mapping) else None
        except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError):
            return None
        return found if found and 0 <= found.offset < found.step else None

    @classmethod
    def _from_entry(cls, entry: Mapping[str, Any]) -> Self:
        return cls(Fraction(entry["step"]), Fraction(entry["offset"]), entry.get("unit") == MICROSECONDS)

    def to_dict(self) -> dict[str, str]:
        """The entry for a manifest, with numbers as exact texts."""
        unit = {"unit": MICROSECONDS} if self.of_times else {}
        return {"step": _text(self.step), "offset": _text(self.offset), **unit}

    def __str__(self) -> str:
        unit = f" {MICROSECONDS}" if self.of_times else ""
        return f"steps of {_text(self.step)}{unit}" + (f" from {_text(self.offset)}" if self.offset else "")

    def has(self, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        """(n,) whether each number is ``offset`` plus a multiple of ``step``, computed in integers of their largest
        common unit."""
        scale = self.step.denominator * self.offset.denominator
        step, offset = int(self.step * scale), int(self.offset * scale)
        unit = Fraction(gcd(step, offset), scale)
        whole = np.rint(numbers / float(unit))
        near = np.abs(whole) < LARGEST
        is_exact = whole * float(unit.numerator) / float(unit.denominator) == numbers
        n_units = np.where(near, whole, 0).astype(np.int64) - int(self.offset / unit)
        found: NDArray[np.bool_] = near & is_exact & (n_units % int(self.step / unit) == 0)
        return found


def step_faults(name: str, counts: pa.Table, on: StepOfMeans, date_format: str | None = None) -> tuple[str, ...]:
    """Faults of cells that are not ``on`` the promised step, or are not numbers or times. ``counts``: of this column;
    ``date_format``: in which times may be written."""
    known = WrittenCounts.of(counts).known
    numbers = _ticks(known.values, date_format) if on.of_times else _numbers(known.values)
    n_records = known.only(pa.array(~on.has(numbers))).n_records
    fault = f"the column '{name}' has numbers off the {on}, in {n_records} records"
    return (fault,) if n_records else ()


def _numbers(cells: Any) -> NDArray[np.float64]:
    """(n,) the numbers; NaN where a cell is not a number."""
    texts = cells.cast(pa.string())
    plain = pc.replace_substring(pc.utf8_ltrim(texts, "+"), ",", ".")
    is_number = pc.match_substring_regex(texts, NUMBER)
    numbers: Any = pc.if_else(is_number, plain, pa.scalar(None, pa.string())).cast(pa.float64())
    found: NDArray[np.float64] = numbers.fill_null(np.nan).to_numpy()
    return found


def _ticks(cells: Any, date_format: str | None) -> NDArray[np.float64]:
    """(n,) dates and times as microseconds since 1970; NaN where a cell is not one; all NaN where one is finer."""
    if not (pa.types.is_date(cells.type) or pa.types.is_timestamp(cells.type)):
        cells = _times(cells.cast(pa.string()), date_format)
    try:
        ticks: Any = pc.cast(cells, pa.timestamp("us", getattr(cells.type, "tz", None))).cast(pa.int64())
    except pa.ArrowInvalid:
        return np.full(len(cells), np.nan)
    found: NDArray[np.float64] = ticks.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy()
    return found


def _times(texts: Any, date_format: str | None) -> Any:
    """Times by the date format of the policy if all texts fit it, else the texts that are ISO 8601, others missing."""
    if date_format is not None:
        with suppress(ConversionError):
            return to_dates(texts, date_format)
    return pc.if_else(
        pc.match_substring_regex(texts, TIME),
        pc.replace_substring_regex(texts, "Z$", ""),
        pa.scalar(None, pa.string()),
    )


def _text(number: Fraction) -> str:
    """The number as a decimal with all of its digits."""
    return f"{(Decimal(number.numerator) / Decimal(number.denominator)).normalize():f}"
