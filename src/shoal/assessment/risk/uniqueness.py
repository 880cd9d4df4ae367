"""Uniqueness on quasi-identifiers in the sample and in the population that it represents.

A key is a combination of quasi-identifiers; missing is a value of its own. f records of the sample share a key, and F
persons of the population, estimated by the sum of their weights; without weights the sample is the population.

sample uniques  f = 1
below k-map     F < k: fewer than k persons match (k-map: Sweeney 2001, "Computational disclosure control")

Three intruders (El Emam & Dankar 2008, doi:10.1197/jamia.M2716): the prosecutor knows that a person is in the sample
and is right with chance 1 / f; the journalist does not know it and is right with chance 1 / F, the highest for the
rarest key; the marketer wants as many correct links as possible, a share of the mean of 1 / F.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
import pyarrow as pa

from shoal import kernels
from shoal.encode.class_numbers import class_numbers
from shoal.encode.number_column import to_numbers
from shoal.errors import ArrayError, PolicyError, TableError
from shoal.findings import Finding, Findings
from shoal.kernels import Labels, Vector
from shoal.requirements.groups import Groups
from shoal.requirements.population_sizes import population_sizes
from shoal.schema import Schema


@dataclass(frozen=True)
class KeyCounts:
    """Number of records and persons who share the key of each record."""

    sample: Labels  # (n,) f, records; or persons, where several records may be of one
    population: Vector  # (n,) F, persons; never fewer than f
    n_persons: float  # of the population, whatever their keys

    @classmethod
    def of_persons(cls, keys: Labels, persons: Labels, weights: Vector) -> KeyCounts:
        """Where several records may be of one person: a person counts once for a key, with the smallest weight of the
        records that have it. ``persons``: the person of every record; -1: a person of its own."""
        ones = np.ones(len(keys), dtype=np.int64)
        groups, everybody = (
            Groups.of_amounts(numbers, ones, weights, persons, "least") for numbers in (keys, np.zeros_like(keys))
        )
        n_persons = float(population_sizes(everybody, "weight", None)[0])
        return cls(groups.totals[keys], population_sizes(groups, "weight", None)[keys], n_persons)

    @classmethod
    def of(cls, keys: Labels, weights: Vector | None = None) -> KeyCounts:
        """From the key of every record (0, 1, ...) and its weight, the persons that it represents."""
        n_records = np.bincount(keys)
        sample = n_records[keys].astype(np.int64)
        if weights is None:
            return cls(sample, sample.astype(np.float64), float(len(keys)))
        if len(weights) != len(keys):
            raise ArrayError.other_shape(keys.shape, weights.shape)
        persons = kernels.group_sums(np.ascontiguousarray(weights[:, None]), keys, int(keys.max()) + 1)[:, 0]
        persons = np.maximum(persons, n_records)
        return cls(sample, persons[keys], fsum(persons))

    @property
    def prosecutor(self) -> Vector:
        """(n,) chance of a correct link to a person known to be in the sample."""
        return 1 / self.sample

    @property
    def journalist(self) -> Vector:
        """(n,) chance of a correct link to a person of the population; the mean is the marketer risk."""
        return 1 / self.population

    def below(self, k: int) -> Labels:
        """Records that violate k-map: fewer than k persons share their key."""
        return np.flatnonzero(self.population < k)


def key_counts(
    table: pa.Table, schema: Schema, columns: Sequence[str] | None = None, persons: Labels | None = None
) -> KeyCounts:
    """Counts of the keys of the quasi-identifiers, or of the ``columns`` that an intruder is assumed to know.
    ``persons``: of every record, where several may be of one and there are weights; -1: a person of its own."""
    names = schema.quasi_identifiers if columns is None else tuple(columns)
    for name in names:
        if name not in table.column_names:
            raise PolicyError.unknown_column("columns", name, table.column_names)
    if not names:
        raise PolicyError.no_quasi_identifier()
    if not len(table):
        raise ArrayError.too_few_records("uniqueness", 1, 0)
    keys, weights = class_numbers(table, names), _weights(table, schema)
    if persons is not None and weights is not None:
        return KeyCounts.of_persons(keys, persons, weights)
    return KeyCounts.of(keys, weights)


def uniqueness_findings(counts: KeyCounts, k: int) -> Findings:
    """``k``: the fewest persons who may share a key."""
    n = len(counts.sample)
    unique = 100 * float((counts.sample == 1).sum()) / n
    rare = 100 * len(counts.below(k)) / n
    baseline = 100 / counts.n_persons
    return Findings(
        (
            Finding("sample uniques", unique, "Share of records whose key no other record of the file has.", unit="%"),
            Finding(
                f"below {k}-map", rare, f"Share of records whose key fewer than {k} persons share.", goal=0, unit="%"
            ),
            Finding(
                "highest journalist risk",
                100 * float(counts.journalist.max()),
                "The highest chance of a correct link if the intruder does not know whether the person is in the file.",
                baseline=baseline,
                unit="%",
            ),
            Finding(
                "marketer risk",
                100 * fsum(counts.journalist) / n,  # whatever the order of the records
                "Share of the records that an intruder who links all of them would link correctly.",
                baseline=baseline,
                unit="%",
            ),
        )
    )


def sampling_fraction(table: pa.Table, schema: Schema) -> float | None:
    """Records per person of the population, by the weights; None without weights or records."""
    weights = _weights(table, schema)
    return None if weights is None or not len(weights) else len(weights) / fsum(weights)


def _weights(table: pa.Table, schema: Schema) -> Vector | None:
    for column in schema.with_role("weight"):
        numbers = to_numbers(column.name, table[column.name])
        unfit = int((numbers.missing | ~(numbers.values > 0)).sum())
        if unfit:
            raise TableError.invalid_weights(column.name, unfit)
        return numbers.values
    return None
