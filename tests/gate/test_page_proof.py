"""A page that may leave the house: what is planted in it is found, wherever it stands and however it is written."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.csv as pa_csv
import pytest

import shoal
from rare_values_example import K, N, table
from shoal.gate.page.page_proof import PageProof

SEED = 424_242
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


@pytest.mark.gate(but=("md", "json"))
@pytest.mark.parametrize("form", ["html", "md", "json"])
def test_the_external_edition_holds(made, form):
    proof = made.check(form, made.pages[form])
    assert proof.faults == ()
    assert proof.n_passages > 100


@pytest.mark.gate(but=("rare category-html", "rare category-md", "rare category-json"))
@pytest.mark.parametrize("form", ["html", "md", "json"])
@pytest.mark.parametrize("canary", CANARIES)
def test_what_is_planted_is_found(made, canary, form):
    text, kind = CANARIES[canary]
    faults = made.check(form, planted(form, made.pages[form], text)).faults
    assert kind in {fault.kind for fault in faults}
    assert not any(text in str(fault) for fault in faults)  # a message shows no value


@pytest.mark.gate(but="html")
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


@pytest.mark.gate(but=("drawing", "within a sentence", "bold in a sentence"))
@pytest.mark.parametrize("place", PLACES)
def test_no_place_of_a_page_is_left_out(made, place):
    page = made.pages["html"].replace("</main>", PLACES[place].format("Oberzwyl") + "</main>", 1)
    assert "value" in {fault.kind for fault in made.check("html", page).faults}


def test_values_in_cells_of_a_row_are_a_combination(made):
    row = "<table><tr><th>Genf</th><td>female</td></tr></table>"
    page = made.pages["html"].replace("</main>", f"{row}</main>", 1)
    assert {fault.kind for fault in made.check("html", page).faults} == {"combination"}
    apart = made.pages["html"].replace("</main>", "<p>Genf</p><p>female</p></main>", 1)
    assert made.check("html", apart)


@pytest.mark.parametrize("interval", ["[986000, 988000)", ">= 900000", "< 20", "[20000, 987654)"])
def test_intervals_of_few_are_found(made, interval):
    label = f"<svg><text>{interval.replace('<', '&lt;')}</text></svg>"
    figure = f"<figure>{label}<figcaption><b>income</b></figcaption></figure>"
    page = made.pages["html"].replace("</main>", f"{figure}</main>", 1)
    assert "interval" in {fault.kind for fault in made.check("html", page).faults}


def test_intervals_of_many_hold_even_where_a_rare_value_is_their_end(made):
    incomes = table()["income"].to_numpy()
    values, counts = np.unique(incomes, return_counts=True)
    inner = [value for value, n in zip(values, counts, strict=True) if n < K and 25_000 < value < 50_000]
    assert inner, "a rare income in the middle"
    figure = f"<figure><svg><text>&gt;= {inner[0]}</text></svg><figcaption><b>income</b></figcaption></figure>"
    assert made.check("html", made.pages["html"].replace("</main>", f"{figure}</main>", 1))
    bare = made.pages["html"].replace("</main>", f"<p>{inner[0]}</p></main>", 1)
    assert "value" in {fault.kind for fault in made.check("html", bare).faults}


@pytest.mark.gate(but="md")
@pytest.mark.parametrize("form", ["html", "md", "json"])
def test_the_internal_edition_may_not_leave(made, form):
    page = made.folder / f"internal.{form}"
    shoal.protect(made.original, POLICY, report=page, force=True, key=bytes(32))
    proof = shoal.check_page(page, made.original, made.release, POLICY)
    assert not proof
    assert {"column", "count"} <= {fault.kind for fault in proof.faults}


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


@pytest.mark.gate(
    but=("divided by an element", "divided by a comment", "divided by an invisible character", "day first")
)
@pytest.mark.parametrize("disguise", DISGUISES)
def test_other_forms_of_a_value_are_recognized(made, disguise):
    text, kind = DISGUISES[disguise]
    page = made.pages["html"].replace("</main>", f"{text}</main>", 1)
    assert kind in {fault.kind for fault in made.check("html", page).faults}


@pytest.mark.parametrize("text", ["O**ber**zwyl", "Ober<!-- x -->zwyl", "&#79;berzwyl", "`Oberzwyl`"])
def test_markdown_is_read_as_it_is_rendered(made, text):
    assert "value" in {fault.kind for fault in made.check("md", f"{made.pages['md']}\n{text}\n").faults}


def test_a_repeated_name_of_json_hides_nothing(made):
    page = made.pages["json"].replace('"title"', '"title": "Oberzwyl", "title"', 1)
    assert "value" in {fault.kind for fault in made.check("json", page).faults}


def test_what_is_written_elsewhere_on_pages_is_no_disguise(made):
    """Frequent values in any form, dates of no record, and round numbers hold."""
    text = "<p>B<b>er</b>n, QmFzZWw=, 11 April 1999, 12.04.2001, 10'000'000, CHF4500000</p>"
    assert made.check("html", made.pages["html"].replace("</main>", f"{text}</main>", 1)).faults == ()
