"""The household survey: fictitious households with all their members, as statistical offices collect them.

seed -> pa.Table | record batches, with the columns of SURVEY_SCHEMA

Persons are drawn as those of the synthetic census. One household in 100 is a large one, of two families: sizes of seven
members and more are rare.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa

from shoal.datasets import census_codes, persons
from shoal.datasets.batches import stream
from shoal.datasets.census_households import HouseholdChunk, draw_households
from shoal.datasets.random_draws import CHUNK, Chunk, Flags, Generator, Integers

ONE_IN = 100  # households, of which one shares its dwelling with the next
RELATIONS = ("reference person", "partner", "child", "other member")
ACTIVITIES = ("employed", "below school age", "in education", "not employed", "retired")
SURVEY_COLUMNS = ("hid", "pid", "region", "relation", "sex", "age", "activity", "education", "income")
NUMBERS = ("hid", "pid", "age", "income")
SURVEY_SCHEMA = pa.schema([(name, pa.int64() if name in NUMBERS else pa.string()) for name in SURVEY_COLUMNS])


def household_survey(n_persons: int = 15_000, seed: int = 0) -> pa.Table:
    """Households of a fictitious country: number, person number within the household, and what the members said."""
    return pa.Table.from_batches(household_survey_batches(n_persons, seed), schema=SURVEY_SCHEMA)


def household_survey_batches(
    n_persons: int = 15_000, seed: int = 0, batch_size: int = CHUNK
) -> Iterator[pa.RecordBatch]:
    return stream(n_persons, seed, batch_size, _make)


def _make(rng: Generator, chunk: Chunk) -> pa.RecordBatch:
    people = _with_large_households(draw_households(rng, chunk.size))
    education = persons.educations(rng, people)
    occupation = persons.occupations(rng, people, education)
    hours = persons.hours_per_week(rng, people, occupation)
    region = rng.integers(len(census_codes.REGIONS), size=len(people.firsts))[people.household]
    activity = np.maximum(occupation - persons.N_JOBS + 1, 0)  # all who are at work are employed
    columns = {
        "hid": pa.array(1 + chunk.start + people.household),
        "pid": pa.array(1 + _places(people)),
        "region": _words(tuple(census_codes.CENSUS_REGIONS.values()), region),
        "relation": _words(RELATIONS, _relations(people)),
        "sex": _words(census_codes.SEXES, people.sex),
        "age": pa.array(people.age),
        "activity": _words(ACTIVITIES, activity),
        "education": _words(census_codes.CENSUS_EDUCATION_ORDER, education),
        "income": pa.array(persons.incomes(rng, people, education, occupation, hours)),
    }
    return pa.record_batch(columns, schema=SURVEY_SCHEMA)


def _with_large_households(people: HouseholdChunk) -> HouseholdChunk:
    """The same persons, with every ``ONE_IN``-th household joined to the one before."""
    is_joined = people.is_reference & (people.household % ONE_IN == ONE_IN - 1)
    is_reference = people.is_reference & ~is_joined
    return replace(people, household=np.cumsum(is_reference) - 1, is_reference=is_reference)


def _places(people: HouseholdChunk) -> Integers:
    """(n_persons,) 0, 1, ... within the household."""
    return np.arange(len(people.age)) - people.firsts[people.household]


def _relations(people: HouseholdChunk) -> Integers:
    """(n_persons,) The relation of each person to the reference person."""
    partner: Flags = people.is_couple & ~people.is_reference
    return np.select([people.is_reference, partner, people.is_child], [0, 1, 2], 3)


def _words(values: tuple[str, ...], codes: Integers) -> pa.Array[pa.StringScalar]:
    return pa.array(values).take(pa.array(codes, pa.int64()))
