"""Linkage blocking by any blocking rule (2^d-tree, self-organizing map, intervals) or by given block labels.

Two records are compared if both are in the same block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shoal.blocking.blocks import Blocks
from shoal.errors import LinkageError
from shoal.kernels import Labels, Matrix
from shoal.linkage.candidates import Candidates, Runs
from shoal.linkage.linkage_tables import LinkageTables


@dataclass(frozen=True)
class RuleBlocking:
    """``make``: points -> Blocks. It partitions the original records; its rule assigns the released ones."""

    make: Callable[[Matrix], Blocks]

    def candidates(self, tables: LinkageTables) -> Candidates:
        original, released = tables.points
        blocks = self.make(original)
        return Candidates((Runs.of_keys(blocks.labels, blocks.rule.block_of(released)),))


@dataclass(frozen=True, eq=False)
class LabelBlocking:
    """Given block labels of the records of both files; equal labels denote the same block."""

    original: Labels  # (n_original,)
    released: Labels  # (n_released,)

    def candidates(self, tables: LinkageTables) -> Candidates:
        for labels, n in ((self.original, tables.n_original), (self.released, tables.n_released)):
            if np.shape(labels) != (n,):
                raise LinkageError.bad_labels(np.size(labels), n)
        return Candidates((Runs.of_keys(np.asarray(self.original), np.asarray(self.released)),))
