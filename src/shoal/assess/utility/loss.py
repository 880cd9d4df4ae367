"""Information loss of what was written: 0 % where nothing changed, 100 % where all records are made alike.

numeric, date  squared differences, over those from the mean
ordinal        squared differences of positions in the order, over those from the mean position
nominal        records whose value changed, over those that differ from the most frequent value
extents        how much of the column a record is spread over, on average (its normalized certainty penalty)

The loss of a table is the mean over its quasi-identifiers; for numeric columns alone this is 100 * SSE / SST of
z-scores, the IL of the literature. A value that was blanked counts as replaced by the mean (or as changed); one that
was filled in is not counted, since there is nothing to compare it with.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal import kernels
from shoal.assess.findings import Finding, Findings
from shoal.assess.utility.told import uncertainty
from shoal.encode.codes import Codes, to_codes
from shoal.encode.numbers import to_numbers
from shoal.encode.standardize import moments
from shoal.kernels import Labels, Vector
from shoal.schema import Column, Schema


def information_losses(
    original: pa.Table, released: pa.Table, schema: Schema, by_extents: Collection[str] = ()
) -> dict[str, float]:
    """Percent lost of every quasi-identifier, record by record; ``by_extents`` are told so."""
    if not len(released):
        return {}
    return {
        name: (uncertainty if name in by_extents else column_loss)(schema[name], original[name], released[name])
        for name in schema.quasi_identifiers
    }


def loss_findings(losses: dict[str, float]) -> Findings:
    if not losses:
        return Findings()
    return Findings(
        (
            Finding(
                "information loss",
                float(np.mean(list(losses.values()))),
                "Mean over the quasi-identifiers of what the release hides of their spread; "
                "100 % would make all records alike.",
                baseline=100,
                unit="%",
            ),
            *(
                Finding(
                    f"information loss of {name}",
                    loss,
                    f"What the release hides of the spread of {name}.",
                    baseline=100,
                    unit="%",
                )
                for name, loss in losses.items()
            ),
        )
    )


def column_loss(column: Column, original: pa.ChunkedArray[Any], released: pa.ChunkedArray[Any]) -> float:
    if column.kind in ("numeric", "date"):
        before, after = to_numbers(column.name, original), to_numbers(column.name, released)
        return _squared(before.values, ~before.missing, after.values, ~after.missing)
    known = to_codes(column.name, original, column.order)
    old, new = known.codes, _recoded(released, known)
    if column.kind == "ordinal":
        return _squared(old.astype(np.float64), old >= 0, new.astype(np.float64), new >= 0)
    return _changed(old, new)


def _squared(before: Vector, known: NDArray[np.bool_], after: Vector, kept: NDArray[np.bool_]) -> float:
    if not known.any():
        return 0.0
    X = np.ascontiguousarray(before[known, None])
    mean, deviation = moments(X)
    if deviation[0] == 0:
        return 0.0
    differences = np.where(kept[known], before[known] - after[known], before[known] - mean[0])
    total = kernels.column_squares(X, mean)[0]
    return 100 * float(kernels.column_squares(differences[:, None], np.zeros(1))[0] / total)


def _changed(before: Labels, after: Labels) -> float:
    known = before >= 0
    if not known.any():
        return 0.0
    at_worst = int(known.sum()) - int(np.bincount(before[known]).max())
    return 100 * float(np.count_nonzero(before[known] != after[known])) / at_worst if at_worst else 0.0


def _recoded(released: pa.ChunkedArray[Any], codes: Codes) -> Labels:
    """The released values by the codes of the original; -1 where missing, or new."""
    after = to_codes("release", released)
    place = {value: code for code, value in enumerate(codes.values.to_pylist())}
    translation = np.array([*(place.get(value, -1) for value in after.values.to_pylist()), -1], dtype=np.int64)
    return translation[after.codes]
