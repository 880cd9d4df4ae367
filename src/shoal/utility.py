"""Information loss and data utility of a release compared with its original."""

from __future__ import annotations

from shoal.assessment.score import Score
from shoal.assessment.utility.moments import MeanVariation, il1s, mean_variation
from shoal.assessment.utility.probabilistic import ProbabilisticLoss, probabilistic_loss
from shoal.assessment.utility.queries import Answer, CountQuery, count_queries

__all__ = [
    "Answer",
    "CountQuery",
    "MeanVariation",
    "ProbabilisticLoss",
    "Score",
    "count_queries",
    "il1s",
    "mean_variation",
    "probabilistic_loss",
]
