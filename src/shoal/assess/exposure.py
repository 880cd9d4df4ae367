"""What classes do not hide: records that columns released as they are tell apart, and sensitive values that all records
of a class share.

counts of the released records -> how many records lie open
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.assess.findings import Finding
from shoal.encode.classes import combined
from shoal.encode.codes import to_codes
from shoal.encode.counts import count_combinations
from shoal.errors import listed
from shoal.kernels import Labels
from shoal.release.wildcard import wildcard_extremes

What = Literal["unique", "homogeneous", "determined", "minimality", "suppressed", "blanked", "retied"]
UNIQUE, HOMOGENEOUS = "unique on untouched columns", "in classes that share a sensitive value"
N_NAMED = 2  # columns


@dataclass(frozen=True)
class Exposure:
    """More records lie open than the policy takes without a word."""

    what: What
    share: float  # percent of the released records; of minimality, of those accused
    limit: float  # percent; of minimality, what the release itself says of them
    columns: tuple[str, ...]  # that contribute most, the most first
    mend: str  # TOML for the policy; empty where no line would do


def n_unique(pieces: Iterable[pa.Table]) -> int:
    """Records that no other equals. ``pieces``: a row per combination, last its n records."""
    return sum(int(np.count_nonzero(_n(piece) == 1)) for piece in pieces)


def n_homogeneous(pieces: Iterable[pa.Table]) -> int:
    """Records of classes whose known sensitive values are one. Of ``pieces``, each with whole classes, the last two
    columns are the sensitive value and the n records; all before are those of the class."""
    return sum(_homogeneous(piece) for piece in pieces)


def _homogeneous(piece: pa.Table) -> int:
    keys = [str(at) for at in range(piece.num_columns - 2)]
    named = piece.rename_columns([*keys, "value", "n"])
    known_ones = pc.CountOptions(mode="only_valid")
    classes = named.group_by(keys).aggregate([("value", "count_distinct", known_ones), ("n", "sum")])
    return int(classes["n_sum"].to_numpy()[classes["value_count_distinct"].to_numpy() == 1].sum())


def n_homogeneous_by_wildcards(pieces: Iterable[pa.Table]) -> int:
    """The same, where a blank may be any value: a record's class is whatever it matches."""
    counts = pa.concat_tables(pieces)
    names = [str(at) for at in range(counts.num_columns - 1)]
    counts = counts.rename_columns([*names, "n"])
    values = to_codes(names[-1], counts[names[-1]]).codes
    least, greatest = wildcard_extremes(counts, names[:-1], values)
    return int(_n(counts)[least == greatest].sum())


def _n(piece: pa.Table) -> Any:
    return piece.column(piece.num_columns - 1).to_numpy()


def by_values(table: pa.Table, names: Sequence[str]) -> tuple[str, ...]:
    """The columns with the most different values first."""
    return tuple(sorted(names, key=lambda name: -len(count_combinations(table, [name]))))


def enough_to_cover(table: pa.Table, names: Sequence[str], limit: float) -> tuple[str, ...]:
    """The first of ``names``, so many that the others tell no more than ``limit`` percent of the records apart."""
    labels = np.zeros(len(table), dtype=np.int64)
    for at in range(len(names) - 1, 0, -1):  # the last ones tell least, and each tells more apart than those behind it
        labels = combined([labels, _numbered(table[names[at]])], len(table))
        if 100 * np.count_nonzero(np.bincount(labels) == 1) > limit * len(table):
            return tuple(names[: at + 1])
    return tuple(names[:1])


def _numbered(cells: Any) -> Labels:
    """(n_records,) a number for every value, in no order: some types have none."""
    encoded: Any = cells.combine_chunks()
    if not pa.types.is_dictionary(encoded.type):
        encoded = encoded.dictionary_encode()
    numbers: Labels = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return numbers


def unique_finding(share: float, names: Sequence[str], limit: float | None = None) -> Finding:
    meaning = f"Share of records that nobody else equals on the columns released as they are: {listed(names)}."
    return Finding(UNIQUE, share, meaning, baseline=0, goal=limit, unit="%")


def homogeneous_finding(share: float, name: str, limit: float) -> Finding:
    meaning = f"Share of records in classes that all have the same {name}: who finds the class knows it."
    return Finding(f"{HOMOGENEOUS}, {name}", share, meaning, baseline=0, goal=limit, unit="%")
