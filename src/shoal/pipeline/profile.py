"""The function ``profile``: a look at the disclosure risk of an original, before anything is decided."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic

import numpy as np
import pyarrow as pa

from shoal import progress
from shoal.assessment.profile.column_summary import ColumnCounts, ColumnSummary
from shoal.assessment.profile.key_table import KeyTable
from shoal.assessment.profile.table_profile import KeyRoles, Profile
from shoal.encode.count_table import CountTable
from shoal.encode.number_column import to_numbers
from shoal.engines.choose import EngineName, choose, open_engine
from shoal.engines.protocol import Engine, F
from shoal.errors import PolicyError, TableError
from shoal.kernels import Ints
from shoal.pipeline.assess import source_name
from shoal.pipeline.protect.recoding_step import recode_table
from shoal.pipeline.protect.unit_spellings import unify_unit_spellings
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import Policy, load
from shoal.policy.column_profile import ColumnProfile
from shoal.policy.propose import propose
from shoal.policy.resolve import taxonomy_of
from shoal.report import render_profile
from shoal.report.charts import check_charts
from shoal.report.page_file import HTML, MARKDOWN, check_page
from shoal.schema import Schema
from shoal.sources import whole_file


def profile(
    table: Any,
    policy: PolicyLike | None = None,
    *,
    keys: Sequence[str] | None = None,
    report: str | Path | None = None,
    force: bool = False,
    memory: int | str | None = None,
    engine: EngineName = "auto",
) -> Profile:
    """What an intruder could do with ``table`` (a file or any dataframe) as it is. Nothing is released.

    policy  roles and kinds of the columns; if left out, they are guessed from names and values
    keys    the columns that the intruder is assumed to know; by default all quasi-identifiers
    report  path of a report, HTML or Markdown (.md), a private file; ``force`` replaces an older one
    memory  limit of the memory used, such as "2GB"; ``engine``: "memory", "duckdb" or "processes" to override it
    """
    if report is None:
        return _profile(table, policy, keys, memory, engine)
    check_page(report, (*HTML, *MARKDOWN))
    is_markdown = Path(report).suffix.lower() in MARKDOWN
    if not is_markdown:
        check_charts()
    with whole_file(Path(report), force=force, inputs=_inputs(table, policy), private=True) as draft:
        found = _profile(table, policy, keys, memory, engine)
        draft.write_text(render_profile(found, source_name(table), is_markdown=is_markdown), encoding="utf-8")
    return found


def _inputs(table: Any, policy: PolicyLike | None) -> list[Path]:
    """All input files. The report may not overwrite one."""
    files = [Path(table)] if isinstance(table, str | os.PathLike) else []
    return files if policy is None else [*files, *load(policy).files]


def _profile(
    table: Any, policy: PolicyLike | None, keys: Sequence[str] | None, memory: int | str | None, engine: EngineName
) -> Profile:
    with progress.stage("reading the table", 0):
        loaded = propose(table) if policy is None else load(policy)
    with open_engine(choose(table, engine, memory)) as chosen:
        with progress.stage("reading the table", 0):
            original = ProfiledTable.read(chosen, table, loaded, keys)
        return original.profile(guessed=policy is None and keys is None)


@dataclass(frozen=True)
class ProfiledTable(Generic[F]):
    """The records of an original on an engine, recoded by the policy, and the columns that its profile is about."""

    engine: Engine[F]
    frame: F
    policy: Policy
    schema: Schema
    keys: tuple[str, ...]

    @classmethod
    def read(cls, engine: Engine[F], source: Any, policy: Policy, keys: Sequence[str] | None) -> ProfiledTable[F]:
        frame = engine.read(source, policy.source, columns=None, kinds=policy.cell_kinds)
        schema = policy.declared_schema
        try:
            schema.check_names(frame.names)
        except PolicyError as error:
            raise error.in_file(policy.file) from None
        frame, _ = recode_table(engine, frame, policy)
        chosen = tuple(dict.fromkeys(schema.quasi_identifiers if keys is None else keys))
        for name in chosen:
            if name not in frame.names:
                raise PolicyError.unknown_column("keys", name, frame.names)
        if not chosen:
            raise PolicyError.no_quasi_identifier()
        if not frame.n_records:
            raise TableError.no_records()
        unit = schema.unit if schema.unit and schema.unit.name not in chosen else None
        return cls(engine, unify_unit_spellings(engine, frame, unit), policy, schema, chosen)

    @property
    def unit(self) -> str | None:
        """The column of households or units, unless it is a key."""
        return self.schema.unit.name if self.schema.unit and self.schema.unit.name not in self.keys else None

    @property
    def weight(self) -> str | None:
        """The column of weights, unless it is a key."""
        return next((c.name for c in self.schema.with_role("weight") if c.name not in self.keys), None)

    def profile(self, *, guessed: bool) -> Profile:
        types = self._types()
        counts = CountTable.of(self.engine.group_counts(self.frame, self._counted))
        weight, weight_notes = self._usable_weight(counts)
        are_persons = self.unit is not None and self.schema.units_are_persons
        table = KeyTable.of(counts, self.keys, weight, self.unit, units_are_persons=are_persons)
        columns = tuple(self._summaries(types, table))
        coarser, level_notes = self._coarser(table)
        roles = KeyRoles(self.keys, guessed, weight, self.unit)
        notes = (*self.frame.origin.notes, *weight_notes, *level_notes)
        return Profile.of(table, roles, columns, coarser, notes)

    @property
    def _counted(self) -> list[str]:
        return [*self.keys, *(name for name in (self.weight, self.unit) if name)]

    def _types(self) -> Mapping[str, ColumnProfile]:
        """The types of the columns. Raises TableError for a key, weight or unit whose cells are not single values."""
        found = ColumnProfile.of_columns(self.frame.names, partial(self.engine.total, self.frame))
        for name in self._counted:
            if not found[name].is_comparable:
                raise TableError.not_comparable(name)
        return found

    def _summaries(self, types: Mapping[str, ColumnProfile], table: KeyTable) -> Iterator[ColumnSummary]:
        with progress.stage("counting values", len(types)) as at:
            for done, (name, found) in enumerate(types.items(), 1):
                column = self.schema[name]
                if name in table.names:
                    yield ColumnCounts.of(column, table.value_counts(name).to_table()).summary(column)
                elif found.is_comparable:
                    counts = self.engine.class_total(self.frame, [name], (), partial(ColumnCounts.of, column))
                    yield counts.summary(column)
                else:
                    n_missing = self.frame.n_records - found.n_known
                    yield ColumnSummary(name, column.role, column.kind, n_missing, None)
                at(done)

    def _usable_weight(self, counts: CountTable) -> tuple[str | None, tuple[str, ...]]:
        """The column of weights, and a note where it cannot be used."""
        if self.weight is None:
            return None, ("There are no weights: risks take the file for the whole population.",)
        numbers = to_numbers(self.weight, counts[self.weight])
        n_unfit = int(counts.n[numbers.missing | ~(numbers.values > 0)].sum())
        if not n_unfit:
            return self.weight, ()
        return None, (
            f"The weights in '{self.weight}' are missing, zero or negative in {n_unfit} records, so they are not used: "
            "risks take the file for the whole population.",
        )

    def _coarser(self, table: KeyTable) -> tuple[dict[str, Ints], tuple[str, ...]]:
        """For keys with a taxonomy, the code of every value one level up, that of missing last; and notes on those
        whose taxonomy does not cover the values."""
        found, notes = dict[str, Ints](), list[str]()
        for name, column in zip(table.names, table.columns, strict=True):
            if self.policy.columns[name].recoded.taxonomy is None or not column.n_values:
                continue
            taxonomy = taxonomy_of(self.policy, name, pa.chunked_array([column.values]))
            if taxonomy is None or taxonomy.n_outside(column.texts):
                notes.append(f"The taxonomy of '{name}' lacks values that occur, so it was not recoded.")
                continue
            levels = taxonomy.nodes_above(column.texts)
            above = levels[:, 1] if taxonomy.height > 1 else np.zeros(column.n_values, dtype=np.int64)
            found[name] = np.append(above, -1)
        return found, tuple(notes)
