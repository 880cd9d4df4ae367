"""A corrupted copy of a table: typing errors, misspellings, swapped fields, missing values.

pa.Table -> pa.Table, record for record

For measuring how robust record linkage and blocking are to accidental errors, without intentional masking.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.datasets.random_draws import Flags, Generator
from shoal.datasets.typos import with_typos
from shoal.errors import DatasetError

LETTERS = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
MISSPELLINGS = (
    ("ph", "f"), ("ck", "k"), ("c", "k"), ("ie", "ei"), ("ei", "ie"), ("y", "i"), ("nn", "n"), ("l", "ll"), ("th", "t"),
    ("v", "w"), ("s", "z"), ("rd", "rt"), ("en", "an"), ("o", "oh"), ("d", "t"),
)  # fmt: skip


def corrupt(
    table: pa.Table,
    *,
    columns: Sequence[str],
    typos: float = 0.05,
    misspellings: float = 0.05,
    missing: float = 0.02,
    swapped: Sequence[tuple[str, str]] = (),
    swaps: float = 0.02,
    seed: int = 0,
) -> pa.Table:
    """The table with errors in ``columns``; all others are unchanged. Rates are per cell; ``swaps`` is per record.

    typos         a letter replaced, deleted or inserted, two transposed; in integers a digit replaced, two transposed
    misspellings  a phonetic variant, in texts to which one of MISSPELLINGS applies
    swapped       pairs of columns whose values are exchanged in some records
    """
    for name, share in {"typos": typos, "misspellings": misspellings, "missing": missing, "swaps": swaps}.items():
        if not 0 <= share <= 1:
            raise DatasetError.bad_argument(name, "a share from 0 to 1", share)
    unknown = [
        name for name in [*columns, *(name for pair in swapped for name in pair)] if name not in table.column_names
    ]
    if unknown:
        raise DatasetError.bad_argument("columns", f"some of {', '.join(table.column_names)}", unknown[0])
    for at, name in enumerate(columns):
        rng = _rng(seed, 0, at)
        cells = _misspell(table[name].combine_chunks(), misspellings, rng)
        cells = _mistype(cells, typos, rng)
        table = _replace_column(table, name, _with_missing(cells, missing, rng))
    for at, (one, other) in enumerate(swapped):
        table = _swap_values(table, one, other, swaps, _rng(seed, 1, at))
    return table


def _rng(seed: int, kind: int, at: int) -> Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(kind, at)))


def _replace_column(table: pa.Table, name: str, cells: pa.Array[Any]) -> pa.Table:
    return table.set_column(table.schema.get_field_index(name), name, cells)


def _draw_flags(rng: Generator, share: float, n: int) -> Flags:
    return rng.random(n) < share


def _misspell(cells: Any, share: float, rng: Generator) -> Any:
    """Applies the rules in random order; each selected cell is changed by the first that applies."""
    if not pa.types.is_string(cells.type):
        return cells
    open_ = _draw_flags(rng, share, len(cells))
    for at in rng.permutation(len(MISSPELLINGS)):
        written, instead = MISSPELLINGS[at]
        other = pc.replace_substring(cells, written, instead, max_replacements=1)
        fits = open_ & pc.not_equal(cells, other).fill_null(False).to_numpy(zero_copy_only=False)
        cells = pc.if_else(pa.array(fits), other, cells)
        open_ &= ~fits
    return cells


def _mistype(cells: Any, share: float, rng: Generator) -> Any:
    is_text = pa.types.is_string(cells.type)
    if not is_text and not pa.types.is_integer(cells.type):
        return cells
    chosen = _draw_flags(rng, share, len(cells)) & cells.is_valid().to_numpy(zero_copy_only=False)
    before = cells.cast(pa.string()).filter(pa.array(chosen)).to_numpy(zero_copy_only=False).astype(np.str_)
    after = with_typos(before, LETTERS if is_text else DIGITS, rng, keep_length=not is_text)
    return pc.replace_with_mask(cells, pa.array(chosen), pa.array(after, pa.string()).cast(cells.type))


def _with_missing(cells: Any, share: float, rng: Generator) -> Any:
    return pc.if_else(pa.array(_draw_flags(rng, share, len(cells))), pa.scalar(None, cells.type), cells)


def _swap_values(table: pa.Table, one: str, other: str, share: float, rng: Generator) -> pa.Table:
    there = pa.array(_draw_flags(rng, share, len(table)))
    first: Any = table[one].combine_chunks()
    second: Any = table[other].combine_chunks()
    table = _replace_column(table, one, pc.if_else(there, second, first))
    return _replace_column(table, other, pc.if_else(there, first, second))
