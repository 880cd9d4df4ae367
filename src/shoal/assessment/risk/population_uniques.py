"""Population uniques: how many persons are unique in the population on the quasi-identifiers, estimated from a sample.

sizes of the classes of a sample, its share of the population -> expected number of population uniques

Three models of how the classes of the population are distributed, from the sizes of the classes of the sample alone,
and one from the values of the columns:

    Zayatz     the classes of the population have the sizes of those of the sample; Zayatz (1991), "Estimation of the
               percent of unique population elements on a microdata file using the sample"
    Pitman     the two-parameter partition of Pitman, for small sampling fractions; Hoshino (2001), "Applying Pitman's
               sampling formula to microdata disclosure risk assessment", Journal of Official Statistics 17
    SNB        sizes are 1 + a negative binomial variable; Chen & Keller-McNulty (1998), "Estimation of identification
               disclosure risk in microdata", Journal of Official Statistics 14
    log-linear frequencies are products of those of the columns; Skinner & Shlomo (2008), doi:10.1198/016214507000001328

Pitman and SNB are fitted by maximum likelihood. SNB departs from the paper, which equates moments: the sizes in a
Bernoulli sample are those of the model, thinned, and the number of classes follows from the size of the population.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from shoal.encode.codes import to_codes
from shoal.errors import ArrayError
from shoal.findings import Finding, Findings
from shoal.kernels import Ints, Labels, Vector, as_vector
from shoal.kernels.combinations import number_combinations


@dataclass(frozen=True)
class SampledSizes:
    """The classes of a sample: which sizes occur, how often, and the share of the population that was drawn."""

    sizes: Labels  # (n_sizes,) ascending
    n_classes: Labels  # (n_sizes,) classes of each size
    fraction: float

    @classmethod
    def of(cls, class_sizes: ArrayLike, sampling_fraction: float) -> SampledSizes:
        """``class_sizes``: (n_classes,) records of every class; raises ArrayError where the fraction is not known."""
        if not 0 < sampling_fraction < 1:
            raise ArrayError.no_sampling_fraction(sampling_fraction)
        given = as_vector(class_sizes, "class_sizes")
        if n_unfit := int(np.count_nonzero((given < 1) | (given % 1 > 0))):
            raise ArrayError.bad_class_sizes(n_unfit)
        sizes, n_classes = np.unique(given, return_counts=True)
        return cls(sizes.astype(np.int64), n_classes.astype(np.int64), sampling_fraction)

    @property
    def n_records(self) -> int:
        return int((self.sizes * self.n_classes).sum())

    @property
    def population(self) -> float:
        return self.n_records / self.fraction

    @property
    def n_unique(self) -> int:
        return int(self.n_classes[0]) if self.sizes[0] == 1 else 0


def zayatz(sample: SampledSizes) -> float:
    """Expected number of population uniques: a class of F persons has one record in the sample with a hypergeometric
    probability, and sizes of the population are distributed as those of the sample."""
    population = round(sample.population)
    single = _one_drawn(population, sample.sizes, sample.n_records)
    expected = float((sample.n_classes * single).sum())
    if not sample.n_unique or not expected:
        return 0.0
    share_of_uniques = sample.n_unique * float(single[0]) / expected
    return sample.n_unique * share_of_uniques / sample.fraction


def _one_drawn(population: int, sizes: Labels, n_drawn: int) -> Vector:
    """(n_sizes,) hypergeometric probabilities that exactly one person of a class is drawn."""
    rest = population - sizes
    fits = rest >= n_drawn - 1
    log_ways = _log_ways(np.where(fits, rest, n_drawn - 1), n_drawn - 1) - _log_ways(np.array(population), n_drawn)
    return np.where(fits, sizes * np.exp(log_ways), 0.0)


def _log_ways(of: Labels, n_drawn: int) -> Vector:
    """Logarithms of binomial coefficients."""
    from scipy.special import betaln

    return np.asarray(-betaln(of - n_drawn + 1, n_drawn + 1) - np.log1p(of), dtype=np.float64)


def pitman(sample: SampledSizes) -> float:
    """Expected number of population uniques, N (theta + alpha)_(N - 1) / (theta + 1)_(N - 1) with rising factorials.

    Where all records of the sample are unique, no theta and alpha are the most likely: the larger both are, the more of
    the population is unique, up to all of it.
    """
    from scipy.special import gammaln

    if not sample.n_unique:
        return 0.0
    if sample.n_unique == sample.n_records:
        return sample.population
    theta, alpha = _fit_pitman(sample)
    n = sample.population
    rising = [gammaln(theta + shift + n - 1) - gammaln(theta + shift) for shift in (alpha, 1.0)]
    return float(n * np.exp(rising[0] - rising[1]))


def _fit_pitman(sample: SampledSizes) -> tuple[float, float]:
    """theta > 0 and alpha from 0 to 1 of largest likelihood."""
    from scipy.special import expit, gammaln

    n_classes, n_records = int(sample.n_classes.sum()), sample.n_records

    def negative(point: Vector) -> float:
        theta, alpha = float(np.exp(point[0])), float(expit(point[1]))
        several = (n_classes - 1) * np.log(alpha) + gammaln(theta / alpha + n_classes) - gammaln(theta / alpha + 1)
        draws = gammaln(theta + n_records) - gammaln(theta + 1)
        of_classes = (sample.n_classes * (gammaln(sample.sizes - alpha) - gammaln(1 - alpha))).sum()
        return -float(several - draws + of_classes)

    best = _least(negative, [(float(np.log(max(n_classes, 2))), shape) for shape in (-2.0, 0.0, 2.0)])
    return float(np.exp(best[0])), float(expit(best[1]))


def slide_negative_binomial(sample: SampledSizes) -> float:
    """Expected number of population uniques: classes times the probability of size 1."""
    from scipy.special import expit

    def classes(point: Vector) -> tuple[float, float, float]:
        """Number of classes of the population, and the two parameters."""
        r, p = float(np.exp(point[0])), float(expit(point[1]))
        return sample.population / (1 + r * (1 - p) / p), r, p

    def negative(point: Vector) -> float:
        """Minus the likelihood of the numbers of classes by size, as independent Poisson variables."""
        total, r, p = classes(point)
        thinned = p / (p + (1 - p) * sample.fraction)
        shown = (1 - sample.fraction) * _negative_binomial(sample.sizes, r, thinned)
        shown += sample.fraction * _negative_binomial(sample.sizes - 1, r, thinned)
        none = (1 - sample.fraction) * thinned**r
        logs = np.log(np.maximum(total * shown, np.finfo(np.float64).tiny))
        return float(total * (1 - none) - (sample.n_classes * logs).sum())

    best = _least(negative, [(float(np.log(shape)), share) for shape in (0.1, 1.0) for share in (-3.0, 0.0)])
    total, r, p = classes(best)
    return float(total * p**r)


def _negative_binomial(sizes: Labels, r: float, p: float) -> Vector:
    """(n_sizes,) probabilities. ``scipy.stats`` has them too, and takes twenty times as long to check its arguments."""
    from scipy.special import betaln, xlog1py, xlogy

    logs: Vector = xlogy(r, p) + xlog1py(sizes, -p) - betaln(sizes + 1, r) - np.log(sizes + r)
    return np.exp(logs)


def _least(function: Callable[[Vector], float], starts: Sequence[tuple[float, float]]) -> Vector:
    """(2,) where a function is least, of the searches from all starts."""
    from scipy.optimize import minimize

    options: Any = {"xatol": 1e-8, "fatol": 1e-8, "maxiter": 4000, "maxfev": 4000}
    found = [minimize(function, np.array(start), method="Nelder-Mead", options=options) for start in starts]
    best: Vector = min(found, key=lambda each: float(each.fun)).x
    return best


def log_linear(columns: Sequence[Ints], sampling_fraction: float) -> float:
    """Expected number of sample uniques that are population uniques under independence: the sum of
    exp(-mu (1 - fraction) / fraction) over them, mu the expected records of the key.

    Columns that depend on each other make keys rarer or more frequent than their product says: then it is too high or
    too low. ``columns``: (n_records,) codes of each, -1 where missing.
    """
    if not 0 < sampling_fraction < 1:
        raise ArrayError.no_sampling_fraction(sampling_fraction)
    keys = number_combinations(columns, len(columns[0]))
    expected = np.full(len(keys), float(len(keys)))
    for codes in columns:
        expected *= np.bincount(codes + 1)[codes + 1] / len(keys)
    unique = np.bincount(keys)[keys] == 1
    return fsum(np.exp(-expected[unique] * (1 - sampling_fraction) / sampling_fraction))


MODELS: dict[str, Callable[[SampledSizes], float]] = {
    "zayatz": zayatz,
    "pitman": pitman,
    "snb": slide_negative_binomial,
}
NAMES = {"zayatz": "Zayatz", "pitman": "Pitman", "snb": "SNB"}


def population_uniques(class_sizes: ArrayLike, sampling_fraction: float) -> dict[str, float]:
    """Expected number of population uniques by model. ``class_sizes``: records of every class of the sample."""
    sample = SampledSizes.of(class_sizes, sampling_fraction)
    return {name: model(sample) for name, model in MODELS.items()}


def population_unique_findings(table: pa.Table, columns: Sequence[str], sampling_fraction: float) -> Findings:
    """Estimates of the share of the population that is unique, by model, and of the records at stake."""
    codes = [to_codes(name, table[name]).codes for name in columns]
    expected = population_uniques(np.bincount(number_combinations(codes, len(table))), sampling_fraction)
    population = len(table) / sampling_fraction
    by_model = tuple(
        Finding(
            f"population uniques, {NAMES[model]}",
            100 * min(number / population, 1.0),
            f"Share of the population that is unique on the quasi-identifiers, estimated by the model {NAMES[model]} "
            f"from a sample of {100 * sampling_fraction:.3g} % of it.",
            unit="%",
        )
        for model, number in expected.items()
    )
    joint = Finding(
        "population uniques in the file, log-linear",
        log_linear(codes, sampling_fraction),
        "Number of records expected to be unique in the file and in the population, if columns were independent.",
    )
    return Findings((*by_model, joint))
