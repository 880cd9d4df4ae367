"""Blocks of records, and the protocol of the rules that assign records to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from shoal.errors import ArrayError
from shoal.kernels import Labels, Matrix
from shoal.plan import Partition


class BlockRule(Protocol):
    """Assigns any record to a block; serializable, so that every engine can apply it."""

    def block_of(self, X: Matrix) -> Labels:
        """(n_records,) the block of every record, from its coordinates alone."""
        ...

    @property
    def n_blocks(self) -> int: ...

    @property
    def form(self) -> str:
        """What the blocks are parts of, for notes."""
        ...

    def to_json(self) -> str: ...


class BlockPlan(Protocol):
    """A rule, the number of records up to which a block goes, and sentences that explain how it was chosen."""

    @property
    def rule(self) -> BlockRule: ...

    @property
    def limit(self) -> int: ...

    @property
    def reasons(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, eq=False, repr=False)
class Blocks(Partition):
    """A partition into blocks of manageable size; a method is then run within each block."""

    rule: BlockRule
    _noun: ClassVar[str] = "block"


@dataclass(frozen=True, eq=False)
class FixedBlocks:
    """The plan of blocks without automatic choices."""

    rule: BlockRule
    limit: int
    reasons: tuple[str, ...] = ()

    @classmethod
    def of(cls, blocks: Blocks) -> FixedBlocks:
        return cls(blocks.rule, int(blocks.sizes.max()))


def check_limit(limit: int, k: int) -> int:
    """Returns ``limit``, the maximum block size, if it is at least 2 ``k``: less leaves no choice of groups."""
    if not isinstance(limit, int | np.integer) or isinstance(limit, bool) or limit < 2 * k:
        raise ArrayError.too_small("limit", 2 * k, limit)
    return int(limit)
