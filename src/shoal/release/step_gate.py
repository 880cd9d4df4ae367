"""Steps: the means of a release lie on the step that was promised, as they are written.

Where rents go by fifties, a mean between them would tell more of its class than any rent does.
"""

from __future__ import annotations

from collections.abc import Mapping
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

NUMBER = r"^[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?$"
LARGEST = 2**62  # numbers of units that an int64 holds


@dataclass(frozen=True)
class StepOfMeans:
    """Means are ``offset`` and a whole number of ``step``. The offset is less than a step, and so it is nobody's value
    but by chance."""

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
    known = WrittenCounts.of(counts).known
    texts: Any = known.values.cast(pa.string())
    plain = pc.replace_substring(pc.utf8_ltrim(texts, "+"), ",", ".")
    is_number = pc.match_substring_regex(texts, NUMBER)
    numbers = pc.if_else(is_number, plain, pa.scalar(None, pa.string())).cast(pa.float64()).fill_null(np.nan).to_numpy()
    n_records = known.only(pa.array(~on.has(numbers))).n_records
    fault = f"the column '{name}' tells means beside the {on}, in {n_records} records"
    return (fault,) if n_records else ()


def _text(number: Fraction) -> str:
    """A decimal, with all of its digits."""
    return f"{(Decimal(number.numerator) / Decimal(number.denominator)).normalize():f}"
