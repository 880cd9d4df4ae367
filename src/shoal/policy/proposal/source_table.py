"""The table that a policy is drafted for: read with types, with all reading options that were found."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from shoal.policy.proposal.reading_options import WrittenTexts, missing_words, thousands
from shoal.schema.suggest import ColumnEvidence
from shoal.schema.suggest.name_patterns import INDUSTRY, matches
from shoal.schema.suggest.value_patterns import FITS, NACE
from shoal.sources import Labels, ReadOptions, read
from shoal.sources.options import Kinds
from shoal.sources.read import with_other_kinds

if TYPE_CHECKING:
    from shoal.sources import LoadedTable
    from shoal.sources.text_dates import WrittenDates

# Detected options of an ordinary CSV, which need not be written down. The delimiter is left out: it is always detected.
USUAL_OPTIONS: dict[str, tuple[object, ...]] = {
    "quote": ('"',),
    "encoding": ("utf-8", "utf-8-sig"),
    "decimal": (".",),
    "header": (True,),
}
MAYBE_NAMELESS = ("csv", "xlsx")  # formats of files without names of columns
MISSING_IN_POLICY = ("csv", "xlsx", "spss", "stata", "sas")  # formats whose numbers a policy can declare missing
FOUND_COMMENTS = {"trim": "there are blanks around cells", "thousands": "numbers are written with this separator"}


@dataclass(frozen=True)
class SourceTable:
    """A table with types, and how it was read."""

    source: Any
    requested: ReadOptions
    first: LoadedTable  # by the requested options, texts as written
    loaded: LoadedTable  # with types
    dates: WrittenDates
    words: tuple[str, ...]  # that mean "missing"
    found: Mapping[str, object]  # further options

    @classmethod
    def of(cls, source: Any, options: ReadOptions) -> SourceTable:
        from shoal.sources.text_dates import WrittenDates, detect_date_format

        first = read(source, options)
        first.check_named()
        is_csv = first.origin.format == "csv"
        texts = WrittenTexts.of_columns(first.table)
        found = _found_options(first, texts, options) if is_csv else {}
        table = cls(source, options, first, first, WrittenDates(), missing_words(texts), found)
        loaded = table._typed(options.date_format)
        dates = WrittenDates() if options.date_format else detect_date_format(loaded.table, is_typed=not is_csv)
        return replace(table, loaded=table._typed(dates.date_format) if dates.date_format else loaded, dates=dates)

    @property
    def missing(self) -> tuple[str, ...]:
        """All cells that mean "not known": the requested ones, and the words that were found."""
        return tuple(dict.fromkeys((*self.requested.missing, *self.words)))

    def read(self, options: ReadOptions, kinds: Kinds) -> LoadedTable:
        """The table by these options; it is not read again where they are those of the first time."""
        settled, declared = self.first.origin.options, options.model_fields_set - {"date_format"}
        if any(getattr(options, name) != getattr(settled, name) for name in declared):
            return read(self.source, options, kinds=kinds)
        dated = settled.model_copy(update={"date_format": options.date_format})
        return with_other_kinds(self.first, name_of(self.source), dated, kinds)

    def _typed(self, date_format: str | None) -> LoadedTable:
        """The table with numbers and dates inferred from texts, in a dataframe as in a CSV of it."""
        changes = {"missing": self.missing, **self.found, **({"date_format": date_format} if date_format else {})}
        options = self.requested.model_copy(update=changes)
        loaded = self.read(options, "infer")
        if loaded.origin.format != "csv":
            from shoal.sources.kinds import TextConversion, with_kinds

            conversion = TextConversion(name_of(self.source), options)
            loaded = replace(loaded, table=with_kinds(loaded.table, "infer", conversion))
        reals = [
            name for name in loaded.table.column_names
            if pa.types.is_floating(loaded.table[name].type) and matches(INDUSTRY, name)
        ]  # fmt: skip
        if not reals:
            return loaded
        return replace(loaded, table=_with_codes(loaded.table, read(self.source, options, columns=reals).table))

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.loaded.origin.notes, *self.dates.notes)

    @property
    def questions(self) -> tuple[str, ...]:
        """What only the data steward can say about the file."""
        origin = self.loaded.origin
        if origin.format not in MAYBE_NAMELESS or origin.options.header is not False or self.requested.names:
            return ()
        names = ",".join(self.loaded.table.column_names)
        return (
            "the first line is a record, so no name says what a column holds: put their names into this list and run "
            f"init again with --force --names {names}",
        )

    @property
    def missing_remedy(self) -> str:
        """What to do about a number that means "missing", with a place for the number."""
        words = ", ".join(f'"{word}"' for word in self.missing)
        if self.loaded.origin.format in MISSING_IN_POLICY:
            return f'write missing = [{words}, "{{code}}"] in [source], for all columns'
        return "make these cells empty in the table"

    def keys(self) -> dict[str, tuple[Any, str]]:
        """The [source] table, each value with its comment: the requested options, and unusual detected ones."""
        requested = self.requested
        source: dict[str, tuple[Any, str]] = {
            name: (_as_toml(getattr(requested, name)), "as given")
            for name in ReadOptions.model_fields
            if name in requested.model_fields_set
        }
        if self.loaded.origin.format == "csv":
            for name, ordinary in USUAL_OPTIONS.items():
                if name == "header" and requested.names:  # says the same
                    continue
                if getattr(self.loaded.origin.options, name) not in ordinary:
                    source.setdefault(name, (getattr(self.loaded.origin.options, name), "detected in the file"))
        for name, value in self.found.items():
            source.setdefault(name, (value, FOUND_COMMENTS[name]))
        if self.dates.date_format is not None:
            source["date_format"] = (self.dates.date_format, "for all columns of kind date; default: ISO 8601")
        if self.words:
            source["missing"] = (list(self.missing), "found in the file; check that all of these words mean 'missing'")
        return source

    def evidence(self) -> dict[str, ColumnEvidence]:
        """What every column shows."""
        table, dates = self.loaded.table, self.dates
        labels = self.loaded.origin.labels or Labels()
        return {
            name: ColumnEvidence(
                name,
                table[name],
                labels.columns.get(name, ""),
                labels.measures.get(name, ""),
                labels.values.get(name),
                dates.date_format if name in dates.n_misfits else None,
                dates.n_misfits.get(name, 0),
            )
            for name in table.column_names
        }


def _found_options(first: LoadedTable, texts: list[WrittenTexts], options: ReadOptions) -> dict[str, object]:
    """Blanks around cells and a separator of thousands, where the texts show them and nothing was declared."""
    declared = options.model_fields_set
    found: dict[str, object] = {}
    if "trim" not in declared and any(column.has_blanks_around for column in texts):
        found["trim"] = True
    comma = "," if first.origin.options.decimal == "," else None  # a point is assumed, a comma was found
    separator = None if "thousands" in declared else thousands(texts, options.decimal or comma)
    return {**found, "thousands": separator} if separator else found


def _with_codes(typed: pa.Table, texts: pa.Table) -> pa.Table:
    """The typed table, where codes of industries such as 10.1 are still texts, not numbers."""
    for name in texts.column_names:
        if ColumnEvidence(name, texts[name]).fits(NACE, FITS):
            typed = typed.set_column(typed.schema.get_field_index(name), name, texts[name])
    return typed


def _as_toml(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def name_of(table: Any) -> str:
    return Path(table).name if isinstance(table, str | os.PathLike) else "the dataframe"
