"""Protected records as they are released: who is suppressed is gone, and so is all that only the road needed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.engines.protocol import GROUP, RECORD_ID, F
from shoal.release.assemble import HouseholdNumbers, Order, assemble
from shoal.run.original import Original


def assembled(original: Original[F], protected: F) -> F:
    """Only the record id is left besides the columns of the release: the place of the record."""
    households = _household_numbers(original)
    order = Order.of(original.chance) if original.policy.output.shuffle else None
    schema = original.policy.written(original.schema)

    def of_piece(piece: pa.Table) -> pa.Table:
        kept = piece.filter(pc.is_valid(piece[GROUP]))
        record_ids: np.ndarray[tuple[int], np.dtype[np.int64]] = kept[RECORD_ID].to_numpy()
        places = order.places(record_ids) if order else record_ids
        return assemble(kept, schema, households).append_column(RECORD_ID, pa.array(places))

    return original.engine.map_rows(protected, of_piece)


def _household_numbers(original: Original[F]) -> HouseholdNumbers | None:
    for column in original.schema.with_role("household"):
        return HouseholdNumbers.of(column, original.value_counts(column.name), original.chance)
    return None
