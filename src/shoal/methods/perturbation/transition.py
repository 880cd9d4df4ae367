"""Transition matrices: the probabilities with which each value of a column becomes another.

Row i, column j: the probability that value i becomes value j. Every row sums to 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shoal.errors import PerturbationError
from shoal.kernels import Ints, Matrix


def as_transition(matrix: ArrayLike) -> Matrix:
    """Validates a square matrix of probabilities whose rows sum to 1; raises PerturbationError."""
    given = np.asarray(matrix)
    if given.ndim != 2 or given.shape[0] != given.shape[1] or given.dtype.kind not in "biuf" or given.size == 0:
        raise PerturbationError.not_a_transition(f"got shape {given.shape} and dtype {given.dtype}")
    probabilities = given.astype(np.float64)
    if not np.isfinite(probabilities).all() or probabilities.min() < 0:
        raise PerturbationError.not_a_transition("some are negative or not finite")
    off = np.abs(probabilities.sum(axis=1) - 1) > 1e-9
    if off.any():
        raise PerturbationError.not_a_transition(f"{int(off.sum())} of {len(probabilities)} rows do not sum to 1")
    return probabilities


def retention_matrix(stay: float, nodes: Ints) -> Matrix:
    """A value stays with probability ``stay`` or becomes one of the others below its node, all equally likely.

    ``nodes``: (n_values,) the node of every value; the only value below a node always stays.
    """
    same = nodes[:, None] == nodes[None, :]
    others = same.sum(axis=1) - 1
    probabilities = np.where(same, ((1 - stay) / np.maximum(others, 1))[:, None], 0.0)
    np.fill_diagonal(probabilities, np.where(others > 0, stay, 1.0))
    return probabilities


def invariant_matrix(matrix: ArrayLike, counts: ArrayLike) -> Matrix:
    """Two stages in one: the given matrix, then its reversal; ``counts`` times the result is ``counts`` again.

    The reversal is Bayes' rule: which value became value k, given the counts. A value that does not occur stays.
    """
    first = as_transition(matrix)
    n = np.asarray(counts, dtype=np.float64)
    if n.shape != (len(first),) or not np.isfinite(n).all() or n.min() < 0:
        raise PerturbationError.not_a_transition(f"{len(first)} values need as many counts of 0 or more")
    flows = n[:, None] * first  # (from, to)
    reached: NDArray[np.float64] = flows.sum(axis=0)
    back = np.where(reached[:, None] > 0, flows.T / np.where(reached > 0, reached, 1.0)[:, None], np.eye(len(n)))
    both = first @ back
    probabilities: Matrix = both / both.sum(axis=1, keepdims=True)
    return probabilities
