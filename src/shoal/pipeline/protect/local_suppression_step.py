"""Local suppression, after a method or alone: cells are blanked, as few as possible, until the requirements hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Generic

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.encode.count_table import CountTable
from shoal.engines.protocol import BLOCK, GROUP, RECORD_ID, F
from shoal.errors import plural
from shoal.findings import Finding, UnmeasuredFigure
from shoal.kernels import Labels
from shoal.methods.local_suppression.local_suppression import local_suppression
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.grouped_rows import released_rows
from shoal.pipeline.protect.suppression_minimality import blank_minimality
from shoal.plan import Blanks
from shoal.release.blank import blank
from shoal.requirements.sufficient_sizes import with_sufficient_sizes
from shoal.schema.helper_columns import UNIT

WILDCARD = "A blank cell may be any value: classes were counted so, as sdcMicro does, and not by blanks as values."


@dataclass(frozen=True)
class SuppressionResult(Generic[F]):
    """The records after local suppression, notes on the number of blanked cells, and the minimality attack on them."""

    frame: F
    notes: tuple[str, ...] = ()
    attacks: tuple[Finding | UnmeasuredFigure, ...] = ()


def suppress_cells(original: FittedTable[F], protected: F) -> SuppressionResult[F]:
    rule = original.plan.local_suppression
    if rule is None:
        return SuppressionResult(protected)
    engine, schema = original.engine, original.schema
    requirements = with_sufficient_sizes(original.plan.requirements)
    marked = _with_repeated_units(original, protected)
    kept = engine.map_rows(marked, released_rows)
    names = [
        *schema.quasi_identifiers,
        *original.plan.sensitive_in_requirements,
        *(name for name in kept.names if name == UNIT),
    ]
    counts = CountTable.of(engine.group_counts(kept, names))
    with progress.stage("blanking cells", 0):
        plan = local_suppression(counts, schema, requirements, importance=rule.importance, blanks=rule.blanks)
    suppressed = engine.map_blocks(engine.map_rows(marked, _in_one_block), CellSuppression(plan))
    notes = (*((WILDCARD,) if rule.blanks == "wildcard" else ()), *_count_notes(plan.n_blanked))
    return SuppressionResult(suppressed, notes, tuple(blank_minimality(original, kept, plan, rule)))


def _with_repeated_units(original: FittedTable[F], protected: F) -> F:
    """The records with the number of their unit in the column UNIT, missing for units of one record: these are alike.
    Unchanged where no unit has several records."""
    units = original.units
    n_records = np.bincount(units[units >= 0], minlength=1)
    numbers = np.where((units >= 0) & (n_records[units] > 1), units, -1)
    if (numbers < 0).all():
        return protected
    return original.engine.map_rows(protected, partial(_with_unit, numbers))


def _with_unit(numbers: Labels, piece: pa.Table) -> pa.Table:
    of_piece = numbers[piece[RECORD_ID].to_numpy()]
    return piece.append_column(UNIT, pa.array(of_piece, pa.int64(), mask=of_piece < 0))


def _in_one_block(piece: pa.Table) -> pa.Table:
    """Puts all records in one block, since a plan may blank only some of several equal records."""
    return piece.append_column(BLOCK, pa.array(np.zeros(len(piece), dtype=np.int64)))


def _count_notes(n_blanked: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(f"{name}: {n} {plural(n, 'cell was', 'cells were')} blanked." for name, n in n_blanked.items() if n)


@dataclass(frozen=True)
class CellSuppression:
    plan: Blanks

    def __call__(self, block_id: int, table: pa.Table) -> pa.Table:
        """Blanks cells of the released records. Suppressed records, which were not counted, stay unchanged."""
        kept = table[GROUP].is_valid().to_numpy()
        back = np.argsort(np.concatenate([np.flatnonzero(kept), np.flatnonzero(~kept)]), kind="stable")
        suppressed = blank(table.filter(pa.array(kept)), self.plan)
        whole = pa.concat_tables([suppressed, table.filter(pa.array(~kept))]).take(back)
        return whole.drop_columns([name for name in whole.column_names if name == UNIT])
