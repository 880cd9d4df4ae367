"""Released weights: kept, rounded, or the mean of the stratum, as the policy states."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.number_column import to_numbers
from shoal.engines.protocol import GROUP, RECORD_ID, F
from shoal.errors import TableError
from shoal.kernels import Labels, Vector
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.strata import Strata
from shoal.release.weights import mean_weights, rounded_weights


def replace_weights(original: FittedTable[F], protected: F) -> F:
    """``protected``, made from ``original``, with new weights, computed from the released records only."""
    how = original.plan.weights
    if how == "kept":
        return protected
    (column,) = original.schema.with_role("weight")
    weights, released = _released_weights(original, protected, column.name)
    strata = np.unique(stratum_of_records(original)[released], return_inverse=True)[1].astype(np.int64)
    known = weights[released]
    if how == "rounded":
        new_weights = rounded_weights(known, strata, original.rng, f"rounding of {column.name}")
    else:
        new_weights = mean_weights(known, strata)
    weights[released] = new_weights
    return original.engine.map_rows(protected, WeightReplacement(column.name, weights, released))


@dataclass(frozen=True)
class WeightReplacement:
    """Replaces weights, which are indexed by the position of the record in the original."""

    name: str
    weights: Vector  # (n_records,)
    released: NDArray[np.bool_]  # (n_records,)

    def __call__(self, piece: pa.Table) -> pa.Table:
        records: Labels = piece[RECORD_ID].to_numpy()
        cells = pa.array(self.weights[records], pa.float64(), mask=~self.released[records])
        return piece.set_column(piece.column_names.index(self.name), self.name, cells)


def stratum_of_records(original: FittedTable[F]) -> Labels:
    """(n_records,) The stratum of each record."""
    engine, names = original.engine, original.plan.within
    found = np.zeros(original.n_records, dtype=np.int64)
    if not names:
        return found
    strata, n_seen = Strata.of(names, lambda by: engine.group_counts(original.frame, by)), 0

    def add(piece: pa.Table) -> None:
        nonlocal n_seen
        found[n_seen : n_seen + len(piece)] = strata.stratum_of(piece)
        n_seen += len(piece)

    original.fold(names, add)
    return found


def _released_weights(original: FittedTable[F], protected: F, name: str) -> tuple[Vector, NDArray[np.bool_]]:
    """(n_records,) The weights, 1 where a record is suppressed, and whether it is released."""
    weights, released = np.ones(original.n_records), np.zeros(original.n_records, dtype=bool)
    n_seen = n_unfit = 0

    def add(piece: pa.Table) -> None:
        nonlocal n_seen, n_unfit
        here = slice(n_seen, n_seen + len(piece))
        found, kept = to_numbers(name, piece[name]), piece[GROUP].is_valid().to_numpy()
        n_unfit += int(np.count_nonzero(kept & (found.missing | (found.values <= 0))))
        weights[here], released[here] = np.where(kept, found.values, 1.0), kept
        n_seen += len(piece)

    original.engine.fold(protected, [name, GROUP], add)
    if n_unfit:
        raise TableError.invalid_weights(name, n_unfit)
    return weights, released
