"""95 % confidence interval of a share: Wilson's interval, doi:10.1080/01621459.1927.10502953."""

from __future__ import annotations

from math import sqrt

from shoal.kernels import Vector

QUANTILE = 1.959963984540054  # of the standard normal, at 97.5 %


def wilson(share: float, n: float) -> tuple[float, float]:
    """Interval of a share observed among ``n`` independent cases; ``n`` need not be an integer."""
    squared = QUANTILE**2
    center = (share + squared / (2 * n)) / (1 + squared / n)
    reach = QUANTILE * sqrt(share * (1 - share) / n + squared / (4 * n * n)) / (1 + squared / n)
    return min(share, max(0.0, center - reach)), max(share, min(1.0, center + reach))


def effective_number(weights: Vector) -> float:
    """Effective sample size of weighted cases: Kish's (sum w)^2 / sum w^2."""
    return float(weights.sum() ** 2 / (weights**2).sum())
