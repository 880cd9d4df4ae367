"""The carriers of a file, by its format."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from shoal.sources.carriers.carrier import Carrier
from shoal.sources.formats import format_of


def carriers_of(path: Path) -> tuple[Carrier, ...]:
    return tuple(import_module(format_of(path).carriers_module).carriers(path))
