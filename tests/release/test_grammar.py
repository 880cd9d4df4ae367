"""What is written of a group is read as the same thing again, by a reader that shares no code with the writer."""

from datetime import date, datetime
from math import inf

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.gate.extent_reader import length, read_extents
from shoal.plan import AnyExtent, Extents, Interval, MissingExtent, Span, TaxonomyNode, Values
from shoal.release.grammar import bounds, write

TREE = shoal.Taxonomy((("a", "vowel", "*"), ("e", "vowel", "*"), ("b, c", "[30, 35)", "*"), ("**", "[30, 35)", "*")))
WORDS = st.text(st.sampled_from('ab {}[](),".*-inf1\n\u00a0ä'), max_size=6) | st.sampled_from(
    ["[30, 35)", "*", "a .. b"]
)


def column(kind, **options):
    return shoal.Column("x", "quasi_identifier", kind, **options)


def written(extents, of):
    distinct = tuple(extents)
    return write(Extents(distinct, np.arange(len(distinct))), of)


def round_trip(extents, of):
    return list(read_extents(written(extents, of), of).extents)


def one(extent, kind, **options):
    return written([extent], column(kind, **options)).to_pylist()[0]


@st.composite
def intervals(draw, number):
    low, high = sorted([draw(number), draw(number)])
    if low == high:
        return Interval(low, high, closed=True)
    return draw(
        st.sampled_from([Interval(low, high), Interval(low, high, True), Interval(None, high), Interval(low, None)])
    )


reals = st.floats(-1e18, 1e18).map(lambda x: x + 0.0) | st.integers(-200, 200).map(float)
days = st.integers(-719_162, 2_932_896).map(float)
times = st.integers(-(2**50), 2**50).map(lambda micro: micro / 86_400_000_000)


@given(st.lists(intervals(reals) | st.sampled_from([MissingExtent(), AnyExtent(), Interval(None, None)]), min_size=1))
def test_numbers_are_read_as_written(extents):
    assert round_trip(extents, column("numeric")) == extents


@given(st.lists(intervals(days | times) | st.sampled_from([MissingExtent(), AnyExtent()]), min_size=1))
def test_dates_and_times_are_read_as_written(extents):
    assert round_trip(extents, column("date")) == extents


@given(st.lists(WORDS, min_size=1, max_size=6, unique=True), st.booleans(), st.data())
def test_values_of_an_order_are_read_as_written(order, declared, data):
    first = data.draw(st.integers(0, len(order) - 1))
    last = data.draw(st.integers(first, len(order) - 1))
    span = Span(tuple(order[first : last + 1]))
    if declared:
        assert round_trip([span], column("ordinal", order=tuple(order))) == [span]
    else:
        assert round_trip([span], column("ordinal")) == [Span(tuple(dict.fromkeys([order[first], order[last]])))]


@given(st.lists(st.lists(WORDS, min_size=1, max_size=4, unique=True).map(lambda v: Values(tuple(v))), min_size=1))
def test_sets_are_read_as_written(extents):
    assert round_trip(extents, column("nominal")) == extents
    assert len(set(written(extents, column("nominal")).to_pylist())) == len(set(extents))


def test_nodes_are_read_with_their_level_and_the_root_as_anything():
    nodes = [
        TaxonomyNode("a", 0),
        TaxonomyNode("b, c", 0),
        TaxonomyNode("**", 0),
        TaxonomyNode("vowel", 1),
        TaxonomyNode("[30, 35)", 1),
    ]
    assert round_trip(nodes, column("nominal", taxonomy=TREE)) == nodes
    assert round_trip([TaxonomyNode("*", 2)], column("nominal", taxonomy=TREE)) == [AnyExtent()]
    assert length(AnyExtent(), column("nominal", taxonomy=TREE)) == 2


def test_a_label_at_two_levels_counts_as_the_lower():
    tree = shoal.Taxonomy((("a", "a", "*"), ("b", "a", "*")))
    assert round_trip([TaxonomyNode("a", 1)], column("nominal", taxonomy=tree)) == [TaxonomyNode("a", 0)]


