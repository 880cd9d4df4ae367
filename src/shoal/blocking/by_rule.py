"""Blocks made for other ends, used for linkage: any rule that puts a point into a block, or labels that are there.

A 2^d-tree, a map, equal intervals: records are compared where both fall into the same block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal.blocking.blocks import Blocks
from shoal.blocking.candidates import Candidates, Runs
from shoal.encode.sides import Sides
from shoal.errors import LinkageError
from shoal.kernels import Labels, Matrix


@dataclass(frozen=True)
class RuleBlocking:
    """``make``: points -> Blocks; it cuts the space by the original, and its rule puts the release into the blocks."""

    make: Callable[[Matrix], Blocks]

    def candidates(self, sides: Sides) -> Candidates:
        original, released = sides.points
        blocks = self.make(original)
        return Candidates((Runs.of_keys(blocks.labels, blocks.rule.block_of(released)),))


@dataclass(frozen=True, eq=False)
class LabelBlocking:
    """A block for every record of both files; equal labels are the same block."""

    original: Labels  # (n_original,)
    released: Labels  # (n_released,)

    def candidates(self, sides: Sides) -> Candidates:
        for labels, n in ((self.original, sides.n_original), (self.released, sides.n_released)):
            if np.shape(labels) != (n,):
                raise LinkageError.bad_labels(np.size(labels), n)
        return Candidates((Runs.of_keys(np.asarray(self.original), np.asarray(self.released)),))
