"""Number of groups and of suppressed records of a run, and group numbers for the private mapping."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.encode.count_table import CountTable
from shoal.engines.protocol import GROUP, RECORD_ID, Engine, F
from shoal.errors import RequirementError
from shoal.kernels import Labels
from shoal.plan.limit import is_above
from shoal.requirements import Requirement
from shoal.requirements.requirement import requirement_names


@dataclass(frozen=True)
class GroupIndex:
    n_records: int
    n_suppressed: int  # records without a group
    n_groups: int
    counts_of_groups: Callable[[], Iterator[CountTable]]  # in pieces

    @classmethod
    def of(cls, engine: Engine[F], protected: F) -> GroupIndex:
        def counts() -> Iterator[CountTable]:
            return map(CountTable.of, engine.class_counts(protected, [GROUP], ()))

        n_records = n_suppressed = n_groups = 0
        for piece in counts():
            known = piece.known
            n_records, n_groups = n_records + piece.n_records, n_groups + len(known)
            n_suppressed += piece.n_records - known.n_records
        return cls(n_records, n_suppressed, n_groups, counts)

    @cached_property
    def groups(self) -> Labels:
        """(n_groups,) The different groups, ascending."""
        groups, n_found = np.empty(self.n_groups, dtype=np.int64), 0
        for piece in self.counts_of_groups():
            found = piece.known.values.to_numpy()
            groups[n_found : n_found + len(found)] = found
            n_found += len(found)
        groups.sort()
        return groups

    def counts(self) -> dict[str, int]:
        return {
            "n_records": self.n_records,
            "n_released": self.n_records - self.n_suppressed,
            "n_suppressed": self.n_suppressed,
            "n_groups": self.n_groups,
        }

    def mapping(self, piece: pa.Table) -> pa.Table:
        """record (from 1) -> group (from 0), missing where suppressed."""
        groups: Any = piece[GROUP]
        suppressed = groups.is_null().to_numpy()
        numbers = np.searchsorted(self.groups, groups.fill_null(0).to_numpy())
        return pa.table(
            {
                "record": piece[RECORD_ID].to_numpy() + 1,
                "group": pa.array(numbers, pa.int64(), mask=suppressed),
                RECORD_ID: piece[RECORD_ID],
            }
        )


def check_suppression_limit(
    n_suppressed: int, n_records: int, limit: float, requirements: Sequence[Requirement] = (), unit: str | None = None
) -> None:
    """Raises RequirementError if all records are suppressed, or a larger share than the ``limit`` of the policy.
    ``unit``: the column of units whose values are protected as a whole, if any."""
    names = requirement_names(requirements)
    if n_suppressed == n_records:
        raise RequirementError.nothing_left(n_records, names)
    if is_above(n_suppressed, n_records, limit):
        raise RequirementError.suppression_above_limit(n_suppressed, n_records, limit, names, unit)