def test_the_documented_texts():
    assert one(Interval(30, 35), "numeric") == "[30, 35)"
    assert one(Interval(30, 34, closed=True), "numeric") == "[30, 34]"
    assert one(Interval(None, 30), "numeric") == "[-inf, 30)"
    assert one(Interval(85, None, closed=True), "numeric") == "[85, inf)"
    assert one(Interval(-0.0, 0.1), "numeric") == "[0, 0.1)"
    assert one(Interval(7, 7, closed=True), "numeric") == "7"
    assert one(Interval(18262, 18628), "date") == "[2020-01-01, 2021-01-01)"
    assert one(Interval(0.5, 1, closed=True), "date") == "[1970-01-01T12:00:00, 1970-01-02]"
    assert one(Span(("low", "middle", "high")), "ordinal") == "[low .. high]"
    assert one(Values(("a", "b (c)")), "nominal") == "{a, b (c)}"
    assert one(Values(("a, b", 'say "no"')), "nominal") == '{"a, b", "say ""no"""}'
    assert one(Values(("[30, 35)",)), "nominal") == '"[30, 35)"'
    assert one(MissingExtent(), "nominal") is None
    assert one(AnyExtent(), "numeric") == "*"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("numeric", "x"),
        ("numeric", ""),
        ("numeric", "nan"),
        ("numeric", "inf"),
        ("numeric", "1e999"),
        ("numeric", "[30,35)"),
        ("numeric", "(30, 35)"),
        ("numeric", "[35, 30)"),
        ("numeric", "[30, 30)"),
        ("numeric", "[30, inf]"),
        ("numeric", "[30, 35) "),
        ("numeric", "2020-01-01"),
        ("date", "30"),
        ("date", "2020-13-01"),
        ("date", "now"),
        ("date", "2020"),
        ("ordinal", "[c .. a]"),
        ("ordinal", "[a .. a]"),
        ("ordinal", "[a .. z]"),
        ("ordinal", "z"),
        ("ordinal", "{a, b}"),
        ("nominal", "{a}"),
        ("nominal", "{a, a}"),
        ("nominal", "{a, b"),
        ("nominal", "{a, [b}"),
        ("nominal", "[a .. b]"),
        ("nominal", '"a'),
        ("nominal", " a"),
        ("nominal", ""),
    ],
)
def test_what_is_not_of_the_grammar_is_a_fault(kind, text):
    of = column(kind, order=("a", "b", "c") if kind == "ordinal" else None)
    read = read_extents(pa.array([text, None]), of)
    assert read.extents == (None, MissingExtent())
    assert np.isnan(read.lengths[0])
    assert read.faults == ("the column 'x' holds 1 values that are not extents of its kind",)


def test_a_label_that_the_tree_does_not_hold_is_a_fault():
    assert read_extents(pa.array(["a", "vowels"]), column("nominal", taxonomy=TREE)).extents == (
        TaxonomyNode("a", 0),
        None,
    )


def test_numbers_and_dates_with_types_are_single_values():
    assert read_extents(pa.array([30, 31]), column("numeric")).lengths.tolist() == [0, 0]
    assert read_extents(pa.array([date(1970, 1, 3)]), column("date")).extents == (Interval(2, 2, True),)
    assert read_extents(pa.array([datetime(1970, 1, 3, 12)]), column("date")).extents == (Interval(2.5, 2.5, True),)


def test_a_column_of_numbers_may_be_written_in_labels_of_a_taxonomy():
    tree = shoal.Taxonomy((("30", "[30, 35)", "thirties", "*"), ("36", "[35, 40)", "thirties", "*")))
    read = read_extents(pa.array(["thirties", "[30, 35)", "36"]), column("numeric", taxonomy=tree))
    assert read.lengths.tolist() == [2, 5, 0]


def test_lengths():
    order = ("a", "b", "c")
    assert length(Interval(30, 35), column("numeric")) == 5
    assert length(Interval(None, 35), column("numeric")) == inf
    assert length(Span(order), column("ordinal", order=order)) == 2
    assert length(Values(("a", "b")), column("nominal")) == 1
    assert length(MissingExtent(), column("nominal", taxonomy=TREE)) == inf
    assert read_extents(pa.array(["[a .. c]"]), column("ordinal", order=order)).lengths.tolist() == [2]
    assert read_extents(pa.array(["[a .. c]"]), column("ordinal")).lengths.tolist() == [1]


def test_bounds_are_numbers_or_dates_and_null_at_open_ends():
    def ends(distinct, kind):
        low, high = bounds(Extents(distinct, np.arange(len(distinct))), column(kind))
        return low.type, low.to_pylist(), high.to_pylist()

    given_ends = (Interval(30, 35), Interval(None, 30), MissingExtent(), AnyExtent())
    assert ends(given_ends, "numeric") == (pa.int64(), [30, None, None, None], [35, 30, None, None])
    assert ends((Interval(0.5, 1),), "numeric") == (pa.float64(), [0.5], [1.0])
    assert ends((Interval(0, None),), "date") == (pa.date32(), [date(1970, 1, 1)], [None])
    assert ends((Interval(0, 0.5),), "date")[2] == [datetime(1970, 1, 1, 12)]
