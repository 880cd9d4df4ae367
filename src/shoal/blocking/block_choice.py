"""Automatic choice of blocks for a table that is too large to be grouped as a whole (predicted_time.py).

a source of records -> BlockPlan

    tree   its limit balances time and loss, and its dimensions are halved as loses less in a pilot
    map    instead of the tree, if it loses at least 2 % less in a pilot (block_pilot.py); its blocks differ less in
           size, so its limit is that of even blocks. It is only tried if it loses less on a sample of ten blocks or
           20,000 records, since assigning all records to their units takes time in many dimensions

Time is predicted from numbers alone and never measured, and a pilot draws the same blocks everywhere: policy and data
determine the choice, on every machine and engine.
"""

from __future__ import annotations

from dataclasses import replace

from shoal.blocking.block_limit import even_limit
from shoal.blocking.block_pilot import estimate_loss
from shoal.blocking.blocks import BlockPlan
from shoal.blocking.map_plan import SAMPLE, MapPlan, n_units_for, train_codebook
from shoal.blocking.som.codebook import Codebook
from shoal.blocking.tree_plan import CountSource, InMemory, TreeOptions, TreePlan, plan_tree
from shoal.blocking.tree_space import Ranges

MOST_UNITS = 4000  # of a map that is tried
SAMPLED_BLOCKS = 10  # of a sample on which a map is tried first, at least
MIN_GAIN = 0.02  # share of the loss of the tree; a map that gains less is not worth its training


def choose_blocks(source: CountSource, options: TreeOptions, seed: int = 0) -> BlockPlan:
    """A tree or a map; the tree if the options name what only a tree has."""
    tree = plan_tree(source, options)
    space, n_records = tree.tree.space, int(tree.tree.nodes.n_records[0])
    limit = even_limit(len(space.lower), options.k) if options.limit == "auto" else options.limit
    wants_tree = (options.dimensions, options.fuse, options.whole) != (None, "nearest", "auto")
    if wants_tree or not 1 < n_units_for(n_records, limit) <= MOST_UNITS:
        return tree
    if n_records > SAMPLE and not _is_promising(source, replace(options, limit=limit), limit, seed):
        return tree
    codebook = train_codebook(source, n_records, options.k, limit, seed=seed)
    return _better(source, tree, codebook, Ranges(n_records, space.lower, space.upper), options.k)


def _is_promising(source: CountSource, options: TreeOptions, limit: int, seed: int) -> bool:
    """Whether a map loses less than a tree on a sample."""
    records = source.sample(max(SAMPLE, SAMPLED_BLOCKS * limit))
    sample, ranges = InMemory(records), Ranges.of(records)
    codebook = train_codebook(sample, len(records), options.k, limit, seed=seed)
    rules = plan_tree(sample, options).rule, codebook
    by_tree, by_map = (estimate_loss(sample, rule, options.k, ranges) for rule in rules)
    return by_map.loss < by_tree.loss


def _better(source: CountSource, tree: TreePlan, codebook: Codebook, ranges: Ranges, k: int) -> BlockPlan:
    by_tree, by_map = (estimate_loss(source, rule, k, ranges) for rule in (tree.rule, codebook))
    if by_map.loss <= (1 - MIN_GAIN) * by_tree.loss:
        more = f"{100 * (by_tree.loss / by_map.loss - 1):.0f} % more" if by_map.loss > 0 else "more"
        reason = (
            f"Parts of a map of {len(codebook.units):,} units, of up to {by_map.largest:,} records: a 2^d-tree would "
            f"lose {more} in a pilot."
        )
        return MapPlan(codebook, by_map.largest, (reason,))
    less = f"{100 * (by_map.loss / by_tree.loss - 1):+.0f} %" if by_tree.loss > 0 else "no"
    return replace(tree, reasons=(*tree.reasons, f"A map would change the loss by {less} in a pilot."))
