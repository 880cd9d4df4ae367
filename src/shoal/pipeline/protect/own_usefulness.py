"""Usefulness of a release before it is written, from the records or a sample of them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from shoal.assessment.assessment import FEWEST_SHOWN
from shoal.assessment.table_pair import TablePair
from shoal.assessment.utility.compared_records import ComparedRecords, compared_places
from shoal.assessment.utility.usefulness import Usefulness, usefulness
from shoal.encode.codes import to_codes
from shoal.engines.protocol import GROUP, F
from shoal.errors import LinkageError, TableError
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.schema import Schema


def own_usefulness(original: FittedTable[F], protected: F) -> Usefulness:
    """``protected`` has a group for every released record."""
    try:
        return _measured(original, protected)
    except (LinkageError, TableError) as reason:  # a column may have no known value
        return Usefulness.not_measured_because(str(reason))


def _measured(original: FittedTable[F], protected: F) -> Usefulness:
    places, sample = compared_places(original.n_records, len(original.schema.columns)), original.engine.sample
    before, after = (sample(frame, places) for frame in (original.frame, protected))
    kept = after[GROUP].is_valid().to_numpy()
    truth = np.where(kept, np.cumsum(kept) - 1, -1)
    source = original.recoding.in_memory(sample(original.as_read, places)) if original.recoding else None
    released = _released(original, after.filter(pa.array(kept)))
    tables = TablePair.of(before, released, original.schema, original.plan.extents, source)
    records = ComparedRecords.of(tables.aligned(truth)).of_all(original.n_records)
    unit = original.schema.unit
    units = None if unit is None else to_codes(unit.name, before[unit.name]).codes
    return usefulness(records, original.plan.analyses, k=original.plan.k or FEWEST_SHOWN, units=units)


def _released(original: FittedTable[F], after: pa.Table) -> pa.Table:
    """The released columns: those of an anatomy without sensitive ones, which are in a table of their own."""
    schema: Schema = original.schema
    hidden = schema.sensitive if original.plan.representation.separates_sensitive else ()
    return after.select([c.name for c in schema.columns if c.name in after.column_names and c.name not in hidden])
