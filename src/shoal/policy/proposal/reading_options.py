"""How the texts of a CSV are written: blanks around cells, separators of thousands, words that mean "missing"."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

MISSING_WORDS = frozenset({"NA", "N/A", "n/a", "NULL", "null", "None", "NaN", "nan", "?", "-", ".", "#N/A", "missing"})
BLANKS_AROUND = r"^\s|\s$"
SEPARATORS = {".": ",", ",": ".", "'": ".", " ": "."}  # of thousands, and the decimal mark that goes with it


def missing_words(table: pa.Table) -> tuple[str, ...]:
    """Words found in text columns that usually mean "missing", blanks around them ignored."""
    words = pa.array(sorted(MISSING_WORDS))
    found: set[str] = set()
    for column in _texts(table):
        distinct = pc.utf8_trim_whitespace(pc.unique(column))
        found |= set(distinct.filter(pc.is_in(distinct, value_set=words)).to_pylist())
    return tuple(sorted(found))


def has_blanks_around(table: pa.Table) -> bool:
    """Whether some text has blanks before or after it."""
    return any(pc.any(pc.match_substring_regex(column, BLANKS_AROUND), min_count=0).as_py() for column in _texts(table))


def thousands(table: pa.Table, decimal: str | None) -> str | None:
    """The separator of thousands that whole columns are written with; None where there is none, or where it may as well
    be the decimal mark."""
    return next((mark for mark in SEPARATORS if any(_groups(column, mark, decimal) for column in _texts(table))), None)


def _groups(column: Any, mark: str, decimal: str | None) -> bool:
    """Whether all known texts are numbers in groups of three digits, and some could be nothing else: several groups, or
    one group and a decimal mark."""
    point = SEPARATORS[mark]
    known = pc.utf8_trim_whitespace(pc.unique(column.drop_null()))
    known = known.filter(pc.not_equal(known, pa.scalar("")))
    group, fraction = f"[+-]?[0-9]{{1,3}}([{mark}][0-9]{{3}})", f"[{point}][0-9]+"
    certain = f"^({group}{{2,}}({fraction})?|{group}{fraction})$"
    if not len(known) or not _any(known, f"^{group}+({fraction})?$" if decimal == point else certain):
        return False
    ordinary = f"^({group}+|[+-]?[0-9]{{1,3}})({fraction})?$"
    return bool(pc.all(pc.match_substring_regex(known, ordinary)).as_py())


def _any(texts: Any, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(texts, pattern), min_count=0).as_py())


def _texts(table: pa.Table) -> list[Any]:
    return [column for column in table.columns if pa.types.is_string(column.type)]
