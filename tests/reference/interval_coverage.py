"""How often a 95 % interval holds the truth: samples without replacement from finite populations of chances."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from shoal.confidence import mean_interval

Chances = NDArray[np.float64]
Interval = tuple[float, float]

N_SIMULATIONS = 1000
LOWEST, HIGHEST = 93.6, 96.4  # percent: 95 plus and minus two standard errors of 1,000 simulations
LEAST_VARIANCE = 50  # of the number of persons in a sample whose chance is not that of most


def populations(n: int, chance: np.random.Generator) -> Iterator[tuple[str, Chances]]:
    """Chances to be found as attacks give them: of 0 and 1, and shared among records that match equally well."""
    for share in (0.001, 0.01, 0.02, 0.05, 0.1, 0.5, 0.9, 0.98, 0.99, 0.999):
        yield f"{100 * share:g} % found", (np.arange(n) < round(share * n)).astype(np.float64)
    sizes = chance.integers(3, 7, n)
    yield "one of 3 to 6 records", np.repeat(1 / sizes, sizes)[:n]
    yield "one of a few records", 1 / chance.geometric(0.3, n)
    yield "5 %, one of 1 to 5 records", np.where(chance.random(n) < 0.05, 1 / chance.integers(1, 6, n), 0.0)
    yield "2 %, one of 3 records", np.where(chance.random(n) < 0.02, 1 / 3, 0.0)
    yield "1 / 3, and 2 % alone", np.where(chance.random(n) < 0.02, 1.0, 1 / 3)


def has_enough_events(chances: Chances, n: int) -> bool:
    """Whether the number of persons in a sample of ``n`` whose chance is not the most frequent one varies enough. Else
    no interval covers at exactly the stated rate: it jumps with every whole number."""
    frequent = float(np.unique(chances, return_counts=True)[1].max() / len(chances))
    return n * frequent * (1 - frequent) * (1 - n / len(chances)) >= LEAST_VARIANCE


def coverage(
    chances: Chances,
    n: int,
    chance: np.random.Generator,
    interval: Callable[[Chances], Interval],
    n_simulations: int = N_SIMULATIONS,
) -> float:
    """Percent of the simulations in which the interval of a sample of ``n`` holds the mean of all."""
    truth, found = float(chances.mean()), 0
    for _ in range(n_simulations):
        low, high = interval(chance.choice(chances, n, replace=False))
        found += low - 1e-12 <= truth <= high + 1e-12
    return 100 * found / n_simulations


def finite(n_population: int) -> Callable[[Chances], Interval]:
    return lambda sample: mean_interval(sample, n_population=n_population)


WEIGHTS = ("equal", "0.5 to 1.5", "log-normal, sigma 0.5", "log-normal, sigma 1", "1, or 10 of a tenth")


def weighted_populations(n: int, share: float, chance: np.random.Generator) -> Iterator[tuple[str, Chances, Chances]]:
    """Chances of 0 and 1, where so many persons are found, and weights: whoever is found, mostly heavy persons, or
    mostly light ones."""
    for name in WEIGHTS:
        weights = _weights(name, n, chance)
        draws = chance.random(n)
        orders = {"any": draws, "heavy": draws / weights, "light": draws * weights}
        for found, order in orders.items():
            if name != "equal" or found == "any":
                chances = np.zeros(n)
                chances[np.argsort(order)[: max(1, round(share * n))]] = 1.0
                yield f"{name}; {found}", chances, weights


def _weights(name: str, n: int, chance: np.random.Generator) -> Chances:
    drawn = {
        "equal": np.ones(n),
        "0.5 to 1.5": chance.uniform(0.5, 1.5, n),
        "log-normal, sigma 0.5": chance.lognormal(0, 0.5, n),
        "log-normal, sigma 1": chance.lognormal(0, 1, n),
        "1, or 10 of a tenth": np.where(chance.random(n) < 0.1, 10.0, 1.0),
    }
    return drawn[name]


def weighted_coverage(
    chances: Chances,
    weights: Chances,
    n: int,
    chance: np.random.Generator,
    interval: Callable[[Chances, Chances, int | None], Interval],
    n_population: int | None,
    n_simulations: int = N_SIMULATIONS,
) -> float:
    """Percent of the simulations in which the interval of a sample of ``n`` holds the weighted mean of all: drawn
    without replacement from ``n_population``, which are all, or with it where that is None."""
    truth, found = float((weights * chances).sum() / weights.sum()), 0
    for _ in range(n_simulations):
        drawn = chance.choice(len(chances), n, replace=n_population is None)
        low, high = interval(chances[drawn], weights[drawn], n_population)
        found += low - 1e-12 <= truth <= high + 1e-12
    return 100 * found / n_simulations
