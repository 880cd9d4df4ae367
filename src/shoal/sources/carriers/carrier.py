"""Carrier: something in a file that is not a cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from shoal.errors import listed, plural
from shoal.sources.formats import format_of

VALUE_LABELS = "value labels"


@dataclass(frozen=True)
class Carrier:
    """What it is and how often it occurs; never its content."""

    what: str  # in the plural
    n: int
    columns: tuple[str, ...] = ()  # that it describes, where it describes columns
    remedy: str = ""  # how to remove it; empty where it may stay

    @property
    def may_stay(self) -> bool:
        return not self.remedy

    def __str__(self) -> str:
        if not self.columns:
            return f"{self.what} ({self.n})"
        n = len(self.columns)
        return f"{self.what}, in {n} {plural(n, 'column')} ({self.n})"

    @property
    def fault(self) -> str:
        """What is wrong with it, where it is and how to remove it."""
        where = f" in {listed([repr(name) for name in self.columns])}" if self.columns else ""
        return f"besides its cells the file holds {self.what}{where} ({self.n}): {self.remedy}"


def carrier_if_any(what: str, n: int, remedy: str = "", columns: Iterable[str] = ()) -> tuple[Carrier, ...]:
    """The carrier, or nothing where ``n`` is 0."""
    return (Carrier(what, n, tuple(columns), remedy),) if n else ()


def carriers_of(path: Path) -> tuple[Carrier, ...]:
    """The carriers of a file, by its format."""
    return tuple(import_module(format_of(path).carriers_module).carriers(path))
