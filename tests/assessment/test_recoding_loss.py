"""Information loss of recoded columns: it compares with the values before recoding, whatever follows."""

from datetime import date

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.assessment.utility.extent_values import certainty_penalty
from shoal.assessment.utility.recoding_loss import RecodedCells
from shoal.release.column_recoding import (
    BoundRecoding,
    CategoryRecoding,
    DatePartRecoding,
    IntervalRecoding,
    PrefixRecoding,
    WidthRecoding,
)
from shoal.schema import Column

KIND_AFTER = {IntervalRecoding: "ordinal", WidthRecoding: "ordinal", BoundRecoding: "numeric"}
numbers = st.lists(st.integers(-50, 150), min_size=2, max_size=30)
recodings = st.sampled_from([WidthRecoding(7), WidthRecoding(40), IntervalRecoding((0, 18, 65))])


def loss(recoding, kind, values, released=None, *, by_extents=False, kind_after=None):
    """Percent lost. ``released``: the recoded values by default."""
    before = pa.chunked_array([pa.array(values)])
    recoded = recoding.recode("x", before)
    after = recoded if released is None else pa.chunked_array([pa.array(released, None if released else pa.string())])
    column = Column("x", kind=kind_after or KIND_AFTER.get(type(recoding), "nominal"))
    return RecodedCells(recoding, Column("x", kind=kind), column, before, recoded, after, by_extents).loss


def test_a_width_by_hand():
    """Of the range 0 to 40 each of the first three covers a quarter; [40, 50) holds nothing but 40."""
    assert loss(WidthRecoding(10), "numeric", [0, 5, 20, 40]) == pytest.approx(100 * 3 / 4 / 4)


def test_a_year_by_hand():
    days = [date(2000, 1, 1), date(2000, 12, 31), date(2009, 12, 31)]
    range_ = (days[2] - days[0]).days
    assert loss(DatePartRecoding("year"), "date", days, kind_after="numeric") == pytest.approx(
        100 * (366 + 366 + 364) / 3 / range_
    )


def test_a_prefix_by_hand():
    """Of four codes, three share a prefix; the fourth is alone and so known exactly."""
    codes = ["011", "012", "013", "990"]
    assert loss(PrefixRecoding(2), "nominal", codes) == pytest.approx(100 * 3 * 0.75 / 4)


def test_a_top_code_costs_what_the_numbers_beyond_lose():
    values = [10, 20, 30, 140]
    squares = sum((x - 50) ** 2 for x in values)
    assert loss(BoundRecoding(None, 40), "numeric", values) == pytest.approx(100 * 100**2 / squares)


@given(numbers, recodings)
def test_alone_it_is_the_loss_of_an_extent(values, recoding):
    cells = pa.chunked_array([pa.array(values)])
    expected = certainty_penalty(Column("x", kind="numeric"), cells, recoding.recode("x", cells))
    assert loss(recoding, "numeric", values) == pytest.approx(expected)


@given(numbers, recodings, st.randoms(use_true_random=False))
def test_values_that_a_method_moves_cost_at_least_their_distance(values, recoding, draw):
    moved = recoding.recode("x", pa.chunked_array([pa.array(values)])).to_pylist()
    draw.shuffle(moved)
    low, high = min(values), max(values)
    ends = [recoding.interval_of(label) for label in moved]
    far = [
        max((end.low if end.low is not None else low) - x, x - (end.high if end.high is not None else high), 0)
        for x, end in zip(values, ends, strict=True)
    ]
    least = 100 * float(np.mean([min(each, high - low) for each in far])) / (high - low) if high > low else 0
    assert loss(recoding, "numeric", values, moved) >= least - 1e-9


@pytest.mark.parametrize(
    ("recoding", "kind", "values"),
    [
        (WidthRecoding(1), "numeric", [1, 2, 3]),
        (PrefixRecoding(2), "nominal", ["ab", "cd", "ef"]),
        (CategoryRecoding({}), "nominal", ["a", "b", "c"]),
    ],
)
def test_a_blank_loses_everything(recoding, kind, values):
    assert loss(recoding, kind, values, [None, None, None]) == 100


def test_a_wrong_category_loses_everything():
    recoding = CategoryRecoding({"a": "ab", "b": "ab"})
    shares = [2 / 3, 1, 0, 1]  # one of two categories of three, wrong, exact, wrong
    found = loss(recoding, "nominal", ["a", "b", "c", "c"], ["ab", "c", "c", "ab"])
    assert found == pytest.approx(100 * float(np.mean(shares)))


@pytest.mark.parametrize(
    ("recoding", "kind", "values", "texts", "shares"),
    [
        (
            CategoryRecoding({"a": "ab", "b": "ab"}),
            "nominal",
            ["a", "b", "c", "d"],
            ["{ab, c}"] * 3 + ["*"],
            [0.75] * 3 + [1],
        ),
        (WidthRecoding(10), "numeric", [0, 15, 40], ['["[0, 10)" .. "[10, 20)"]'] * 2 + ["*"], [0.5, 0.5, 1]),
    ],
)
def test_extents_of_recoded_values_cover_what_their_parts_cover(recoding, kind, values, texts, shares):
    assert loss(recoding, kind, values, texts, by_extents=True) == pytest.approx(100 * float(np.mean(shares)))


def test_extents_of_years_cover_their_days():
    days = [date(2000, 1, 1), date(2001, 6, 1), date(2009, 12, 31)]
    texts = ["[2000, 2002)", "[2000, 2002)", "[2009, inf)"]
    range_ = (days[2] - days[0]).days
    found = loss(DatePartRecoding("year"), "date", days, texts, by_extents=True, kind_after="numeric")
    assert found == pytest.approx(100 * (731 + 731 + 364) / 3 / range_)


@pytest.mark.parametrize("method", ["none", "mdav", "mondrian"])
def test_the_assessment_includes_the_recoding(method):
    """A method that loses nothing more leaves the loss of the recoding, and never less."""
    rng = np.random.default_rng(3)
    table = pa.table({"age": rng.integers(0, 90, 200), "sex": rng.choice(["f", "m"], 200)})
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "sex": {"role": "quasi_identifier"}}
    columns["age"]["recode"] = {"width": 30}
    policy = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}], "method": {"name": method}}
    alone = loss(WidthRecoding(30), "numeric", table["age"].to_pylist())
    assert shoal.protect(table, policy).assessment.losses["age"] >= alone - 1e-9 > 25
