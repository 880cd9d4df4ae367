"""Attributes of the persons of the synthetic census, drawn given age, sex and household.

rng, Households -> one array per column (codes of the codebook, or numbers)
"""

from __future__ import annotations

import numpy as np

from shoal.datasets.census_codes import OCCUPATIONS
from shoal.datasets.census_households import ADULT_AGE, FEMALE, HouseholdChunk
from shoal.datasets.random_draws import Flags, Generator, Integers, Reals, draw_codes, draw_flags

NEVER_MARRIED, MARRIED = range(2)
UPPER_SECONDARY = 3
EARNING_AGE = 16
N_JOBS = sum(parents[-1] == "at work" for parents in OCCUPATIONS.values())
PRESCHOOL, STUDENT, NOT_EMPLOYED, RETIRED = range(N_JOBS, N_JOBS + 4)

MARITAL_AGES = (ADULT_AGE, 35, 55, 75)
MARITAL_SHARES = (  # of persons without a spouse; rows: age below 18, from 18, 35, 55, 75
    (1.00, 0.00, 0.00, 0.00, 0.00),
    (0.93, 0.00, 0.03, 0.04, 0.00),
    (0.52, 0.00, 0.10, 0.36, 0.02),
    (0.25, 0.00, 0.07, 0.45, 0.23),
    (0.10, 0.00, 0.02, 0.15, 0.73),
)
EDUCATION_AGES = (
    11,
    15,
    18,
    22,
    24,
)  # minimum ages of the second, third, ... level of education
EDUCATION_CUTS = (-2.6, -1.6, -0.7, 0.45, 1.2)  # thresholds of a latent normal variable
NOT_EMPLOYED_SHARES = np.array([0.34, 0.28, 0.20, 0.12, 0.08, 0.06])  # by education
JOB_SHARES = (  # rows: education; columns: occupations at work
    (0.01, 0.00, 0.02, 0.03, 0.24, 0.14, 0.20, 0.36),
    (0.02, 0.01, 0.03, 0.05, 0.27, 0.18, 0.20, 0.24),
    (0.03, 0.02, 0.07, 0.10, 0.28, 0.20, 0.16, 0.14),
    (0.06, 0.06, 0.17, 0.20, 0.22, 0.16, 0.08, 0.05),
    (0.14, 0.36, 0.21, 0.14, 0.09, 0.03, 0.02, 0.01),
    (0.21, 0.58, 0.11, 0.05, 0.03, 0.01, 0.01, 0.00),
)
JOB_PAY = np.array([0.65, 0.45, 0.25, 0.05, -0.10, 0.05, 0.00, -0.20])  # log pay relative to the average
HEALTH_AGES = (18, 40, 65)
HEALTH_SHARES = (  # rows: age below 18, from 18, 40, 65; columns: census_codes.HEALTH_CONDITIONS
    (0.860, 0.095, 0.010, 0.002, 0.020, 0.008, 0.003, 0.002),
    (0.730, 0.060, 0.080, 0.005, 0.080, 0.015, 0.005, 0.025),
    (0.510, 0.045, 0.130, 0.025, 0.075, 0.065, 0.030, 0.120),
    (0.260, 0.035, 0.120, 0.065, 0.045, 0.130, 0.125, 0.220),
)


def marital_statuses(rng: Generator, people: HouseholdChunk) -> Integers:
    """Either both partners of a couple are married or neither is; children in the household are never married."""
    reference_age = people.age[people.firsts]  # (n_households,)
    chance_of_marriage = np.interp(reference_age, (20, 30, 45, 70), (0.15, 0.60, 0.80, 0.93))
    is_wedded = people.is_couple & draw_flags(rng, chance_of_marriage)[people.household]
    band = np.searchsorted(MARITAL_AGES, people.age, side="right")  # (n_persons,)
    unwedded = np.where(people.is_child, NEVER_MARRIED, draw_codes(rng, MARITAL_SHARES, band))
    return np.where(is_wedded, MARRIED, unwedded)


def educations(rng: Generator, people: HouseholdChunk) -> Integers:
    """Younger persons have more education, members of a household are correlated, and age limits the level."""
    shared = rng.normal(size=len(people.firsts))[people.household]
    inclination = 0.6 * shared + 0.8 * rng.normal(size=len(people.age)) + (45 - people.age) / 60
    final = np.searchsorted(EDUCATION_CUTS, inclination)
    so_far = np.searchsorted(EDUCATION_AGES, people.age, side="right")
    return np.minimum(final, so_far)


def occupations(rng: Generator, people: HouseholdChunk, education: Integers) -> Integers:
    age = people.age
    is_student = draw_flags(rng, np.interp(age, (17, 18, 21, 25, 29), (1.0, 0.8, 0.5, 0.2, 0.0)))
    is_student &= (age < 20) | (education >= UPPER_SECONDARY)
    is_retired = draw_flags(rng, np.interp(age, (54, 60, 65, 68, 75), (0.0, 0.15, 0.6, 0.95, 1.0)))
    is_not_employed = draw_flags(rng, NOT_EMPLOYED_SHARES[education])
    job = draw_codes(rng, JOB_SHARES, education)
    return np.select(
        [age < 6, is_student, is_retired, is_not_employed], [PRESCHOOL, STUDENT, RETIRED, NOT_EMPLOYED], job
    )


def hours_per_week(rng: Generator, people: HouseholdChunk, occupation: Integers) -> Integers:
    """Full time around 40 hours or part time of 12 to 30; 0 for persons not at work."""
    is_part_time = draw_flags(rng, np.where(people.sex == FEMALE, 0.36, 0.12))
    part = rng.integers(12, 30, size=len(people.age), endpoint=True)
    full = np.clip(np.rint(rng.normal(40.0, 4.0, len(people.age))), 32, 65).astype(np.int64)
    return np.where(is_at_work(occupation), np.where(is_part_time, part, full), 0)


def incomes(
    rng: Generator, people: HouseholdChunk, education: Integers, occupation: Integers, hours: Integers
) -> Integers:
    """Annual income: log-normal pay, pension or allowance, rounded to tens; 0 below the age of 16."""
    at_work = is_at_work(occupation)
    pay = 10.35 + JOB_PAY[np.where(at_work, occupation, 0)] + 0.06 * education
    pay += _seniority(people.age) + 0.9 * np.log(np.maximum(hours, 1) / 40)
    pension = 9.75 + 0.13 * education
    level = np.select([at_work, occupation == RETIRED, occupation == STUDENT], [pay, pension, 8.3], 8.9)
    spread = np.where(at_work, 0.38, 0.45)
    income = np.rint(np.exp(rng.normal(level, spread)) / 10).astype(np.int64) * 10
    return np.where(people.age < EARNING_AGE, 0, income)


def _seniority(age: Integers) -> Reals:
    """Effect of age on log pay: rises until 50, then falls slightly."""
    return np.interp(age, (16, 25, 35, 50, 65), (-0.6, -0.25, 0.0, 0.15, 0.05))


def health_conditions(rng: Generator, people: HouseholdChunk) -> Integers:
    return draw_codes(rng, HEALTH_SHARES, np.searchsorted(HEALTH_AGES, people.age, side="right"))


def is_at_work(occupation: Integers) -> Flags:
    return occupation < N_JOBS
