"""Texts that a spreadsheet would run: counted, said, and kept from it where that is asked for."""

import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.pipeline.protect.protect import protect
from shoal.pipeline.verify.verify import verify
from shoal.sources import write_table
from shoal.sources.formulas import looks_like_formula, with_apostrophes, without_apostrophes
from survey_example import as_parquet, read_cells, shell, write_csv, write_policy

FORMULAS = ["=1+1", "+SUM(A1)", "-cmd", "@now", "\tx", "'=quoted"]
N = 24


def table():
    """Formulas among texts of every role; negative numbers, as numbers and as texts."""
    return pa.table(
        {
            "age": [float(-20 - i % 5) for i in range(N)],
            "job": [FORMULAS[i % 2] for i in range(N)],
            "illness": [["=flu", "cold", "'=flu"][i % 3] for i in range(N)],
            "note": [FORMULAS[i % 6] for i in range(N)],
            "change": ["-5", "+3,5", "-1e9", "plain"] * (N // 4),
            "=name": ["x"] * N,
        }
    )


def policy(**output):
    return {
        "requirements": [
            {"name": "k_anonymity", "k": 3},
            {"name": "distinct_l_diversity", "l": 3, "column": "illness"},
        ],
        "within": ["job"],
        "output": output,
        "columns": {
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "job": {"role": "quasi_identifier"},
            "illness": {"role": "sensitive"},
            "note": {"role": "other"},
            "change": {"role": "other"},
            "=name": {"role": "other"},
        },
    }


@given(st.lists(st.none() | st.text(alphabet="'=+-@\t\rab1.,e", max_size=6)))
def test_texts_read_back_as_they_were(texts):
    column = pa.array(texts, pa.string())
    written = with_apostrophes(column)
    assert without_apostrophes(written).to_pylist() == texts
    assert not any(
        text and text[0] in "=+-@\t\r" and run
        for text, run in zip(written.to_pylist(), looks_like_formula(column).to_pylist(), strict=True)
    )


@pytest.mark.parametrize("text", ["-5", "+5", "-1.5", "-1,5", "+.5", "-1e-9", "plain", "", "a=b", "'", "'x"])
def test_numbers_and_plain_texts_are_never_touched(text):
    column = pa.array([text])
    assert with_apostrophes(column).to_pylist() == without_apostrophes(column).to_pylist() == [text]


@pytest.mark.parametrize(
    "text", ["=1", "@now", "\tx", "\rx", "-1+cmd", "+1;2", "-1e9x", "-1 ", "+", "-", "'=1", "''=1"]
)
def test_all_else_that_begins_with_a_sign_gets_an_apostrophe(text):
    assert with_apostrophes(pa.array([text])).to_pylist() == [f"'{text}"]


def test_cells_that_may_run_are_counted_and_said(tmp_path):
    data, rules = write_csv(table(), tmp_path / "d.csv"), write_policy(policy(), tmp_path / "p.toml")
    said = shell("protect", data, "-p", rules, "-o", tmp_path / "r.csv")
    assert said.code == 0
    note = "64 text cells of job, illness, note begin with a formula sign (= + - @): a spreadsheet may run them."
    assert note in said.out
    assert any(note in each for each in json.loads((tmp_path / "r.manifest.json").read_text())["notes"])
    assert {cell["note"] for cell in read_cells(tmp_path / "r.csv")} == set(FORMULAS)
    said = shell("protect", data, "-p", rules, "-o", tmp_path / "r.parquet")
    assert "formula sign" not in said.out


def test_categories_that_may_run_are_counted_too(tmp_path):
    """Arrow keeps them once, and a number for every record."""
    notes = table()["note"].combine_chunks()
    assert write_table(pa.table({"note": notes.dictionary_encode()}), tmp_path / "d.csv") == {"note": N}


@pytest.mark.gate(but="csv")
@pytest.mark.parametrize("source", ["csv", "parquet"])
def test_apostrophes_are_the_same_on_every_engine_and_the_proof_reads_through_them(tmp_path, source):
    made = write_csv(table(), tmp_path / "d.csv") if source == "csv" else as_parquet(table(), tmp_path / "d.parquet")
    outs = {engine: tmp_path / f"{engine}.csv" for engine in ("memory", "duckdb")}
    for engine, out in outs.items():
        release = protect(made, policy(spreadsheet_safe=True), output=out, engine=engine)
        assert any("an apostrophe precedes each" in note for note in release.manifest.notes)
    assert outs["memory"].read_bytes() == outs["duckdb"].read_bytes()
    cells = read_cells(outs["memory"])
    assert {cell["note"] for cell in cells} == {f"'{text}" for text in FORMULAS}
    assert {cell["change"] for cell in cells} == {"-5", "+3,5", "-1e9", "plain"}
    assert all(cell["age"].startswith("-") for cell in cells)
    assert "'=name" in cells[0]
    assert not any(value[0] in "=@\t" for cell in cells for value in cell.values())
    assert verify(outs["memory"], policy(spreadsheet_safe=True)).holds
    # "=flu" and "'=flu" are two illnesses, before and after
    assert verify(outs["memory"], policy(spreadsheet_safe=True)).verdicts[1].reached == 3


def test_it_can_be_asked_for_in_the_shell_and_repeated(tmp_path):
    data, rules = write_csv(table(), tmp_path / "d.csv"), write_policy(policy(), tmp_path / "p.toml")
    out = tmp_path / "r.csv"
    assert shell("protect", data, "-p", rules, "-o", out, "--spreadsheet-safe").code == 0
    assert {cell["note"] for cell in read_cells(out)} == {f"'{text}" for text in FORMULAS}
    assert shell("verify", out, "-p", rules, "--spreadsheet-safe").code == 0
    assert shell("verify", out, "-p", rules).code == 1  # its column is called '=name there
    said = shell("protect", "--replay", tmp_path / "r.manifest.json")
    assert (said.code, "identical to that of the manifest, bit by bit" in said.out) == (0, True)


def test_a_tree_is_read_through_the_apostrophes(tmp_path):
    (tmp_path / "jobs.csv").write_text("=1+1;any;*\n+SUM(A1);any;*\n")
    rules = policy(spreadsheet_safe=True) | {"within": [], "method": {"name": "mondrian"}}
    rules["columns"]["job"] = {"role": "quasi_identifier", "taxonomy": str(tmp_path / "jobs.csv")}
    out = tmp_path / "r.csv"
    protect(write_csv(table(), tmp_path / "d.csv"), rules, output=out)
    assert verify(out, rules).holds


@pytest.fixture
def made_safe(tmp_path):
    """A release whose apostrophes were asked for in the shell: its policy tells nothing of them."""
    data, rules = write_csv(table(), tmp_path / "d.csv"), write_policy(policy(), tmp_path / "p.toml")
    assert shell("protect", data, "-p", rules, "-o", tmp_path / "r.csv", "--spreadsheet-safe").code == 0
    protect(data, rules, output=tmp_path / "plain.csv")
    return tmp_path


@pytest.mark.gate(but="replayed-link")
@pytest.mark.parametrize("command", ["assess", "link"])
@pytest.mark.parametrize("truth", [[], ["--truth", "position"]], ids=["replayed", "said"])
def test_who_is_who_in_a_release_with_apostrophes(made_safe, command, truth):
    """Its figures are those of the same release without them: the apostrophes are no part of texts."""
    words = ["-p", made_safe / "p.toml", *truth, "--json"]
    plain, safe = (shell(command, made_safe / "d.csv", made_safe / name, *words) for name in ("plain.csv", "r.csv"))
    assert (safe.code, safe.err) == (0, "")
    assert json.loads(safe.out) == json.loads(plain.out)


def test_a_release_with_apostrophes_is_still_held_against_its_cells(made_safe):
    release = made_safe / "r.csv"
    release.write_text(release.read_text().replace("'=flu", "cold", 1))
    said = shell("link", made_safe / "d.csv", release, "-p", made_safe / "p.toml")
    assert (said.code, "was not made from this original" in said.err) == (2, True)


def test_without_a_manifest_it_is_said_what_to_do(made_safe):
    (made_safe / "r.manifest.json").unlink()
    said = shell("link", made_safe / "d.csv", made_safe / "r.csv", "-p", made_safe / "p.toml")
    assert (said.code, "spreadsheet_safe = true" in said.err) == (2, True)
    rules = policy(spreadsheet_safe=True)
    assert (
        shell("link", made_safe / "d.csv", made_safe / "r.csv", "-p", write_policy(rules, made_safe / "s.toml")).code
        == 0
    )


@pytest.mark.gate(but="{}")
@pytest.mark.parametrize("text", ["{}", "no JSON"])
def test_what_is_no_manifest_tells_nothing_of_apostrophes(made_safe, text):
    (made_safe / "plain.manifest.json").write_text(text)
    assert shell("link", made_safe / "d.csv", made_safe / "plain.csv", "-p", made_safe / "p.toml").code == 0


@pytest.mark.gate(but="True")
@pytest.mark.parametrize("safe", [False, True])
def test_a_folder_of_a_release_tells_of_formulas_as_a_file_does(tmp_path, safe):
    data = write_csv(table(), tmp_path / "d.csv")
    in_file = protect(data, policy(spreadsheet_safe=safe), output=tmp_path / "r.csv")
    (note,) = [each for each in in_file.manifest.notes if "formula sign" in each]
    for at, release in enumerate((protect(data, policy(spreadsheet_safe=safe)), in_file)):
        folder = release.write(tmp_path / f"out{at}")
        assert json.loads((folder / "manifest.json").read_text())["notes"].count(note) == 1
        assert "begin with a formula sign" in (folder / "report.html").read_text()


def test_formulas_of_a_second_table_are_told_by_a_folder_too(tmp_path):
    anatomy = policy(representation="anatomy") | {"within": [], "method": {"name": "mdav", "k": 3}}
    anatomy["requirements"] = anatomy["requirements"][1:]
    data = write_csv(table(), tmp_path / "d.csv")
    (note,) = [n for n in protect(data, anatomy, output=tmp_path / "r.csv").manifest.notes if "formula sign" in n]
    folder = protect(data, anatomy).write(tmp_path / "out")
    assert note in json.loads((folder / "manifest.json").read_text())["notes"]
