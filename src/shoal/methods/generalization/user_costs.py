"""The loss of a user as the search over boxes needs it: exact sums, and what records cost at least.

Losses are rounded down to multiples of a power of two, so small that it matters only where a loss has fractions: then
sums of them are exact, in any order. A box costs at least what its cells would cost as blocks of their own, since no
cut makes a plan dearer, and at least what ``least`` says of its number of records.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import frexp
from typing import Self

import numpy as np

from shoal.kernels import Ints, Vector
from shoal.losses import UserLoss
from shoal.losses.user_loss import check_answer
from shoal.methods.generalization.attribute import Attribute
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.user_calls import BlockRows, UserCall, loss_call

DIGITS = (
    48  # binary, of the cost of all records as one block: no plan costs more, unless suppressed records have a price
)


@dataclass(frozen=True, eq=False)
class UserCosts:
    loss: UserLoss
    blocks: BlockRows
    cells: Ints  # (n_cells, n_numbers) every cell as a block
    whole: Ints  # (1, n_numbers) all records as a block

    @classmethod
    def of(cls, coded: CodedCounts, loss: UserLoss, codes: Ints, n: Ints, classes: Ints) -> Self:
        """``codes``, ``n``, ``classes``: of the cells."""
        spans = [_cell_spans(attribute, codes[:, at]) for at, attribute in enumerate(coded.attributes)]
        ends = [number for attribute in coded.attributes for number in (0, attribute.domain.n_codes, 0)]
        return cls(
            loss,
            BlockRows(coded.attributes, classes.shape[1], coded.n_records, coded.weights),
            np.column_stack([n, classes, *spans]),
            np.array([[n.sum(), *classes.sum(axis=0), *ends]]),
        )

    @cached_property
    def grain(self) -> float:
        """What losses are rounded down to multiples of."""
        cost = float(self.loss.of_blocks(self.blocks.measures(self.whole))[0])
        return 2.0 ** (frexp(cost)[1] - DIGITS)

    @property
    def rounding(self) -> float:
        """Maximum effect of the rounding on a cost: that of as many blocks as there are cells, and of all records."""
        return self.grain * (len(self.cells) + self.blocks.n_records)

    @property
    def call(self) -> UserCall:
        return loss_call(self.loss, self.blocks, self.grain)

    @property
    def floors(self) -> Vector:
        """(n_cells,) what the records of a cell cost at least, in any block."""
        return self.call(self.cells)

    def least(self, k: int) -> Vector:
        """(n_records + 1,) what so many records cost at least, in any blocks of k records or more."""
        least = self.loss.least(np.arange(self.blocks.n_records + 1), k)
        check_answer(f"{type(self.loss).__name__}.least", least, self.blocks.n_records + 1)
        return np.floor(least / self.grain) * self.grain


def _cell_spans(attribute: Attribute, codes: Ints) -> Ints:
    """(n_cells, 3) one code each, and the last node that has it: a line, or a single value."""
    nodes = np.zeros(attribute.domain.n_codes, dtype=np.int64)
    for at, node in enumerate(attribute.nodes):
        nodes[node.start : node.stop] = at
    return np.column_stack([codes, codes + 1, nodes[codes]])
