"""Published tables computed anew: one file per paper, what it prints beside what we get."""

from __future__ import annotations

from importlib import import_module

from shoal.errors import PolicyError
from shoal.reproduce.reproduction import Reproduction, Row, write

__all__ = ["NAMES", "Reproduction", "Row", "reproduction", "write"]

NAMES = {
    "fuzzy-blocking": "shoal.reproduce.fuzzy_blocking",
    "gensearch": "shoal.reproduce.gensearch",
    "mdav": "shoal.reproduce.mdav",
    "vmdav": "shoal.reproduce.vmdav",
}


def reproduction(name: str, *, full: bool = False) -> Reproduction:
    """The published table ``name``; ``full`` in the sizes of the paper."""
    if name not in NAMES:
        raise PolicyError.unknown_choice("reproduce", name, tuple(NAMES))
    found: Reproduction = import_module(NAMES[name]).reproduce(full=full)
    return found
