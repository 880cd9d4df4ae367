"""Requirements counted by different units, and which households are released under a number.

After the method, every equivalence class is judged again by the number of different units in it. Where the release
links the members of a household by a number, an intruder sees the composition of the household: the class of a record
is then its own quasi-identifiers together with those of its whole household. Households for which the requirements fail
lose their number, and records that still fail are suppressed. The columns needed for this are held in memory on every
engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from shoal.encode.class_numbers import class_numbers
from shoal.encode.codes import to_codes
from shoal.encode.combination_counts import count_combinations
from shoal.encode.units import compositions
from shoal.engines.protocol import GROUP, RECORD_ID, F
from shoal.errors import TableError
from shoal.kernels import Labels
from shoal.kernels.combinations import number_combinations
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.plan import Partition
from shoal.policy import ReleasePlan
from shoal.requirements import Requirement
from shoal.requirements.judge import RequirementChecker, requirement_checker, sensitive_domains
from shoal.schema import Schema
from shoal.schema.helper_columns import UNIT

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class UnitResult(Generic[F]):
    """``frame``: the records, with a missing group where a record is suppressed; ``tied``: the households that are
    released under a number, None: all."""

    frame: F
    tied: pa.Array[Any] | None = None
    notes: tuple[str, ...] = ()


def kept_units(original: FittedTable[F], protected: F) -> UnitResult[F]:
    """The protected records after the requirements were applied to units."""
    plan, unit = original.plan, original.schema.unit
    if unit is None or not plan.requirements:
        return UnitResult(protected)
    check_levels(original)
    units = Units.of(original, protected, unit.name)
    kept, tied = units.settled()
    suppressed = np.zeros(original.n_records, dtype=bool)
    suppressed[units.record_ids[~kept]] = True

    def without(piece: pa.Table) -> pa.Table:
        gone = suppressed[piece[RECORD_ID].to_numpy()]
        groups = pc.if_else(pa.array(gone), pa.scalar(None, pa.int64()), piece[GROUP])
        return piece.set_column(piece.column_names.index(GROUP), GROUP, groups)

    frame = original.engine.map_rows(protected, without) if suppressed.any() else protected
    if not plan.links_households:
        return UnitResult(frame)
    return UnitResult(frame, units.values.filter(pa.array(tied)), _notes(unit.name, tied))


def _notes(name: str, tied: Flags) -> tuple[str, ...]:
    if tied.all():
        return ()
    return (
        f"{int((~tied).sum())} of {len(tied)} households lost their number in {name}: too few others are composed "
        f"alike, so their members are not tied.",
    )


def check_levels(original: FittedTable[F]) -> None:
    """Raises TableError if members of a household differ in a column declared at household level."""
    households = [column.name for column in original.schema.with_role("household")]
    for column in original.schema.columns if households else ():
        if column.level == "household":
            pieces = original.engine.class_counts(original.frame, households, [column.name])
            n_differing = sum(_n_differing(piece) for piece in pieces)
            if n_differing:
                raise TableError.differs_in_household(column.name, n_differing)


def _n_differing(piece: pa.Table) -> int:
    """Number of households (first column of ``piece``) with several different known values in the second column."""
    named = piece.rename_columns(["household", "value", "n"])
    known = named.filter(pc.and_(pc.is_valid(named["household"]), pc.is_valid(named["value"])))
    sizes = known.group_by("household").aggregate([([], "count_all")])["count_all"].to_numpy()
    return int((sizes > 1).sum())


@dataclass(frozen=True)
class Units:
    """The released records, with their units, equivalence classes and requirements."""

    ties_households: bool
    schema: Schema
    asked: tuple[tuple[Labels, tuple[Requirement, ...]], ...]  # (n_records,) class of each record; its requirements
    table: pa.Table
    record_ids: Labels
    of_record: Labels  # (n_records,) -1: a unit of its own
    values: pa.Array[Any]  # (n_units,)

    @classmethod
    def of(cls, original: FittedTable[F], protected: F, unit: str) -> Units:
        plan, schema, pieces = original.plan, original.schema, list[pa.Table]()
        asked = _asked(plan)
        read = [str(r.column) for wanted in asked.values() for r in wanted if r.column]
        names = list(dict.fromkeys([*(name for columns in asked for name in columns), *read, unit, GROUP, RECORD_ID]))
        released = original.engine.map_rows(protected, lambda piece: piece.filter(pc.is_valid(piece[GROUP])))
        original.engine.fold(released, names, pieces.append)
        table = pa.concat_tables(pieces, promote_options="permissive").unify_dictionaries()
        codes = to_codes(unit, table[unit])
        judged = tuple((class_numbers(table, columns), tuple(wanted)) for columns, wanted in asked.items())
        record_ids = table[RECORD_ID].to_numpy()
        return cls(plan.links_households, schema, judged, table, record_ids, codes.codes, codes.values)

    def settled(self) -> tuple[Flags, Flags]:
        """(n_records,) records that can be released, and (n_units,) units whose members are linked.

        Failing units are unlinked first, then the units that share their quasi-identifiers; records that still fail are
        suppressed.
        """
        kept, tied = np.ones(len(self.table), dtype=bool), self._tied_at_first()
        while len(self.table):
            failing, beside = self._failing(kept, tied)
            if not failing.any():
                return kept, tied
            loosened = self._of_units(failing) & tied
            if not loosened.any():
                loosened = self._of_units(beside) & tied
            if loosened.any():
                tied = tied & ~loosened
            else:
                kept = kept & ~failing
        return kept, tied

    def _tied_at_first(self) -> Flags:
        """(n_units,) Households that may be linked at first: not those that show a household-level value in one member
        and blank it in another, which would disclose it."""
        tied = np.full(len(self.values), self.ties_households)
        if not self.ties_households:
            return tied
        known = self.of_record >= 0
        for column in self.schema.with_role("quasi_identifier"):
            if column.level is None:
                continue
            blank = self.table[column.name].is_null().to_numpy()
            tied &= ~(self._of_units(known & blank) & self._of_units(known & ~blank))
        return tied

    def _of_units(self, records: Flags) -> Flags:
        """(n_units,) Units with at least one of these records."""
        found = np.zeros(len(self.values), dtype=bool)
        found[self.of_record[records & (self.of_record >= 0)]] = True
        return found

    def _failing(self, kept: Flags, tied: Flags) -> tuple[Flags, Flags]:
        """(n_records,) Records whose class fails, and all records with the same quasi-identifiers as one of these."""
        failing, beside = np.zeros(len(self.table), dtype=bool), np.zeros(len(self.table), dtype=bool)
        shown = np.where(self._is_tied(tied), self.of_record, -1)
        for alike, wanted in self.asked:
            labels = Partition(self._composed(alike, tied, kept))
            for units in (self.of_record, *((shown,) if self.ties_households else ())):
                fails = kept & ~self._judge(wanted, units).satisfying_records(labels, kept)
                failing |= fails
                beside |= np.isin(alike, alike[fails])
        return failing, beside

    def _is_tied(self, tied: Flags) -> Flags:
        return np.append(tied, False)[self.of_record]

    def _composed(self, alike: Labels, tied: Flags, kept: Flags) -> Labels:
        """(n_records,) The class of each record, combined with those of its household where members are linked."""
        of_tied = self._is_tied(tied) & kept
        composition = np.full(len(alike), -1, dtype=np.int64)
        if of_tied.any():
            units = self.of_record[of_tied]
            composition[of_tied] = compositions(units, alike[of_tied])[units]
        return number_combinations([alike, composition], len(alike))

    def _judge(self, wanted: Sequence[Requirement], units: Labels) -> RequirementChecker:
        told = self.table.append_column(UNIT, pa.array(units, mask=units < 0))
        whole = sensitive_domains(self.schema, wanted, lambda name: count_combinations(told, [name, UNIT]))
        return requirement_checker(self.table, wanted, whole, units=units)


def _asked(plan: ReleasePlan) -> dict[tuple[str, ...], list[Requirement]]:
    """Requirements on records or units, by the written columns that define their classes; for an anatomy, by groups."""
    found = dict[tuple[str, ...], list[Requirement]]()
    for requirement in plan.requirements:
        columns = plan.with_ends(requirement.columns or plan.quasi_identifiers)
        if requirement.reads != "extents":
            found.setdefault((GROUP,) if plan.representation.separates_sensitive else columns, []).append(requirement)
    return found
