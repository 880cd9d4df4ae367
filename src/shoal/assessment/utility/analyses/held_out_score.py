"""How well held-out original records are predicted by models that were fitted on original and release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shoal.confidence import QUANTILE, mean_interval
from shoal.errors import TableError
from shoal.kernels import Vector

Predicted = Vector | NDArray[np.bool_]


@dataclass(frozen=True)
class HeldOutScore:
    """In percent: of the records that are predicted rightly, or of the variance that is explained."""

    measure: Literal["accuracy", "explained variance"]
    before: float  # fitted on the original
    after: float  # fitted on the release
    baseline: float  # without any column: the most frequent value, or the mean
    interval: tuple[float, float]  # of ``after``: where it is for all persons like these, with 95 % confidence


def accuracy(truth: Vector, learned: Vector, first: Predicted, second: Predicted) -> HeldOutScore:
    """Share of the held-out records that are predicted rightly. ``truth``: their codes; ``learned``: those of the
    training records, whose most frequent one is the baseline."""
    most_frequent = int(np.argmax(np.bincount(learned.astype(np.int64))))
    before, after, baseline = (float(np.mean(truth == each)) for each in (first, second, most_frequent))
    low, high = mean_interval((truth == second).astype(np.float64))
    return HeldOutScore("accuracy", 100 * before, 100 * after, 100 * baseline, (100 * low, 100 * high))


def explained_variance(truth: Vector, learned: Vector, first: Predicted, second: Predicted) -> HeldOutScore:
    """Share of the variance around the mean of the training records; below 0 where the mean predicts better.

    The interval is that of a ratio of two means, by the delta method.
    """
    around = (truth - learned.mean()) ** 2
    scale = float(around.mean())
    if scale == 0:
        raise TableError.constant_held_out()
    before, after = (1 - float(((truth - each) ** 2).mean()) / scale for each in (first, second))
    influence = ((truth - second) ** 2 - (1 - after) * around) / scale
    reach = QUANTILE * float(influence.std()) / float(np.sqrt(len(truth)))
    interval = 100 * (after - reach), 100 * (after + reach)
    return HeldOutScore("explained variance", 100 * before, 100 * after, 0.0, interval)
