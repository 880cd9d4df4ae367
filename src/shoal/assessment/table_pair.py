"""Original and release aligned: which released record belongs to which original one, and how released cells are read.

Where a release contains intervals, spans, nodes or sets, measures that need one value take the middle of an interval or
span and treat a node or set of several values as unknown (`utility/extent_values.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.assessment.recoded_original import RecodedOriginal
from shoal.assessment.utility.extent_values import single_values
from shoal.encode.class_numbers import class_numbers
from shoal.encode.codes import codes_in, from_codes, to_codes
from shoal.encode.number_column import is_time, timestamp_type
from shoal.errors import LinkageError
from shoal.kernels import Labels
from shoal.linkage.linkage_tables import check_single_values, have_comparable_types, join_column
from shoal.rng import sampled_places
from shoal.schema import Column, Schema

Cells: TypeAlias = "pa.ChunkedArray[Any]"

NEEDS_PAIRS = "not measured: needs --policy (for a release of another tool: --id or --truth)"
MOST_RECORDS = 1_000_000  # compared one by one; of larger tables, records drawn at random


@dataclass(frozen=True, eq=False)
class TablePair:
    """Both tables, without the correspondence between their records."""

    original: pa.Table
    released: pa.Table  # as written
    schema: Schema  # of the columns that both have
    by_extents: tuple[str, ...]  # quasi-identifiers that are released as extents
    notes: tuple[str, ...]
    recoded: RecodedOriginal | None = field(default=None, kw_only=True)  # the original before it was recoded by hand

    @classmethod
    def of(
        cls,
        original: pa.Table,
        released: pa.Table,
        schema: Schema,
        by_extents: Collection[str] = (),
        recoded: RecodedOriginal | None = None,
    ) -> TablePair:
        """``by_extents``: columns known to be released as extents; all others are inspected. ``recoded``: where
        ``original`` was recoded by hand, the records before."""
        released_names = set(released.column_names)
        shared = Schema(column for column in schema.columns if column.name in released_names)
        names = shared.quasi_identifiers
        if not names:
            raise LinkageError.no_common_column(len(schema.columns), released.num_columns)
        for name in names:
            check_single_values(name, original, released)
            if original[name].null_count == len(original):
                raise LinkageError.all_missing(name, "original")
            at = released.schema.get_field_index(name)
            released = released.set_column(
                at, name, _in_type_of_original(shared[name], released[name], original[name].type)
            )
        extents = tuple(n for n in names if n in by_extents or _has_extents(shared[n], original[n], released[n]))
        for name in (name for name in names if name not in extents):
            at = released.schema.get_field_index(name)
            released = released.set_column(at, name, _parse_categories(shared[name], original[name], released[name]))
        absent = [name for name in schema.quasi_identifiers if name not in names]
        notes = (*_notes(absent, extents), *_recoding_notes(recoded))
        return TablePair(original, released, shared, extents, notes, recoded=recoded)

    def aligned(self, truth: Labels) -> AlignedTables:
        """``truth``: the released record of every original one; -1 where there is none."""
        tables = self.original, self.released, self.schema, self.by_extents, self.notes, truth
        return AlignedTables(*tables, recoded=self.recoded)

    @property
    def as_read(self) -> pa.Table:
        """The original before recoding."""
        return self.recoded.table if self.recoded else self.original

    @property
    def schema_of_distances(self) -> Schema:
        """The columns whose released values can be compared with the original by distance."""
        unfit = self.recoded.without_distance if self.recoded else ()
        return Schema(column for column in self.schema.columns if column.name not in unfit)

    @cached_property
    def single_valued(self) -> pa.Table:
        """The release with every extent replaced by one value."""
        table = self.released
        for name in self.by_extents:
            values = single_values(self.schema[name], self.original[name], table[name])
            table = table.set_column(table.schema.get_field_index(name), name, values)
        return table


@dataclass(frozen=True, eq=False)
class AlignedTables(TablePair):
    truth: Labels  # (n_original,) the released record of every original one; -1 where there is none

    @property
    def n_suppressed(self) -> int:
        return int(np.count_nonzero(self.truth < 0))

    def of_released(self, cells: Cells) -> Cells:
        """(n_released,) of ``cells``, one for every original record, that of each released one; missing for a record
        that belongs to no original one."""
        released_originals = np.flatnonzero(self.truth >= 0)
        original_records = np.full(len(self.released), -1, dtype=np.int64)
        original_records[self.truth[released_originals]] = released_originals
        return cells.take(pa.array(original_records, pa.int64(), mask=original_records < 0))

    @cached_property
    def compared_records(self) -> Labels:
        """Records of the original that are compared with their released record, ascending."""
        records = np.flatnonzero(self.truth >= 0)
        return records[sampled_places(len(records), MOST_RECORDS, "compared records")]

    @cached_property
    def by_containment(self) -> tuple[str, ...]:
        """Quasi-identifiers of which a released cell contains the value of its person: those released as extents and,
        if there are some, those released as they are."""
        others = [name for name in self.schema.quasi_identifiers if self.by_extents and name not in self.by_extents]
        return (*self.by_extents, *(name for name in others if self.is_unchanged(name)))

    def classes_on(self, names: Sequence[str]) -> Labels:
        """(n_released,) the class of every released record on some columns."""
        is_usual = tuple(names) == tuple(self.schema.quasi_identifiers)
        return self._classes if is_usual else class_numbers(self.released, names)

    @cached_property
    def _classes(self) -> Labels:
        return class_numbers(self.released, self.schema.quasi_identifiers)

    def is_unchanged(self, name: str) -> bool:
        """Whether every released cell of a column shows the value of its person."""
        persons = np.flatnonzero(self.truth >= 0)
        before, after = self.original[name].take(persons), self.released[name].take(self.truth[persons])
        if not have_comparable_types(before, after):
            return False
        codes = to_codes(name, join_column(name, before, after)).codes
        return bool((codes[: len(persons)] == codes[len(persons) :]).all())

    @cached_property
    def before(self) -> pa.Table:
        return self.original.take(self.compared_records)

    @property
    def before_recoding(self) -> pa.Table:
        """The same records with the numbers that top and bottom codes replaced."""
        recoded = self.recoded.take(self.compared_records) if self.recoded else None
        return recoded.with_numbers(self.before) if recoded else self.before

    @property
    def recoded_losses(self) -> dict[str, float]:
        """Losses of the recoded columns, compared with the values before recoding."""
        if self.recoded is None:
            return {}
        released, records = self.after(self.released), self.recoded.take(self.compared_records)
        return records.losses(self.before, released, self.schema, self.by_extents)

    def after(self, released: pa.Table) -> pa.Table:
        """Records of ``released`` or ``single_valued``, in the order of ``before``."""
        return released.take(self.truth[self.compared_records])


def _in_type_of_original(column: Column, released: Cells, original_type: pa.DataType) -> Cells:
    """The released column in the type of the original where only the types differ: categories that are integers become
    floats in a file with missing values (1.0 for 1), times may have another unit, and booleans and times of day are
    text in a CSV. Where the original holds dates, times are compared by the day.
    """
    are_times = is_time(released.type) and is_time(original_type)
    if column.kind in ("numeric", "date"):
        unit = pa.date32() if pa.types.is_date(original_type) else timestamp_type(original_type)
        return released.cast(unit, safe=False) if are_times else released
    are_numbers = pa.types.is_floating(released.type) and pa.types.is_integer(original_type)
    try:
        if _is_text(released.type) and pa.types.is_time(original_type):
            return _times_of_day(released).cast(original_type)
        if not (are_times or are_numbers or (_is_text(released.type) and pa.types.is_boolean(original_type))):
            return released
        return released.cast(original_type)
    except pa.ArrowInvalid:
        return released


def _times_of_day(texts: Cells) -> Cells:
    """Texts such as 10:30:00 as times of day, for which Arrow has no cast of its own."""
    join: Any = pc.binary_join_element_wise
    times: Cells = join("1970-01-01", texts.cast(pa.string()), " ").cast(pa.timestamp("us")).cast(pa.time64("us"))
    return times


def _parse_categories(column: Column, original: Cells, released: Cells) -> Cells:
    """Categories from a file without types, such as a CSV, as the values of the original with the same text."""
    if column.kind in ("numeric", "date") or _is_text(original.type) or not _is_text(released.type):
        return released
    original_codes = to_codes(column.name, original)
    codes = codes_in(original_codes, to_codes(column.name, released))
    if (codes == original_codes.n_values).any():
        return released
    return pa.chunked_array([from_codes(codes, original_codes.values)])


def _has_extents(column: Column, original: Cells, released: Cells) -> bool:
    if column.kind in ("numeric", "date"):
        return _is_text(released.type)
    known_values = {*to_codes(column.name, original).texts, *(column.order or ())}
    known_values |= {path[0] for path in column.taxonomy.paths} if column.taxonomy else set()
    return not known_values.issuperset(to_codes(column.name, released).texts)


def _is_text(type_: pa.DataType) -> bool:
    value_type = type_.value_type if pa.types.is_dictionary(type_) else type_
    return pa.types.is_string(value_type) or pa.types.is_large_string(value_type)


def _recoding_notes(recoded: RecodedOriginal | None) -> tuple[str, ...]:
    if recoded is None:
        return ()
    note = (
        f"{', '.join(recoded.recodings)}: recoded by hand. Information loss compares with the values before recoding; "
        "linkage and charts compare recoded values, as an intruder would who recodes what is known."
    )
    unfit = recoded.without_distance
    numbers = f"{', '.join(unfit)}: not in mean variation, IL1s and probabilistic loss, which need numbers of one kind."
    return (note, numbers) if unfit else (note,)


def _notes(absent: Collection[str], extents: Collection[str]) -> tuple[str, ...]:
    notes = []
    if absent:
        notes.append(f"{', '.join(absent)}: not in the release, so left out.")
    if extents:
        rule = "the middle of an interval or span is taken; a node or set of several values counts as unknown."
        notes.append(f"{', '.join(extents)}: released as extents. Where one value is needed, {rule}")
    return tuple(notes)
