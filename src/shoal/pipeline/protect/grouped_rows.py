"""Functions of pieces of protected records, by their group: missing where a record is suppressed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.engines.protocol import GROUP


def released_rows(piece: pa.Table) -> pa.Table:
    """The records that have a group."""
    return piece.filter(pc.is_valid(piece[GROUP]))


def in_one_group(piece: pa.Table) -> pa.Table:
    """All records in group 0: none is suppressed yet, or no groups are formed."""
    return piece.append_column(GROUP, pa.array(np.zeros(len(piece), dtype=np.int64)))
