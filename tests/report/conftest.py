"""A small release to report on: two quasi-identifiers, one sensitive column, ten records in two classes of five."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pytest

from shoal.assessment.assessment import Assessment, assess
from shoal.gate.gate import Proof, Verdict, prove_counts
from shoal.release.manifest import Content, Cost, Input, Manifest
from shoal.requirements import KAnonymity, Requirement
from shoal.schema import Column, Schema


@dataclass(frozen=True)
class Made:
    manifest: Manifest
    assessment: Assessment

    def with_proof(self, proof: Proof) -> Made:
        return replace(self, manifest=replace(self.manifest, proof=proof.to_dict(), k_reached=proof.k_reached))


Make = Callable[..., Made]


def make(
    number: str = "age",
    name: str = "job",
    values: tuple[str, str] = ("clerk", "nurse"),
    requirements: Sequence[Requirement] = (KAnonymity(5),),
    n_records: int = 10,
) -> Made:
    schema = Schema(
        [
            Column(number, "quasi_identifier", "numeric"),
            Column(name, "quasi_identifier", "nominal"),
            Column("illness", "sensitive"),
        ]
    )
    half = [values[0]] * 5 + [values[1]] * 5
    illness = ["flu", "gout"] * 5
    original = pa.table({number: pa.array(range(20, 30), pa.float64()), name: half, "illness": illness})
    released = pa.table({number: [22.0] * 5 + [27.0] * 5, name: half, "illness": illness})
    original, released = original.slice(0, n_records), released.slice(0, n_records)
    names = [number, name, "illness"]
    counts = released.group_by(names).aggregate([([], "count_all")]).rename_columns([*names, "n"])
    proof = prove_counts(counts, schema, requirements)
    k = 5 if requirements else None
    assessment = assess(original, released, schema, k=k, suppressed=1 - n_records / 10)
    return Made(_manifest(schema, proof, assessment, n_records), assessment)


def _manifest(schema: Schema, proof: Proof, assessment: Assessment, n_released: int) -> Manifest:
    return Manifest(
        input=Input(".csv", "a" * 64, 10, 3),
        output=Content(".csv", "release.csv", "b" * 64, n_released, 3),
        policy={
            "sha256": "c" * 64,
            "method": {"name": "mdav", "k": 5},
            "columns": {column.name: {"role": column.role, "kind": column.kind} for column in schema.columns},
        },
        engine="memory",
        counts={
            "n_records": 10,
            "n_released": n_released,
            "n_suppressed": 10 - n_released,
            "n_groups": 2,
            "n_classes": proof.n_classes,
        },
        k_reached=proof.k_reached,
        proof=proof.to_dict(),
        notes=("columns.job: the values were sorted.",),
        cost=Cost(1.25, 1.5, 128.0),
        versions={"python": "3.12.0", "shoal": "0.1.0"},
        made="2026-01-31T12:00:00+00:00",
    )


@pytest.fixture(scope="session")
def made() -> Made:
    return make()


@pytest.fixture(scope="session")
def failing(made: Made) -> Made:
    short = Verdict("k_anonymity", 5, 3, False, 2, 1, 3, ("age", "job"))
    return made.with_proof(Proof(10, 2, 3, (short,), ("the identifier column 'name' is in the release",)))


@pytest.fixture(scope="session")
def making() -> Make:
    return make
