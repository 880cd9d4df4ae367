"""Usefulness for analyses: distributions, relations of columns, count queries, and the steward's own analyses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite

from shoal.assessment.assessment import Assessment
from shoal.assessment.utility.analyses.analysis_result import AnalysisResult, CoefficientPair
from shoal.assessment.utility.column_change import ColumnChange
from shoal.assessment.utility.contingency_change import ContingencyChange
from shoal.assessment.utility.correlation_change import CorrelationChange
from shoal.assessment.utility.usefulness import Usefulness
from shoal.findings import UnmeasuredFigure, four_digits
from shoal.release.manifest import Manifest
from shoal.report.figure_families import MOST_ROWS
from shoal.report.findings_table import findings_table
from shoal.report.outline_nodes import Part, Section
from shoal.report.pictures.coefficient_chart import FARTHEST, CoefficientBar, CoefficientChart
from shoal.report.pictures.heat_table import HeatTable
from shoal.report.subtotal_table import subtotal_parts
from shoal.report.text_nodes import Cell, Details, Items, Paragraph, Row, RowFamily, Table
from shoal.report.words import isolate, rounded_percent

TITLE = "Usefulness for analyses"
MOST_NAMES = 14  # along an axis of a heat table: the columns that changed most
ABSENT = "none"
HOW_TO_READ = (
    "What an analyst finds in the release, compared with the original. All distances are 0 % where nothing changed and "
    "100 % where nothing is left in common. Records that were suppressed count as lost."
)
OF_COLUMNS = (
    "Kolmogorov-Smirnov: the largest difference of the shares up to a value. Hellinger: the distance of the shares of "
    "all values, numbers in 20 classes. Earth mover: how far values moved, in percent of the range; of a nominal "
    "column, the share of the records that changed their category."
)


def section(manifest: Manifest, assessment: Assessment) -> Section | None:
    return usefulness_section(assessment)


def usefulness_section(assessment: Assessment) -> Section | None:
    """None where neither usefulness nor subtotals were measured."""
    parts = tuple(_parts(assessment.usefulness)) if assessment.usefulness else ()
    by_cell = subtotal_parts(assessment.subtotals) if assessment.subtotals else ()
    return Section("useful", TITLE, (*parts, *by_cell)) if parts or by_cell else None


def _parts(found: Usefulness) -> Iterator[Part]:
    yield Paragraph(HOW_TO_READ)
    verdicts = [each.verdict if isinstance(each, AnalysisResult) else str(each) for each in found.analyses]
    if verdicts:
        yield Items(tuple(verdicts))
    if found.findings:
        yield findings_table(found.findings)
    if isinstance(found.propensity, UnmeasuredFigure):
        yield Paragraph(f"{found.propensity}.")
    if found.columns:
        yield Paragraph(OF_COLUMNS)
        yield column_table(found.columns)
    if found.correlations:
        yield correlation_picture(found.correlations)
    if found.tables:
        yield table_picture(found.tables)
    for analysis in found.analyses:
        if isinstance(analysis, AnalysisResult):
            yield from _analysis(analysis)
    if found.notes:
        yield Items(found.notes)


def column_table(columns: Sequence[ColumnChange]) -> Table:
    """A row of every column; of more than three, pages show the largest figure of each kind, and whose it is."""
    head = ("Column", "Kolmogorov-Smirnov", "Hellinger", "Earth mover", "Missing before", "Missing after")
    rows = tuple((Cell(each.column), *(Cell(_share(figure)) for figure in _figures(each))) for each in columns)
    table = Table(head, rows, "lrrrrr")
    if len(columns) <= MOST_ROWS:
        return table
    details = Details(f"distributions: all {len(columns)} columns", table)
    return replace(table, families=(RowFamily(_largest(columns), tuple(range(len(rows))), details),))


def _figures(column: ColumnChange) -> tuple[float | None, ...]:
    distances = column.kolmogorov_smirnov, column.hellinger, column.earth_mover
    return *distances, column.missing_before, column.missing_after


def _largest(columns: Sequence[ColumnChange]) -> Row:
    largest = [max(zip(map(_size, kind), columns, strict=True), key=lambda pair: pair[0])
               for kind in zip(*map(_figures, columns), strict=True)]  # fmt: skip
    return Cell(f"worst of {len(columns)} columns"), *(_of_column(*each) for each in largest)


def _size(figure: float | None) -> float:
    return -1.0 if figure is None else figure


def _of_column(size: float, column: ColumnChange) -> Cell:
    """A figure with its column; nobody's where all are zero or not measured."""
    return Cell(_share(None if size < 0 else size), note=column.column if size > 0 else "")


