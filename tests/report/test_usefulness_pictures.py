"""The chart of coefficients and the heat tables of changes."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from shoal.assessment.utility.analyses.analysis_result import AnalysisResult, CoefficientPair
from shoal.assessment.utility.analyses.held_out_score import HeldOutScore
from shoal.assessment.utility.contingency_change import ContingencyChange, TableOfTwo
from shoal.assessment.utility.correlation_change import CorrelationChange
from shoal.report.pictures.coefficient_chart import FARTHEST
from shoal.report.sections.usefulness_section import (
    MOST_NAMES,
    coefficient_chart,
    coefficient_table,
    correlation_picture,
    table_picture,
)

SCORE = HeldOutScore("accuracy", 80, 70, 50, (65, 75))
PAIRS = (
    CoefficientPair("age", 10, 2, 12, 4),
    CoefficientPair("far", 0, 1, 500, 1),
    CoefficientPair("gone", 1, 1, None, None),
    CoefficientPair("exact", 1, 0, 1, 0),
    CoefficientPair("open", 1, 1, 1, inf),
)


def result(pairs: tuple[CoefficientPair, ...] = PAIRS) -> AnalysisResult:
    return AnalysisResult("odds", "logistic regression", "ill", "yes", pairs, SCORE, 20, 20, 10, ())


def test_coefficients_are_drawn_in_standard_errors_of_the_original():
    chart = coefficient_chart(result())
    bars = {bar.name: bar for bar in chart.bars}
    assert bars["age"].before == pytest.approx((-1.96, 1.96), abs=1e-3)
    assert bars["age"].after == pytest.approx((1 - 3.92, 1, 1 + 3.92), abs=1e-3)
    assert (bars["gone"].after, bars["open"].after) == (None, None)
    assert "exact" not in bars
    drawn = chart._after()
    assert [row["at"] for row in drawn] == [pytest.approx(1), FARTHEST]
    assert "mean overlap" in chart.caption
    assert chart.draw().to_dict()


def test_the_table_says_what_the_release_lacks():
    rows = {str(row[0]): row for row in coefficient_table(PAIRS).rows}
    assert [str(cell) for cell in rows["gone"]] == ["gone", "1", "none", "0\u00a0%"]
    assert rows["age"][1].note == "6.08 to 13.92"
    assert str(rows["exact"][3]) == "100\u00a0%"
    assert rows["open"][2].note == ""


def test_a_heat_table_has_the_columns_that_changed_most():
    names = [f"c{at}" for at in range(MOST_NAMES + 6)]
    pairs = tuple(
        TableOfTwo((one, two), 0.5, 0.4, float(at + to))
        for at, one in enumerate(names)
        for to, two in enumerate(names)
        if at < to
    )
    picture = table_picture(ContingencyChange(pairs))
    assert len(picture.names) == MOST_NAMES
    assert names[-1] in picture.names
    assert all(set(pair) <= set(picture.names) for pair in picture.shares)


def test_hundredths_of_a_correlation_are_no_percentage():
    change = CorrelationChange(("a", "b"), np.eye(2), np.array([[1, 0.037], [0.037, 1]]))
    table = correlation_picture(change).details.part
    assert (table.head[1], str(table.rows[0][1])) == ("difference of the correlations, in hundredths", "3.7")
    of_tables = table_picture(ContingencyChange((TableOfTwo(("a", "b"), 0.5, 0.4, 3.7),)))
    assert str(of_tables.details.part.rows[0][1]) == "3.7\u00a0%"
