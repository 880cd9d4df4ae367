"""A firm subtracts what it contributed itself from the total of its class, and estimates the turnover of another one.

Who it is          a firm of the survey, which knows who else is in its class
What they hold     the mean of the class, the weights of its firms, which the release shows, and the own turnover
What they try      the total is the mean times all weights; less the own contribution it bounds what any other firm has
When it is right   the bound is within p percent of the turnover; the p % rule says that this does not happen
"""

from __future__ import annotations

import numpy as np

from shoal.kernels import Vector


def closest_estimate(mean: float, amounts: Vector, weights: Vector) -> float:
    """The least relative error with which any firm of a class estimates any other one."""
    contributed = weights * amounts
    left = mean * weights.sum() - contributed
    errors = np.abs(left[:, None] / weights - amounts) / amounts
    np.fill_diagonal(errors, np.inf)
    return float(errors.min())
