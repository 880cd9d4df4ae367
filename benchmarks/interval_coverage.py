"""How often 95 % intervals hold the truth, as a table in Markdown: 1,000 samples without replacement for every cell.

    python benchmarks/interval_coverage.py

The interval of Shoal (`shoal.confidence.mean_interval`) is beside Wilson's, which takes every chance for 0 or 1 and the
population for endless. A star: the number of persons in a sample whose chance is not that of most varies so little that
no interval covers at exactly the stated rate; that of Shoal covers more often.

The second table is of weighted persons of whom few are found, in samples of 1,000. Beside it is Wilson's interval for
Kish's effective number of persons.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from reference.interval_coverage import (
    Chances,
    Interval,
    coverage,
    finite,
    has_enough_events,
    populations,
    weighted_coverage,
    weighted_populations,
)
from shoal.confidence import effective_number, mean_interval, wilson

SIZES = ((100, 1000), (500, 1000), (900, 1000), (1000, 10_000), (5000, 10_000), (2000, 100_000))
N_HITS = (0.5, 2, 10, 50)  # expected in a sample
N_DRAWN = 1000
POPULATIONS = (None, 2000, 20_000)


def main() -> None:
    chances_shared()
    few_hits()


def few_hits() -> None:
    print("\n| weights; found | of | hits | covered % | Wilson, Kish % |\n|---|--:|--:|--:|--:|")
    chance = np.random.default_rng(23)
    for n_population in POPULATIONS:
        for n_hits in N_HITS:
            for name, chances, weights in weighted_populations(n_population or 20_000, n_hits / N_DRAWN, chance):
                found = [
                    weighted_coverage(chances, weights, N_DRAWN, chance, interval, n_population)
                    for interval in (mean_interval, _wilson_of_weighted)
                ]
                shares = " | ".join(f"{each:.1f}" for each in found)
                print(f"| {name} | {n_population or 'endless'} | {n_hits:g} | {shares} |", flush=True)


def _wilson_of_weighted(chances: Chances, weights: Chances, _: int | None) -> Interval:
    return wilson(float((weights * chances).sum() / weights.sum()), effective_number(weights))


def chances_shared() -> None:
    print("| chances | sample | of | covered % | Wilson % |\n|---|--:|--:|--:|--:|")
    chance = np.random.default_rng(17)
    for n, n_population in SIZES:
        for name, chances in populations(n_population, chance):
            found = [
                coverage(chances, n, chance, interval)
                for interval in (finite(n_population), lambda sample: wilson(float(sample.mean()), len(sample)))
            ]
            star = "" if has_enough_events(chances, n) else " *"
            shares = " | ".join(f"{each:.1f}" for each in found)
            print(f"| {name}{star} | {n:,} | {n_population:,} | {shares} |")


if __name__ == "__main__":
    main()
