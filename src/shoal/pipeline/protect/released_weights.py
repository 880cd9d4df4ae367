"""Released weights: kept, rounded, or the mean of the stratum, as the policy states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

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

WEIGHT, KEPT = "weight", "kept"


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
    if not names:
        return np.zeros(original.n_records, dtype=np.int64)
    strata = Strata.of(names, lambda by: engine.group_counts(original.frame, by))
    return original.by_record(names, strata.stratum_of).to_numpy()


def _released_weights(original: FittedTable[F], protected: F, name: str) -> tuple[Vector, NDArray[np.bool_]]:
    """(n_records,) The weights, 1 where a record is suppressed, and whether it is released."""
    table = original.engine.by_record(protected, [name, GROUP], partial(_weights_of, name))
    weights, kept = (table[each].to_numpy().copy() for each in (WEIGHT, KEPT))
    n_unfit = int(np.count_nonzero(kept & ~(weights > 0)))
    if n_unfit:
        raise TableError.invalid_weights(name, n_unfit)
    weights[~kept] = 1.0
    return weights, kept


def _weights_of(name: str, piece: pa.Table) -> pa.Table:
    """Weights, NaN where missing, and whether a record is released."""
    found = to_numbers(name, piece[name])
    return pa.table({WEIGHT: np.where(found.missing, np.nan, found.values), KEPT: piece[GROUP].is_valid()})
