"""Coordinates of the records, those of household-level columns separately: a household has these only once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from shoal.encode.embedding import Embedding
from shoal.kernels import Matrix
from shoal.methods.microaggregation.unit_vectors import UnitVectors
from shoal.schema import Schema


@dataclass(frozen=True)
class LevelPoints:
    own: Matrix  # (n_records, d) of the columns in which members of a household may differ
    shared: Matrix  # (n_records, d) of the columns that they share

    @classmethod
    def of(cls, embedding: Embedding, schema: Schema, names: Sequence[str], table: pa.Table) -> LevelPoints:
        shared = [name for name in names if schema[name].level]
        own = [name for name in names if name not in shared]
        return cls(embedding.only(own).points(table), embedding.only(shared).points(table))

    def of_units(self, vectors: UnitVectors) -> Matrix:
        """(n_units, width)"""
        return vectors.points(self.own, self.shared)
