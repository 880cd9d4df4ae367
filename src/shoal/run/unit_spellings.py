"""Records whose units are written in one way each, whoever carries them: P000001, p000001 and ``P000001 `` are one."""

from __future__ import annotations

from shoal.encode.units import Spellings
from shoal.engines.protocol import Engine, F
from shoal.schema import Column


def tidied_units(engine: Engine[F], frame: F, unit: Column | None) -> F:
    """The records as they are, where all units read differently."""
    if unit is None:
        return frame
    spellings = Spellings.of(unit, engine.group_counts(frame, [unit.name]).column(0))
    return engine.map_rows(frame, spellings.one_each) if spellings else frame
