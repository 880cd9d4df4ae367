"""Texts that a spreadsheet would run as formulas, since they begin with = + - @, a tab or a carriage return.

An apostrophe before them prevents that. Texts that have one already get another, so that all read back as they were;
numbers are never changed.
"""

from __future__ import annotations

import pyarrow as pa

from shoal.sources.compute import Column, pc

SIGN = "^[=+\\-@\t\r]"
NUMBER = "^[+-]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][+-]?[0-9]+)?$"
APOSTROPHE = "'"


def looks_like_formula(texts: Column) -> Column:
    """Which texts a spreadsheet would run, apostrophes before them ignored."""
    stripped = pc.utf8_ltrim(texts, characters=APOSTROPHE)
    signed = pc.match_substring_regex(stripped, SIGN)
    if not pc.any(signed, min_count=0).as_py():
        return signed
    return pc.and_not(signed, pc.match_substring_regex(stripped, NUMBER))


def with_apostrophes(texts: Column) -> Column:
    return pc.if_else(looks_like_formula(texts), pc.binary_join_element_wise(APOSTROPHE, texts, ""), texts)


def without_apostrophes(texts: Column) -> Column:
    """The texts as they were before `with_apostrophes`."""
    marked = pc.and_(looks_like_formula(texts), pc.starts_with(texts, APOSTROPHE))
    return pc.if_else(marked, pc.utf8_slice_codeunits(texts, 1), texts)


def names_without_apostrophes(names: list[str]) -> list[str]:
    return list(without_apostrophes(pa.array(names, pa.string())).to_pylist())


def table_without_apostrophes(texts: pa.Table) -> pa.Table:
    return pa.table([without_apostrophes(column) for column in texts.columns], names=texts.column_names)


def count_formulas(texts: Column) -> int:
    return int(pc.sum(looks_like_formula(texts)).as_py() or 0)
