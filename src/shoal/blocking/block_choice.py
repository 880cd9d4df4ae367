"""Automatic choice of blocks for a table that is too large to be grouped as a whole (predicted_time.py).

a source of records -> BlockPlan

    tree   its limit balances time and loss, and its dimensions are halved as loses less in a pilot
    map    instead of the tree, with the same limit, if it loses at least 2 % less in a pilot (block_pilot.py)

Time is predicted from numbers alone and never measured, and a pilot draws the same blocks everywhere: policy and data
determine the choice, on every machine and engine.
"""

from __future__ import annotations

from dataclasses import replace

from shoal.blocking.block_pilot import estimate_loss
from shoal.blocking.blocks import BlockPlan
from shoal.blocking.map_plan import MapPlan, n_units_for, train_codebook
from shoal.blocking.tree_plan import CountSource, TreeOptions, TreePlan, plan_tree
from shoal.blocking.tree_space import Ranges

MOST_UNITS = 4000  # of a map that is tried
MIN_GAIN = 0.02  # share of the loss of the tree; a map that gains less is not worth its training


def choose_blocks(source: CountSource, options: TreeOptions, seed: int = 0) -> BlockPlan:
    """A tree or a map; the tree if the options name what only a tree has."""
    tree = plan_tree(source, options)
    space, n_records = tree.tree.space, int(tree.tree.nodes.n_records[0])
    wants_tree = (options.dimensions, options.fuse, options.whole) != (None, "nearest", "auto")
    if wants_tree or not 1 < n_units_for(n_records, tree.limit) <= MOST_UNITS:
        return tree
    return _better(source, tree, Ranges(n_records, space.lower, space.upper), options.k, seed)


def _better(source: CountSource, tree: TreePlan, ranges: Ranges, k: int, seed: int) -> BlockPlan:
    codebook = train_codebook(source, ranges.n_records, k, tree.limit, seed=seed)
    by_tree, by_map = (estimate_loss(source, rule, k, ranges) for rule in (tree.rule, codebook))
    if by_map.loss <= (1 - MIN_GAIN) * by_tree.loss:
        more = f"{100 * (by_tree.loss / by_map.loss - 1):.0f} % more" if by_map.loss > 0 else "more"
        reason = (
            f"Parts of a map of {len(codebook.units):,} units, with {tree.limit // 2:,} records on average: a 2^d-tree "
            f"would lose {more} in a pilot."
        )
        return MapPlan(codebook, by_map.largest, (reason,))
    less = f"{100 * (by_map.loss / by_tree.loss - 1):+.0f} %" if by_tree.loss > 0 else "no"
    return replace(tree, reasons=(*tree.reasons, f"A map would change the loss by {less} in a pilot."))
