"""Assess a file that was protected without Shoal: which persons are found, and what was lost."""

import numpy as np
import pyarrow as pa

import shoal

people = shoal.datasets.synthetic_census(1_000, seed=6).select(["age", "sex", "region", "income"])
decades = [f"[{10 * (age // 10)}, {10 * (age // 10) + 10})" for age in people["age"].to_pylist()]
noise = np.random.default_rng(6).normal(0, 2_000, len(people))
income = [
    None if amount is None else round(amount + change)
    for amount, change in zip(people["income"].to_pylist(), noise, strict=True)
]
released = people.set_column(0, "age", pa.array(decades)).set_column(3, "income", pa.array(income))

column = shoal.Column
schema = shoal.Schema(
    [
        column("age", "quasi_identifier", "numeric"),
        column("sex", "quasi_identifier"),
        column("region", "quasi_identifier"),
        column("income", "quasi_identifier", "numeric"),
    ]
)
found = shoal.assess(
    people, released, schema, truth="position", intruder=shoal.Intruder(columns=("age", "sex", "income"))
)
for name in ("k reached", "unique records", "linked persons, distance", "linked persons, extents"):
    finding = found.findings[name]
    print(f"{name}: {finding.shown(finding.estimate)}")
