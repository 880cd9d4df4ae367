"""The synthetic census: fictitious persons in households, generated from a seed.

seed -> pa.Table | record batches, with the columns of census_codes.CENSUS_COLUMNS
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.datasets import census_codes, persons
from shoal.datasets.batches import stream
from shoal.datasets.census_households import TOWNS, HouseholdChunk, draw_households
from shoal.datasets.random_draws import CHUNK, Chunk, Flags, Generator, Integers, Reals, draw_flags

CENSUS_DAY = np.datetime64("2025-01-01")
MISSING_EDUCATION = 0.02
MISSING_INCOME = 0.04

_TOWN_REGIONS = np.array([list(census_codes.REGIONS).index(code[:2]) for code in TOWNS])  # (n_towns,)
_REGION_SHARES = np.array([share for _, share, _ in census_codes.REGIONS.values()])
_REGION_RENTS = np.array([rent for _, _, rent in census_codes.REGIONS.values()])

_TYPES: dict[str, pa.DataType] = {
    "age": pa.int64(),
    "moved_in": pa.date32(),
    "hours_per_week": pa.int64(),
    "income": pa.int64(),
    "rent": pa.int64(),
    "weight": pa.float64(),
}
CENSUS_SCHEMA = pa.schema([(name, _TYPES.get(name, pa.string())) for name in census_codes.CENSUS_COLUMNS])


def synthetic_census(n_persons: int = 100_000, seed: int = 0) -> pa.Table:
    """Persons of a fictitious country, with demographic attributes, income and health condition."""
    return pa.Table.from_batches(synthetic_census_batches(n_persons, seed), schema=CENSUS_SCHEMA)


def synthetic_census_batches(
    n_persons: int = 100_000, seed: int = 0, batch_size: int = CHUNK
) -> Iterator[pa.RecordBatch]:
    return stream(n_persons, seed, batch_size, _make)


def _make(rng: Generator, chunk: Chunk) -> pa.RecordBatch:
    people = draw_households(rng, chunk.size)
    region = _TOWN_REGIONS[people.town]
    marital_status = persons.marital_statuses(rng, people)
    education = persons.educations(rng, people)
    occupation = persons.occupations(rng, people, education)
    hours = persons.hours_per_week(rng, people, occupation)
    income = persons.incomes(rng, people, education, occupation, hours)
    columns = {
        "person_id": _ids("P", chunk.start + np.arange(chunk.size)),
        "household_id": _ids("H", chunk.start + people.household),
        "region": _text(tuple(census_codes.CENSUS_REGIONS.values()), region),
        "municipality": _text(tuple(TOWNS), people.town),
        "sex": _text(census_codes.SEXES, people.sex),
        "age": pa.array(people.age),
        "marital_status": _text(census_codes.MARITAL_STATUSES, marital_status),
        "education": _text(
            census_codes.CENSUS_EDUCATION_ORDER, education, _draw_missing(rng, MISSING_EDUCATION, people.age >= 0)
        ),
        "occupation": _text(tuple(census_codes.OCCUPATIONS), occupation),
        "moved_in": pa.array(_moved_in(rng, people)),
        "hours_per_week": pa.array(hours),
        "income": pa.array(income, mask=_draw_missing(rng, MISSING_INCOME, people.age >= persons.EARNING_AGE)),
        "rent": pa.array(_rents(rng, people, region, income)),
        "health_condition": _text(census_codes.HEALTH_CONDITIONS, persons.health_conditions(rng, people)),
        "weight": pa.array(_weights(people, region)),
    }
    return pa.record_batch(columns, schema=CENSUS_SCHEMA)


def _ids(letter: str, numbers: Integers) -> pa.Array[Any]:
    """P000000001, ...: nine digits, so that alphabetical order is table order."""
    digits = pc.utf8_lpad(pa.array(numbers + 1, pa.int64()).cast(pa.string()), width=9, padding="0")
    return pc.utf8_replace_slice(digits, 0, 0, letter)


def _text(values: Sequence[str], codes: Integers, absent: Flags | None = None) -> pa.Array[Any]:
    return pa.array(values).take(pa.array(codes, pa.int64(), mask=absent))


def _draw_missing(rng: Generator, share: float, among: Flags) -> Flags:
    return draw_flags(rng, np.where(among, share, 0.0))


def _moved_in(rng: Generator, people: HouseholdChunk) -> np.ndarray[Any, np.dtype[np.datetime64]]:
    """The date the household moved into its dwelling, not before its reference person was 16."""
    most = people.age[people.firsts] - 16  # (n_households,)
    years = np.minimum(rng.exponential(14.0, len(most)), most * rng.random(len(most)))
    days = np.rint(365.25 * years).astype("timedelta64[D]")
    return (CENSUS_DAY - days)[people.household]


def _rents(rng: Generator, people: HouseholdChunk, region: Integers, income: Integers) -> Integers:
    """Monthly rent of the household, rounded to fifties; 0 for owners, whose share increases with age."""
    firsts = people.firsts
    sizes = np.bincount(people.household)  # (n_households,)
    monthly = np.add.reduceat(income, firsts) / 12
    usual = _REGION_RENTS[region[firsts]] * (260 + 130 * sizes) + 0.09 * monthly
    rent = np.rint(usual * rng.lognormal(0.0, 0.2, len(firsts)) / 50).astype(np.int64) * 50
    is_owner = draw_flags(rng, np.interp(people.age[firsts], (22, 40, 65), (0.05, 0.45, 0.70)))
    return np.where(is_owner, 0, rent)[people.household]


def _weights(people: HouseholdChunk, region: Integers) -> Reals:
    """Sampling weight of the household's stratum: small regions and large households are oversampled."""
    sizes = np.minimum(np.bincount(people.household), 5)  # (n_households,)
    weights: Reals = np.round((10 + 60 * np.sqrt(_REGION_SHARES[region[people.firsts]])) * (1.1 - 0.05 * sizes), 4)
    return weights[people.household]
