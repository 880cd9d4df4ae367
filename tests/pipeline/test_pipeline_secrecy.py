"""Planted canaries appear nowhere but in the release: not in evidence, not in words, not in complaints."""

import random
import traceback
from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
import shoal.pipeline.protect.microaggregation_step
from shoal.report import render_markdown
from survey_example import Desk, shell, write_csv, write_policy

N = 200
CANARIES = {
    "identifier": "qzxperson",
    "town": "qzxtown",
    "grade": "qzxgrade",
    "node": "qzxnode",
    "disease": "qzxdisease",
    "note": "qzxnote",
    "household": "qzxhouse",
}
LARGEST, SMALLEST, LONG_AGO, LARGE_INTEGER = 987654321, -987654321, date(1771, 3, 17), 98765432198765432
NUMBERS = ("987654321", "987,654,321", "9.877e+08", "9.87654e+08", "987654", "1771", "9.876e+16", "9876543219")
TREE = "Bern;Alps;*\nBasel;Rhine;*\nqzxtown;qzxnode;*\n"


def planted():
    """Ordinary records, and among them one of everything that must not be told."""
    draw = random.Random(3)
    table = {
        "person": [f"qzxperson{i}" for i in range(N)],
        "household": [f"qzxhouse{i // 2}" for i in range(N)],
        "town": [draw.choice(["Bern", "Basel"]) for _ in range(N)],
        "grade": [draw.choice(["low", "high"]) for _ in range(N)],
        "age": [draw.randint(18, 80) for _ in range(N)],
        "born": [date(1950 + draw.randint(0, 40), 1 + i % 12, 1) for i in range(N)],
        "income": [draw.randint(1000, 5000) for _ in range(N)],
        "disease": [draw.choice(["flu", "cold"]) for _ in range(N)],
        "note": ["usual"] * N,
    }
    for name in ("town", "grade", "disease", "note"):
        table[name][17] = CANARIES[name]
    table["age"][17], table["age"][18] = LARGEST, SMALLEST
    table["income"][19], table["income"][20] = LARGEST, SMALLEST
    table["born"][17] = LONG_AGO
    return pa.table(table)


def planted_policy(**more):
    return {
        "requirements": [
            {"name": "k_anonymity", "k": 5},
            {"name": "distinct_l_diversity", "l": 2, "column": "disease"},
        ],
        "suppression": {"limit": 0.9},
        "columns": {
            "person": {"role": "identifier"},
            "household": {"role": "household"},
            "town": {"role": "quasi_identifier", "taxonomy": "towns.csv"},
            "grade": {"role": "quasi_identifier", "kind": "ordinal", "order": ["low", "qzxgrade", "high"]},
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "born": {"role": "quasi_identifier", "kind": "date"},
            "income": {"role": "sensitive", "kind": "numeric"},
            "disease": {"role": "sensitive"},
            "note": {"role": "other"},
        },
    } | more


@pytest.fixture
def place(tmp_path):
    made = Desk(tmp_path)
    write_csv(planted(), made.data)
    write_policy(planted_policy(), made.policy)
    (tmp_path / "towns.csv").write_text(TREE)
    return made


def told(text):
    """The canaries in a text."""
    return [canary for canary in (*CANARIES.values(), *NUMBERS) if canary in text]


def test_the_canaries_would_be_seen(place):
    assert set(CANARIES.values()) - {"qzxnode"} <= set(told(place.data.read_text()))
    shoal.protect(place.data, place.policy, output=place.release)
    assert "qzxnote" in told(place.release.read_text())


@pytest.mark.gate
def test_no_evidence_shows_a_canary(place):
    report = place.folder / "report.html"
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release, "--report", report)
    assert said.code == 0
    assert told(said.out + said.err) == []
    assert told(place.manifest.read_text()) == []
    assert told(report.read_text()) == []
    release = shoal.protect(place.data, place.policy)
    assert told(render_markdown(release.manifest, release.assessment)) == []
    assert told(repr(release) + release._repr_html_() + repr(release.findings)) == []
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release, "--force", "--json")
    assert told(said.out + said.err) == []


