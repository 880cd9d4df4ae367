"""Conversion of text columns to numbers or dates, where that is declared or may be inferred."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import pyarrow as pa

from shoal.errors import SourceError
from shoal.errors.base import ErrorList
from shoal.sources.compute import Column, pc
from shoal.sources.conversion_error import ConversionError
from shoal.sources.options import CellKind, Kinds, ReadOptions
from shoal.sources.padding import trim_cells
from shoal.sources.text_dates import ISO_DATE, iso_dates, to_dates
from shoal.sources.text_numbers import to_numbers

CODE = "^[+-]?0[0-9]"  # 007 is a code, not the number 7
CANDIDATES: tuple[CellKind, ...] = ("numeric", "date")
N_TRIED = 1000
SHOWN = 3


def describe_records(records: list[int]) -> str:
    """Positions of records in words, counted from 1; a CSV gives lines instead."""
    return "record " + ", ".join(str(record + 1) for record in records)


@dataclass(frozen=True)
class TextConversion:
    """How the texts of one source are read, and how error messages name it."""

    where: object
    options: ReadOptions
    missing: tuple[str, ...] = ()  # words for missing that trimming may reveal
    quote: str = ""  # of a source whose reader knows no blanks before quotes
    locate: Callable[[list[int]], str] = describe_records
    n_before: int | None = None  # records before this piece; None: it is the whole table

    def trimmed(self, texts: Column) -> Column:
        """The texts without blanks around them, if these are no part of cells."""
        if not self.options.trim:
            return texts
        trimmed = trim_cells(texts, self.quote)
        if not self.missing:
            return trimmed
        is_missing = pc.is_in(trimmed, value_set=pa.array(self.missing, pa.string()))
        return pc.if_else(is_missing, pa.scalar(None, pa.string()), trimmed)

    def error(self, column: str, kind: CellKind, failure: ConversionError) -> SourceError:
        place = self.locate([(self.n_before or 0) + at for at in failure.first_records(SHOWN)])
        more_to_come = self.n_before is not None
        return SourceError.not_of_kind(
            self.where, column, kind, failure.expected, failure.n, place, at_least=more_to_come
        )


def with_kinds(table: pa.Table, kinds: Kinds, conversion: TextConversion) -> pa.Table:
    """The table with its text columns converted to their kinds; columns that have a type of their own keep it.

    Raises one SourceError for all columns with cells that are not of their kind.
    """
    converted, errors = dict[str, Column](), ErrorList(SourceError)
    for name, cells in zip(table.column_names, table.columns, strict=True):
        with errors.collect():
            converted[name] = _convert_column(name, cells, kinds, conversion)
    errors.raise_all(conversion.where)
    return pa.table(converted)


def _convert_column(name: str, cells: Column, kinds: Kinds, conversion: TextConversion) -> Column:
    if not pa.types.is_string(cells.type):
        return cells
    texts = conversion.trimmed(cells)
    if kinds == "infer":
        return _infer_kind(texts, conversion.options)
    return _convert_declared(texts, name, (kinds or {}).get(name, "text"), conversion)


def with_inferred_dates(table: pa.Table, options: ReadOptions) -> pa.Table:
    """The table with those text columns as dates of which every text is one."""
    return pa.table({name: _infer_kind(table[name], options, ("date",)) for name in table.column_names})


def with_inferred_kind(cells: Column) -> Column:
    """Texts as numbers or dates where every one of them is one; other columns as they are."""
    return _infer_kind(cells, ReadOptions())


def with_kinds_in_pieces(
    pieces: Iterable[pa.Table], kinds: Mapping[str, CellKind], conversion: TextConversion
) -> Iterator[pa.Table]:
    """The same piece by piece: each piece has the types of its own cells; a column of numbers or dates that is all
    missing in it has the null type."""
    n_before = 0
    for piece in pieces:
        typed = with_kinds(piece, kinds, replace(conversion, n_before=n_before))
        yield _without_default_types(typed, kinds)
        n_before += len(piece)


def _without_default_types(piece: pa.Table, kinds: Mapping[str, CellKind]) -> pa.Table:
    def without(name: str, cells: Column) -> Column:
        is_guess = kinds.get(name, "text") != "text" and cells.null_count == len(cells)
        return pa.nulls(len(cells)) if is_guess else cells

    columns = zip(piece.column_names, piece.columns, strict=True)
    return pa.table([without(name, cells) for name, cells in columns], names=piece.column_names)


def _convert_declared(texts: Column, column: str, kind: CellKind, conversion: TextConversion) -> Column:
    try:
        return _convert(texts, kind, conversion.options)
    except ConversionError as failure:
        raise conversion.error(column, kind, failure) from None


def _convert(texts: Column, kind: CellKind, options: ReadOptions) -> Column:
    if kind == "numeric":
        return to_numbers(texts, options.decimal_mark, options.thousands)
    if kind == "date":
        return to_dates(texts, options.date_format)
    return texts


def _infer_kind(texts: Column, options: ReadOptions, candidates: tuple[CellKind, ...] = CANDIDATES) -> Column:
    """Texts as the first candidate that fits all of them, else unchanged; columns of other types unchanged."""
    if texts.null_count == len(texts) or not pa.types.is_string(texts.type):
        return texts
    sample = pc.drop_null(texts).slice(0, N_TRIED)
    first = sample[0].as_py()
    if not any(character.isdigit() for character in first):  # of no number and no date
        return texts
    is_no_date = options.date_format is None and not ISO_DATE.match(first)
    for kind in candidates:
        if kind == "date" and is_no_date:
            continue
        is_likely = len(texts) <= N_TRIED or _inferred(sample, kind, options) is not None
        if is_likely:  # most long text columns are ruled out here
            converted = _inferred(texts, kind, options)
            if converted is not None:
                return converted
    return texts


def _inferred(texts: Column, kind: CellKind, options: ReadOptions) -> Column | None:
    """None where a text does not fit."""
    if kind == "date" and options.date_format is None:
        return iso_dates(texts)
    if kind == "numeric" and pc.any(pc.match_substring_regex(texts, CODE), min_count=0).as_py():
        return None
    try:
        return _convert(texts, kind, options)
    except ConversionError:
        return None
