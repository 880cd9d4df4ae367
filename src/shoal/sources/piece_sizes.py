"""PieceSizes: how much of a large table is processed at a time."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PieceSizes:
    """The release does not depend on them: they only trade memory for speed."""

    n_bytes: int = 1 << 24  # of a piece of a Parquet file, about
    most_records: int = 1 << 17  # of such a piece
    fewest_records: int = 1 << 10
    csv_block: int = 1 << 20  # bytes of a CSV that are parsed at a time
    longest_record: int = 1 << 25  # bytes of a record of a CSV, about
    summed_bytes: int = 1 << 25  # of pieces that are added up at once
    lot_records: int = 1 << 16  # of a lot, at most
    part_bytes: int = 1 << 25  # of the records of a task
    most_parts: int = 4096  # into which records are divided
    n_sorted: int = 1 << 16  # records that an engine sorts and hands back at a time
    n_combinations: int = 1 << 18  # in a piece of class counts, approximately


USUAL = PieceSizes()
