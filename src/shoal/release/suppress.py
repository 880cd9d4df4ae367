"""Groups that cannot be released: their records are dropped, counted, and limited by the policy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import to_codes
from shoal.errors import RequirementError
from shoal.plan import Partition
from shoal.requirements import Groups, Requirement


def failing_records(table: pa.Table, partition: Partition, requirements: Sequence[Requirement]) -> NDArray[np.bool_]:
    """(n_records,) True where the record's group fails a requirement."""
    fails = np.zeros(partition.n_groups, dtype=bool)
    ones = np.ones(partition.n_records, dtype=np.int64)
    for requirement in requirements:
        column = requirement.column
        values = to_codes(column, table[column]).codes if column else None
        fails |= ~requirement.holds(Groups.of(partition.labels, ones, values))
    return fails[partition.labels]


def check_limit(n_suppressed: int, n_records: int, limit: float) -> None:
    """The policy says how much may be lost before the release is worth nothing."""
    if n_suppressed == n_records:
        raise RequirementError.nothing_left(n_records)
    if n_suppressed / n_records > limit:  # not limit * n_records: 0.29 * 100 is less than 29
        raise RequirementError.suppression_above_limit(n_suppressed, n_records, limit)
