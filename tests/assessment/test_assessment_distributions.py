"""Pictures of columns show nobody: no bin of fewer than k records, no extreme, no rare word."""

import re
from datetime import date, timedelta

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.assessment.utility.distributions import choose_edges, distribution, inner_edges


def shown(kind, values, released=None, k=3, **options):
    before = pa.chunked_array([pa.array(values)])
    after = before if released is None else pa.chunked_array([pa.array(released)])
    return distribution(shoal.Column("x", kind=kind, **options), before, after, k)


@given(st.integers(0, 2**32), st.integers(1, 400), st.integers(2, 20), st.booleans())
def test_every_bin_of_numbers_holds_k(seed, n, k, whole):
    values = np.random.default_rng(seed).lognormal(3, 1.5, n)
    values = values.round() if whole else values
    edges = inner_edges(values, k)
    counts = np.bincount(np.searchsorted(edges, values, side="right"), minlength=len(edges) + 1)
    assert len(edges) == 0 or counts.min() >= k


def test_extremes_are_not_shown():
    found = shown("numeric", [*range(100), 98765.4321, -98765.4321])
    text = " ".join(found.bins)
    assert "98765" not in text
    assert found.bins[0].startswith("<")
    assert found.bins[-1].startswith(">=")


def test_rare_words_are_merged():
    found = shown("nominal", ["a"] * 5 + ["b"] * 4 + ["CANARY"] + ["also rare"] * 2)
    assert found.bins[:2] == ("a", "b")
    assert "CANARY" not in " ".join(found.bins)
    assert found.bins[2] == "rarer values"


@pytest.mark.parametrize("kind", ["numeric", "nominal", "date"])
def test_shares_add_up_and_alike_columns_look_alike(kind):
    days = [date(1990, 1, 1) + timedelta(days=40 * i) for i in range(300)]
    values = {"numeric": list(range(300)), "nominal": ["x", "y", "z"] * 100, "date": days}[kind]
    found = shown(kind, values)
    assert sum(found.original) == pytest.approx(100)
    assert found.original == found.released


def test_categories_keep_their_order():
    found = shown("ordinal", ["high", "low", "middle"] * 5, order=("low", "middle", "high"))
    assert found.bins == ("low", "middle", "high")


def test_missing_has_a_bin_of_its_own():
    assert shown("numeric", [*map(float, range(50)), *[None] * 10]).bins[-1] == "missing"
    assert shown("nominal", ["a"] * 5 + [None] * 5).bins == ("a", "missing")


@pytest.mark.parametrize(
    ("n_before", "n_after", "bar"),
    [(0, 0, None), (1, 1, None), (2, 2, None), (0, 2, None), (2, 0, None), (3, 0, (30, 0)), (2, 3, (0, 30))],
)
@pytest.mark.parametrize("special", ["missing", "rarer values"])
def test_a_special_bin_appears_only_with_k_records(special, n_before, n_after, bar):
    """k = 3. One that appears with the first record would tell that there is one."""
    cells = [None] * 3 if special == "missing" else ["x", "y", "z"]
    found = shown("nominal", ["a"] * (10 - n_before) + cells[:n_before], ["a"] * (10 - n_after) + cells[:n_after])
    bars = dict(zip(found.bins, zip(found.original, found.released, strict=True), strict=True))
    assert bars.get(special) == (bar and pytest.approx(bar))


def test_edges_are_round_numbers():
    edges = inner_edges(np.random.default_rng(0).normal(1000, 300, 5000), 5)
    assert all(re.fullmatch(r"-?\d+", f"{edge:g}") for edge in edges)


def days_of(first, n_days, n=600):
    return [first + timedelta(days=int(at)) for at in np.random.default_rng(1).integers(0, n_days, n)]


@pytest.mark.parametrize(
    ("n_days", "edge"),
    [
        (20, r"2021-\d\d-\d\d"),
        (120, r"20\d\d-\d\d-\d\d"),
        (600, r"20\d\d-\d\d"),
        (1500, r"20\d\d-(01|04|07|10)"),
        (7000, r"20\d\d"),
        (40000, r"2\d\d[05]"),
    ],
    ids=["days", "weeks", "months", "quarters", "years", "five years"],
)
def test_dates_have_edges_of_the_calendar(n_days, edge):
    found = shown("date", days_of(date(2021, 3, 1), n_days), k=5)
    assert 8 <= len(found.bins) <= 26
    assert len(set(found.bins)) == len(found.bins)
    assert re.fullmatch(f"< {edge}", found.bins[0])
    assert all(re.fullmatch(rf"\[{edge}, {edge}\)", name) for name in found.bins[1:-1])
    assert re.fullmatch(f">= {edge}", found.bins[-1])


@pytest.mark.parametrize("as_type", [pa.date32(), pa.timestamp("us"), pa.timestamp("s")])
def test_dates_are_counted_between_the_dates_that_are_shown(as_type):
    values = days_of(date(2021, 3, 1), 900)
    column = pa.chunked_array([pa.array(values).cast(as_type)])
    found = distribution(shoal.Column("x", kind="date"), column, column, 5)
    lows = [date.fromisoformat(f"{name[1:8]}-01") for name in found.bins[1:-1]]
    highs = [date.fromisoformat(f"{name[10:17]}-01") for name in found.bins[1:-1]]
    counted = [sum(low <= value < high for value in values) for low, high in zip(lows, highs, strict=True)]
    assert [round(share * len(values) / 100) for share in found.original[1:-1]] == counted
    assert found.original == found.released


def test_dates_told_by_extents_are_in_the_bins_of_the_original():
    values = days_of(date(2021, 1, 1), 730)
    years = pa.chunked_array([[f"[{day.year}-01-01, {day.year + 1}-01-01)" for day in values]])
    column = shoal.Column("x", kind="date")
    found = distribution(column, pa.chunked_array([pa.array(values)]), years, 5, by_extents=True)
    assert len(found.bins) > 8
    assert max(abs(a - b) for a, b in zip(found.original, found.released, strict=True)) < 3


def test_every_bin_of_dates_holds_k():
    values = days_of(date(2019, 5, 5), 1100, n=90)
    found = shown("date", values, k=11)
    assert min(found.original) * len(values) / 100 >= 11 - 1e-9


def test_whole_numbers_are_parted_between_whole_numbers_that_can_be_told_apart():
    found = shown("numeric", [20220101 + at % 3 for at in range(90)], k=5)
    assert found.bins == ("< 20220102", "[20220102, 20220103)", ">= 20220103")


@pytest.mark.parametrize(
    ("n_days", "is_edge"),
    [(120, lambda edge: date.fromisoformat(edge).weekday() == 0), (160_000, lambda edge: int(edge) % 20 == 0)],
    ids=["Mondays", "twenties of years"],
)
def test_dates_are_parted_where_people_part_them(n_days, is_edge):
    found = shown("date", days_of(date(1801, 3, 1), n_days), k=5)
    edges = [found.bins[0][2:], found.bins[-1][3:], *(name[1:-1].split(", ")[0] for name in found.bins[1:-1])]
    assert len(edges) > 8
    assert all(is_edge(edge) for edge in edges)


def test_the_last_bin_holds_k_as_well():
    values = np.array([1.0] * 5 + [2.0] * 4)
    assert choose_edges(values, np.array([2.0]), 5).tolist() == []
    assert choose_edges(np.append(values, 2.0), np.array([2.0]), 5).tolist() == [2.0]
