"""Blanks around cells: removed where the user declares `trim`, and looked for where nothing is declared."""

from __future__ import annotations

import pyarrow as pa

from shoal.sources.compute import Column, pc

BLANKS = " \t\u00a0\u2007\u2009\u202f\u3000"
PADDED = f"^[{BLANKS}]|[{BLANKS}]$"


def trim_text(text: str) -> str:
    return text.strip(BLANKS)


def trim_cells(texts: Column, quote: str = "") -> Column:
    """The texts without blanks around them. A cell with a blank before its opening ``quote`` was read with its quotes:
    they are removed too."""
    if quote:
        texts = _without_quotes(texts, quote)
    return pc.utf8_trim(texts, characters=BLANKS)


def _without_quotes(texts: Column, quote: str) -> Column:
    quoted = pc.match_substring_regex(texts, rf"^[{BLANKS}]+{quote}.*{quote}[{BLANKS}]*$")
    if not pc.any(quoted, min_count=0).as_py():
        return texts
    inner = pc.utf8_slice_codeunits(pc.utf8_trim(texts, characters=BLANKS), 1, -1)
    return pc.if_else(quoted, pc.replace_substring(inner, quote * 2, quote), texts)


def padded_columns(table: pa.Table) -> tuple[str, ...]:
    """The text columns with cells that begin or end with a blank."""
    texts = [name for name in table.column_names if pa.types.is_string(table[name].type)]
    return tuple(name for name in texts if pc.any(pc.match_substring_regex(table[name], PADDED), min_count=0).as_py())
