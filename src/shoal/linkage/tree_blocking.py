"""The 2^d-tree and the self-organizing map as blockings for linkage: a person is compared with the records of a block.

two files -> Candidates

Both are fitted on the release. A neighbor of the own block is a further pass: for the tree, the block of a tree whose
borders are shifted, so that who lies near a border is compared across it; for the map, the part of the second nearest
unit. Blocks of one pass do not overlap.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.blocking.shifted_tree import ShiftedTree
from shoal.blocking.som.codebook import Codebook, som_blocks
from shoal.blocking.som.map_rules import MapRules
from shoal.blocking.som.nearest_units import nearest_units, second_units
from shoal.blocking.tree_plan import InMemory, TreeOptions, plan_tree
from shoal.errors import LinkageError
from shoal.kernels import Labels, Matrix, thread_pool
from shoal.linkage.candidates import Candidates, Runs
from shoal.linkage.linkage_tables import LinkageTables

RECORDS_PER_BLOCK = 500  # where n_blocks is not given
FEWEST_RECORDS = 2  # of a block


def _check_blocks(n_blocks: int | None) -> None:
    if n_blocks is not None and n_blocks < 1:
        raise LinkageError.bad_n_blocks(n_blocks)


@dataclass(frozen=True)
class TreeBlocking:
    """``n_blocks``: about so many blocks of the release; by default blocks of at most 500 records. ``neighbors``: a
    second pass with shifted borders."""

    n_blocks: int | None = None
    neighbors: bool = False

    def __post_init__(self) -> None:
        _check_blocks(self.n_blocks)

    def candidates(self, tables: LinkageTables) -> Candidates:
        original, released = tables.points
        limit = -(-len(released) // self.n_blocks) if self.n_blocks else RECORDS_PER_BLOCK
        limit = max(2 * FEWEST_RECORDS, limit)
        if limit >= len(released):
            return Candidates.all_pairs(len(original), len(released))
        sources = [InMemory(released), *([ShiftedTree(released, 0)] if self.neighbors else [])]
        options = TreeOptions(limit, FEWEST_RECORDS, fuse="none", whole=False)
        rules = [plan_tree(source, options).rule for source in sources]
        return Candidates(tuple(Runs.of_keys(rule.leaf_of(original), rule.leaf_of(released)) for rule in rules))


@dataclass(frozen=True)
class MapBlocking:
    """``n_blocks``: about so many units of the map; by default about one for 500 records. ``neighbors``: a second pass
    with the second nearest unit of every person."""

    n_blocks: int | None = None
    neighbors: bool = False

    def __post_init__(self) -> None:
        _check_blocks(self.n_blocks)

    def candidates(self, tables: LinkageTables) -> Candidates:
        original, released = map(np.ascontiguousarray, tables.points)
        n_units = min(len(released), self.n_blocks or -(-len(released) // RECORDS_PER_BLOCK))
        if n_units <= 1 or len(released) < 2 * FEWEST_RECORDS:
            return Candidates.all_pairs(len(original), len(released))
        blocks = som_blocks(released, FEWEST_RECORDS, rules=MapRules(size=n_units))
        codebook = blocks.rule
        assert isinstance(codebook, Codebook), "blocks of a map have its codebook"
        keys = _unit_keys(codebook, original, self.neighbors and len(codebook.units) > 1)
        return Candidates(tuple(Runs.of_keys(codebook.blocks[units], blocks.labels) for units in keys))


def _unit_keys(codebook: Codebook, original: Matrix, neighbors: bool) -> list[Labels]:
    threads = thread_pool.n_threads(None)
    nearest = nearest_units(original, codebook.units, np.zeros(len(original), dtype=np.int64), threads)
    return [nearest, second_units(original, codebook.units, nearest, threads)] if neighbors else [nearest]
