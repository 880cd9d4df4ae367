"""As values read: what nobody tells apart is one, and nothing else is."""

from __future__ import annotations

import sys
import unicodedata

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import PolicyError
from shoal.schema.spelling import are_distinct_as_read, n_mixed_scripts, normalized_text, normalized_values

NOMINAL = shoal.Column("s", "sensitive")
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(texts)
def test_what_was_read_reads_the_same(text: str) -> None:
    assert normalized_text(normalized_text(text)) == normalized_text(text)


@given(texts, texts)
def test_case_blanks_and_what_nobody_sees_do_not_count(one: str, other: str) -> None:
    plain = normalized_text(f"{one} {other}")
    for way in (f"  {one}\u00a0\t{other}\n", f"{one} \u200b {other}\ufeff", f"\u2060{one}\u2003{other}\u00ad"):
        assert normalized_text(way) == plain
    assert normalized_text(unicodedata.normalize("NFKD", one)) == normalized_text(unicodedata.normalize("NFKC", one))
    assert normalized_text(one.casefold()) == normalized_text(one)


def test_every_sign_that_unicode_calls_format_is_cut() -> None:
    signs = [chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Cf"]
    assert {normalized_text(f"H{sign}IV") for sign in signs} == {"hiv"}
    assert len(signs) > 150


@pytest.mark.parametrize("other", ["HIV-2", "H IV", "HI", "\u041dIV", "H\u0399V", "HIV."])
def test_other_words_stay_others(other: str) -> None:
    assert normalized_text(other) != normalized_text("HIV")


@pytest.mark.parametrize(("kind", "n"), [("nominal", 5), ("ordinal", 2), ("numeric", 2)])
def test_numbers_are_one_where_they_are_numbers(kind: shoal.schema.Kind, n: int) -> None:
    told = normalized_values(pa.array(["1", "1.0", "01", "1e0", "2"]), shoal.Column("s", "sensitive", kind))
    assert told is not None
    assert len(set(told)) == n


def test_numbers_beyond_a_real_are_told_apart() -> None:
    told = normalized_values(
        pa.array([str(2**60), str(2**60 + 1), f"0{2**60}"]), shoal.Column("s", "sensitive", "ordinal")
    )
    assert told is not None
    assert len(set(told)) == 2


def test_words_for_missing_are_missing_however_they_are_written() -> None:
    told = normalized_values(pa.array(["n/a", "N/A ", "flu", ""]), shoal.Column("s", "sensitive", missing=("", "N/A")))
    assert told == [None, None, "flu", None]


@given(st.lists(st.one_of(st.text("aAbB 1.", min_size=1, max_size=3), texts), unique=True, max_size=8))
def test_values_found_distinct_at_a_glance_are_distinct_after_normalization(values: list[str]) -> None:
    column = shoal.Column("s", "sensitive", missing=("a b",))
    read = normalized_values(pa.array(values, pa.string()), column)
    assert read is not None
    is_distinct = len(set(read)) == len(read) and None not in read
    assert is_distinct or not are_distinct_as_read(pa.array(values, pa.string()), column)


@pytest.mark.parametrize(
    ("values", "is_distinct"),
    [
        (["H0001", "H0002", "north 7"], True),
        (["H1", "h1"], False),
        (["H1", "H1 "], False),
        (["n/a", "H1"], False),
        (["Ä", "H1"], False),  # not plain: normalization decides
    ],
)
def test_plain_values_are_distinct_at_a_glance(values: list[str], is_distinct: bool) -> None:
    column = shoal.Column("s", "unit", missing=("N/A",))
    assert are_distinct_as_read(pa.array(values), column) is is_distinct


def test_where_the_policy_says_so_only_what_is_written_counts() -> None:
    assert normalized_values(pa.array(["a", "A"]), shoal.Column("s", "sensitive", as_written=True)) is None
    assert normalized_values(pa.array([1, 2]), NOMINAL) is None
    with pytest.raises(PolicyError, match=r"columns.s.as_written .*role = 'sensitive'"):
        shoal.Column("s", "quasi_identifier", as_written=True)


@pytest.mark.parametrize(
    ("text", "is_mixed"),
    [
        ("HIV", False),
        ("\u041dIV", True),  # the first letter is Cyrillic
        ("c\u0430ncer of the lung", True),
        ("\u0393\u03c1\u03af\u03c0\u03b7", False),
        ("\u0433\u0440\u0438\u043f\u043f flu", False),  # two words
        ("5 \u00b5g", False),  # the sign of a unit
        ("caf\u00e9", False),
    ],
)
def test_words_of_several_scripts_are_counted(text: str, is_mixed: bool) -> None:
    assert n_mixed_scripts([text]) == is_mixed
