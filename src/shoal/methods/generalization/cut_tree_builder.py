"""Conversion of a kernel's cuts to a plan: nodes of attributes become parts of domains."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from shoal import kernels
from shoal.kernels import Ints
from shoal.kernels.combinations import distinct_combinations
from shoal.methods.generalization.attribute import Attribute
from shoal.plan import CodeRanges, CutTree


def tree_from_mondrian(attributes: tuple[Attribute, ...], state: kernels.Mondrian) -> CutTree:
    return tree_from_nodes(attributes, state.nodes(), _ranges(state.subsets()))


def tree_from_nodes(attributes: tuple[Attribute, ...], nodes: Ints, subset_of: Mapping[int, CodeRanges]) -> CutTree:
    """The cut tree of ``nodes``: (n_nodes, 5) parent, column, start, stop, node of the attribute.

    ``subset_of``: the codes of those nodes that are subsets, not ranges.
    """
    part_of = np.zeros(len(nodes), dtype=np.int64)
    parts = []
    for column, attribute in enumerate(attributes):
        cut = np.flatnonzero(nodes[:, 1] == column)
        subsets = [node for node in cut.tolist() if node in subset_of]
        plain = np.setdiff1d(cut, subsets)
        first, numbers = distinct_combinations(nodes[plain, 2:].T, plain.size)
        keys, part_of[plain] = nodes[plain[first], 2:], numbers + 1
        part_of[subsets] = 1 + len(keys) + np.arange(len(subsets))
        whole = attribute.part(0, attribute.domain.n_codes, 0)
        parts.append((whole, *(attribute.part(*key) for key in keys.tolist()), *(subset_of[at] for at in subsets)))
    domains = tuple(attribute.domain for attribute in attributes)
    return CutTree(domains, tuple(parts), nodes[:, 0], nodes[:, 1], part_of)


def _ranges(codes: Ints) -> dict[int, CodeRanges]:
    """Node -> its codes as ranges."""
    found: dict[int, list[list[int]]] = {}
    for node, code in codes.tolist():
        ranges = found.setdefault(node, [])
        if ranges and ranges[-1][1] == code:
            ranges[-1][1] += 1
        else:
            ranges.append([code, code + 1])
    return {node: CodeRanges(tuple((start, stop) for start, stop in ranges)) for node, ranges in found.items()}
