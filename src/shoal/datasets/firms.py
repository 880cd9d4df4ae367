"""A business survey of fictitious firms: industry, region, employees and amounts, with the heavy tails of real firms.

seed -> pa.Table | record batches

Few firms are large and hold most of the turnover: employees follow a Pareto law, and turnover, wages and investment are
log-normal around them, at the level of the industry.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from shoal.datasets.batches import stream
from shoal.datasets.random_draws import CHUNK, Chunk, Generator, Integers, Reals

# NACE Rev. 2 divisions: share of the firms, log of turnover per employee, wages per employee
DIVISIONS: dict[str, tuple[float, float, float]] = {
    "10": (0.07, 12.0, 28_000),
    "25": (0.08, 11.8, 36_000),
    "28": (0.05, 12.1, 44_000),
    "41": (0.06, 11.9, 34_000),
    "43": (0.15, 11.5, 32_000),
    "46": (0.11, 12.9, 40_000),
    "47": (0.20, 12.0, 24_000),
    "49": (0.06, 11.6, 30_000),
    "56": (0.10, 10.9, 18_000),
    "62": (0.06, 11.7, 55_000),
    "86": (0.06, 11.3, 42_000),
}
REGIONS = {
    "AT11": 0.04,
    "AT12": 0.18,
    "AT13": 0.24,
    "AT21": 0.07,
    "AT22": 0.14,
    "AT31": 0.17,
    "AT32": 0.08,
    "AT33": 0.08,
}
LEGAL_FORMS = {"sole proprietor": 0.42, "partnership": 0.14, "limited company": 0.41, "public company": 0.03}
TAIL = 1.1  # of the Pareto law of employees
MOST_EMPLOYEES = 20_000

_TYPES: dict[str, pa.DataType] = {
    "firm_id": pa.string(),
    "nace": pa.string(),
    "region": pa.string(),
    "legal_form": pa.string(),
    "employees": pa.int64(),
    "turnover": pa.int64(),
    "wages": pa.int64(),
    "investment": pa.int64(),
}
FIRMS_SCHEMA = pa.schema(list(_TYPES.items()))


def business_survey(n_firms: int = 2_000, seed: int = 0) -> pa.Table:
    """Firms with NACE division, NUTS region, legal form, employees, turnover, wages and investment."""
    return pa.Table.from_batches(business_survey_batches(n_firms, seed), schema=FIRMS_SCHEMA)


def business_survey_batches(n_firms: int = 2_000, seed: int = 0, batch_size: int = CHUNK) -> Iterator[pa.RecordBatch]:
    return stream(n_firms, seed, batch_size, _make)


def _make(rng: Generator, chunk: Chunk) -> pa.RecordBatch:
    division = rng.choice(len(DIVISIONS), size=chunk.size, p=[share for share, _, _ in DIVISIONS.values()])
    _, per_employee, pay = np.array(list(DIVISIONS.values()))[division].T
    employees = np.minimum(np.floor(1 + rng.pareto(TAIL, chunk.size)), MOST_EMPLOYEES).astype(np.int64)
    turnover = np.exp(rng.normal(per_employee, 0.7)) * employees
    wages = np.exp(rng.normal(np.log(pay), 0.25)) * employees
    is_investing = rng.random(chunk.size) < np.minimum(0.3 + 0.1 * np.log(employees), 0.95)
    investment = np.where(is_investing, turnover * np.exp(rng.normal(-3.5, 1.0, chunk.size)), 0.0)
    columns = [
        pa.array([f"F{number:06}" for number in range(chunk.start + 1, chunk.start + 1 + chunk.size)]),
        pa.array(np.array(list(DIVISIONS))[division]),
        pa.array(_drawn(rng, REGIONS, chunk.size)),
        pa.array(_drawn(rng, LEGAL_FORMS, chunk.size)),
        pa.array(employees),
        *(pa.array(_in_thousands(amount)) for amount in (turnover, wages, investment)),
    ]
    return pa.record_batch([c.cast(t) for c, t in zip(columns, _TYPES.values(), strict=True)], schema=FIRMS_SCHEMA)


def _drawn(rng: Generator, shares: dict[str, float], n: int) -> list[str]:
    names: list[str] = rng.choice(list(shares), size=n, p=list(shares.values())).tolist()
    return names


def _in_thousands(amounts: Reals) -> Integers:
    """Amounts as firms report them: in whole thousands."""
    return np.rint(amounts / 1000).astype(np.int64)
