"""Is a record nearer to its own than to anybody's? Where it is not, the pairing is probably wrong.

Aligned -> notes

The distance of two records is the mean over the quasi-identifiers: of numbers their difference over sqrt 2 standard
deviations and at most 1, of all else whether they differ. It is held to random pairings of the same records: a right
one is far below what these give.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.assess.aligned import Aligned
from shoal.assess.assessment import class_sizes
from shoal.encode.numbers import to_numbers
from shoal.schema import Column

MOST_PAIRS = 10_000  # that are looked at, evenly spread
N_RANDOM = 10  # random pairings, by the same key every time
KEY = 2001
FAR = 4.0  # standard deviations of what random pairings give

ALARM = (
    "Records are hardly nearer to their own than to a random one ({:.4g} % apart, at random {:.4g} %): who is who is "
    "probably said wrongly, and then linkage, losses and the score mean nothing."
)


def mispaired(aligned: Aligned, names: Sequence[str]) -> tuple[str, ...]:
    """By the columns ``names``: a note of alarm, or none. A release of records that are all alike cannot tell."""
    kept = aligned.kept[:: -(-len(aligned.kept) // MOST_PAIRS) or 1]
    if len(kept) < 2 or class_sizes(aligned.released, aligned.schema).n < 2:
        return ()
    before, after = (
        t.select(list(names)) for t in (aligned.original.take(kept), aligned.read.take(aligned.truth[kept]))
    )
    columns, chance = [aligned.schema[name] for name in names], np.random.default_rng(KEY)
    own = _apart(columns, before, after)
    random = [_apart(columns, before, after.take(chance.permutation(len(kept)))) for _ in range(N_RANDOM)]
    return (ALARM.format(own, np.mean(random)),) if own >= np.mean(random) - FAR * np.std(random) else ()


def _apart(columns: Sequence[Column], before: pa.Table, after: pa.Table) -> float:
    return 100 * float(np.mean([_column_apart(c, before[c.name], after[c.name]) for c in columns]))


def _column_apart(column: Column, before: pa.ChunkedArray[Any], after: pa.ChunkedArray[Any]) -> float:
    gaps = before.is_null().to_numpy() != after.is_null().to_numpy()
    if column.kind not in ("numeric", "date"):
        differ: Any = pc.not_equal(before.cast(pa.string()), after.cast(pa.string())).fill_null(False)
        return float(np.mean(gaps | differ.to_numpy()))
    one, other = to_numbers(column.name, before), to_numbers(column.name, after)
    unit = np.sqrt(2) * float(one.values[~one.missing].std()) if not one.missing.all() else 0.0
    moved = np.where(one.missing | other.missing, 0.0, np.abs(one.values - other.values))
    return float(np.mean(np.where(gaps, 1.0, np.minimum(moved / unit, 1.0) if unit else moved > 0)))
