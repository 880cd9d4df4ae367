"""A folder of Parquet files, written where the lots are: each part by one task.

A part holds as many records as a row group of one file, so that positions decide which, never the number of workers.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from shoal.engines.lots.lot_carrier import L, LotCarrier
from shoal.kernels import Labels
from shoal.schema.helper_columns import RECORD_ID
from shoal.sources import Formulas, write_pieces
from shoal.sources.parquet import records_of_group
from shoal.sources.table_parts import part_name

DRAFT = ".{}.parquet"


def write_parts(carrier: LotCarrier[L], lots: L, schema: pa.Schema, folder: Path) -> Formulas:
    """Writes all records in the order of their ids, which are left out. ``lots``: in tasks of adjacent ids."""
    size = records_of_group(len(schema) - 1)
    tasks = list(carrier.results(carrier.only(lots, [RECORD_ID]), _ids_of_task))
    filled = np.array([task for task in tasks if task[1]], dtype=np.int64).reshape(-1, 2)
    firsts, ends = filled[:, 0], np.cumsum(filled[:, 1])  # (n_filled,) first id of each task, records up to its end
    if not len(filled):
        return write_pieces([schema.empty_table().drop_columns(RECORD_ID)], folder)
    starts, n_parts = ends - filled[:, 1], -(-int(ends[-1]) // size)
    part_name(n_parts - 1)  # validates; raises PartsError
    ranked = carrier.mapped(lots, partial(_with_ranks, firsts, starts))
    parts = carrier.to_parts(ranked, partial(_parts_of_ranks, size), n_parts)
    for _ in carrier.results(carrier.mapped(parts, in_order), partial(_write_part, folder, size)):
        pass
    for draft in folder.glob(DRAFT.format("*")):  # of a task that was killed and repeated
        draft.unlink()
    return {}


def in_order(lots: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """All lots of a task as one, sorted by record id."""
    tables = list(lots)
    if tables:
        table = pa.concat_tables(tables, promote_options="permissive")
        yield table.take(np.argsort(table[RECORD_ID].to_numpy(), kind="stable"))


def _ids_of_task(lots: Iterator[pa.Table]) -> tuple[int, int]:
    """The least id, and the number of records."""
    ids = [lot[RECORD_ID].to_numpy() for lot in lots]
    return min((int(some.min()) for some in ids if len(some)), default=0), sum(map(len, ids))


def _with_ranks(firsts: Labels, starts: Labels, lots: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """The records of a task with their positions among all records as ids. ``starts``: records before each task."""
    tables = [lot for lot in lots if len(lot)]
    if not tables:
        return
    table = pa.concat_tables(tables, promote_options="permissive")
    ids = table[RECORD_ID].to_numpy()
    ranks = np.empty(len(ids), dtype=np.int64)
    ranks[np.argsort(ids, kind="stable")] = np.arange(len(ids)) + starts[np.searchsorted(firsts, ids.min())]
    yield table.set_column(table.schema.get_field_index(RECORD_ID), RECORD_ID, pa.array(ranks))


def _parts_of_ranks(size: int, table: pa.Table) -> Labels:
    parts: Labels = table[RECORD_ID].to_numpy() // size
    return parts


def _write_part(folder: Path, size: int, lots: Iterator[pa.Table]) -> None:
    """Under another name first: a task may be repeated, or run twice at once."""
    (part,) = lots
    number = int(part[RECORD_ID][0].as_py()) // size
    draft = folder / DRAFT.format(secrets.token_hex(8))
    write_pieces([part.drop_columns(RECORD_ID)], draft)
    draft.replace(folder / part_name(number))
