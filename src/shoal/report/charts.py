"""Whether charts can be drawn here: their libraries are the extra `report`, and the program that renders them reserves
much address space."""

from __future__ import annotations

from importlib.util import find_spec

from shoal.engines.address_space import check_room_for_charts
from shoal.errors import EngineError


def has_charts() -> bool:
    """Whether the libraries of charts are installed."""
    return all(find_spec(package) for package in ("altair", "vl_convert"))


def check_charts() -> None:
    """Raises EngineError where a page with charts cannot be drawn: before any work is done."""
    if not has_charts():
        raise EngineError.no_charts()
    check_room_for_charts()
