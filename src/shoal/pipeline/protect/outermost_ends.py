"""Ends of extents that show the value of one of the few records beyond which hardly any other is.

Numbers and dates end on a grid that leaves such ends open. Recoded intervals and parts of dates are values of the
policy's own: where classes join several of them, the outermost end is that of the least or the greatest value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from shoal.assessment.exposure import Exposure
from shoal.encode.count_table import CountTable
from shoal.encode.units import count_units
from shoal.engines.protocol import F
from shoal.kernels import Labels
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.policy.interval_grids import DEFAULT_K
from shoal.policy.policy_advice import advice_to_use_a_grid


def outermost_ends(changed: FittedTable[F], released: F) -> Iterator[Exposure]:
    """An exposure for each recoded column with such ends. ``released``: the released records, with their groups."""
    plan, engine = changed.plan, changed.engine
    for name in plan.extents:
        column = changed.schema[name]
        if plan.columns[name].has_closed_parts and column.order:
            n_units = _n_units(changed, name, column.order)
            texts = [
                str(text) for text in CountTable.of(engine.group_counts(released, [name])).known.values.to_pylist()
            ]
            n_beyond = _n_shown(column.order, n_units, texts, plan.k or DEFAULT_K)
            if n_beyond:
                share = 100 * n_beyond / max(int(n_units.sum()), 1)
                yield Exposure("outermost", share, 0.0, (name,), advice_to_use_a_grid(plan, name))


def _n_units(changed: FittedTable[F], name: str, order: Sequence[str]) -> Labels:
    """(n_values,) records, or units, with each value of a recoded column."""
    counts, unit = changed.unit_counts(name), changed.schema.unit
    by_value = count_units(counts, unit.name) if unit else counts
    place = {value: at for at, value in enumerate(order)}
    places = np.array([place.get(str(value), -1) for value in by_value.values.to_pylist()], dtype=np.int64)
    known = places >= 0
    return np.bincount(places[known], weights=by_value.n[known], minlength=len(order)).astype(np.int64)


def _n_shown(order: Sequence[str], n_units: Labels, texts: Sequence[str], k: int) -> int:
    """How many records, or units, have one of the fewer than k least or greatest values, where an extent ends there."""
    lows, highs = np.cumsum(n_units) < k, (np.cumsum(n_units[::-1]) < k)[::-1]
    shown = {at for at in np.flatnonzero(lows).tolist() if any(_begins(text, order[at]) for text in texts)}
    shown |= {at for at in np.flatnonzero(highs).tolist() if any(_ends(text, order[at]) for text in texts)}
    return int(n_units[sorted(shown)].sum())


def _begins(text: str, value: str) -> bool:
    low, comma, _ = value.partition(", ")
    return text.startswith(low + comma if comma else f"[{value} .. ")


def _ends(text: str, value: str) -> bool:
    _, comma, high = value.partition(", ")
    return text.endswith(comma + high if comma else f" .. {value}]")
