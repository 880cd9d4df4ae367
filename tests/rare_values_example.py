"""A table whose values are all frequent but for a few: what a page that leaves the house must not show."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

N, K = 300, 5


def table() -> pa.Table:
    """Frequent values but for: one town, one income, one day of birth, and one woman in Genf."""
    chance = np.random.default_rng(0)
    towns = chance.choice(["Basel", "Bern"], N).astype(object)
    sexes = chance.choice(["female", "male"], N).astype(object)
    towns[:40], sexes[:39], sexes[39] = "Genf", "male", "female"
    towns[50] = "Oberzwyl"
    days = np.array(["1950-03-01", "1961-07-15", "1972-11-30", "1983-02-14"], dtype="datetime64[D]")
    born = days[chance.integers(0, 4, N)]
    born[7] = np.datetime64("1913-05-09")
    incomes = chance.integers(20, 60, N) * 1000
    incomes[8] = 987_654
    return pa.table(
        {
            "zq_ward_nr": [f"W{at:04}" for at in range(N)],
            "age": chance.integers(20, 60, N),
            "town": towns.tolist(),
            "sex": sexes.tolist(),
            "born": pa.array(born),
            "income": incomes,
            "illness": chance.choice(["flu", "gout", "cold"], N).tolist(),
        }
    )
