"""The least number of records of a block around a cell, where a requirement restricts the length of blocks.

A block contains each of its cells, and all cells with the same codes of the other columns on its whole part of the
column that must be long. Of all parts of that column around a cell that are long enough, the one with the fewest such
records is counted: no block around the cell has fewer.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.kernels import Ints
from shoal.kernels.combinations import distinct_combinations
from shoal.methods.generalization.attribute import Attribute, SplitRule
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.requirements.shares import SLACK


def least_block_sizes(coded: CodedCounts, cells: Ints, n: Ints, least: int) -> Ints:
    """(n_cells,) records. ``cells``: (n_cells, n_attributes) codes; ``n``: their records; ``least``: of any block."""
    sizes = np.maximum(n, least)
    names = [attribute.domain.name for attribute in coded.attributes]
    for wanted in coded.requirements:
        if wanted.reads == "extents":
            column = names.index(str(wanted.column))
            around = _records_around(coded.attributes[column], wanted.asked * (1 - SLACK), cells, n, column)
            sizes = np.maximum(sizes, around)
    return sizes


def _records_around(attribute: Attribute, length: float, cells: Ints, n: Ints, column: int) -> Ints:
    """(n_cells,) records with the same other codes in the part of the column that is long enough and has the fewest."""
    n_codes, codes = attribute.domain.n_codes, cells[:, column]
    _, others = distinct_combinations(np.delete(cells, column, axis=1).T, len(cells))
    place = others * (n_codes + 1) + codes
    order = np.argsort(place, kind="stable")
    ends, before = place[order], np.concatenate([[0], np.cumsum(n[order])])
    fewest = np.full(len(cells), n.sum())
    for start, least_stop, stop in _parts(attribute, length):
        inside = np.flatnonzero((codes >= start) & (codes < stop))
        first, until = others[inside] * (n_codes + 1), np.maximum(codes[inside] + 1, least_stop)
        counted = before[np.searchsorted(ends, first + until)] - before[np.searchsorted(ends, first + start)]
        fewest[inside] = np.minimum(fewest[inside], counted)
    return fewest


def _parts(attribute: Attribute, length: float) -> Iterator[tuple[int, int, int]]:
    """Parts that are long enough: start, least stop, last stop. Of a line, from each of its codes on."""
    for number, node in enumerate(attribute.nodes):
        is_line = node.rule == SplitRule.LINE
        for start in range(node.start, node.stop) if is_line else (node.start,):
            stops = np.arange(start + 1, node.stop + 1) if is_line else np.array([node.stop])
            enough = attribute.lengths(np.full_like(stops, start), stops, np.full_like(stops, number)) >= length
            if enough.any():
                yield start, int(stops[enough.argmax()]), node.stop
