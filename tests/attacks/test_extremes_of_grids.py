"""The extreme income of a table, from the step of its grid: found where all values make the deviation, lost now."""

from math import floor, log10

import numpy as np
import pyarrow as pa
import pytest

import shoal
from attacks.extremes_of_grids import PARTS, guess
from attacks.rates import Rate
from shoal.policy import load, resolve

N, N_TABLES = 120, 500
CHANCE = 0.15  # a factor of two or three among four powers of ten
POLICY = {
    "columns": {"income": {"role": "quasi_identifier", "kind": "numeric"}, "v": {"role": "other"}},
    "requirements": [{"name": "k_anonymity", "k": 5}],
    "method": {"name": "mondrian"},
}


@pytest.fixture(scope="module")
def tables() -> list[np.ndarray]:
    draw = np.random.default_rng(0)
    found = []
    for _ in range(N_TABLES):
        incomes = np.clip(draw.lognormal(10, 0.5, N), 3000, 200_000).round()
        incomes[draw.integers(N)] = np.round(10 ** draw.uniform(6.5, 10.5))
        found.append(incomes)
    return found


def rate(tables: list[np.ndarray], steps: list[float]) -> Rate:
    hits = [low <= of.max() <= high for of, (low, high) in zip(tables, (guess(one, N) for one in steps), strict=True)]
    return Rate(sum(hits), len(hits))


def part_of_deviation(values: np.ndarray) -> float:
    """As it was: the largest 1, 2 or 5 of a power of ten below a twentieth."""
    wanted = values.std() / PARTS
    power = 10.0 ** floor(log10(wanted))
    return max(digit * power for digit in (1, 2, 5) if digit * power <= wanted)


def test_the_deviation_of_all_values_tells_the_extreme_one(tables: list[np.ndarray]) -> None:
    assert rate(tables, [part_of_deviation(each) for each in tables]).succeeds(0.9)


@pytest.mark.gate
def test_the_step_of_a_grid_does_not(tables: list[np.ndarray]) -> None:
    """It is the same whatever the extreme income is."""
    steps = default_steps(tables)
    assert rate(tables, steps).fails(CHANCE)
    assert default_steps([np.where(each == each.max(), 2 * each, each) for each in tables[:50]]) == steps[:50]


def default_steps(tables: list[np.ndarray]) -> list[float]:
    """Each is a column of its own, and the grid of a column hangs on no other."""
    table = pa.table({f"income {at}": incomes for at, incomes in enumerate(tables)})
    policy = load(POLICY | {"columns": dict.fromkeys(table.column_names, POLICY["columns"]["income"])})
    schema = resolve(policy, table.column_names, lambda names, add: add(table.select(list(names))), lambda name: table)
    return [schema.grids[name].step for name in table.column_names]


def test_an_extreme_value_leaves_the_intervals_as_they_are(tables: list[np.ndarray]) -> None:
    told = shoal.protect(pa.table({"income": tables[0], "v": ["a"] * N}), POLICY).records["income"]
    assert len(set(told.to_pylist())) > 5
