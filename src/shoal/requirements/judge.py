"""All requirements of a table at once: which groups of a partition hold every one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import to_codes
from shoal.plan import Partition
from shoal.requirements import Requirement
from shoal.requirements.groups import Groups

Judge = Callable[[Partition], NDArray[np.bool_]]  # -> (n_groups,)


def judge(table: pa.Table, requirements: Sequence[Requirement]) -> Judge:
    """Ready to judge partitions of the records of ``table``; its sensitive columns are encoded once."""
    columns = {requirement.column for requirement in requirements if requirement.column}
    codes = {name: to_codes(name, table[name]).codes for name in columns}
    ones = np.ones(len(table), dtype=np.int64)

    def holds(partition: Partition) -> NDArray[np.bool_]:
        held = np.ones(partition.n_groups, dtype=bool)
        for requirement in requirements:
            values = codes[requirement.column] if requirement.column else None
            held &= requirement.holds(Groups.of(partition.labels, ones, values))
        return held

    return holds
