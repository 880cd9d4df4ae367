"""Information loss of a release: 0 % where nothing changed, 100 % where all records are made equal.

numeric, date  sum of squared differences, over the sum of squares about the mean
ordinal        the same of positions in the order
nominal        records whose value changed, over those that differ from the most frequent value
extents        mean share of the column that the extent of a record covers (normalized certainty penalty)

The loss of a table is the mean over its quasi-identifiers; for numeric columns alone this is 100 * SSE / SST of
z-scores, the IL of the literature. A value that was blanked counts as replaced by the mean (or as changed); one that
was filled in is not counted, since there is no original value to compare it with.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal import kernels
from shoal.assessment.utility.extent_values import certainty_penalty
from shoal.encode.codes import to_codes
from shoal.encode.number_column import to_numbers
from shoal.encode.standardize import moments
from shoal.findings import Finding, Findings
from shoal.kernels import Labels, Vector
from shoal.schema import Column, Schema

FORMULA = (
    "Mean over the quasi-identifiers of 100 * sum of squared differences / sum of squares about the mean (of "
    "positions, where values are ordered); of nominal ones, values changed / values other than the most frequent; of "
    "extents, the mean share of the column that a record is spread over. 100 % would make all records alike."
)


def information_losses(
    original: pa.Table, released: pa.Table, schema: Schema, by_extents: Collection[str] = ()
) -> dict[str, float]:
    """Percent lost of every quasi-identifier, record by record; ``by_extents``: those released as extents."""
    if not len(released):
        return {}
    return {
        name: (certainty_penalty if name in by_extents else column_loss)(schema[name], original[name], released[name])
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
                FORMULA,
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
        return _squared_loss(before.values, ~before.missing, after.values, ~after.missing)
    before_codes, after_codes = _codes_of_both(column, original, released)
    if column.kind == "ordinal":
        return _squared_loss(
            before_codes.astype(np.float64), before_codes >= 0, after_codes.astype(np.float64), after_codes >= 0
        )
    return _changed_loss(before_codes, after_codes)


def _squared_loss(before: Vector, known: NDArray[np.bool_], after: Vector, kept: NDArray[np.bool_]) -> float:
    if not known.any():
        return 0.0
    X = np.ascontiguousarray(before[known, None])
    mean, deviation = moments(X)
    if deviation[0] == 0:
        return 0.0
    differences = np.where(kept[known], before[known] - after[known], before[known] - mean[0])
    total = kernels.column_squares(X, mean)[0]
    return 100 * float(kernels.column_squares(differences[:, None], np.zeros(1))[0] / total)


def _changed_loss(before: Labels, after: Labels) -> float:
    known = before >= 0
    if not known.any():
        return 0.0
    most_changes = int(known.sum()) - int(np.bincount(before[known]).max())
    return 100 * float(np.count_nonzero(before[known] != after[known])) / most_changes if most_changes else 0.0


def _codes_of_both(
    column: Column, original: pa.ChunkedArray[Any], released: pa.ChunkedArray[Any]
) -> tuple[Labels, Labels]:
    """(n_records,) codes of both columns with the same numbering; -1 where missing."""
    before, after = to_codes(column.name, original, column.order), to_codes("release", released)
    codes_by_value = {value: code for code, value in enumerate(before.values.to_pylist())}
    values = after.values.to_pylist()
    if any(value not in codes_by_value for value in values):  # a perturbed value may be that of a suppressed record
        both = pa.chunked_array([*_without_dictionary(original).chunks, *_without_dictionary(released).chunks])
        codes = to_codes(column.name, both, column.order).codes
        return codes[: len(original)], codes[len(original) :]
    translation = np.array([*(codes_by_value[value] for value in values), -1], dtype=np.int64)
    return before.codes, translation[after.codes]


def _without_dictionary(cells: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    return cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