@pytest.mark.gate(but=("init", "protect"))
@pytest.mark.parametrize("words", [["init"], ["verify"], ["verify", "--json"], ["protect"], ["replay"]], ids=" ".join)
def test_no_command_says_a_canary(place, words):
    shoal.protect(place.data, place.policy, output=place.release)
    command = {
        "init": ["init", place.data, "-o", place.folder / "first.toml"],
        "verify": ["verify", place.release, "-p", place.policy],
        "protect": ["protect", place.data, "-p", place.policy, "-o", place.release],  # already exists
        "replay": ["protect", "--replay", place.manifest, "--json"],
    }[words[0]]
    said = shell(*command, *words[1:])
    assert said.out or said.err
    assert told(said.out + said.err) == []
    if words == ["init"]:
        assert told((place.folder / "first.toml").read_text()) == []


def test_a_failing_verify_says_no_canary(place):
    """The original in the place of the release."""
    for more in ([], ["--json"]):
        said = shell("verify", place.data, "-p", place.policy, *more)
        assert said.code == 1
        assert told(said.out + said.err) == []


def rewritten(place, old, new, n=1):
    place.data.write_text(place.data.read_text().replace(old, new, n))


def with_columns(place, **rules):
    policy = planted_policy()
    policy["columns"] |= rules
    write_policy(policy, place.policy)


def no_number(place):
    rewritten(place, str(LARGEST), "qzxnote")


def no_date(place):
    rewritten(place, LONG_AGO.isoformat(), "qzxnote")


def number_too_large(place):
    rewritten(place, str(LARGEST), f"{LARGE_INTEGER}9876543219876")


def integer_beyond_exactness(place):
    rewritten(place, str(LARGEST), str(LARGE_INTEGER))


def outside_the_order(place):
    rule = {"role": "quasi_identifier", "kind": "ordinal", "order": ["low", "high"]}
    with_columns(place, grade=rule)


def outside_the_taxonomy(place):
    (place.folder / "towns.csv").write_text("Bern;Alps;*\nBasel;Rhine;*\n")


def taxonomy_without_shape(place):
    (place.folder / "towns.csv").write_text(TREE + "qzxtown;qzxnode;qzxnode;*\n")


def taxonomy_with_two_parents(place):
    (place.folder / "towns.csv").write_text(TREE + "qzxtown;Alps;*\n")


def taxonomy_with_two_roots(place):
    (place.folder / "towns.csv").write_text(TREE + "Chur;Alps;qzxnode\n")


def ragged_line(place):
    rewritten(place, "qzxnote", "qzxnote,qzxnote")


def open_quote(place):
    rewritten(place, "qzxnote", '"qzxnote')


def order_twice(place):
    rule = {"role": "quasi_identifier", "kind": "ordinal", "order": ["low", "qzxgrade", "qzxgrade"]}
    with_columns(place, grade=rule)


def other_encoding(place):
    place.data.write_bytes(place.data.read_bytes().replace(b"qzxnote", b"qzxnote\xff\xfe"))
    write_policy(planted_policy(source={"encoding": "utf-8"}), place.policy)


def nul_character(place):
    rewritten(place, "qzxnote", "qzxnote\0")


def limit_of_suppression(place):
    write_policy(
        planted_policy(suppression={"limit": 0.0}, method={"merge": False, "split_households": True}), place.policy
    )


def k_above_n(place):
    write_policy(planted_policy(requirements=[{"name": "k_anonymity", "k": 1000}]), place.policy)


def interval_of_texts(place):
    with_columns(place, note={"role": "quasi_identifier", "taxonomy": {"intervals": [5]}})


def unknown_column(place):
    with_columns(place, agee={"role": "other"})


