"""Records for property tests, and groups as plain lists."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

import shoal
from shapes import POINTS, points


def groups(partition):
    """Lists of records, in the order the groups were formed."""
    order = np.argsort(partition.labels, kind="stable")
    return [group.tolist() for group in np.split(order, np.cumsum(partition.sizes)[:-1])]


@st.composite
def tables(draw, most=40, columns=4, least=2):
    """Random, duplicate-heavy and integer-grid records, and records of every shape."""
    n, d = draw(st.integers(least, most)), draw(st.integers(1, columns))
    seed = draw(st.integers(0, 2**32))
    chance = np.random.default_rng(seed)
    kind = draw(
        st.sampled_from(["reals", "grid", "few", "constant", "one constant column", "z-scores of a grid", *POINTS])
    )
    if kind in POINTS:
        return points(kind, n, d, seed)
    if kind == "reals":
        return chance.normal(size=(n, d))
    if kind == "constant":
        return np.ones((n, d))
    if kind == "one constant column":
        return np.column_stack([np.full(n, 7.0), chance.normal(size=(n, d - 1))])
    grid = chance.integers(0, 3 if kind == "few" else 10, (n, d)).astype(float)
    return shoal.standardize(grid) if kind.startswith("z") else grid
