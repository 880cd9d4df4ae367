"""Figures of global recoding by hand for the report, counted over all records."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.assessment.recoding_summary import RecodingSummary
from shoal.encode.count_table import CountTable
from shoal.engines.protocol import Engine, F
from shoal.kernels import Labels
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.release.column_recoding import ColumnRecoding


def recoding_figures(original: FittedTable[F], losses: Mapping[str, float]) -> tuple[RecodingSummary, ...]:
    """The figures of every recoded column. ``losses``: from before recoding to the release, by column."""
    if original.recoding is None:
        return ()
    engine, as_read = original.engine, original.as_read
    recodings = original.recoding.recodings
    n_changed = engine.total(as_read, list(recodings), partial(_n_changed, recodings)).tolist()
    return tuple(
        RecodingSummary(
            name,
            len(_known_values(engine, as_read, name)),
            len(_known_values(engine, original.frame, name)),
            100 * n / max(original.n_records, 1),
            losses.get(name),
            _unused(original, name),
        )
        for name, n in zip(recodings, n_changed, strict=True)
    )


def _known_values(engine: Engine[F], frame: F, name: str) -> list[Any]:
    return CountTable.of(engine.group_counts(frame, [name])).known.values.to_pylist()


def _unused(original: FittedTable[F], name: str) -> tuple[str, ...]:
    """Categories that the policy merges and that do not occur in the table."""
    merged = original.plan.recoded[name].categories
    there = set(map(str, _known_values(original.engine, original.as_read, name))) if merged else set()
    return tuple(value for value in merged if value not in there)


def _n_changed(recodings: Mapping[str, ColumnRecoding], piece: pa.Table) -> Labels:
    """(n_columns,) The number of cells that each recoding changes."""
    pairs = [_comparable(piece[name], recoding.recode(name, piece[name])) for name, recoding in recodings.items()]
    return np.array([pc.sum(pc.not_equal(*pair)).as_py() or 0 for pair in pairs], dtype=np.int64)


def _comparable(before: Any, after: Any) -> tuple[Any, Any]:
    """Both columns as numbers where the recoded one holds numbers of the same meaning, else as text."""
    are_numbers = all(pa.types.is_integer(each.type) or pa.types.is_floating(each.type) for each in (before, after))
    type_ = pa.float64() if are_numbers else pa.string()
    return before.cast(type_), after.cast(type_)
