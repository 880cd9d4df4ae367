"""A block for every record, and the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from shoal.errors import ArrayError
from shoal.kernels import Labels, Matrix
from shoal.plan import Partition


class Rule(Protocol):
    """Puts any record into a block: data that every engine can apply."""

    def block_of(self, X: Matrix) -> Labels:
        """(n_records,) the block of every record, by its coordinates alone."""
        ...

    def to_json(self) -> str: ...


@dataclass(frozen=True, eq=False, repr=False)
class Blocks(Partition):
    """A partition for the sake of size: what is done, is done inside of every block."""

    rule: Rule


def checked_limit(limit: int, k: int) -> int:
    """Records of a block: at least two groups of them, or there is nothing to choose."""
    if not isinstance(limit, int | np.integer) or isinstance(limit, bool) or limit < 2 * k:
        raise ArrayError.too_small("limit", 2 * k, limit)
    return int(limit)
