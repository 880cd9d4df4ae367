"""Sniffing: what a CSV does not state about itself, derived from its first records.

A declared option is never questioned, except a delimiter that leaves a single column where another finds several.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Literal

from shoal.errors import SourceError
from shoal.errors.names import looks_like_value
from shoal.sources.csv_records import parse
from shoal.sources.encoding import TextScan
from shoal.sources.formulas import names_without_apostrophes
from shoal.sources.options import USUAL_QUOTES, ReadOptions
from shoal.sources.padding import trim_text

# The comma last: it also occurs in numbers and sentences, so any other wins a tie.
DELIMITERS = ("\t", ";", "|", ",")
QUOTES = USUAL_QUOTES
N_RECORDS = 1000

YEAR = re.compile(r"(19|20)\d\d")
UNKNOWN = re.compile(r"|n\W?a\W?|nan|null|none|unknown|missing|\W+", re.IGNORECASE)  # such a cell names no column
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
DECIMAL_POINT = re.compile(r"[+-]?\d+\.\d+")


@dataclass(frozen=True)
class SniffedOptions:
    """How to read the file: every option settled, the columns named."""

    options: ReadOptions
    names: list[str]
    n_header_lines: int
    notes: tuple[str, ...]
    names_in_doubt: bool = False
    """Whether the first line may be a record although it was taken for column names."""


def sniff(path: Path, options: ReadOptions, scan: TextScan) -> SniffedOptions:
    quote = _settled_quote(options, scan.head)
    delimiter = options.delimiter or _delimiter(path, scan, quote)
    records = _trimmed(_records(scan, delimiter, quote)) if options.trim else _records(scan, delimiter, quote)
    if not records:
        raise SourceError.empty(path)
    first = records[0][1]
    if options.delimiter and len(first) == 1:
        _check_delimiter(path, options.delimiter, scan, quote)
    rest = [fields for _, fields in records[1:]]
    declared = options.declared_header
    header = _is_header(first, rest) if declared is None else declared
    if declared is None and not header and not any(map(looks_like_value, first)):
        _check_names(path, first)
    final = options.model_copy(
        update={
            "delimiter": delimiter,
            "quote": quote,
            "encoding": scan.encoding,
            "decimal": options.decimal or (options.decimal_mark if options.thousands else _decimal(delimiter, rest)),
            "header": header,
        }
    )
    names = given_names(path, options, len(first)) or [
        name if header and name else f"column_{i}" for i, name in enumerate(first, start=1)
    ]
    names = names_without_apostrophes(names) if options.apostrophes else names
    n_header_lines = _n_header_lines(path, scan, delimiter, quote) if header else 0
    in_doubt = header and declared is None and not is_certain_header(first, rest)
    notes = tuple(_notes(options, final, first, in_doubt))
    return SniffedOptions(final, names, n_header_lines, notes, in_doubt)


def given_names(path: Path, options: ReadOptions, n_columns: int) -> list[str]:
    """The names that were declared for the columns of the file; none where it has its own."""
    names = list(options.names or ())
    if names and len(names) != n_columns:
        raise SourceError.other_number_of_names(path, len(names), n_columns)
    return names


def _settled_quote(options: ReadOptions, head: str) -> str:
    """The quote as declared or found; never the sign that divides thousands."""
    if options.quote is not None:
        return options.quote
    return '"' if options.thousands == "'" else _quote(head)


def _trimmed(records: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    return [(line, [trim_text(cell) for cell in fields]) for line, fields in records]


def _records(scan: TextScan, delimiter: str, quote: str) -> list[tuple[int, list[str]]]:
    records = list(islice(parse(_lines(scan), delimiter, quote), N_RECORDS + 1))
    # The head may end in the middle of its last record.
    is_cut = not scan.is_whole and 1 < len(records) <= N_RECORDS
    return records[:-1] if is_cut else records


def _lines(scan: TextScan) -> io.StringIO:
    return io.StringIO(scan.head, newline="")


def _n_header_lines(path: Path, scan: TextScan, delimiter: str, quote: str) -> int:
    """The number of lines before the first record; a quoted name may contain line ends."""
    starts = [line for line, _ in islice(parse(_lines(scan), delimiter, quote), 2)]
    if len(starts) == 2:
        return starts[1] - 1
    if scan.n_quotes.get(quote, 0) % 2 or not scan.is_whole:
        raise SourceError.unclosed_quote(path, starts[0])
    raise SourceError.no_records(path)


def _quote(head: str) -> str:
    """A single quote only where every cell that begins with one ends with one and there is no double quote; else a
    double one."""
    begun = re.findall(r"(?:^|[,;|\t])'", head, re.MULTILINE)
    closed = re.findall(r"(?:^|(?<=[,;|\t]))'[^'\n]*'(?=[,;|\t\r\n]|$)", head, re.MULTILINE)
    return "'" if closed and len(closed) == len(begun) and '"' not in head else '"'


def _delimiter(path: Path, scan: TextScan, quote: str) -> str:
    shares = {delimiter: _regular_share(scan, delimiter, quote) for delimiter in DELIMITERS}
    best = max(DELIMITERS, key=shares.__getitem__)
    if shares[best] > 0:
        return best
    # A single column: take a delimiter that does not occur, the usual one of the extension first.
    default = "\t" if ".tsv" in path.suffixes else ","
    return next((one for one in (default, *DELIMITERS) if one not in scan.head), default)


def _regular_share(scan: TextScan, delimiter: str, quote: str) -> float:
    """The share of records with the most common number of cells; 0 where that is one, or the first record has one
    cell."""
    sizes = [len(fields) for _, fields in _records(scan, delimiter, quote)]
    if not sizes or sizes[0] == 1:
        return 0.0
    most_common, n = Counter(sizes).most_common(1)[0]
    return n / len(sizes) if most_common > 1 else 0.0


def _check_delimiter(path: Path, declared: str, scan: TextScan, quote: str) -> None:
    other = _delimiter(path, scan, quote)
    if other != declared and _regular_share(scan, other, quote) > 0.5:
        n_columns = len(_records(scan, other, quote)[0][1])
        raise SourceError.wrong_delimiter(path, declared, other, n_columns)


def _is_header(first: list[str], rest: list[list[str]]) -> bool:
    """A word above numbers or dates is a name, and so are years above other numbers; a line of texts alone counts as
    names."""
    if _has_word_above_data(first, rest) or _are_years(first, rest):
        return True
    return all(first) and not any(map(looks_like_value, first))


def _has_word_above_data(first: list[str], rest: list[list[str]]) -> bool:
    """Whether some column has a word in the first line above numbers or dates."""
    return any(_is_word(cell) and _is_data_column(rest, i) for i, cell in enumerate(first))


def _is_word(cell: str) -> bool:
    return not looks_like_value(cell) and not UNKNOWN.fullmatch(cell.strip())


def _are_years(first: list[str], rest: list[list[str]]) -> bool:
    """Whether all numbers are years, two or more at equal intervals, each above numbers that are not all years."""
    positions = [i for i, cell in enumerate(first) if looks_like_value(cell)]
    if len(positions) < 2 or not all(YEAR.fullmatch(first[i]) for i in positions):
        return False
    steps = {int(later) - int(earlier) for earlier, later in pairwise(first[i] for i in positions)}
    return len(steps) == 1 and 0 not in steps and all(_is_no_year_column(rest, i) for i in positions)


def _is_no_year_column(records: list[list[str]], column: int) -> bool:
    return _is_data_column(records, column) and not all(map(YEAR.fullmatch, _cells(records, column)))


def _cells(records: list[list[str]], column: int) -> list[str]:
    return [fields[column] for fields in records if column < len(fields) and fields[column]]


def _is_data_column(records: list[list[str]], column: int) -> bool:
    cells = _cells(records, column)
    return bool(cells) and all(map(looks_like_value, cells))


def is_certain_header(first: list[str], rest: list[list[str]]) -> bool:
    """Whether the first line can only be names: a word above numbers or dates, no values, and no cell that recurs in
    its column."""
    known = [["" if UNKNOWN.fullmatch(cell.strip()) else cell for cell in fields] for fields in rest]
    return _has_word_above_data(first, known) and not any(map(looks_like_value, first)) and not _recurs(first, known)


def _recurs(first: list[str], rest: list[list[str]]) -> bool:
    """Whether a cell of the first line recurs in its column. The whole line may, where two files were joined."""
    others = [fields for fields in rest if fields != first]
    return any(cell and cell in _cells(others, i) for i, cell in enumerate(first))


def _check_names(path: Path, first: list[str]) -> None:
    n_by_name = Counter(name for name in first if name)
    repeated = [position for position, name in enumerate(first, start=1) if n_by_name[name] > 1]
    if repeated:
        raise SourceError.repeated_columns(path, repeated)


def _decimal(delimiter: str, records: list[list[str]]) -> Literal[".", ","]:
    if delimiter == ",":
        return "."
    cells = [cell for fields in records for cell in fields]
    n_commas = sum(1 for cell in cells if DECIMAL_COMMA.fullmatch(cell))
    n_points = sum(1 for cell in cells if DECIMAL_POINT.fullmatch(cell))
    return "," if n_commas > n_points else "."


def _notes(declared: ReadOptions, final: ReadOptions, first: list[str], in_doubt: bool) -> list[str]:
    notes = []
    if final.decimal == "," and declared.decimal is None:
        notes.append("numbers are read with a decimal comma")
    if in_doubt:
        notes.append("the first line was read as column names; if it is a record, declare header = false")
    if not final.header and not final.names:
        remedy = "" if declared.header is False else "; if it holds column names, declare header = true"
        notes.append(f"the first line was read as a record: the columns are named column_1, column_2, ...{remedy}")
    elif final.header and not all(first):
        positions = ", ".join(f"column_{i}" for i, name in enumerate(first, start=1) if not name)
        notes.append(f"columns without a name are named by their position: {positions}")
    return notes
