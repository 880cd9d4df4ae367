"""Normalized certainty penalty: every record costs, column by column, the share of the column that its group covers.

Xu, Wang, Pei, Wang, Shi & Fu (2006), doi:10.1145/1150402.1150504: the normalized certainty penalty, NCP.

    of a record   sum over the columns of 0 (its value is released) to 1 (its value may be any), times the weight of
                  the column
    in percent    100 * sum over the records / (records * columns), whatever the weights
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shoal.kernels import Matrix, Vector
from shoal.losses.measures import Measures


@dataclass(frozen=True)
class Certainty:
    name: Literal["certainty"] = "certainty"

    def of_blocks(self, blocks: Measures) -> Vector:
        widths = _widths(blocks) if blocks.weights is None else _widths(blocks) * blocks.weights
        lost: Vector = widths.sum(axis=1) * blocks.totals
        return lost

    def of_suppressed(self, blocks: Measures) -> float:
        return float(_widths(blocks).shape[1] if blocks.weights is None else blocks.weights.sum())

    def percent_of_columns(self, blocks: Measures) -> Vector:
        """(n_columns,) loss of every column in percent, over the records in blocks."""
        lost: Vector = (blocks.totals[:, None] * _widths(blocks)).sum(axis=0)
        return 100 * lost / max(int(blocks.totals.sum()), 1)

    def percent(self, blocks: Measures) -> float:
        """Mean loss of the columns, in percent."""
        return float(self.percent_of_columns(blocks).mean())


def _widths(blocks: Measures) -> Matrix:
    if blocks.widths is None:
        raise TypeError("the loss of certainty needs blocks with their widths")
    return blocks.widths
