"""Number of groups and of suppressed records of a run, and group numbers for the private mapping.

Groups are numbered block by block. Only the number of groups of every block is known here, and the groups of those
blocks in which a number is left out, since all records of a group are suppressed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.count_table import CountTable
from shoal.engines.protocol import GROUP, RECORD_ID, Engine, F
from shoal.errors import FailingClasses, RequirementError
from shoal.kernels import Labels
from shoal.pipeline.protect.strata import GROUPS_OF_A_BLOCK
from shoal.plan.limit import is_above

UNKNOWN = FailingClasses()
NO_GROUP: Labels = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class GroupIndex:
    n_records: int
    n_suppressed: int  # records without a group
    blocks: GroupBlocks
    list_groups: Callable[[Labels], GroupList]  # of blocks

    @classmethod
    def of(cls, engine: Engine[F], protected: F) -> GroupIndex:
        found = engine.class_total(protected, [GROUP], (), GroupTotals.of)
        return cls(
            found.n_records,
            found.n_suppressed,
            found.blocks,
            lambda blocks: engine.class_total(protected, [GROUP], (), partial(GroupList.of, blocks)),
        )

    @property
    def n_groups(self) -> int:
        return int(self.blocks.n_groups.sum())

    @cached_property
    def groups(self) -> Labels:
        """(n_groups,) The different groups, ascending, all in memory."""
        return self.list_groups(self.blocks.blocks).groups

    @cached_property
    def numbers(self) -> GroupNumbers:
        found = self.blocks
        has_gaps = found.n_groups <= found.last
        groups = self.list_groups(found.blocks[has_gaps]).groups if has_gaps.any() else NO_GROUP
        return GroupNumbers(found.blocks, np.cumsum(found.n_groups) - found.n_groups, has_gaps, groups)

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
        return partial(_mapping, self.numbers)


@dataclass(frozen=True)
class GroupBlocks:
    """How many groups every block has."""

    blocks: Labels  # ascending
    n_groups: Labels
    last: Labels  # the last group within each block, from 0; n_groups or more where one is left out

    @classmethod
    def of(cls, groups: Labels) -> GroupBlocks:
        """``groups``: different ones."""
        blocks, at, n_groups = np.unique(groups // GROUPS_OF_A_BLOCK, return_inverse=True, return_counts=True)
        last = np.zeros(len(blocks), dtype=np.int64)
        np.maximum.at(last, at, groups % GROUPS_OF_A_BLOCK)
        return cls(blocks, n_groups.astype(np.int64), last)

    def __add__(self, other: GroupBlocks) -> GroupBlocks:
        """Of other groups, also of the same blocks."""
        blocks, at = np.unique(np.concatenate([self.blocks, other.blocks]), return_inverse=True)
        n_groups, last = np.zeros((2, len(blocks)), dtype=np.int64)
        np.add.at(n_groups, at, np.concatenate([self.n_groups, other.n_groups]))
        np.maximum.at(last, at, np.concatenate([self.last, other.last]))
        return GroupBlocks(blocks, n_groups, last)


@dataclass(frozen=True)
class GroupTotals:
    n_records: int
    n_suppressed: int
    blocks: GroupBlocks

    @classmethod
    def of(cls, counts: pa.Table) -> GroupTotals:
        found = CountTable.of(counts)
        known = found.known
        return cls(
            found.n_records, found.n_records - known.n_records, GroupBlocks.of(known.values.to_numpy().astype(np.int64))
        )

    def __add__(self, other: GroupTotals) -> GroupTotals:
        n_records, n_suppressed = self.n_records + other.n_records, self.n_suppressed + other.n_suppressed
        return GroupTotals(n_records, n_suppressed, self.blocks + other.blocks)


@dataclass(frozen=True)
class GroupList:
    groups: Labels  # ascending

    @classmethod
    def of(cls, blocks: Labels, counts: pa.Table) -> GroupList:
        """The groups of some blocks."""
        groups = CountTable.of(counts).known.values.to_numpy().astype(np.int64)
        return cls(np.sort(groups[np.isin(groups // GROUPS_OF_A_BLOCK, blocks)]))

    def __add__(self, other: GroupList) -> GroupList:
        return GroupList(np.sort(np.concatenate([self.groups, other.groups])))


@dataclass(frozen=True)
class GroupNumbers:
    """Numbers of the groups from 0 on, in their order."""

    blocks: Labels  # ascending
    offsets: Labels  # (n_blocks,) groups of the blocks before
    has_gaps: NDArray[np.bool_]  # (n_blocks,) whether a number within the block is left out
    of_gaps: Labels  # the groups of such blocks, ascending

    def __call__(self, groups: Labels) -> Labels:
        block, within = np.divmod(groups, GROUPS_OF_A_BLOCK)
        at = np.searchsorted(self.blocks, block)
        rank = np.searchsorted(self.of_gaps, groups) - np.searchsorted(self.of_gaps, block * GROUPS_OF_A_BLOCK)
        return self.offsets[at] + np.where(self.has_gaps[at], rank, within)


def _mapping(numbers_of: GroupNumbers, piece: pa.Table) -> pa.Table:
    own: Any = piece[GROUP]
    numbers, known = np.zeros(len(piece), dtype=np.int64), own.is_valid().to_numpy()
    numbers[known] = numbers_of(own.drop_null().to_numpy())
    return pa.table(
        {
            "record": piece[RECORD_ID].to_numpy() + 1,
            "group": pa.array(numbers, pa.int64(), mask=~known),
            RECORD_ID: piece[RECORD_ID],
        }
    )


def check_suppression_limit(n_suppressed: int, n_records: int, limit: float, failing: FailingClasses = UNKNOWN) -> None:
    """Raises RequirementError if all records are suppressed, or a larger share than the ``limit`` of the policy."""
    if n_suppressed == n_records:
        raise RequirementError.nothing_left(n_records, failing)
    if is_above(n_suppressed, n_records, limit):
        raise RequirementError.suppression_above_limit(n_suppressed, n_records, limit, failing)
