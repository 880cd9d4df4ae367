"""Carrier: something in a file that is not a cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from shoal.errors import listed, plural
from shoal.sources.formats import format_of
from shoal.sources.table_parts import has_parts, is_ignored, parts_of

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
    """The carriers of a file, by its format; of a folder, those of all parts and what is there besides them."""
    carriers = import_module(format_of(path).carriers_module).carriers
    if not has_parts(path):
        return tuple(carriers(path))
    besides = list(filter(is_ignored, path.iterdir())) if path.is_dir() else []
    found = carrier_if_any("files besides the parts", len(besides), "remove them from the folder")
    return _added_up([*found, *(carrier for part in parts_of(path) for carrier in carriers(part))])


def _added_up(carriers: Sequence[Carrier]) -> tuple[Carrier, ...]:
    """One carrier of each kind, with the columns of all."""
    kinds = dict.fromkeys((carrier.what, carrier.remedy) for carrier in carriers)
    alike = [[each for each in carriers if (each.what, each.remedy) == kind] for kind in kinds]
    return tuple(Carrier(each[0].what, sum(one.n for one in each), _columns(each), each[0].remedy) for each in alike)


def _columns(carriers: Sequence[Carrier]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for carrier in carriers for name in carrier.columns))
