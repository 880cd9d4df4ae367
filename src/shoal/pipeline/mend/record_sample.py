"""A sample of the records of a large table: whole units, drawn at random with a fixed seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa

from shoal.encode.codes import to_codes
from shoal.kernels import Labels
from shoal.policy import Policy
from shoal.sources import read

MOST_RECORDS = 50_000
SEED = 0
RULE = (
    "of a larger table a sample of at most {most:,} records: whole units where the policy names a household or unit, "
    "drawn at random with a fixed seed, in the order of the file"
)


@dataclass(frozen=True, eq=False)
class RecordSample:
    """``source``: the table to protect; a sample, or what the caller gave where it is small enough."""

    source: Any
    table: pa.Table  # all records, as the policy reads them
    n_tried: int

    @property
    def n_records(self) -> int:
        return len(self.table)

    @classmethod
    def of(cls, source: Any, policy: Policy, most: int) -> Self:
        table = read(source, policy.source, kinds=policy.cell_kinds).table
        if len(table) <= most:
            return cls(source, table, len(table))
        units = [name for name, rule in policy.columns.items() if rule.role in ("household", "unit")]
        rows = _whole_units(to_codes(units[0], table[units[0]]).codes, most) if units else _rows(len(table), most)
        return cls(table.take(rows), table, len(rows))


def _rows(n_records: int, most: int) -> Labels:
    return np.sort(np.random.default_rng(SEED).choice(n_records, most, replace=False))


def _whole_units(units: Labels, most: int) -> Labels:
    """Rows of units in random order, as long as they fit; a record without a unit is one of its own."""
    alone = units < 0
    own = np.where(alone, units.max(initial=-1) + np.cumsum(alone), units)
    order = np.random.default_rng(SEED).permutation(int(own.max()) + 1)
    sizes = np.bincount(own)[order]
    chosen = order[np.cumsum(sizes) <= most]
    return np.flatnonzero(np.isin(own, chosen))