PROVOKED = [
    no_number,
    no_date,
    number_too_large,
    integer_beyond_exactness,
    outside_the_order,
    outside_the_taxonomy,
    taxonomy_without_shape,
    taxonomy_with_two_parents,
    taxonomy_with_two_roots,
    ragged_line,
    open_quote,
    order_twice,
    other_encoding,
    nul_character,
    limit_of_suppression,
    k_above_n,
    interval_of_texts,
    unknown_column,
]


@pytest.mark.gate(but=("no_number", "no_date", "number_too_large"))
@pytest.mark.parametrize("provoke", PROVOKED, ids=lambda provoke: provoke.__name__)
def test_no_complaint_shows_a_canary(place, provoke):
    provoke(place)
    before = place.files()
    for more in ([], ["--json"]):
        said = shell("protect", place.data, "-p", place.policy, "-o", place.release, *more)
        assert said.code in (1, 2)
        assert said.err.startswith("error: ")
        assert said.out == ""
        assert told(said.err) == []
    assert place.files() == before
    with pytest.raises(shoal.ShoalError) as complaint:
        shoal.protect(place.data, place.policy)
    assert told("".join(traceback.format_exception(complaint.value))) == []


IN_MEMORY = {
    "infinite": {"age": [float("inf"), LARGEST, 3.0, 4.0] * 50},
    "too large to square": {"age": [9.876e300, LARGEST, 3.0, 4.0] * 50},
    "integer": {"age": [LARGE_INTEGER] * N},
    "text in a number": {"age": ["qzxnote", "1", "2", "3"] * 50},
    "mixed": {"note": ["qzxnote", LARGEST, LONG_AGO, None] * 50},
    "nested": {"town": [["qzxtown"], ["Bern"], ["Bern"], ["Bern"]] * 50},
    "no date": {"born": [LARGEST] * N},
    "other length": {"note": ["qzxnote"] * 3},
    "too many values": {"note": [f"qzxnote{i}" for i in range(6 * N)]},
}


@pytest.mark.parametrize("what", IN_MEMORY)
def test_no_complaint_of_a_dataframe_shows_a_canary(place, what):
    policy, table = planted_policy(), planted().to_pydict() | IN_MEMORY[what]
    if what == "too many values":
        table = {name: values if len(values) > N else values * 6 for name, values in table.items()}
        policy["columns"]["note"] = {"role": "quasi_identifier"}
    policy["columns"]["town"]["taxonomy"] = str(place.folder / "towns.csv")
    with pytest.raises(shoal.ShoalError) as complaint:
        shoal.protect(table, policy)
    assert told("".join(traceback.format_exception(complaint.value))) == []


def test_a_closed_gate_shows_no_canary(place, monkeypatch):
    monkeypatch.setattr(shoal.pipeline.protect.microaggregation_step, "aggregate", lambda table, *how, **more: table)
    said = shell("protect", place.data, "-p", place.policy, "-o", place.release)
    assert (said.code, told(said.err)) == (1, [])


def test_a_damaged_file_shows_no_canary(place):
    source = place.folder / "survey.parquet"
    pq.write_table(planted(), source, compression="none", use_dictionary=False)
    source.write_bytes(source.read_bytes()[:-20])
    said = shell("protect", source, "-p", place.policy, "-o", place.release)
    assert (said.code, told(said.err)) == (2, [])
    assert "not a valid .parquet file" in said.err


@pytest.mark.gate
@pytest.mark.parametrize("method", ["mondrian", pytest.param("gensearch", marks=pytest.mark.long), "global_recoding"])
def test_no_canary_in_what_is_told_of_a_cut_tree(place, method):
    how = {"name": method, "nodes": 2000} if method == "gensearch" else {"name": method}
    write_policy(planted_policy(method=how), place.policy)
    report = place.folder / "report.html"
    release = shoal.protect(place.data, place.policy, output=place.release, report=report)
    assert release.assessment.plans[0].nodes
    told = [report.read_text(), place.manifest.read_text(), render_markdown(release.manifest, release.assessment)]
    for text in told:
        assert not [canary for canary in CANARIES.values() if canary in text]
        assert not [number for number in NUMBERS if number in text]
