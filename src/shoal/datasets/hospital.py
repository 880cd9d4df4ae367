"""Stays of fictitious patients in one hospital in one year: birth date, sex, postal code, diagnosis, length of stay.

seed -> pa.Table | record batches

Every fourth stay is a further one of the patient before it. Newborns and old people are frequent, most patients live
near the hospital and a few come from anywhere; the diagnosis depends on age and sex, ward and length of stay on the
diagnosis.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from shoal.datasets.batches import stream
from shoal.datasets.icd_codes import DIAGNOSES
from shoal.datasets.random_draws import CHUNK, Chunk, Generator, Integers, Reals, draw_codes, draw_flags

YEAR = 2023  # of all admissions
FURTHER_STAY = 0.25  # probability that a stay is of the same patient as the one before
AGES = (0, 1, 6, 18, 30, 45, 60, 70, 80, 90, 101)  # bounds of age classes
AGE_SHARES = (0.05, 0.025, 0.035, 0.07, 0.10, 0.14, 0.16, 0.20, 0.18, 0.04)
WOMEN = 0.52
NEAR = (("041", 0.34), ("042", 0.26), ("043", 0.20), ("064", 0.07), ("092", 0.06), ("017", 0.05))
FAR = 0.02  # share of patients from anywhere else
FOURTH_CHARACTERS = (0.40, 0.22, 0.14, 0.09, 0.06, 0.03, 0.02, 0.01, 0.02, 0.01)  # of 0 to 9
DISCHARGES = ("home", "transfer", "care home", "died")

_TYPES: dict[str, pa.DataType] = {
    "patient_id": pa.string(),
    "birth_date": pa.date32(),
    "sex": pa.string(),
    "postal_code": pa.string(),
    "admission_date": pa.date32(),
    "icd10": pa.string(),
    "length_of_stay": pa.int64(),
    "ward": pa.string(),
    "discharge": pa.string(),
}
HOSPITAL_SCHEMA = pa.schema(list(_TYPES.items()))


def hospital_stays(n_stays: int = 5_000, seed: int = 0) -> pa.Table:
    """Stays with the number, birth date, sex and postal code of the patient, diagnosis, dates and ward."""
    return pa.Table.from_batches(hospital_stays_batches(n_stays, seed), schema=HOSPITAL_SCHEMA)


def hospital_stays_batches(n_stays: int = 5_000, seed: int = 0, batch_size: int = CHUNK) -> Iterator[pa.RecordBatch]:
    return stream(n_stays, seed, batch_size, _make)


def _make(rng: Generator, chunk: Chunk) -> pa.RecordBatch:
    is_further = draw_flags(rng, np.full(chunk.size, FURTHER_STAY))
    is_further[0] = False
    patient = np.cumsum(~is_further) - 1
    n_patients = int(patient[-1]) + 1
    admission = int(np.datetime64(f"{YEAR}-01-01").astype(np.int64)) + rng.integers(365, size=chunk.size)
    ages, is_woman = _ages(rng, n_patients), draw_flags(rng, np.full(n_patients, WOMEN))
    first = np.full(n_patients, np.iinfo(np.int64).max)
    np.minimum.at(first, patient, admission)
    born = first - np.floor(ages * 365.25).astype(np.int64)
    diagnosis = _diagnoses(rng, ages[patient], is_woman[patient])
    days = np.array([each.days for each in DIAGNOSES])[diagnosis]
    discharge = draw_codes(rng, _discharge_shares(), np.digitize(ages[patient], (60, 80)))
    columns = [
        pa.array([f"P{number:07}" for number in (chunk.start + 1 + patient).tolist()]),
        pa.array(born[patient].astype("datetime64[D]"), pa.date32()),
        pa.array(np.where(is_woman, "female", "male")[patient]),
        pa.array(_postal_codes(rng, n_patients)[patient]),
        pa.array(admission.astype("datetime64[D]"), pa.date32()),
        pa.array(_codes(rng, diagnosis)),
        pa.array(1 + np.floor(rng.gamma(2.0, days / 2.0)).astype(np.int64)),
        pa.array([DIAGNOSES[at].ward for at in diagnosis.tolist()]),
        pa.array(np.array(DISCHARGES)[discharge]),
    ]
    return pa.record_batch([c.cast(t) for c, t in zip(columns, _TYPES.values(), strict=True)], schema=HOSPITAL_SCHEMA)


def _ages(rng: Generator, n: int) -> Reals:
    """(n,) Ages in years on the day of admission; newborns are a few days old."""
    lows, highs = np.array(AGES[:-1]), np.array(AGES[1:])
    age_class = rng.choice(len(lows), n, p=AGE_SHARES)
    ages: Reals = lows[age_class] + rng.random(n) * (highs - lows)[age_class]
    return np.where(age_class == 0, ages / 50, ages)


def _diagnoses(rng: Generator, ages: Reals, is_woman: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Integers:
    """(n,) The diagnosis of each stay, by its share among those of the age and sex."""
    years = np.floor(ages).astype(np.int64)
    table = np.array([_shares(age, woman) for age in range(106) for woman in (False, True)])
    return draw_codes(rng, table, 2 * years + is_woman)


def _shares(age: int, woman: bool) -> list[float]:
    found = [
        each.share if each.youngest <= age <= each.oldest and (woman or not each.women_only) else 0.0
        for each in DIAGNOSES
    ]
    return [share / sum(found) for share in found]


def _codes(rng: Generator, diagnosis: Integers) -> list[str]:
    """Codes of four characters, such as I50.1."""
    fourth = rng.choice(len(FOURTH_CHARACTERS), len(diagnosis), p=FOURTH_CHARACTERS)
    return [f"{DIAGNOSES[at].code}.{digit}" for at, digit in zip(diagnosis.tolist(), fourth.tolist(), strict=True)]


def _postal_codes(rng: Generator, n: int) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
    """(n,) Codes of five digits: most of the neighborhood, a few of anywhere."""
    shares = np.array([*(share for _, share in NEAR), FAR])
    region = rng.choice(len(shares), n, p=shares / shares.sum())
    near, far = rng.integers(5, 60, size=n), rng.integers(10_000, 99_999, size=n)
    codes = [
        f"{NEAR[at][0]}{place:02}" if at < len(NEAR) else f"{anywhere}"
        for at, place, anywhere in zip(region.tolist(), near.tolist(), far.tolist(), strict=True)
    ]
    return np.array(codes)


def _discharge_shares() -> list[list[float]]:
    """Shares of the discharges below 60, below 80 and from 80 years on."""
    return [[0.95, 0.04, 0.005, 0.005], [0.87, 0.07, 0.03, 0.03], [0.70, 0.08, 0.15, 0.07]]
