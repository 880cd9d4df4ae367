"""Measures of blocks, the input of every loss: records, class counts, and how much of each column a block covers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.count_table import CountTable
from shoal.kernels import Ints, Labels, Matrix, Vector
from shoal.plan import CategoricalDomain, CodeRanges, CutTree, Domain
from shoal.plan.domain import as_numbers


@dataclass(frozen=True, eq=False)
class Measures:
    totals: Ints  # (n_blocks,) records
    n_records: int  # of the whole table, including suppressed ones
    classes: Ints | None = None  # (n_blocks, n_classes) records of every class
    cells: Matrix | None = None  # (n_blocks, n_columns) unit cells that a block covers on each column
    widths: Matrix | None = None  # (n_blocks, n_columns) share of the column covered, from 0 (one value) to 1 (all)
    n_cells: Vector | None = None  # (n_columns,) unit cells of the whole column
    weights: Vector | None = None  # (n_columns,) importance of the columns; None: all are 1


def measure(tree: CutTree, counts: CountTable, target: str | None = None, weights: Vector | None = None) -> Measures:
    """The measures of the blocks of a cut tree on a table of counts.

    A unit cell is a code of the tree: a value, or the interval between two neighboring cuts. ``target``: the column of
    the classes. ``weights``: (n_columns,) importance of the columns of the tree.
    """
    n, block = counts.n, tree.block_of(counts.combinations)
    totals = np.bincount(block, weights=n, minlength=tree.n_blocks).astype(np.int64)
    cells, widths = [], []
    for at, domain in enumerate(tree.domains):
        sizes = [sum(stop - start for start, stop in part.ranges) for part in tree.parts[at]]
        cells.append(np.array(sizes, dtype=np.float64)[tree.block_parts[:, at]])
        widths.append(part_widths(domain, tree.parts[at], counts[domain.name])[tree.block_parts[:, at]])
    return Measures(
        totals,
        counts.n_records,
        None if target is None else _classes(counts[target], block, n, tree.n_blocks),
        np.column_stack(cells),
        np.column_stack(widths),
        np.array([domain.n_codes for domain in tree.domains], dtype=np.float64),
        weights,
    )


def part_widths(domain: Domain, parts: tuple[CodeRanges, ...], cells: pa.ChunkedArray[Any]) -> Vector:
    """(n_parts,) share of the column that each part covers. Numbers: range of the table's values in the part over the
    range of all; categories: number of steps between values over that of all, or share of the leaves of a taxonomy.
    0 for missing values alone, 1 where they are mixed with known ones."""
    ends = np.array([(part.ranges[0][0], part.ranges[-1][1]) for part in parts])
    starts, stops = ends.T
    if isinstance(domain, CategoricalDomain):
        n = np.array([sum(stop - start for start, stop in part.ranges) for part in parts])
        is_tree = len(domain.paths[0]) > 1
        known = np.where(n > 1, n / domain.n_values, 0.0) if is_tree else (n - 1) / max(domain.n_values - 1, 1)
    else:
        known = _spreads(domain, starts, stops, cells)
    is_missing, is_anything = starts == domain.n_values, (stops > domain.n_values) & (starts < domain.n_values)
    return np.where(is_missing, 0.0, np.where(is_anything, 1.0, known))


def _spreads(domain: Domain, starts: Ints, stops: Ints, cells: pa.ChunkedArray[Any]) -> Vector:
    known: Any = cells.filter(pc.is_valid(cells))
    if not len(known):
        return np.zeros(len(starts))
    values = np.unique(as_numbers(domain.name, known))
    codes = domain.codes(pa.chunked_array([pa.array(values)]))
    first, last = np.searchsorted(codes, starts), np.searchsorted(codes, stops) - 1
    spread = values[np.maximum(last, 0)] - values[np.minimum(first, len(values) - 1)]
    return np.where(last > first, spread, 0.0) / max(float(values[-1] - values[0]), np.finfo(float).tiny)


def _classes(cells: pa.ChunkedArray[Any], block: Labels, n: Ints, n_blocks: int) -> Ints:
    """(n_blocks, n_classes) records of every class; a missing value is a class of its own."""
    encoded: Any = cells.combine_chunks().dictionary_encode(null_encoding="encode")
    code = encoded.indices.to_numpy().astype(np.int64)
    n_classes = len(encoded.dictionary)
    flat = np.bincount(block * n_classes + code, weights=n, minlength=n_blocks * n_classes)
    return flat.astype(np.int64).reshape(n_blocks, n_classes)
