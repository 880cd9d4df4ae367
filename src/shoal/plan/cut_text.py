"""A cut tree as text: one line per node, blocks with their number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.schema.extent import AnyExtent, Extent, Interval, MissingExtent, TaxonomyNode

if TYPE_CHECKING:
    from shoal.plan.cut_tree import CutTree


def tree_text(tree: CutTree) -> str:
    block_of = {int(node): block for block, node in enumerate(tree.blocks)}
    depth = [0] * tree.n_nodes
    lines = []
    for node in range(tree.n_nodes):
        words = "all records"
        if node:
            depth[node] = depth[tree.parents[node]] + 1
            column = int(tree.cut_on[node])
            domain = tree.domains[column]
            part = tree.parts[column][int(tree.part_of[node])]
            words = f"{domain.name} {'is known' if domain.is_known(part) else extent_text(domain.extent(part))}"
        number = f"  -> block {block_of[node]}" if node in block_of else ""
        lines.append("  " * depth[node] + words + number)
    return "\n".join(lines)


def extent_text(extent: Extent) -> str:
    match extent:
        case Interval(None, high):
            return f"< {high:.15g}"
        case Interval(low, None):
            return f">= {low:.15g}"
        case Interval(low, high):
            return f"from {low:.15g} to < {high:.15g}"
        case TaxonomyNode(label):
            return f"in {label}"
        case MissingExtent():
            return "is missing"
        case AnyExtent():
            return "is anything"
        case _:
            return "in " + ", ".join(extent.values)
