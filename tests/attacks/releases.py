"""Several releases: what two releases of one table tell together.

The intruder holds two releases of the same table, made with different k, and knows which records of them are the same
person's: both are in the order of the table, or columns that were released as they are tell the records apart. Every
class says what the values of its records add up to. A record lies in one class of each release, so it is an edge
between two classes; an edge that is on no cycle is fixed by the sums on its two sides.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy.sparse import coo_array
from scipy.sparse.linalg import lsqr

from attacks.rates import Rate


@dataclass(frozen=True)
class Guesses:
    records: np.ndarray  # (n,) places in the first release
    values: np.ndarray  # (n,) whole numbers

    def rate(self, truth: np.ndarray) -> Rate:
        """``truth``: the value of every record of the first release. Who is not named is no right guess."""
        return Rate(int((truth[self.records] == self.values).sum()), len(truth))


def guesses(first: pa.Table, second: pa.Table, known: list[str], name: str, tied_by: list[str] | None) -> Guesses:
    """Whole numbers of column ``name``. ``known``: the quasi-identifiers, whose equal values make a class; ``tied_by``:
    columns that are the same in both releases, None: both have one order."""
    places, others = _same_records(first, second, tied_by)
    left, right = (_classes(table, known) for table in (first, second))
    sums = [np.bincount(c, table[name].to_numpy().astype(float)) for c, table in ((left, first), (right, second))]
    edges = np.column_stack([left[places], left.max() + 1 + right[others]])
    complete = np.bincount(edges.ravel(), minlength=left.max() + right.max() + 2) == np.bincount(
        np.concatenate([left, left.max() + 1 + right])
    )  # a class with a record that was not found says nothing
    fixed = np.flatnonzero(bridges(edges) & complete[edges].all(axis=1))
    n = len(edges)
    of_class = coo_array((np.ones(2 * n), (edges.T.ravel(), np.tile(np.arange(n), 2))), shape=(complete.size, n))
    solved = lsqr(of_class.tocsr(), np.concatenate(sums), atol=1e-14, btol=1e-14, iter_lim=20 * n)[0]
    return Guesses(places[fixed], np.rint(solved[fixed]))


def bridges(edges: np.ndarray) -> np.ndarray:
    """(n_edges,) those whose removal parts two nodes; two edges between the same nodes are none."""
    n_nodes, n_edges = int(edges.max()) + 1, len(edges)
    at_node: list[list[tuple[int, int]]] = [[] for _ in range(n_nodes)]
    for edge, (one, other) in enumerate(edges.tolist()):
        at_node[one].append((other, edge))
        at_node[other].append((one, edge))
    found, depth, low = np.zeros(n_edges, dtype=bool), [0] * n_nodes, [0] * n_nodes
    for root in range(n_nodes):
        if depth[root]:
            continue
        depth[root] = low[root] = 1
        path = [(root, -1, iter(at_node[root]))]
        while path:
            node, came_by, rest = path[-1]
            for neighbor, edge in rest:
                if edge == came_by:
                    continue
                if not depth[neighbor]:
                    depth[neighbor] = low[neighbor] = depth[node] + 1
                    path.append((neighbor, edge, iter(at_node[neighbor])))
                    break
                low[node] = min(low[node], depth[neighbor])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    low[above] = min(low[above], low[node])
                    found[came_by] = low[node] > depth[above]
    return found


def _same_records(first: pa.Table, second: pa.Table, tied_by: list[str] | None) -> tuple[np.ndarray, np.ndarray]:
    if tied_by is None:
        return np.arange(len(first)), np.arange(len(second))
    keys = [list(zip(*(table[name].to_pylist() for name in tied_by), strict=True)) for table in (first, second)]
    places = [{key: at for at, key in enumerate(side)} for side in keys]
    alone = [{key for key, n in Counter(side).items() if n == 1} for side in keys]
    both = sorted(alone[0] & alone[1])
    return np.array([places[0][key] for key in both]), np.array([places[1][key] for key in both])


def _classes(table: pa.Table, known: list[str]) -> np.ndarray:
    """(n_records,) numbers of classes: records that are written alike."""
    rows = list(zip(*(table[name].to_pylist() for name in known), strict=True))
    numbers = {row: at for at, row in enumerate(dict.fromkeys(rows))}
    return np.array([numbers[row] for row in rows])
