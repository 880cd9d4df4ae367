"""A block for every record, and the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

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
