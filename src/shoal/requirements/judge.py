"""All requirements of a table at once: which groups of a partition hold every one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.codes import to_codes
from shoal.errors import PolicyError
from shoal.kernels import Labels
from shoal.plan import Partition
from shoal.requirements import Reads, Requirement
from shoal.requirements.groups import Groups
from shoal.schema import Column, Schema

Key = tuple[str | None, Reads]  # what a requirement reads, and of which column


@dataclass(frozen=True)
class Judge:
    """Ready to judge partitions of the records of a table; its sensitive columns are encoded once."""

    requirements: tuple[Requirement, ...]
    values: Mapping[Key, tuple[Labels, Labels | None]]  # (n_records,) in their order, and their tree

    def __call__(self, partition: Partition) -> NDArray[np.bool_]:
        """(n_groups,) whether a group holds all, where every group is released."""
        return self._hold(partition, np.ones(partition.n_groups, dtype=bool))

    def left(self, partition: Partition) -> NDArray[np.bool_]:
        """(n_groups,) the groups that can be released. Each that is dropped changes the whole that others refer to."""
        left = np.ones(partition.n_groups, dtype=bool)
        while left.any():
            held = self._hold(partition, left)
            if held.all():
                break
            left[left] = held
        return left

    def _hold(self, partition: Partition, left: NDArray[np.bool_]) -> NDArray[np.bool_]:
        ones = np.ones(partition.labels.size, dtype=np.int64)
        held = np.ones(int(left.sum()), dtype=bool)
        groups = {
            key: Groups.of(partition.labels, ones, *self.values.get(key, ())).only(left)
            for key in {(requirement.column, requirement.reads) for requirement in self.requirements}
        }
        for requirement in self.requirements:
            held &= requirement.holds(groups[requirement.column, requirement.reads])
        return held


def judge(table: pa.Table, schema: Schema, requirements: Sequence[Requirement]) -> Judge:
    """A judge of the records of ``table``, which are the whole: no other record will be in the release."""
    for requirement in requirements:
        if requirement.reads == "extents" and requirement.column:
            raise PolicyError.no_extents(requirement.column)
    keys = {(requirement.column, requirement.reads) for requirement in requirements}
    values: dict[Key, tuple[Labels, Labels | None]] = {
        (name, reads): coded_values(table[name], schema[name], reads) for name, reads in keys if name
    }
    return Judge(tuple(requirements), values)


def coded_values(cells: pa.ChunkedArray[Any], column: Column, reads: Reads) -> tuple[Labels, Labels | None]:
    """(n_records,) the sensitive values in the order that the requirement reads, and their tree, where it reads one."""
    if reads == "order" and pa.types.is_dictionary(cells.type):
        cells = cells.cast(cells.type.value_type)  # the order is that of the policy, not of a category type
    encoded = to_codes(column.name, cells, column.order if reads == "order" else None)
    if reads == "tree" and column.taxonomy:
        return encoded.codes, column.taxonomy.nodes_above(encoded.texts)
    return encoded.codes, None
