"""Steps: the means of a release, and the numbers of its perturbations, lie on the step that was promised, as written.

Where rents go by fifties, a mean between them would tell more of its class than any rent does, and noise between them
would tell what it hides. Dates and times count microseconds since 1970.
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

from shoal.release.written_counts import WrittenCounts
from shoal.sources.compute import pc
from shoal.sources.dates import to_dates
from shoal.sources.misfit import Misfit

NUMBER = r"^[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?$"
TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?Z?$"
MICROSECONDS = "microseconds"
LARGEST = 2**62  # numbers of units that an int64 holds


@dataclass(frozen=True)
class StepOfMeans:
    """Means, and numbers of a perturbation, are ``offset`` and a whole number of ``step``. The offset is less than a
    step, and so it is nobody's value but by chance."""

    step: Fraction
    offset: Fraction = Fraction(0)
    of_times: bool = False  # in microseconds since 1970

    @classmethod
    def read(cls, told: Any) -> Self | None:
        """Of a manifest; None where it says no such thing."""
        try:
            found = cls._told(told) if isinstance(told, Mapping) else None
        except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError):
            return None
        return found if found and 0 <= found.offset < found.step else None

    @classmethod
    def _told(cls, told: Mapping[str, Any]) -> Self:
        return cls(Fraction(told["step"]), Fraction(told["offset"]), told.get("unit") == MICROSECONDS)

    def described(self) -> dict[str, str]:
        """For a manifest, as exact texts."""
        unit = {"unit": MICROSECONDS} if self.of_times else {}
        return {"step": _text(self.step), "offset": _text(self.offset), **unit}

    def __str__(self) -> str:
        unit = f" {MICROSECONDS}" if self.of_times else ""
        return f"steps of {_text(self.step)}{unit}" + (f" from {_text(self.offset)}" if self.offset else "")

    def has(self, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        """(n,) whether each lies on it, counted in the largest unit that step and offset are whole numbers of."""
        scale = self.step.denominator * self.offset.denominator
        step, offset = int(self.step * scale), int(self.offset * scale)
        unit = Fraction(gcd(step, offset), scale)
        whole = np.rint(numbers / float(unit))
        near = np.abs(whole) < LARGEST
        told = whole * float(unit.numerator) / float(unit.denominator) == numbers
        n_units = np.where(near, whole, 0).astype(np.int64) - int(self.offset / unit)
        found: NDArray[np.bool_] = near & told & (n_units % int(self.step / unit) == 0)
        return found


def step_faults(name: str, counts: pa.Table, on: StepOfMeans, date_format: str | None = None) -> tuple[str, ...]:
    """Where numbers or times are promised to lie ``on`` a step nothing may stand beside it, nor what is none of them.
    ``counts``: of this column; ``date_format``: in which times may be written."""
    known = WrittenCounts.of(counts).known
    numbers = _ticks(known.values, date_format) if on.of_times else _numbers(known.values)
    n_records = known.only(pa.array(~on.has(numbers))).n_records
    fault = f"the column '{name}' tells numbers beside the {on}, in {n_records} records"
    return (fault,) if n_records else ()


def _numbers(cells: Any) -> NDArray[np.float64]:
    """(n,) NaN for what is none."""
    texts = cells.cast(pa.string())
    plain = pc.replace_substring(pc.utf8_ltrim(texts, "+"), ",", ".")
    is_number = pc.match_substring_regex(texts, NUMBER)
    numbers: Any = pc.if_else(is_number, plain, pa.scalar(None, pa.string())).cast(pa.float64())
    found: NDArray[np.float64] = numbers.fill_null(np.nan).to_numpy()
    return found


def _ticks(cells: Any, date_format: str | None) -> NDArray[np.float64]:
    """(n,) microseconds since 1970 of dates and times; NaN for what is none, or is finer."""
    if not (pa.types.is_date(cells.type) or pa.types.is_timestamp(cells.type)):
        cells = _times(cells.cast(pa.string()), date_format)
    try:
        ticks: Any = pc.cast(cells, pa.timestamp("us", getattr(cells.type, "tz", None))).cast(pa.int64())
    except pa.ArrowInvalid:
        return np.full(len(cells), np.nan)
    found: NDArray[np.float64] = ticks.cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy()
    return found


def _times(texts: Any, date_format: str | None) -> Any:
    """As they may be written: in the format of the policy, or in ISO 8601; missing where a text tells no time."""
    if date_format is not None:
        with suppress(Misfit):
            return to_dates(texts, date_format)
    return pc.if_else(
        pc.match_substring_regex(texts, TIME),
        pc.replace_substring_regex(texts, "Z$", ""),
        pa.scalar(None, pa.string()),
    )


def _text(number: Fraction) -> str:
    """A decimal, with all of its digits."""
    return f"{(Decimal(number.numerator) / Decimal(number.denominator)).normalize():f}"
