"""How often 95 % intervals hold the truth, as a table in Markdown: 1,000 samples without replacement for every cell.

    python benchmarks/interval_coverage.py

The interval of Shoal (`shoal.confidence.mean_interval`) is beside Wilson's, which takes every chance for 0 or 1 and the
population for endless. A star: the number of persons in a sample whose chance is not that of most varies so little that
no interval covers at exactly the stated rate.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from reference.interval_coverage import coverage, finite, has_enough_events, populations
from shoal.confidence import wilson

SIZES = ((100, 1000), (500, 1000), (900, 1000), (1000, 10_000), (5000, 10_000), (2000, 100_000))


def main() -> None:
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
