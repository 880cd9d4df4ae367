"""Whom attacks are tried on, each table with the roles of its columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from shoal import datasets

Roles = dict[str, dict[str, Any]]

NUMBER = {"role": "quasi_identifier", "kind": "numeric"}
NAME = {"role": "quasi_identifier"}

ADULT: Roles = {
    "age": NUMBER,
    "workclass": {"role": "other"},
    "education": NAME,
    "marital-status": NAME,
    "occupation": {"role": "sensitive"},
    "race": NAME,
    "sex": NAME,
    "native-country": {"role": "other"},
    "salary-class": {"role": "other"},
}
DIAGNOSES = ("asthma", "diabetes", "hypertension", "depression", "fracture", "HIV", "cancer")
DIAGNOSIS_SHARES = (0.2, 0.2, 0.25, 0.15, 0.12, 0.03, 0.05)
HOSPITAL: Roles = {
    "patient": {"role": "identifier"},
    "age": NUMBER,
    "sex": NAME,
    "district": NAME,
    "admitted": {"role": "quasi_identifier", "kind": "date"},
    "days": {"role": "other", "kind": "numeric"},
    "cost": {"role": "quasi_identifier", "kind": "numeric"},
    "diagnosis": {"role": "sensitive"},
}
SURVEY: Roles = {
    "person_id": {"role": "identifier"},
    "household_id": {"role": "household"},
    "region": {"role": "other"},
    "municipality": NAME,
    "sex": NAME,
    "age": NUMBER,
    "marital_status": {"role": "other"},
    "education": {"role": "quasi_identifier", "kind": "ordinal", "order": list(datasets.CENSUS_EDUCATION_ORDER)},
    "occupation": {"role": "other"},
    "moved_in": {"role": "identifier"},
    "hours_per_week": {"role": "other", "kind": "numeric"},
    "income": {"role": "sensitive", "kind": "numeric"},
    "rent": {"role": "other", "kind": "numeric"},
    "health_condition": {"role": "sensitive"},
    "weight": {"role": "weight", "kind": "numeric"},
}


def adult(n: int) -> pa.Table:
    """Some of Adult, drawn at random. The reference sets must be here: ask for the fixture ``reference_data``."""
    table = datasets.adult()
    return table.take(np.sort(np.random.default_rng(1).choice(len(table), n, replace=False)))


def census() -> pa.Table:
    return datasets.census()


def census_roles(table: pa.Table) -> Roles:
    """An intruder knows six of its numbers; the rest is sensitive or of no interest."""
    names = table.column_names
    return {name: NUMBER if at < 6 else {"role": "other", "kind": "numeric"} for at, name in enumerate(names)}


def survey(n: int, seed: int = 0) -> pa.Table:
    """Persons in households, with weights."""
    return datasets.synthetic_census(n, seed=seed)


def hospital(n_patients: int, seed: int = 0) -> pa.Table:
    """Stays: a patient has one to five of them, with the same age, sex and district, and mostly one diagnosis."""
    draw = np.random.default_rng(seed)
    n_stays = draw.choice([1, 2, 3, 4, 5], n_patients, p=[0.6, 0.2, 0.1, 0.06, 0.04])
    patient = np.repeat(np.arange(n_patients), n_stays)
    n = len(patient)
    usual = draw.choice(len(DIAGNOSES), n_patients, p=DIAGNOSIS_SHARES)[patient]
    other = draw.choice(len(DIAGNOSES), n, p=DIAGNOSIS_SHARES)
    days = draw.geometric(0.2, n)
    admitted = np.datetime64("2023-01-01") + draw.integers(0, 730, n)
    return pa.table(
        {
            "patient": [f"P{number:06}" for number in patient],
            "age": np.clip(draw.normal(58, 19, n_patients), 0, 101).astype(int)[patient],
            "sex": draw.choice(["f", "m"], n_patients)[patient],
            "district": draw.choice([f"D{number:02}" for number in range(12)], n_patients)[patient],
            "admitted": pa.array(admitted.astype("datetime64[D]")),
            "days": days,
            "cost": np.round(draw.lognormal(7.5, 0.8, n) + 300 * days, 2),
            "diagnosis": [DIAGNOSES[code] for code in np.where(draw.random(n) < 0.8, usual, other)],
        }
    )
