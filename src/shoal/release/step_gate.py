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

from shoal.sources.compute import pc
from shoal.sources.dates import to_dates
from shoal.sources.misfit import Misfit

NUMBER = r"^[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?$"
LARGEST = 2**62  # numbers of units that an int64 holds


@dataclass(frozen=True)
class StepOfMeans:
    """Means, and numbers of a perturbation, are ``offset`` and a whole number of ``step``. The offset is less than a
    step, and so it is nobody's value but by chance."""

    step: Fraction
    offset: Fraction = Fraction(0)

    @classmethod
    def read(cls, told: Any) -> Self | None:
        """Of a manifest; None where it says no such thing."""
        try:
            found = cls(Fraction(told["step"]), Fraction(told["offset"])) if isinstance(told, Mapping) else None
        except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError):
            return None
        return found if found and 0 <= found.offset < found.step else None

    def described(self) -> dict[str, str]:
        """For a manifest, as exact texts."""
        return {"step": _text(self.step), "offset": _text(self.offset)}

    def __str__(self) -> str:
        return f"steps of {_text(self.step)}" + (f" from {_text(self.offset)}" if self.offset else "")

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


def step_faults(name: str, counts: pa.Table, on: StepOfMeans) -> tuple[str, ...]:
    """Where means are promised to lie ``on`` a step nothing may stand beside it. ``counts``: of this column."""
    known = counts.filter(pc.is_valid(counts.column(0)))
    texts: Any = known.column(0).cast(pa.string())
    plain = pc.replace_substring(pc.utf8_ltrim(texts, "+"), ",", ".")
    is_number = pc.match_substring_regex(texts, NUMBER)
    numbers = pc.if_else(is_number, plain, pa.scalar(None, pa.string())).cast(pa.float64()).fill_null(np.nan).to_numpy()
    beside = known.filter(pa.array(~on.has(numbers)))
    n_records = pc.sum(beside.column(1)).as_py() or 0
    fault = f"the column '{name}' tells numbers beside the {on}, in {n_records} records"
    return (fault,) if n_records else ()


def time_faults(name: str, counts: pa.Table, on: StepOfMeans, date_format: str | None) -> tuple[str, ...]:
    """The same of dates and times; texts that are none lie beside every step."""
    known = counts.filter(pc.is_valid(counts.column(0)))
    beside = known.filter(pa.array((_ticks(known.column(0), date_format) - int(on.offset)) % int(on.step) != 0))
    n_records = pc.sum(beside.column(1)).as_py() or 0
    fault = f"the column '{name}' tells times beside the {on} microseconds, in {n_records} records"
    return (fault,) if n_records else ()


def _ticks(cells: Any, date_format: str | None) -> NDArray[np.float64]:
    """(n,) microseconds since 1970, NaN where a text tells no time."""
    if pa.types.is_string(cells.type):
        cells = _times(cells, date_format)
    if not (pa.types.is_date(cells.type) or pa.types.is_timestamp(cells.type)):
        return np.full(len(cells), np.nan)
    clock = pa.timestamp("us", tz=getattr(cells.type, "tz", None))
    ticks: NDArray[np.float64] = cells.cast(clock, safe=False).cast(pa.int64()).to_numpy().astype(np.float64)
    return ticks


def _times(texts: Any, date_format: str | None) -> Any:
    """Read as they may be written: by the format of the policy, or ISO 8601; the texts where they are none."""
    for each in (date_format, None):
        with suppress(Misfit):
            return to_dates(texts, each)
    return texts


def _text(number: Fraction) -> str:
    """A decimal, with all of its digits."""
    return f"{(Decimal(number.numerator) / Decimal(number.denominator)).normalize():f}"
