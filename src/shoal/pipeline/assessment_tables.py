"""The tables of one assessment: original and release, their pairs, and what is measured on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import pyarrow as pa

from shoal import progress
from shoal.assessment.assessment import FEWEST_SHOWN, Assessment
from shoal.assessment.exposure import UNIQUE
from shoal.assessment.full_assessment import ReleaseFacts, full_assessment, unpaired_assessment
from shoal.assessment.risk.attack import Attack
from shoal.assessment.risk.attribute_attacks import AttributeAttacks, attribute_attacks
from shoal.assessment.risk.regression_guesses import regression_attribute_attacks
from shoal.assessment.risk.release_counts import ReleaseCounts
from shoal.assessment.table_pair import AlignedTables, TablePair
from shoal.assessment.utility.compared_records import ComparedRecords
from shoal.assessment.utility.subtotals import Subtotals
from shoal.assessment.utility.usefulness import Usefulness, usefulness
from shoal.encode.codes import to_codes
from shoal.encode.units import Spellings
from shoal.linkage.intruder import Intruder
from shoal.linkage.link_tables import column_roles
from shoal.pipeline.methods_of_plan import published_methods
from shoal.pipeline.protect.determined_cell_search import determined_cells_of_tables
from shoal.pipeline.protect.exposures import dependent_exposures, homogeneous_exposures, unique_exposures
from shoal.pipeline.protect.subtotal_sums import subtotals_of_tables
from shoal.pipeline.record_pairing import RecordPairing
from shoal.pipeline.release_attacks import (
    PopulationFile,
    counts_in_memory,
    replaced_columns,
    with_release_attacks,
)
from shoal.policy import ReleasePlan
from shoal.release.anatomize import GROUP
from shoal.schema import Schema
from shoal.schema.helper_columns import UNIT
from shoal.sources.options import SNIFF


@dataclass(frozen=True, eq=False)
class AssessmentTables:
    pair: RecordPairing
    roles: Schema
    tables: TablePair  # AlignedTables where the pairs of records are known

    @classmethod
    def of(cls, pair: RecordPairing, roles: Schema | None = None) -> Self:
        """``roles``: by default the declared ones, guessed for other columns."""
        roles = roles or column_roles(pair.original, pair.declared)
        tables = pair.tables(roles)
        return cls(pair, roles, tables if pair.truth is None else tables.aligned(pair.truth))

    @property
    def plan(self) -> ReleasePlan | None:
        """Of the policy, if it is known."""
        return self.pair.plan

    @property
    def k(self) -> int | None:
        return self.plan.k if self.plan else None

    @property
    def role_notes(self) -> tuple[str, ...]:
        """A note on the columns whose roles were guessed."""
        declared = self.pair.declared
        guessed = [column for column in self.roles.columns if not declared or column.name not in declared]
        names = ", ".join(f"{column.name} ({column.role.replace('_', '-')})" for column in guessed)
        return (f"Roles were guessed: {names}. Give a policy to decide them.",) if guessed else ()

    @property
    def pairing_notes(self) -> tuple[str, ...]:
        """Notes on doubtful pairs; an error where these are certainly wrong."""
        tables = self.tables
        return self.pair.check(tables, tables.schema.quasi_identifiers) if isinstance(tables, AlignedTables) else ()

    def compared(self, intruder: Intruder) -> Assessment:
        """What the comparison of the records shows; without pairs, what needs none."""
        plan, tables = self.plan, self.tables
        wildcards = plan.blanks_are_wildcards if plan else False
        if not isinstance(tables, AlignedTables):
            return unpaired_assessment(tables, self.k, wildcards=wildcards)
        published, are_persons = published_methods(plan) if plan else None, self.roles.units_are_persons
        blocking = plan.linkage_blocking if plan else ()
        facts = ReleaseFacts(self.k, wildcards, self._units, are_persons, self._group, published, blocking)
        return full_assessment(tables, intruder, facts)

    def with_attacks(self, found: Assessment, population: Any) -> Assessment:
        """The assessment with what is counted on the release: attribute, membership, partial knowledge and the like.
        ``population``: that of the persons, a file or any dataframe."""
        found = found.with_attacks((*self._attribute_attacks.attacks, *self._learned))
        return with_release_attacks(found, self._counts, self._records, self._population(population))

    @property
    def _learned(self) -> tuple[Attack, ...]:
        """What an intruder guesses of sensitive values who learns from the release how they depend on others."""
        tables, plan = self.tables, self.plan
        if not isinstance(tables, AlignedTables):
            return ()
        released = set(self._records.column_names)
        shown = Schema(column for column in self.roles.columns if column.name in released)
        aligned = replace(tables, released=self._records, schema=shown)
        return regression_attribute_attacks(aligned, published_methods(plan) if plan else None, self._group)

    def with_exposures(self, found: Assessment) -> Assessment:
        """The assessment with what the policy warns of: outside columns, also where these depend on quasi-identifiers,
        classes of one sensitive value, and cells that can be computed."""
        plan, tables, outside = self.plan, self.tables, self._counts.outside
        if plan is None:
            return found
        determined = determined_cells_of_tables(
            plan.for_columns_of(tables.schema), tables.schema, self.pair.original, tables.released
        )
        unique = unique_exposures(plan, found.findings[UNIQUE], self._records, outside) if outside else ()
        homogeneous = homogeneous_exposures(plan, self._attribute_attacks.homogeneous, 100 * plan.warn.homogeneous)
        dependent = dependent_exposures(plan, found.linkages)
        exposures = (*unique, *homogeneous, *determined.exposures, *dependent)
        return replace(found.with_findings(determined.findings), exposures=exposures)

    @cached_property
    def _attribute_attacks(self) -> AttributeAttacks:
        return attribute_attacks(self._counts, 100 * self.plan.warn.homogeneous if self.plan else None)

    def usefulness(self) -> Usefulness:
        """Usefulness for analyses; those of the policy where it is known."""
        with progress.stage("measuring usefulness", 0):
            records, unit, plan = ComparedRecords.of(self.tables), self.roles.unit, self.plan
            units = None if unit is None else to_codes(unit.name, self.pair.original[unit.name]).codes[records.sampled]
            return usefulness(records, plan.analyses if plan else (), k=self.k or FEWEST_SHOWN, units=units)

    def subtotals(self) -> Subtotals | None:
        """By the columns that the policy names; None without a policy."""
        return subtotals_of_tables(self.tables, self._records, self.roles, self.plan) if self.plan else None

    @cached_property
    def _units(self) -> pa.ChunkedArray[Any] | None:
        """The units of the original records, if the pairs are known; else None. The numbers that a release shows say
        less: households that lost theirs would count record by record, and so seem to be more."""
        unit, original = self.roles.unit, self.pair.original
        if unit is None or not isinstance(self.tables, AlignedTables):
            return None
        spellings = Spellings.of(unit, original[unit.name])
        return (spellings.unify(original) if spellings else original)[unit.name]

    @property
    def _group(self) -> str | None:
        """The column of groups of an anatomy; None for other releases."""
        return GROUP if self.plan and self.plan.representation.separates_sensitive else None

    @cached_property
    def _records(self) -> pa.Table:
        """The released records with a column of their units, and with the sensitive values of an anatomy."""
        tables, records, unit = self.tables, self.tables.released, self.tables.schema.unit
        if not isinstance(tables, AlignedTables):
            return records.append_column(UNIT, records[unit.name]) if unit else records
        records = records if self._units is None else records.append_column(UNIT, tables.of_released(self._units))
        separate = self.roles.sensitive if self._group else ()
        for name in (name for name in separate if name not in records.column_names):
            records = records.append_column(name, tables.of_released(self.pair.original[name]))
        return records

    @cached_property
    def _counts(self) -> ReleaseCounts:
        return counts_in_memory(self._records, self.roles, self.plan)

    def _population(self, source: Any) -> PopulationFile:
        plan, tables, recoded = self.plan, self.tables, self.pair.recoded
        replaced = replaced_columns(plan.for_columns_of(tables.schema)) if plan else ()
        recodings = recoded.recodings if recoded else {}
        cells = plan.cells if plan else SNIFF
        return PopulationFile(
            source, tables.as_read.schema, recodings, tables.by_extents, self._blanked, replaced, cells
        )

    @property
    def _blanked(self) -> tuple[str, ...]:
        """Quasi-identifiers in which cells were blanked: by the policy, or since the release has more missing cells."""
        tables, names = self.tables, self.tables.schema.quasi_identifiers
        if self.plan is not None:
            return names if self.plan.blanks_cells else ()
        return tuple(name for name in names if tables.released[name].null_count > tables.original[name].null_count)
