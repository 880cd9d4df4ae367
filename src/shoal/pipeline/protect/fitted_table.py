"""The original table: its records on an engine, and statistics of all of them that the pipeline needs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import itemgetter
from pathlib import Path
from typing import Any, Generic

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.encode.codes import positions_among, to_codes
from shoal.encode.count_table import CountTable
from shoal.encode.digest import digest_of
from shoal.encode.embedding import Embedding
from shoal.encode.units import values_of_units
from shoal.engines.protocol import Engine, F
from shoal.errors import TableError
from shoal.gate.person_records import PersonRecords
from shoal.kernels import Labels, Vector
from shoal.methods.microaggregation.cohorts import Cohorts
from shoal.pipeline.population_table import population_of_policy, with_types_of, with_values_of
from shoal.pipeline.protect.block_assignment import BlockAssignment
from shoal.pipeline.protect.earlier_cohorts import cohorts_of
from shoal.pipeline.protect.recoding_step import RecodedSource, recode_table
from shoal.pipeline.protect.strata import Strata
from shoal.pipeline.protect.unit_spellings import unify_unit_spellings
from shoal.pipeline.protect.weighted_amounts import WeightedAmounts
from shoal.policy import Policy, ReleasePlan, resolve
from shoal.policy.keys import KeySet
from shoal.requirements.requirement import largest_stated_k
from shoal.rng import Rng
from shoal.schema import Schema
from shoal.sources import check_readable, sha256_of
from shoal.sources.key_file import Key
from shoal.total import P

VALUE = "value"


@dataclass(frozen=True)
class FittedTable(Generic[F]):
    """The records, recoded by hand where the policy asks for it, their schema and the plan of their release."""

    engine: Engine[F]
    frame: F
    schema: Schema
    plan: ReleasePlan
    policy_digest: str  # of what determines the released values
    before: FittedTable[F] | None = None  # the table before perturbation
    sha256: str | None = None  # of the file, taken before it was read
    key: Key | None = None  # secret of the random numbers; None: none are drawn
    recoding: RecodedSource[F] | None = None  # how the records were recoded by hand; None: they were not
    population: CountTable | None = None  # persons by quasi-identifiers, where a requirement reads them

    @classmethod
    def read(cls, engine: Engine[F], source: Any, policy: Policy) -> FittedTable[F]:
        sha256 = _sha256_of(source)
        as_read = engine.read(source, policy.source, columns=None, kinds=policy.cell_kinds)
        if sha256 is None and as_read.origin.path is not None:  # a dataframe that was written down
            sha256 = sha256_of(as_read.origin.path)
        k = max(policy.method.k or 1, largest_stated_k(policy.required) or 1)
        if k > as_read.n_records:
            raise TableError.k_above_n(k, as_read.n_records, policy.row_of_k)
        frame, recoding = recode_table(engine, as_read, policy)
        population = population_of_policy(policy)
        if population is not None:
            population = with_types_of(population, frame.schema)

        def value_counts(name: str) -> CountTable:
            """Of the table; values that only the population has, and that no file must declare, count 0 times."""
            counts, tree = CountTable.of(engine.group_counts(frame, [name])), policy.columns[name].taxonomy
            if population is None or name not in population.names or (tree and tree.file):
                return counts
            return counts.with_population(population.by([name])).by([name])

        recodings = recoding.recodings if recoding else None
        schema = resolve(policy, frame.names, partial(engine.total, frame), value_counts, recodings)
        if population is not None:
            population = with_values_of(population, schema)
        uniform = unify_unit_spellings(engine, frame, schema.unit)
        if recoding:
            recoding = replace(recoding, frame=unify_unit_spellings(engine, as_read, schema.unit))
        plan, digest = ReleasePlan.of(policy, schema), policy.digest_of_values()
        return cls(engine, uniform, schema, plan, digest, sha256=sha256, recoding=recoding, population=population)

    @property
    def as_read(self) -> F:
        """The records as they were read, before recoding."""
        return self.recoding.frame if self.recoding else self.frame

    @property
    def n_records(self) -> int:
        return self.frame.n_records

    def value_counts(self, name: str) -> CountTable:
        return CountTable.of(self.engine.group_counts(self.frame, [name]))

    def unit_counts(self, name: str) -> CountTable:
        """Counts of the values of a column, by unit if the schema has one: only units of several values are listed, as
        the unit of every record is (``units``)."""
        unit = self.schema.unit
        if unit is None:
            return self.value_counts(name)
        return self.engine.class_total(self.frame, [unit.name], [name], partial(values_of_units, unit.name))

    def total(self, columns: Sequence[str], of: Callable[[pa.Table], P]) -> P:
        return self.engine.total(self.frame, columns, of)

    def by_record(self, columns: Sequence[str], of: Callable[[pa.Table], Any]) -> pa.ChunkedArray[Any]:
        """(n_records,) The values of ``of``, a function of pieces with these columns, in the order of the records."""
        values = self.engine.by_record(self.frame, columns, partial(_values, of))
        return values[VALUE]

    @cached_property
    def units(self) -> Labels:
        """(n_records,) The number of each record's unit, -1 where it has none; all -1 if the schema has no unit."""
        if self.schema.unit is None:
            return np.full(self.n_records, -1, dtype=np.int64)
        name = self.schema.unit.name
        values = to_codes(name, self.value_counts(name).values).values
        return self.by_record([name], partial(_positions, name, values)).to_numpy()

    def amounts(self, name: str) -> Vector:
        """(n_records,) What each record adds to the totals of a column, NaN where missing."""
        weighted = WeightedAmounts.of(self.plan, self.schema)
        return self.by_record(weighted.columns_for(name), partial(weighted.contributions, name)).to_numpy()

    @property
    def keys(self) -> tuple[KeySet, ...]:
        return self.plan.key_sets

    @cached_property
    def embedding(self) -> Embedding:
        return Embedding.fit(self.schema, self.total, self.value_counts)

    @cached_property
    def weighted_embedding(self) -> Embedding:
        """The embedding in which methods and blocks measure distances."""
        return self.embedding.weighted(self.schema)

    @cached_property
    def division(self) -> BlockAssignment:
        """The strata, and the blocks of the large ones."""
        return self.division_of_many(1.0)

    def division_of_many(self, times: float) -> BlockAssignment:
        """The same for a table of so many times these records, of which only the beginning is known."""
        strata = Strata.of(self.plan.within, lambda names: self.engine.group_counts(self.frame, names))
        strata.check_sizes(self.keys, self.plan.suppression_limit)
        return BlockAssignment.of(self.plan, self.schema, strata, self.weighted_embedding, self.total, times=times)

    @cached_property
    def earlier(self) -> tuple[PersonRecords, ...]:
        """The earlier releases whose groups are kept, with the person of every record."""
        from shoal.pipeline.known_release import KnownRelease  # it produces releases again, by this module

        with progress.stage("reading earlier releases", 0):
            names = self.plan.quasi_identifiers
            return tuple(KnownRelease(path, self.plan.person).records(names) for path in self.plan.earlier)

    @cached_property
    def persons(self) -> pa.Array[Any]:
        """(n_records,) the person of every record, as text."""
        from shoal.pipeline.known_release import person_texts

        name = str(self.plan.person)
        return person_texts(pa.table({name: self.by_record([name], itemgetter(name))}), name, "this table")

    @cached_property
    def cohorts(self) -> Cohorts | None:
        """Who was in which class of the earlier releases; None without earlier releases."""
        return cohorts_of(self, self.earlier, self.persons) if self.plan.earlier else None

    def with_key(self, key: Key) -> FittedTable[F]:
        return replace(self, key=key)

    @property
    def known_key(self) -> Key:
        assert self.key, "random numbers need a key"
        return self.key

    @cached_property
    def rng(self) -> Rng:
        """Source of random numbers, derived from the key, the seed, the policy and the values of the table."""
        if self.before:
            return self.before.rng
        rng = Rng(self.known_key.secret, self.plan.seed).of_policy(self.policy_digest)
        return rng.of_values(digest_of(self.schema, self.n_records, self.total))


def _values(of: Callable[[pa.Table], Any], piece: pa.Table) -> pa.Table:
    return pa.table({VALUE: of(piece)})


def _positions(name: str, values: pa.Array[Any], piece: pa.Table) -> Labels:
    return positions_among(piece[name], values)


def _sha256_of(source: Any) -> str | None:
    """SHA-256 of a file; None for a dataframe."""
    if not isinstance(source, str | os.PathLike):
        return None
    check_readable(Path(source))
    return sha256_of(Path(source))
