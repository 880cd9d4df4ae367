"""Uniform spelling of units on any engine: P000001, p000001 and ``P000001 `` are the same unit."""

from __future__ import annotations

from shoal.encode.units import Spellings
from shoal.engines.protocol import Engine, F
from shoal.schema import Column


def unify_unit_spellings(engine: Engine[F], frame: F, unit: Column | None) -> F:
    """The records with one spelling per unit; unchanged if no unit has several spellings."""
    if unit is None:
        return frame
    spellings = Spellings.of(unit, engine.group_counts(frame, [unit.name]).column(0))
    return engine.map_rows(frame, spellings.unify) if spellings else frame
