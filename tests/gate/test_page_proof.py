"""A page that may leave the house: what is planted in it is found, wherever it stands and however it is written."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import shoal
from shoal.gate.page.original_table import OriginalTable
from shoal.gate.page.page_proof import PageProof, prove_page
from shoal.gate.page.shown_combinations import ColumnCodes

N, K, SEED = 300, 5, 424_242
POLICY = {
    "seed": SEED,
    "requirements": [{"name": "k_anonymity", "k": K}, {"name": "distinct_l_diversity", "l": 2, "column": "illness"}],
    "columns": {
        "zq_ward_nr": {"role": "identifier"},
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "town": {"role": "quasi_identifier"},
        "sex": {"role": "quasi_identifier"},
        "born": {"role": "quasi_identifier", "kind": "date"},
        "income": {"role": "other", "kind": "numeric"},
        "illness": {"role": "sensitive"},
    },
}


def table() -> pa.Table:
    """Frequent values but for: one town, one income, one day of birth, and one woman in Genf."""
    chance = np.random.default_rng(0)
    towns = chance.choice(["Basel", "Bern"], N).astype(object)
    sexes = chance.choice(["female", "male"], N).astype(object)
    towns[:40], sexes[:39], sexes[39] = "Genf", "male", "female"
    towns[50] = "Oberzwyl"
    days = np.array(["1950-03-01", "1961-07-15", "1972-11-30", "1983-02-14"], dtype="datetime64[D]")
    born = days[chance.integers(0, 4, N)]
    born[7] = np.datetime64("1913-05-09")
    incomes = chance.integers(20, 60, N) * 1000
    incomes[8] = 987_654
    return pa.table(
        {
            "zq_ward_nr": [f"W{at:04}" for at in range(N)],
            "age": chance.integers(20, 60, N),
            "town": towns.tolist(),
            "sex": sexes.tolist(),
            "born": pa.array(born),
            "income": incomes,
            "illness": chance.choice(["flu", "gout", "cold"], N).tolist(),
        }
    )


@dataclass(frozen=True)
class Made:
    folder: Path
    original: Path
    release: Path
    pages: dict[str, str]

    def check(self, form: str, page: str) -> PageProof:
        path = self.folder / f"planted.{form}"
        path.write_text(page, encoding="utf-8")
        return shoal.check_page(path, self.original, self.release, POLICY)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("pages")
    original, release = folder / "zwolle_patients.csv", folder / "release.csv"
    pa_csv.write_csv(table(), original)
    pages = {}
    for form in ("html", "md", "json"):
        page = folder / f"page.{form}"
        shoal.protect(original, POLICY, output=release, report=page, edition="external", force=True, key=bytes(32))
        pages[form] = page.read_text(encoding="utf-8")
    return Made(folder, original, release, pages)


CANARIES = {
    "rare category": ("Oberzwyl", "value"),
    "extreme number": ("987654", "value"),
    "extreme number with separators": ("987,654", "value"),
    "rare day": ("1913-05-09", "value"),
    "cell of a dropped column": ("W0042", "value"),
    "unique combination": ("Genf, female", "combination"),
    "odd column name": ("zq_ward_nr", "column"),
    "path": ("/srv/data/zwolle", "path"),
    "name of the file": ("zwolle_patients.csv", "path"),
    "name of the file without extension": ("zwolle patients csv", "path"),
    "seed": (str(SEED), "seed"),
    "small count": ("3 records", "count"),
    "count that leaves few": (f"{N - 2} records", "count"),
    "small number": ("4", "count"),
    "share of few": ("0.7 %", "share"),
    "share that leaves few": ("99.5 %", "share"),
}


def planted(form: str, page: str, text: str) -> str:
    if form == "html":
        return page.replace("</main>", f"<p>{text}</p></main>", 1)
    if form == "md":
        return page + f"\n{text}\n"
    found = json.loads(page)
    found["sections"][0]["parts"].append({"form": "paragraph", "text": text})
    return json.dumps(found)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["html", "md", "json"])
def test_the_external_edition_holds(made, form):
    proof = made.check(form, made.pages[form])
    assert proof.faults == ()
    assert proof.n_passages > 100


@pytest.mark.slow
@pytest.mark.parametrize("form", ["html", "md", "json"])
@pytest.mark.parametrize("canary", CANARIES)
def test_what_is_planted_is_found(made, canary, form):
    text, kind = CANARIES[canary]
    faults = made.check(form, planted(form, made.pages[form], text)).faults
    assert kind in {fault.kind for fault in faults}
    assert not any(text in str(fault) for fault in faults)  # a message shows no value


@pytest.mark.slow
@pytest.mark.parametrize("form", ["html", "md", "json"])
def test_a_hash_of_the_original_is_found(made, form):
    sha256 = hashlib.sha256(made.original.read_bytes()).hexdigest()
    for shown in (sha256, sha256[:12]):
        faults = made.check(form, planted(form, made.pages[form], f"SHA-256 {shown}")).faults
        assert "hash" in {fault.kind for fault in faults}


PLACES = {
    "attribute": '<p title="{}">text</p>',
    "label of a chart": '<svg><g class="mark-text role-axis-label"><text>{}</text></g></svg>',
    "comment": "<!-- {} -->",
    "style": "<style>p {{ color: red }} /* {} */</style>",
    "content of a style": '<style>p::before {{ content: "{}" }}</style>',
    "class": '<p class="{}">text</p>',
    "drawing": '<svg><path d="{}"/></svg>',
    "within a sentence": "<p>Most people live in {} today.</p>",
    "bold in a sentence": "<p>Most people live in <b>{}</b> today.</p>",
    "cell": "<table><tr><td>{}</td></tr></table>",
    "other case": "<p>oberZWYL</p>",
    "name of an attribute": '<p data-x="1" {}="1">text</p>',
}


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_no_place_of_a_page_is_left_out(made, place):
    page = made.pages["html"].replace("</main>", PLACES[place].format("Oberzwyl") + "</main>", 1)
    assert "value" in {fault.kind for fault in made.check("html", page).faults}


@pytest.mark.slow
def test_values_in_cells_of_a_row_are_a_combination(made):
    row = "<table><tr><th>Genf</th><td>female</td></tr></table>"
    page = made.pages["html"].replace("</main>", f"{row}</main>", 1)
    assert {fault.kind for fault in made.check("html", page).faults} == {"combination"}
    apart = made.pages["html"].replace("</main>", "<p>Genf</p><p>female</p></main>", 1)
    assert made.check("html", apart)


@pytest.mark.slow
@pytest.mark.parametrize("interval", ["[986000, 988000)", ">= 900000", "< 20", "[20000, 987654)"])
def test_intervals_of_few_are_found(made, interval):
    label = f"<svg><text>{interval.replace('<', '&lt;')}</text></svg>"
    figure = f"<figure>{label}<figcaption><b>income</b></figcaption></figure>"
    page = made.pages["html"].replace("</main>", f"{figure}</main>", 1)
    assert "interval" in {fault.kind for fault in made.check("html", page).faults}


@pytest.mark.slow
def test_intervals_of_many_hold_even_where_a_rare_value_is_their_end(made):
    incomes = table()["income"].to_numpy()
    values, counts = np.unique(incomes, return_counts=True)
    inner = [value for value, n in zip(values, counts, strict=True) if n < K and 25_000 < value < 50_000]
    assert inner, "a rare income in the middle"
    figure = f"<figure><svg><text>&gt;= {inner[0]}</text></svg><figcaption><b>income</b></figcaption></figure>"
    assert made.check("html", made.pages["html"].replace("</main>", f"{figure}</main>", 1))
    bare = made.pages["html"].replace("</main>", f"<p>{inner[0]}</p></main>", 1)
    assert "value" in {fault.kind for fault in made.check("html", bare).faults}


@pytest.mark.slow
@pytest.mark.parametrize("form", ["html", "md", "json"])
def test_the_internal_edition_may_not_leave(made, form):
    page = made.folder / f"internal.{form}"
    shoal.protect(made.original, POLICY, report=page, force=True, key=bytes(32))
    proof = shoal.check_page(page, made.original, made.release, POLICY)
    assert not proof
    assert {"column", "count"} <= {fault.kind for fault in proof.faults}


@pytest.mark.parametrize("value", ["İzmir", "ΟΔΟΣ", "+++", "★★", "\N{GRINNING FACE}"])
def test_a_rare_value_is_found_in_any_script(value):
    """Python and Arrow write İ and a final Σ differently in lower case; others have no letter at all."""
    cells = pa.table({"town": ["Ankara"] * N + [value]})
    original = OriginalTable(lambda names, add: add(cells.select(names)), cells.schema, K, ("town",), N + 1, (N + 1,))
    written = {"html": "<p>{}</p>", "md": "of: {}", "json": '{{"text": "{}"}}'}
    for form, template in written.items():
        assert prove_page(template.format("Ankara"), form, original)
        page = template.format(value)
        assert [fault.kind for fault in prove_page(page, form, original).faults] == ["value"]


def test_both_files_of_an_anatomy_are_known(tmp_path):
    """The page names the columns of the second table, and its hash."""
    data, release, page = tmp_path / "data.csv", tmp_path / "release.csv", tmp_path / "page.md"
    pa_csv.write_csv(table(), data)
    rules = POLICY | {"output": {"representation": "anatomy"}}
    shoal.protect(data, rules, output=release, report=page, edition="external", key=bytes(32))
    assert "SHA-256 of the sensitive table" in page.read_text()
    assert shoal.check_page(page, data, release, rules)


DISGUISES = {
    "divided by an element": ("<p>Ober<span>zwyl</span></p>", "value"),
    "divided by a comment": ("<p>Ober<!-- x -->zwyl</p>", "value"),
    "divided by an invisible character": ("<p>Ober\u2060zwyl</p>", "value"),
    "wide letters": ("<p>\uff2f\uff42\uff45\uff52\uff5a\uff57\uff59\uff4c</p>", "value"),
    "entities": ("<p>&#79;&#x62;erzwyl</p>", "value"),
    "base64": ("<p>T2Jlcnp3eWw=</p>", "value"),
    "percent signs": ('<a href="#%4fberzwyl">t</a>', "value"),
    "escape of a style": ('<style>p::before { content: "\\4f berzwyl" }</style>', "value"),
    "name within a style": ("<style>.Oberzwyl { color: red }</style>", "value"),
    "class of a chart": ('<p class="role-oberzwyl">t</p>', "value"),
    "name of an element": ("<oberzwyl>t</oberzwyl>", "markup"),
    "script": ('<script>x = "Ober" + "zwyl"</script>', "markup"),
    "thousands by apostrophes": ("<p>987'654</p>", "value"),
    "thousands by blanks": ("<p>987\u202f654</p>", "value"),
    "thousands by points": ("<p>987.654</p>", "value"),
    "next to a currency": ("<p>CHF987654</p>", "value"),
    "more than all records": ("<p>987654 records</p>", "value"),
    "more than all percent": ("<p>987654 %</p>", "value"),
    "larger than any class": ("<p>k = 987654</p>", "value"),
    "axis of one step": ('<svg><g class="role-axis-label"><text>0</text><text>987654</text></g></svg>', "value"),
    "day first": ("<p>09.05.1913</p>", "value"),
    "month first": ("<p>5/9/1913</p>", "value"),
    "month as a word": ("<p>on 9 May 1913</p>", "value"),
    "month as a word, first": ("<p>May 9th, 1913</p>", "value"),
    "date with a time": ("<p>1913-05-09T00:00:00</p>", "value"),
    "date without marks": ("<p>19130509</p>", "value"),
}


@pytest.mark.slow
@pytest.mark.parametrize("disguise", DISGUISES)
def test_other_forms_of_a_value_are_recognized(made, disguise):
    text, kind = DISGUISES[disguise]
    page = made.pages["html"].replace("</main>", f"{text}</main>", 1)
    assert kind in {fault.kind for fault in made.check("html", page).faults}


@pytest.mark.slow
@pytest.mark.parametrize("text", ["O**ber**zwyl", "Ober<!-- x -->zwyl", "&#79;berzwyl", "`Oberzwyl`"])
def test_markdown_is_read_as_it_is_rendered(made, text):
    assert "value" in {fault.kind for fault in made.check("md", f"{made.pages['md']}\n{text}\n").faults}


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_repeated_name_of_json_hides_nothing(made):
    page = made.pages["json"].replace('"title"', '"title": "Oberzwyl", "title"', 1)
    assert "value" in {fault.kind for fault in made.check("json", page).faults}


@pytest.mark.slow
def test_what_is_written_elsewhere_on_pages_is_no_disguise(made):
    """Frequent values in any form, dates of no record, and round numbers hold."""
    text = "<p>B<b>er</b>n, QmFzZWw=, 11 April 1999, 12.04.2001, 10'000'000, CHF4500000</p>"
    assert made.check("html", made.pages["html"].replace("</main>", f"{text}</main>", 1)).faults == ()
