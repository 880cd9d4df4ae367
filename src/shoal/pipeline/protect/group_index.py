"""Number of groups and of suppressed records of a run, and group numbers for the private mapping."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.count_table import CountTable
from shoal.engines.protocol import GROUP, RECORD_ID, Engine, F
from shoal.errors import FailingClasses, RequirementError
from shoal.kernels import Labels
from shoal.plan.limit import is_above

UNKNOWN = FailingClasses()


@dataclass(frozen=True)
class GroupIndex:
    n_records: int
    n_suppressed: int  # records without a group
    n_groups: int
    list_groups: Callable[[], GroupList]

    @classmethod
    def of(cls, engine: Engine[F], protected: F) -> GroupIndex:
        n_records, n_suppressed, n_groups = engine.class_total(protected, [GROUP], (), _sizes).tolist()
        return cls(n_records, n_suppressed, n_groups, lambda: engine.class_total(protected, [GROUP], (), GroupList.of))

    @cached_property
    def groups(self) -> Labels:
        """(n_groups,) The different groups, ascending."""
        return np.sort(self.list_groups().groups)

    def counts(self) -> dict[str, int]:
        return {
            "n_records": self.n_records,
            "n_released": self.n_records - self.n_suppressed,
            "n_suppressed": self.n_suppressed,
            "n_groups": self.n_groups,
        }

    @property
    def mapping(self) -> Callable[[pa.Table], pa.Table]:
        """Function of a piece: record (from 1) -> group (from 0), missing where suppressed."""
        return partial(_mapping, self.groups)


@dataclass(frozen=True)
class GroupList:
    groups: Labels

    @classmethod
    def of(cls, counts: pa.Table) -> GroupList:
        return cls(CountTable.of(counts).known.values.to_numpy())

    def __add__(self, other: GroupList) -> GroupList:
        return GroupList(np.concatenate([self.groups, other.groups]))


def _sizes(counts: pa.Table) -> Labels:
    """Number of records, of those without a group, and of groups."""
    found = CountTable.of(counts)
    known = found.known
    return np.array([found.n_records, found.n_records - known.n_records, len(known)], dtype=np.int64)


def _mapping(groups: Labels, piece: pa.Table) -> pa.Table:
    own: Any = piece[GROUP]
    numbers = np.searchsorted(groups, own.fill_null(0).to_numpy())
    return pa.table(
        {
            "record": piece[RECORD_ID].to_numpy() + 1,
            "group": pa.array(numbers, pa.int64(), mask=own.is_null().to_numpy()),
            RECORD_ID: piece[RECORD_ID],
        }
    )


def check_suppression_limit(n_suppressed: int, n_records: int, limit: float, failing: FailingClasses = UNKNOWN) -> None:
    """Raises RequirementError if all records are suppressed, or a larger share than the ``limit`` of the policy."""
    if n_suppressed == n_records:
        raise RequirementError.nothing_left(n_records, failing)
    if is_above(n_suppressed, n_records, limit):
        raise RequirementError.suppression_above_limit(n_suppressed, n_records, limit, failing)
