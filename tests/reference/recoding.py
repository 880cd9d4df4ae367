"""Global recoding value by value, in the plainest words."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from math import floor
from typing import Any


def shown(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else repr(number)


def interval(value: float, bounds: list[float]) -> str:
    lower = [bound for bound in bounds if bound <= value]
    upper = [bound for bound in bounds if bound > value]
    return f"[{shown(max(lower)) if lower else '-inf'}, {shown(min(upper)) if upper else 'inf'})"


def of_width(value: float, width: float) -> str:
    step = Fraction(repr(width))
    low = floor(Fraction(repr(float(value))) / step) * step
    return f"[{shown(float(low))}, {shown(float(low + step))})"


def part(day: date, name: str) -> Any:
    if name == "year":
        return day.year
    return {
        "month": f"{day.year:04}-{day.month:02}",
        "quarter": f"{day.year:04}-Q{(day.month + 2) // 3}",
        "decade": f"{day.year // 10 * 10}s",
    }[name]


def prefix(code: str, length: int) -> str:
    return "".join(code[at] for at in range(min(length, len(code)))) + "*"
