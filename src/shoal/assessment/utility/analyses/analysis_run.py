"""The steward's analyses, each fitted on original and release and scored on held-out original records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shoal import progress
from shoal.assessment.utility.analyses.analysis import Analysis
from shoal.assessment.utility.analyses.analysis_result import AnalysisResult, coefficient_pairs
from shoal.assessment.utility.analyses.estimators import Prediction, predict
from shoal.assessment.utility.analyses.held_out import HeldOutSplit
from shoal.assessment.utility.analyses.held_out_score import HeldOutScore, Predicted, accuracy, explained_variance
from shoal.assessment.utility.analyses.model_columns import ColumnPair, design_matrices, model_column
from shoal.assessment.utility.analyses.target_column import TargetColumn, target_column
from shoal.assessment.utility.compared_records import ComparedRecords
from shoal.assessment.utility.regression_fit import RegressionFit, least_squares, logistic
from shoal.errors import TableError
from shoal.findings import UnmeasuredFigure
from shoal.kernels import Labels, Vector

MOST_RECORDS = 150_000  # for one analysis; a random part of larger tables
FEWEST_HELD_OUT = 10
UNPAIRED = "not measured: needs --policy (for a release of another tool: --id or --truth), to hold persons out"


def run_analyses(
    records: ComparedRecords, analyses: Sequence[Analysis], k: int, units: Labels | None
) -> tuple[AnalysisResult | UnmeasuredFigure, ...]:
    """``k``: fewest original records of a category with an effect of its own; ``units``: see `usefulness`."""
    return tuple(_run(records, analysis, k, units) for analysis in analyses)


def _run(
    records: ComparedRecords, analysis: Analysis, k: int, units: Labels | None
) -> AnalysisResult | UnmeasuredFigure:
    if records.of_original is None:
        return UnmeasuredFigure(analysis.name, UNPAIRED)
    try:
        with progress.stage("running an analysis", 0):
            return _result(records, analysis, max(k, 1), units, records.of_original)
    except TableError as reason:
        return UnmeasuredFigure(analysis.name, f"not measured: {reason}")


def _result(
    records: ComparedRecords, analysis: Analysis, k: int, units: Labels | None, of_original: Labels
) -> AnalysisResult:
    split = HeldOutSplit.of(len(records.before), of_original, units, MOST_RECORDS)
    names = _features(records, analysis)
    target = target_column(records, analysis.predicted, split.training, k)
    columns = {name: model_column(records, name, split.training, k) for name in names}
    known = [_complete(target.before, columns, 0), _complete(target.after, columns, 1)]
    if analysis.needs_sklearn:  # trees take missing values of what they predict from
        known = [~np.isnan(target.before), ~np.isnan(target.after)]
    complete = HeldOutSplit(
        split.training[known[0][split.training]],
        split.released[known[1][split.released]],
        split.held_out[known[0][split.held_out]],
    )
    _check_records(complete, target)
    run = _regression if analysis.parsed else _prediction
    return run(analysis, target, columns, complete, _notes(split, complete, target, len(records.before)))


def _features(records: ComparedRecords, analysis: Analysis) -> tuple[str, ...]:
    """The columns on the right of a formula, or those that predict a target."""
    known = [column.name for column in records.schema.columns]
    for name in analysis.columns:
        if name not in known:
            raise TableError.not_compared(name)
    if analysis.parsed:
        return analysis.parsed.columns
    return analysis.features or tuple(name for name in known if name != analysis.target)


def _complete(target: Vector, columns: dict[str, ColumnPair], side: int) -> NDArray[np.bool_]:
    known: NDArray[np.bool_] = ~np.isnan(target)
    for pair in columns.values():
        known &= pair[side].known
    return known


def _check_records(split: HeldOutSplit, target: TargetColumn) -> None:
    if min(len(split.held_out), len(split.released), len(split.training)) < FEWEST_HELD_OUT:
        raise TableError.too_few_for_analysis(FEWEST_HELD_OUT)
    for values, records in ((target.before, split.training), (target.after, split.released)):
        if values[records].min() == values[records].max():
            raise TableError.constant_target(target.name, "release" if values is target.after else "original")


def _notes(all_records: HeldOutSplit, complete: HeldOutSplit, target: TargetColumn, n_records: int) -> tuple[str, ...]:
    notes = list(target.notes)
    used = len(all_records.training) + len(all_records.held_out)
    if used < n_records:
        notes.append(f"A random part of {used:,} of {n_records:,} original records was used.")
    n_lost = [len(all_records.training) - len(complete.training), len(all_records.released) - len(complete.released)]
    if any(n_lost):
        notes.append(f"Left out for a missing value: {n_lost[0]:,} original and {n_lost[1]:,} released records.")
    return tuple(notes)


def _regression(
    analysis: Analysis,
    target: TargetColumn,
    columns: dict[str, ColumnPair],
    split: HeldOutSplit,
    notes: tuple[str, ...],
) -> AnalysisResult:
    assert analysis.parsed is not None
    if len(target.levels) > 2:
        raise TableError.many_valued_target(target.name, len(target.levels))
    before, after = design_matrices(columns, analysis.parsed.terms)
    fit = least_squares if target.is_numeric else logistic
    first = fit(before.values[split.training], target.before[split.training])
    second = fit(after.values[split.released], target.after[split.released])
    for found, table in ((first, "original"), (second, "release")):
        if not found.converged:
            raise TableError.separated_target(target.name, table)
    unseen = before.values[split.held_out]
    predicted = [each.linear(unseen) for each in (first, second)]
    return AnalysisResult(
        analysis.name,
        "linear regression" if target.is_numeric else "logistic regression",
        target.name,
        None if target.is_numeric else target.levels[1],
        coefficient_pairs(before.names, _estimates(first), _estimates(second)),
        _score(target, split, *(each if target.is_numeric else each > 0 for each in predicted)),
        len(split.training),
        len(split.released),
        len(split.held_out),
        notes,
    )


def _estimates(fit: RegressionFit) -> list[tuple[float, float]]:
    return list(zip(fit.coefficients.tolist(), fit.errors.tolist(), strict=True))


def _prediction(
    analysis: Analysis,
    target: TargetColumn,
    columns: dict[str, ColumnPair],
    split: HeldOutSplit,
    notes: tuple[str, ...],
) -> AnalysisResult:
    before, after = (np.hstack([pair[side].values for pair in columns.values()]) for side in (0, 1))
    unseen = before[split.held_out]
    predicted = [
        predict(Prediction(matrix[rows], values[rows], unseen, is_numeric=target.is_numeric))
        for matrix, values, rows in ((before, target.before, split.training), (after, target.after, split.released))
    ]
    return AnalysisResult(
        analysis.name,
        "regressor" if target.is_numeric else "classifier",
        target.name,
        None,
        (),
        _score(target, split, *predicted),
        len(split.training),
        len(split.released),
        len(split.held_out),
        notes,
    )


def _score(target: TargetColumn, split: HeldOutSplit, first: Predicted, second: Predicted) -> HeldOutScore:
    """``first``, ``second``: what the fits on original and release predict for the held-out records."""
    truth, learned = target.before[split.held_out], target.before[split.training]
    return (explained_variance if target.is_numeric else accuracy)(truth, learned, first, second)
