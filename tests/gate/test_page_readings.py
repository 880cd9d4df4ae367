"""What the checker of pages reads in small passages: counts, shares and numbers however they are written."""

from __future__ import annotations

import json
from datetime import date

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rare_values_example import K, N, table
from shoal.gate.page.original_table import OriginalTable
from shoal.gate.page.page_proof import prove_page
from shoal.gate.page.shown_combinations import ColumnCodes


def odd_original(*, n_released: int = N) -> OriginalTable:
    """The table, and columns with one number that has a fraction, one below zero, and one truth."""
    measures = np.arange(N) % 10 / 10
    measures[3] = 1234.5
    levels = np.arange(N) % 5
    levels[4] = -77
    cells = table().append_column("measure", pa.array(measures)).append_column("level", pa.array(levels))
    cells = cells.append_column("truth", pa.array([True] + [False] * (N - 1)))
    names = tuple(name for name in cells.column_names if name != "zq_ward_nr")
    return original_of(cells, names, n_released)


def original_of(cells: pa.Table, names: tuple[str, ...], n_released: int, unit: str | None = None) -> OriginalTable:
    return OriginalTable(
        lambda columns, add: add(cells.select(columns)), cells.schema, K, names, len(cells), (n_released,), unit
    )


def kinds_of(form: str, page: str, original: OriginalTable) -> set[str]:
    return {fault.kind for fault in prove_page(page, form, original).faults}


COUNTS = {
    "html": [
        "<p><b>298</b> records</p>",
        "<p>298 of 300 records</p>",
        "<p>298 of the records</p>",
        "<p>records: 298</p>",
        "<p>-3 records</p>",
        "<table><tr><td>released records</td><td>298</td></tr></table>",
    ],
    "md": ["**298** records", "298&nbsp;records", "298 *records*"],
    "json": ['{"tiles": [{"label": "released records", "figure": 298}]}'],
}


@pytest.mark.parametrize(("form", "page"), [(form, page) for form, pages in COUNTS.items() for page in pages])
def test_a_number_that_leaves_few_needs_no_noun(form, page):
    assert "count" in kinds_of(form, page, odd_original())
    assert "count" not in kinds_of(form, page.replace("298", "250").replace("-3", "250"), odd_original())


def test_the_number_of_all_records_tells_how_few_were_suppressed():
    page = "<p>298 of 300 records</p>"
    assert kinds_of("html", page, odd_original(n_released=298)) == {"count"}
    assert kinds_of("html", "<p>298 records</p>", odd_original(n_released=298)) == set()
    assert kinds_of("html", "<p>200 of 300 records</p>", odd_original(n_released=200)) == set()