def _share(figure: float | None) -> str:
    return ABSENT if figure is None else rounded_percent(figure)


def correlation_picture(change: CorrelationChange) -> HeatTable:
    differences = {pair: 100 * size for pair, size in change.differences.items()}
    worst = max(differences, key=lambda pair: differences[pair])
    before, after = (matrix[change.names.index(worst[0]), change.names.index(worst[1])] for matrix in
                     (change.before, change.after))  # fmt: skip
    caption = (
        f"The correlation of '{isolate(worst[0])}' and '{isolate(worst[1])}' changed most: {before:.2f} before, "
        f"{after:.2f} after. A difference of 0.01 is shown as 1."
    )
    names, shares = _most_changed(differences)
    measure = "difference of the correlations, in hundredths"
    return HeatTable("Change of the correlations", caption, names, shares, measure, in_percent=False)


def table_picture(change: ContingencyChange) -> HeatTable:
    worst = change.largest
    caption = (
        f"Of the table of '{isolate(worst.columns[0])}' and '{isolate(worst.columns[1])}', "
        f"{rounded_percent(worst.total_variation)} of the records would have to move to another cell. Their "
        f"association (Cramer's V) was {worst.v_before:.2f} and is {worst.v_after:.2f}."
    )
    names, shares = _most_changed({pair.columns: pair.total_variation for pair in change.pairs})
    return HeatTable("Change of the tables of two columns", caption, names, shares, "records in another cell")


def _most_changed(
    figures: Mapping[tuple[str, str], float],
) -> tuple[tuple[str, ...], dict[tuple[str, ...], float]]:
    """The columns of a heat table in their order, and the figures of their pairs."""
    names = list(dict.fromkeys(name for pair in figures for name in pair))
    largest = {name: max(figure for pair, figure in figures.items() if name in pair) for name in names}
    chosen = set(sorted(names, key=lambda name: -largest[name])[:MOST_NAMES])
    shares: dict[tuple[str, ...], float] = {pair: figure for pair, figure in figures.items() if set(pair) <= chosen}
    return tuple(name for name in names if name in chosen), shares


def _analysis(result: AnalysisResult) -> Iterator[Part]:
    of = f", log odds of '{isolate(result.event)}'" if result.event is not None else ""
    yield Paragraph(
        f"{isolate(result.name)}: {result.model} of '{isolate(result.target)}'{of}, fitted on {result.n_before:,} "
        f"original and on {result.n_after:,} released records, scored on {result.n_held_out:,} original records that "
        "were held out of both. " + " ".join(result.notes)
    )
    if result.coefficients:
        yield coefficient_table(result.coefficients)
        yield coefficient_chart(result)


def coefficient_table(coefficients: Sequence[CoefficientPair]) -> Table:
    rows = tuple(
        (
            Cell(each.name),
            Cell(four_digits(each.before), note=_interval(each.interval_before)),
            Cell(ABSENT) if each.after is None else Cell(four_digits(each.after), note=_interval(each.interval_after)),
            Cell(f"{each.overlap:.0f}\u00a0%"),
        )
        for each in coefficients
    )
    return Table(("Coefficient", "Original", "Release", "Overlap"), rows, "lrrr")


def _interval(interval: tuple[float, float] | None) -> str:
    if interval is None or not all(map(isfinite, interval)):
        return ""
    return f"{four_digits(interval[0])} to {four_digits(interval[1])}"


def coefficient_chart(result: AnalysisResult) -> CoefficientChart:
    overlap = f"{result.overlap:.0f}\u00a0%" if result.overlap is not None else ABSENT
    return CoefficientChart(
        f"Coefficients of {result.name}",
        f"95 % confidence intervals; mean overlap {overlap}. What is more than {FARTHEST:.0f} standard errors away is "
        "drawn at the edge.",
        tuple(_bar(each) for each in result.coefficients if each.error_before > 0 and isfinite(each.error_before)),
    )


def _bar(pair: CoefficientPair) -> CoefficientBar:
    low, high = (_scaled(pair, end) for end in pair.interval_before)
    after = pair.interval_after
    if after is None or pair.after is None or not all(map(isfinite, after)):
        return CoefficientBar(pair.name, (low, high), None)
    return CoefficientBar(
        pair.name, (low, high), (_scaled(pair, after[0]), _scaled(pair, pair.after), _scaled(pair, after[1]))
    )


def _scaled(pair: CoefficientPair, figure: float) -> float:
    return (figure - pair.before) / pair.error_before
