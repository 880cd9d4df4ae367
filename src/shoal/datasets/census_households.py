"""Households of the synthetic census: composition, ages, sexes and municipality.

rng, number of persons -> Households
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.datasets import census_codes
from shoal.datasets.random_draws import Flags, Generator, Integers, Reals, draw_flags

ALONE, COUPLE, FAMILY, SINGLE_PARENT, SHARED_FLAT = range(5)
FORM_SHARES = (0.31, 0.27, 0.27, 0.08, 0.07)
N_ADULTS = np.array([1, 2, 2, 1, 2])  # minimum; shared flats may have more
N_CHILDREN_SHARES = (0.42, 0.39, 0.14, 0.05)  # of one to four children, in households with children
N_FLATMATES_SHARES = (0.55, 0.30, 0.15)  # of zero to two flatmates beyond the first two

# Age of the reference person by household form: minimum, quartiles, maximum.
REFERENCE_AGES: Integers = np.array(
    [
        (18, 31, 52, 72, 101),
        (19, 36, 60, 70, 98),
        (21, 35, 41, 47, 61),
        (20, 33, 40, 46, 61),
        (18, 21, 24, 29, 70),
    ]
)
ADULT_AGE = 18
OLDEST_CHILD = 24  # older children have moved out

TOWNS = census_codes.municipalities()
FEMALE, MALE = range(2)


@dataclass(frozen=True)
class HouseholdChunk:
    """The persons of one chunk, household by household; every array has one entry per person."""

    household: Integers  # 0, 1, ... within the chunk
    age: Integers
    sex: Integers  # index into census_codes.SEXES
    town: Integers  # index into census_codes.municipalities()
    is_couple: Flags  # the two partners of a couple
    is_child: Flags  # of a parent in the same household
    is_reference: Flags  # the first of the household, always an adult

    @property
    def firsts(self) -> Integers:
        """(n_households,) index of the first person of each household."""
        return np.flatnonzero(self.is_reference)


def draw_households(rng: Generator, n_persons: int) -> HouseholdChunk:
    form, n_adults, sizes = _compositions(rng, n_persons)
    household = np.repeat(np.arange(len(form)), sizes)  # (n_persons,)
    place = np.arange(n_persons) - np.repeat(np.cumsum(sizes) - sizes, sizes)  # 0, 1, ... in the household
    is_child = place >= n_adults[household]
    is_couple = ~is_child & np.isin(form, (COUPLE, FAMILY))[household]
    is_reference = place == 0

    reference_age = _reference_ages(rng, form)  # (n_households,)
    reference_sex = _reference_sexes(rng, form, reference_age)  # (n_households,)
    sex = _sexes(rng, reference_sex[household], is_reference, is_couple)
    age = _adult_ages(rng, reference_age[household], sex, is_reference, is_couple)
    parent_age = np.where(is_child, 200, age)  # 200: never the younger of the two
    age = np.where(is_child, _child_ages(rng, parent_age, is_reference), age)
    town = rng.choice(len(TOWNS), size=len(form), p=list(TOWNS.values()))  # (n_households,)
    return HouseholdChunk(household, age, sex, town[household], is_couple, is_child, is_reference)


def _compositions(rng: Generator, n_persons: int) -> tuple[Integers, Integers, Integers]:
    """Form, number of adults and size of the households, which hold exactly ``n_persons`` in total."""
    form = rng.choice(5, size=n_persons, p=FORM_SHARES)  # one per person: more than needed
    n_more = rng.choice(3, size=n_persons, p=N_FLATMATES_SHARES)
    n_children = 1 + rng.choice(4, size=n_persons, p=N_CHILDREN_SHARES)
    n_adults = N_ADULTS[form] + np.where(form == SHARED_FLAT, n_more, 0)
    sizes = n_adults + np.where((form == FAMILY) | (form == SINGLE_PARENT), n_children, 0)

    n_whole = np.searchsorted(np.cumsum(sizes), n_persons, side="right")
    n_left = n_persons - sizes[:n_whole].sum()
    # The remaining persons live alone, so that no household spans two chunks.
    form = np.append(form[:n_whole], np.full(n_left, ALONE))
    ones = np.ones(n_left, dtype=np.int64)
    return form, np.append(n_adults[:n_whole], ones), np.append(sizes[:n_whole], ones)


def _reference_ages(rng: Generator, form: Integers) -> Integers:
    """Piecewise uniform between the quartiles of the household form."""
    quarters = 4 * rng.random(len(form))
    quarter = quarters.astype(np.int64)
    low, high = REFERENCE_AGES[form, quarter], REFERENCE_AGES[form, quarter + 1]
    return (low + (quarters - quarter) * (high - low)).astype(np.int64)


def _reference_sexes(rng: Generator, form: Integers, age: Integers) -> Integers:
    """Women are the majority of old persons living alone and of single parents."""
    alone = np.interp(age, (18, 60, 100), (0.44, 0.5, 0.8))
    is_woman = np.select([form == ALONE, form == SINGLE_PARENT], [alone, np.full(len(form), 0.82)], 0.5)
    return np.where(draw_flags(rng, is_woman), FEMALE, MALE)


def _sexes(rng: Generator, reference_sex: Integers, is_reference: Flags, is_couple: Flags) -> Integers:
    """97 % of couples are of different sexes; flatmates and children are of either sex."""
    anyone = rng.integers(2, size=len(reference_sex))
    is_other = draw_flags(rng, np.full(len(reference_sex), 0.97))
    partner = np.where(is_other, 1 - reference_sex, reference_sex)
    return np.select([is_reference, is_couple], [reference_sex, partner], anyone)


def _adult_ages(
    rng: Generator, reference_age: Integers, sex: Integers, is_reference: Flags, is_couple: Flags
) -> Integers:
    """Partners and flatmates are of similar age to the reference person, male partners slightly older than female."""
    older = np.where(is_couple, np.where(sex == MALE, 2, -2), 0)
    gap: Reals = rng.normal(older, 4.0)
    near = np.clip(np.rint(reference_age + gap), ADULT_AGE, 100).astype(np.int64)
    return np.where(is_reference, reference_age, near)


def _child_ages(rng: Generator, parent_age: Integers, is_reference: Flags) -> Integers:
    """Ages of children born when the younger parent was 18 to 45, at most 24."""
    youngest: Integers = np.minimum.reduceat(parent_age, np.flatnonzero(is_reference))  # (n_households,)
    younger = youngest[np.cumsum(is_reference) - 1]  # (n_persons,)
    low = np.clip(younger - 45, 0, OLDEST_CHILD)
    high = np.clip(younger - ADULT_AGE, 0, OLDEST_CHILD)
    ages: Integers = rng.integers(low, high, endpoint=True)
    return ages