def test_a_number_within_a_frequent_value_is_no_count():
    """A figure may name its values, whatever numbers they contain; elsewhere, the same number is one of records."""
    cells = pa.table({"town": ["Region 3"] * (N // 2) + ["Region 298"] * (N // 2)})
    original = original_of(cells, ("town",), N)
    for value in ("Region 3", "Region 298"):
        assert kinds_of("md", f"### town\n\n| {value} | 50.0 % |\n", original) == set()
        assert kinds_of("md", f"## Towns\n\n{value}\n", original) == {"count"}


SHARES = {
    "html": [
        "-0.34 %",
        "\u22120.34 %",
        "99,66 %",
        "0,34 %",
        ".34 %",
        "0.34 percent",
        "0.34 per cent",
        "<b>0.34</b> %",
        "<b>0.34</b><small>%</small>",
        "<b>0</b>.34 %",
        "<span>share in percent</span> <b>0.34</b>",
    ],
    "md": ["0.34&nbsp;%", "0.34&#37;", "**0.34** %", "| share, % | 0.34 |"],
    "json": ['{"rows": [["share in %", 0.34]]}'],
}


@pytest.mark.gate(but=("html--0.34 %", "html-\\u22120.34 %", "html-99,66 %"))
@pytest.mark.parametrize(("form", "text"), [(form, text) for form, texts in SHARES.items() for text in texts])
def test_a_share_is_read_however_it_is_written(form, text):
    page = f"<p>{text}</p>" if form == "html" else text
    assert "share" in kinds_of(form, page, odd_original())
    many = page.replace("0.34", "34").replace(".34", "34").replace("0,34", "34").replace("99,66", "34,5")
    assert "share" not in kinds_of(form, many.replace("<b>0</b>", ""), odd_original())


NUMBERS = {
    "html": [
        "1234,5",
        "1.234,5",
        "1 234,5",
        "1'234.5",
        "1234<b>.5</b>",
        "CHF987,654",
        "USD987,654",
        "987,654CHF",
        "CHF1'234.5",
        "\u201377",
        "\u201177",
        "\u221277",
    ],
    "md": ["987&nbsp;654", "1234&#46;5", "&minus;77", "1234**.5**"],
}


@pytest.mark.parametrize(("form", "text"), [(form, text) for form, texts in NUMBERS.items() for text in texts])
def test_a_number_is_read_however_it_is_written(form, text):
    assert "value" in kinds_of(form, f"<p>{text}</p>" if form == "html" else text, odd_original())


@pytest.mark.gate
@example("1e999", " records")
@given(st.text("0123456789.,'-+eE %_x\u2013\u2212", max_size=12), st.sampled_from(["", " records", " %", " percent"]))
def test_any_digits_and_marks_can_be_read(text, noun):
    original = odd_original()
    assert prove_page(json.dumps({"text": text + noun}), "json", original).n_passages < 9


INVISIBLE = "\u00ad\u034f\u061c\u115f\u180e\u200b\u2065\u3164\ufe0f\uffa0\ufff9\U0001d173\U000e0001\U000e0100"


@pytest.mark.parametrize("character", INVISIBLE, ids=lambda each: f"U+{ord(each):04X}")
def test_no_invisible_character_hides_a_value(character):
    divided = f"Ober{character}zwyl"
    assert kinds_of("html", f"<p>{divided}</p>", odd_original()) == {"value"}
    cells = pa.table({"town": ["Ankara"] * N + [divided]})
    for shown in (divided, "Oberzwyl"):
        assert kinds_of("html", f"<p>{shown}</p>", original_of(cells, ("town",), N + 1)) == {"value"}


ODD_MARKUP = {
    "base64 with the end of a line": ("<p>T2Jlcnp3eWwK</p>", "value"),
    "attribute of an end tag": ('<p><b>text</b data="Oberzwyl"></p>', "markup"),
    "name of a data attribute": ('<i data-oberzwyl="">text</i>', "value"),
    "name of an aria attribute": ('<i aria-oberzwyl="x">text</i>', "value"),
    "layer of a chart": ('<i class="layer_987654_marks">text</i>', "value"),
}


@pytest.mark.parametrize("place", ODD_MARKUP)
def test_odd_markup_hides_nothing(place):
    page, kind = ODD_MARKUP[place]
    assert kind in kinds_of("html", page, odd_original())


@pytest.mark.parametrize("page", ['{"rows": [["truth", true]]}', '{"format": "shoal page 987654"}'])
def test_truths_and_the_format_of_json_are_read(page):
    assert kinds_of("json", page, odd_original()) == {"value"}
    assert kinds_of("json", '{"format": "shoal page 1", "text": false}', odd_original()) == set()


def wide(n_columns: int) -> pa.Table:
    """All records are alike but for the last two columns, of which two records have both a and b."""
    last = {"y": ["a"] * 200 + ["-"] * 200, "z": ["-"] * 198 + ["b"] * 202}
    return pa.table({f"c{at:02}": [f"v{at}"] * 400 for at in range(n_columns - 2)} | last)


def row_of(n_columns: int) -> str:
    cells = "".join(f"<td>v{at}</td>" for at in range(n_columns - 2))
    return f"<table><tr>{cells}<td>a</td><td>b</td></tr></table>"


@pytest.mark.parametrize("unit", [None, "person"])
@pytest.mark.parametrize("n_columns", [2, 8, 12])
def test_a_rare_pair_is_found_in_a_row_of_any_length(n_columns, unit):
    cells = wide(n_columns).append_column("person", pa.array(np.arange(400) // 2))
    original = original_of(cells, tuple(cells.column_names), 400, unit)
    faults = prove_page(row_of(n_columns), "html", original).faults
    assert "y, z" in {fault.column for fault in faults}
    assert {fault.kind for fault in faults} == {"combination"}
    assert kinds_of("html", row_of(n_columns).replace("<td>b</td>", ""), original) == set()


def test_a_row_of_too_many_columns_is_a_fault_of_its_own():
    cells = wide(40)
    assert kinds_of("html", row_of(40), original_of(cells, tuple(cells.column_names), 400)) == {"crowded"}


@pytest.mark.parametrize("kind", ["words", "numbers", "dictionary", "dates", "lists", "nothing"])
def test_combinations_are_counted_as_by_a_loop_over_the_records(kind):
    columns = {
        "words": pa.array(["A b", None, "a-B", "c"]),
        "numbers": pa.array([1.5, None, float("nan"), 2.0]),
        "dictionary": pa.array(["x", None, "y", "X"]).dictionary_encode(),
        "dates": pa.array([date(1950, 3, 1), None, date(1950, 3, 1), date(1951, 1, 1)]),
        "lists": pa.array([[1], None, [2], [3]]),
        "nothing": pa.nulls(4),
    }
    wanted = {"words": "a b", "numbers": 1.5, "dictionary": "x", "dates": "1950 03 01", "lists": "1", "nothing": "x"}
    expected = {"words": [0, 2], "numbers": [0], "dictionary": [0, 3], "dates": [0, 2]}
    chunks = pa.chunked_array([columns[kind][:2], columns[kind][2:]])
    mask = ColumnCodes.of(chunks).are(frozenset({wanted[kind], "absent", 99.0}))
    assert np.flatnonzero(mask).tolist() == expected.get(kind, [])


@pytest.mark.parametrize("value", ["İzmir", "ΟΔΟΣ", "+++", "★★", "\N{GRINNING FACE}"])
def test_a_rare_value_is_found_in_any_script(value):
    """Python and Arrow write İ and a final Σ differently in lower case; others have no letter at all."""
    cells = pa.table({"town": ["Ankara"] * N + [value]})
    original = original_of(cells, ("town",), N + 1)
    written = {"html": "<p>{}</p>", "md": "of: {}", "json": '{{"text": "{}"}}'}
    for form, template in written.items():
        assert prove_page(template.format("Ankara"), form, original)
        page = template.format(value)
        assert [fault.kind for fault in prove_page(page, form, original).faults] == ["value"]
