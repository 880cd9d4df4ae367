"""The blocking rule of a 2^d-tree: a table of leaves by which any engine assigns records to blocks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from shoal import kernels
from shoal.blocking.grid_cells import WORD_BITS, Keys, pad_keys, words_for
from shoal.blocking.tree import TwodTree
from shoal.blocking.tree_space import TreeSpace
from shoal.kernels import Labels, Matrix, thread_pool

RECORDS_PER_JOB = 200_000


@dataclass(frozen=True, eq=False)
class TwodRule:
    """A record belongs to the last leaf whose first key is not above the record's key.

    A cell that was empty when the tree was grown belongs to the leaf before it. The ranges are values of the data: the
    rule is confidential and must not be part of the release.
    """

    space: TreeSpace
    n_bits: int
    starts: Keys  # (n_leaves, n_words) the smallest key of every leaf, ascending
    blocks: Labels  # (n_leaves,)

    form: ClassVar[str] = "of a 2^d-tree"

    @classmethod
    def of(cls, tree: TwodTree, blocks: Labels) -> TwodRule:
        n_bits = int(tree.nodes.n_bits[tree.leaves].max())
        return cls(tree.space, n_bits, pad_keys(tree.nodes.keys[tree.leaves], words_for(n_bits)), blocks)

    @property
    def n_blocks(self) -> int:
        return int(self.blocks.max()) + 1

    def leaf_of(self, X: Matrix) -> Labels:
        """(n_records,) the leaf of every record."""
        space = self.space
        records = space.records(kernels.as_matrix(X))

        def found(first: int, report: thread_pool.Report) -> Labels:
            leaves: Labels = kernels.find_cells(
                X=records[first : first + RECORDS_PER_JOB],
                lower=space.lower,
                upper=space.upper,
                dimensions=space.dimensions,
                n_bits=self.n_bits,
                starts=self.starts,
            )
            report(len(leaves))
            return leaves

        jobs = [partial(found, first) for first in range(0, max(1, len(records)), RECORDS_PER_JOB)]
        return np.concatenate(thread_pool.run(jobs, thread_pool.n_threads(None), lambda n_done: None))

    def block_of(self, X: Matrix) -> Labels:
        """(n_records,) the block of every record."""
        return self.blocks[self.leaf_of(X)]

    def to_json(self) -> str:
        space = self.space
        digits = WORD_BITS // 4
        table = {
            "rule": "twod_tree",
            "lower": space.lower.tolist(),
            "upper": space.upper.tolist(),
            "dimensions": space.dimensions.tolist(),
            "n_bits": self.n_bits,
            "leaves": ["".join(f"{word:0{digits}x}" for word in start) for start in self.starts.tolist()],
            "blocks": self.blocks.tolist(),
        }
        return json.dumps(table)

    @classmethod
    def from_table(cls, table: dict[str, Any]) -> TwodRule:
        lower, upper = (np.array(table[name], dtype=np.float64) for name in ("lower", "upper"))
        digits = WORD_BITS // 4
        starts = [[int(leaf[at : at + digits], 16) for at in range(0, len(leaf), digits)] for leaf in table["leaves"]]
        space = TreeSpace(lower, upper, np.array(table["dimensions"], dtype=np.int64))
        blocks = np.array(table["blocks"], dtype=np.int64)
        return cls(space, int(table["n_bits"]), np.array(starts, dtype=np.uint64), blocks)
