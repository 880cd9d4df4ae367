"""A release of another tool: intervals and sets in its notations become extents, written as Shoal writes them.

original, release, Schema -> ForeignRelease

Cells that are read by a rule are named in a note. A cell of a column of numbers or dates that is in no notation is an
error, and so is one that can be read in two ways. A word of a category column that neither the original nor its
taxonomy contains may stand for anything, and a note says how many there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.assessment.interval_notation import NOTATIONS, read_interval
from shoal.assessment.set_notation import is_ambiguous, read_set
from shoal.assessment.utility.extent_values import CategoryValues
from shoal.encode.codes import Codes, from_codes, has_codes, to_codes
from shoal.encode.number_column import is_time
from shoal.errors import LinkageError
from shoal.errors.base import different_cells
from shoal.gate.extent_reader import read_extents
from shoal.plan import AnyExtent, Extent, Extents, Interval, Values
from shoal.release.grammar import ANYTHING, write
from shoal.schema import Column, Schema

Cells: TypeAlias = "pa.ChunkedArray[Any]"

NUMERIC = Column("", kind="numeric")
SAME_WAYS = "a text that is a value of the original could also be a set of its values"


@dataclass(frozen=True)
class ForeignRelease:
    released: pa.Table
    schema: Schema  # a column that is released in sets of values is nominal and has no taxonomy
    notes: tuple[str, ...]

    @classmethod
    def of(cls, original: pa.Table, released: pa.Table, schema: Schema) -> ForeignRelease:
        """Only quasi-identifiers that both tables have are read; all other columns are left as they are."""
        columns, notes = [], []
        for column in schema.columns:
            if column.role == "quasi_identifier" and column.name in released.column_names:
                found = _read(column, original[column.name], released[column.name])
                if found is not None:
                    column, cells, more = found
                    at = released.schema.get_field_index(column.name)
                    released = released.set_column(at, column.name, cells)
                    notes += more
            columns.append(column)
        names = [column.name for column in columns if column.role == "quasi_identifier"]
        shown = [name for name in names if name in released.column_names]
        return cls(released, Schema(columns), (*notes, *_nothing_shown(released, shown)))


def _read(column: Column, original: Cells, released: Cells) -> tuple[Column, Cells, list[str]] | None:
    """The column, its cells as extents, and notes; None where there is nothing to read."""
    if not (has_codes(original.type) and has_codes(released.type)):
        return None
    if not _is_text(released.type) and _are_intervals(original):
        raise LinkageError.swapped_files(column.name)
    if column.kind in ("numeric", "date"):
        if not _is_text(released.type) and (column.kind == "numeric" or is_time(released.type)):
            return None
        return _read_intervals(column, original, released)
    if pa.types.is_boolean(original.type) or pa.types.is_time(original.type):
        return None
    return _read_sets(column, original, to_codes(column.name, released))


def _are_intervals(original: Cells) -> bool:
    """Whether the original holds intervals, some of them of several values: then it is the release."""
    if not _is_text(original.type):
        return False
    texts = to_codes("", original).texts
    read = [_foreign(text, NUMERIC, whole=True) for text in texts]
    has_several = any(isinstance(extent, Interval) and extent.low != extent.high for extent in read)
    return has_several and all(extent is not None for extent in read)


def _read_intervals(column: Column, original: Cells, cells: Cells) -> tuple[Column, Cells, list[str]] | None:
    released = to_codes(column.name, cells.cast(pa.string()))
    own = read_extents(released.values, column).extents
    if all(extent is not None for extent in own):
        return None
    whole = pa.types.is_integer(original.type)
    extents = [e if e is not None else _foreign(text, column, whole) for e, text in _pairs(own, released.texts)]
    n_unread = sum(extent is None for extent in extents)
    if n_unread and not _is_text(cells.type):
        return None
    if n_unread:
        raise LinkageError.unreadable_cells(column.name, n_unread, NOTATIONS)
    n_foreign = sum(extent is None for extent in own)
    note = f"{column.name}: {different_cells(n_foreign)} were read in the notation of another tool."
    return column, _written(column, released, extents), [note, *_rules(column, released.texts)]


def _pairs(own: tuple[Extent | None, ...], texts: list[str]) -> Iterator[tuple[Extent | None, str]]:
    return zip(own, texts, strict=True)


def _foreign(text: str, column: Column, whole: bool) -> Extent | None:
    return AnyExtent() if text and not text.strip("*") else read_interval(text, column, whole=whole)


def _rules(column: Column, texts: list[str]) -> list[str]:
    """What was assumed, where a notation leaves it open."""
    name, are_numbers = column.name, column.kind == "numeric"
    are_ranges = are_numbers and any(text[:1].isdigit() and text[-1:].isdigit() and "-" in text[1:] for text in texts)
    are_masks = any(text[:1].isdigit() and text.endswith("*") for text in texts)
    ranges = f"{name}: intervals such as 20-29 were read with both ends included."
    masks = f"{name}: masks such as 2* were read with one digit for every star."
    return [note for note, applies in ((ranges, are_ranges), (masks, are_masks)) if applies]


def _read_sets(column: Column, original: Cells, released: Codes) -> tuple[Column, Cells, list[str]] | None:
    domain = CategoryValues(column, to_codes(column.name, original, column.order))
    labels = {label for path in column.taxonomy.paths for label in path} if column.taxonomy else set()
    known = domain.known | labels
    values = dict.fromkeys(domain.values)
    n_ambiguous = sum(is_ambiguous(text, values) for text in released.texts)
    if n_ambiguous:
        raise LinkageError.ambiguous_cells(column.name, n_ambiguous, SAME_WAYS)
    sets = {text: read_set(text, values) for text in released.texts if text not in known and text != ANYTHING}
    read = {text: found for text, found in sets.items() if found}
    n_unread = len(sets) - len(read) - sum(_is_own(text, column) for text, found in sets.items() if not found)
    notes = [_unread_note(column.name, n_unread)] if n_unread else []
    if not read:
        return (column, pa.chunked_array([from_codes(released.codes, released.values)]), notes) if notes else None
    plain = replace(column, kind="nominal", order=None, taxonomy=None)
    extents = [_as_values(text, read, domain, column) for text in released.texts]
    sets_note = (
        f"{column.name}: {different_cells(len(read))} were read as sets of values, in the notation of another tool."
    )
    return plain, _written(plain, released, extents), [sets_note, *notes]


def _unread_note(name: str, n: int) -> str:
    what = "neither values of the original nor in a known notation"
    return f"{name}: {different_cells(n)} are {what}, so they may stand for anything."


def _is_own(text: str, column: Column) -> bool:
    """Whether the text is an extent as Shoal writes it that contains more than one value."""
    (extent,) = read_extents(pa.array([text]), column).extents
    return extent is not None and not (isinstance(extent, Values) and extent.values == (text,))


def _as_values(text: str, read: dict[str, tuple[str, ...]], domain: CategoryValues, column: Column) -> Extent:
    if text in read:
        return AnyExtent() if len(read[text]) == domain.n else Values(read[text])
    if text in domain.known:
        return Values((text,))
    (extent,) = read_extents(pa.array([text]), column).extents
    return AnyExtent() if extent is None or isinstance(extent, AnyExtent) else Values(domain.values_in(extent))


def _written(column: Column, released: Codes, extents: Sequence[Extent | None]) -> Cells:
    distinct = tuple(extent for extent in extents if extent is not None)
    texts = write(Extents(distinct, np.arange(len(distinct))), column)
    return pa.chunked_array([from_codes(released.codes, texts)])


def _nothing_shown(released: pa.Table, names: list[str]) -> tuple[str, ...]:
    """A note on records that show nothing of any quasi-identifier, which other tools call suppressed."""
    if not names or not all(_is_text(released[name].type) for name in names):
        return ()
    shows_nothing = pa.array([ANYTHING, None], pa.string())
    hidden: list[Any] = [pc.is_in(released[name].cast(pa.string()), value_set=shows_nothing) for name in names]
    n = int(np.logical_and.reduce([each.to_numpy() for each in hidden]).sum())
    if not n:
        return ()
    return (
        f"{n:,} records show nothing but * in all quasi-identifiers. Other tools call them suppressed; here they are "
        f"records of the release like all others, because whoever is in no other class is known to be one of them.",
    )


def _is_text(type_: pa.DataType) -> bool:
    value_type = type_.value_type if pa.types.is_dictionary(type_) else type_
    return pa.types.is_string(value_type) or pa.types.is_large_string(value_type)
