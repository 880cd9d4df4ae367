"""ReadOptions: how the text of a file is to be read; the `[source]` table of a policy."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

CellKind: TypeAlias = Literal["numeric", "date", "text"]
Kinds: TypeAlias = Mapping[str, CellKind] | Literal["infer"] | None
"""The kind of the cells of each column, in a file that does not state it; "infer" derives it from the values."""

FormatName: TypeAlias = Literal["csv", "parquet", "arrow", "feather", "spss", "stata", "sas", "xlsx"]
"""The formats of `sources/formats.py`."""

NEVER = "\r\n\0"
NUMBER = re.compile(r"[+-]?[0-9]+([.][0-9]+)?")
USUAL_QUOTES = ('"', "'")
OF_THE_FILE = (
    "format",
    "delimiter",
    "quote",
    "encoding",
    "header",
    "names",
    "sheet",
)  # not of how its cells are written
Thousands = Literal[".", ",", "'", " "]
Character = Annotated[str, Field(min_length=1, max_length=1)]


class ReadOptions(BaseModel):
    """What a file does not say about itself; whatever is left out is found by looking at the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    format: FormatName | None = None
    """The format of the file, whatever its extension; by the extension where not given."""

    delimiter: Character | None = None
    """The character between two cells of a CSV."""

    quote: Annotated[str, Field(max_length=1)] | None = None
    """The character around a cell that holds delimiters or line ends; empty where nothing is quoted."""

    encoding: str | None = None
    """Name of the encoding of the text, e.g. "utf-8" or "cp1252"."""

    decimal: Literal[".", ","] | None = None
    """The mark between the whole part and the fraction of a number."""

    thousands: Thousands | None = None
    """The mark between groups of three digits of a number: . or , or ' or a blank, which stands for every kind of
    blank. The release is written without it."""

    trim: bool = False
    """Whether blanks around cells and column names are no part of them. The release is written without them."""

    header: bool | None = None
    """Whether the first line holds the names of the columns."""

    names: tuple[Annotated[str, Field(min_length=1)], ...] | None = Field(default=None, min_length=1)
    """Names of all columns, in their order, for a CSV or Excel file whose first line is a record; header is then
    false."""

    missing: tuple[str, ...] = ("",)
    """Cells that mean "not known"; numbers such as "-99" also in files of SPSS, Stata, SAS and Excel."""

    date_format: str | None = None
    """How dates are written, in the terms of strptime, e.g. "%d.%m.%Y"; ISO 8601 where not given."""

    apostrophes: bool = False
    """Whether an apostrophe before a text that begins with = + - or @ is there for spreadsheets, and no part of it."""

    sheet: str | None = None
    """Name of the sheet of an xlsx file; the first one where not given."""

    @property
    def of_cells(self) -> ReadOptions:
        """The same for another file whose cells are written alike: without what is of this file alone."""
        return self.model_copy(update=dict.fromkeys(OF_THE_FILE))

    @cached_property
    def missing_numbers(self) -> frozenset[float]:
        """Numbers among the cells that mean "not known", for files that store numbers as such."""
        return frozenset(float(word) for word in self.missing if NUMBER.fullmatch(word))

    @property
    def declared_header(self) -> bool | None:
        """Whether the first line holds names, as declared: where names are given, it does not."""
        return False if self.names else self.header

    @property
    def decimal_mark(self) -> Literal[".", ","]:
        """The decimal mark as declared; else a point, or a comma where points divide thousands."""
        return self.decimal or ("," if self.thousands == "." else ".")

    @field_validator("delimiter", mode="before")
    @classmethod
    def _delimiter_is_one_character(cls, value: object) -> object:
        if isinstance(value, str) and (len(value) != 1 or not value.isascii() or value in NEVER):
            raise ValueError("a delimiter is one ASCII character other than a line end, such as ',' or ';' or a tab")
        return value

    @field_validator("quote", mode="before")
    @classmethod
    def _quote_is_at_most_one_character(cls, value: object) -> object:
        if isinstance(value, str) and (len(value) > 1 or not value.isascii() or (value and value in NEVER)):
            raise ValueError("a quote is one ASCII character such as '\"', or empty if nothing is quoted")
        return value

    @field_validator("encoding")
    @classmethod
    def _encoding_exists(cls, name: str | None) -> str | None:
        try:
            "".encode(name or "utf-8")  # some codecs are not of text
            return name and codecs.lookup(name).name
        except (LookupError, UnicodeError):
            raise ValueError(f"there is no encoding '{name}'; use for example utf-8, cp1252 or latin-1") from None

    @field_validator("date_format")
    @classmethod
    def _date_format_has_fields(cls, text: str | None) -> str | None:
        if text is not None and "%" not in text:
            raise ValueError("a date format names its fields with %, e.g. %d.%m.%Y")
        return text

    @model_validator(mode="after")
    def _names_are_for_files_without(self) -> Self:
        if self.names is not None and self.header:
            raise ValueError("names are for a file whose first line is a record, and header = true says it is none")
        if self.names is not None and len(set(self.names)) < len(self.names):
            raise ValueError("names must be different")
        return self

    @model_validator(mode="after")
    def _delimiter_is_no_quote(self) -> Self:
        if self.delimiter is not None and self.delimiter in (USUAL_QUOTES if self.quote is None else [self.quote]):
            raise ValueError("delimiter and quote must be different characters; quote is '\"' where it is not declared")
        return self

    @model_validator(mode="after")
    def _thousands_are_distinct(self) -> Self:
        if self.thousands is None:
            return self
        if self.thousands == self.decimal:
            raise ValueError("thousands and decimal must be different characters")
        if self.thousands == self.quote or (self.thousands == self.delimiter and self.quote == ""):
            raise ValueError("a number with this mark of thousands could not be distinguished from several cells")
        return self


SNIFF = ReadOptions()
"""Nothing declared: everything is found by sniffing the file."""
