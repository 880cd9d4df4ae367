"""The fixed point of a step that raises a likelihood, such as one of the EM algorithm, in few steps: SQUAREM.

step, starting values -> FixedPoint

Varadhan & Roland (2008), doi:10.1111/j.1467-9469.2007.00585.x, third step length. Two steps show where the values are
going; they are extrapolated along this way, and one more step is taken from there. Where that would leave the range of
probabilities or lower the likelihood, the extrapolation is shortened, three times at most, and then left out: as with
plain steps the likelihood never falls. The first steps are plain, so that the starting values decide which of several
fixed points is reached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.kernels import Vector

Step = Callable[[Vector], tuple[Vector, float]]  # values -> the next values, and the log-likelihood of the given ones

PLAIN_STEPS = 10
MOST_EXTRAPOLATIONS = 3  # tried after two steps
SHORTEST = 1.01  # length of an extrapolation; 1 is where the two steps have led


@dataclass(frozen=True, eq=False)
class FixedPoint:
    values: Vector
    n_steps: int  # how often the step was computed


def fixed_point(step: Step, start: Vector, *, tolerance: float, most_steps: int) -> FixedPoint:
    """Where a step changes no value by more than ``tolerance``; after ``most_steps``, wherever it has come to. Values
    are probabilities: none is below 0."""
    path, n_steps = [start], 0
    while n_steps < most_steps:
        after, likelihood = step(path[-1])
        n_steps += 1
        change = float(np.abs(after - path[-1]).max())
        path.append(after)
        if change <= tolerance:
            break
        if n_steps <= PLAIN_STEPS:
            path = [after]
        elif len(path) == 3:
            values, n_tried = _extrapolation(step, path, likelihood)
            path, n_steps = [values], n_steps + n_tried
    return FixedPoint(path[-1], n_steps)


def _extrapolation(step: Step, path: Sequence[Vector], likelihood: float) -> tuple[Vector, int]:
    """A step from beyond the end of a path of two steps, and how many were tried; the end itself where none is as
    likely as ``likelihood``, that of its middle."""
    start, first, end = path
    direction, bend = first - start, end - 2 * first + start
    length = float(np.linalg.norm(direction) / np.linalg.norm(bend)) if bend.any() else 1.0
    for n_tried in range(MOST_EXTRAPOLATIONS):
        while length > SHORTEST and (start + 2 * length * direction + length**2 * bend).min() < 0:
            length = (length + 1) / 2
        if not length > SHORTEST:
            return end, n_tried
        after, reached = step(start + 2 * length * direction + length**2 * bend)
        if reached >= likelihood:
            return after, n_tried + 1
        length = (length + 1) / 2
    return end, MOST_EXTRAPOLATIONS
