"""shoal init: what is given is used and written down, and what is proposed can be used as it is."""

import tomllib
from collections import Counter

import openpyxl
import pytest

from survey_example import as_parquet, read_cells, shell, survey


def lines(n, *cells):
    """Records by turns of these cells."""
    return "".join(cells[i % len(cells)] + "\n" for i in range(n))


def proposed(path):
    return tomllib.loads(path.read_text(encoding="utf-8"))


def test_given_options_are_written_down(tmp_path):
    data, policy = tmp_path / "d.csv", tmp_path / "p.toml"
    data.write_bytes(("é|1,5|31.12.2020\n" + lines(19, "b|2,5|01.02.2021", "c|3|5.6.2020")).encode("cp1252"))
    given = ["--delimiter", "|", "--encoding", "cp1252", "--no-header", "--decimal", ",", "--date-format", "%d.%m.%Y"]
    said = shell("init", data, "-o", policy, *given)
    assert (said.code, said.err) == (0, "")
    assert proposed(policy)["source"] == {
        "delimiter": "|", "encoding": "cp1252", "header": False, "decimal": ",", "date_format": "%d.%m.%Y",
    }  # fmt: skip
    assert {name: rule["kind"] for name, rule in proposed(policy)["columns"].items()} == {
        "column_1": "nominal", "column_2": "numeric", "column_3": "date",
    }  # fmt: skip
    said = shell("protect", data, "-p", policy, "-o", tmp_path / "r.csv")
    assert (said.code, said.err) == (0, "")
    assert "the release is written as UTF-8" in said.out


def test_what_is_promised_at_first(tmp_path):
    data, policy, release = tmp_path / "d.csv", tmp_path / "p.toml", tmp_path / "r.csv"
    data.write_text("age,zip\n" + "".join(f"{20 + i % 13}.5,0{i % 3}\n" for i in range(60)))
    assert shell("init", data, "-o", policy).code == 0
    assert proposed(policy)["requirements"] == [{"name": "k_anonymity", "k": 5}]
    assert shell("protect", data, "-p", policy, "-o", release).code == 0
    sizes = Counter(tuple(record.items()) for record in read_cells(release)).values()
    assert min(sizes) >= 5


def test_a_tab_can_be_typed(tmp_path):
    data, policy = tmp_path / "d.csv", tmp_path / "p.toml"
    data.write_text("a\tb\n" + lines(20, "x, y, z, u\t1", "p, q, r, s\t2"))
    for typed in ("tab", "\\t"):
        assert shell("init", data, "-o", policy, "--delimiter", typed, "--header", "--force").code == 0
        assert proposed(policy)["source"] == {"delimiter": "\t", "header": True}
        assert list(proposed(policy)["columns"]) == ["a", "b"]


def test_only_the_odd_is_written_of_what_was_found(tmp_path):
    data, policy = tmp_path / "d.csv", tmp_path / "p.toml"
    data.write_text("name;age\n" + lines(20, "a;30", "b;31"))
    assert shell("init", data, "-o", policy).code == 0
    assert "source" not in proposed(policy)
    data.write_bytes(("'é';30,5\n" + lines(20, "'a';30,5", "'b';31,5")).encode("cp1252"))
    assert shell("init", data, "-o", policy, "--force").code == 0
    assert proposed(policy)["source"] == {"encoding": "cp1252", "quote": "'", "decimal": ",", "header": False}


def test_a_sheet_may_be_chosen(tmp_path):
    data, policy = tmp_path / "d.xlsx", tmp_path / "p.toml"
    book = openpyxl.Workbook()
    book.active.append(["nothing"])
    book.active.append([1])
    page = book.create_sheet("people")
    page.append(["age"])
    for age in range(20):
        page.append([age])
    book.save(data)
    said = shell("init", data, "-o", policy, "--sheet", "people")
    assert said.code == 0
    assert "note: sheet 'Sheet' was left out" in said.out
    assert proposed(policy)["source"] == {"sheet": "people"}
    assert list(proposed(policy)["columns"]) == ["age"]


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("--delimiter", ",,", "a delimiter is one ASCII character"),
        ("--delimiter", '"', "delimiter and quote must be different characters"),
        ("--encoding", "utf-9", "there is no encoding 'utf-9'"),
        ("--decimal", ";", "Input should be '.' or ','"),
        ("--date-format", "dd.mm.yyyy", "a date format names its fields with %"),
    ],
)
def test_wrong_options(tmp_path, option, value, reason):
    said = shell("init", tmp_path / "none.csv", "-o", tmp_path / "p.toml", option, value)
    assert said.code == 2
    assert said.err.startswith(f"error: {option}: {reason}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("first", "second", "date_format"),
    [
        ("31.12.1980", "1.2.1990", "%d.%m.%Y"),
        ("31/12/1980", "01/02/1990", "%d/%m/%Y"),
        ("12/31/1980", "01/02/1990", "%m/%d/%Y"),
    ],
)
def test_dates_that_are_not_iso_are_found(tmp_path, first, second, date_format):
    data, policy, release = tmp_path / "d.csv", tmp_path / "p.toml", tmp_path / "r.csv"
    data.write_text("born,n\n" + lines(30, f"{first},1.5", f"{second},2.5", f"{second},3.25"))
    said = shell("init", data, "-o", policy)
    assert f"dates written {date_format}" in said.out
    assert proposed(policy)["source"] == {"date_format": date_format}
    assert proposed(policy)["columns"]["born"]["kind"] == "date"
    assert shell("protect", data, "-p", policy, "-o", release).code == 0
    assert shell("verify", release, "-p", policy).code == 0


def test_dates_that_cannot_be_told_are_said(tmp_path):
    data, policy = tmp_path / "d.csv", tmp_path / "p.toml"
    data.write_text("born,n\n" + lines(30, "01/02/1980,1.5", "03/04/1990,2.5"))
    said = shell("init", data, "-o", policy)
    assert "note: the day or the month may come first" in said.out
    assert proposed(policy)["columns"]["born"]["kind"] == "nominal"
    assert shell("init", data, "-o", policy, "--force", "--date-format", "%m/%d/%Y").code == 0
    assert proposed(policy)["columns"]["born"]["kind"] == "date"


def test_the_next_command_is_told_with_real_names(tmp_path):
    data, policy = as_parquet(survey(), tmp_path / "my survey.parquet"), tmp_path / "first.toml"
    said = shell("init", data, "-o", policy)
    command = f"shoal protect '{data}' --policy {policy} --output release.parquet"
    assert f"# Then: {command}\n" in policy.read_text()
    assert said.out.endswith(f"  {command}\n")


@pytest.mark.parametrize(("name", "release"), [("d.csv.gz", "release.csv.gz"), ("a.b.csv", "release.csv")])
def test_the_release_has_the_extension_of_the_data(tmp_path, name, release):
    import gzip

    text = "a,n\n" + lines(20, "x,1.5", "y,2.5")
    (tmp_path / name).write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    assert shell("init", tmp_path / name, "-o", tmp_path / "p.toml").out.endswith(f"--output {release}\n")


def test_a_format_that_cannot_be_written_is_released_as_csv(tmp_path):
    import pandas as pd
    import pyreadstat

    pyreadstat.write_xport(pd.DataFrame({"A": [1.0, 2.0], "B": ["x", "y"]}), str(tmp_path / "x.xpt"))
    assert shell("init", tmp_path / "x.xpt", "-o", tmp_path / "p.toml").out.endswith("--output release.csv\n")


def test_the_order_is_not_released_unless_asked_for(tmp_path):
    data, policy, release = tmp_path / "d.csv", tmp_path / "p.toml", tmp_path / "r.csv"
    data.write_text("n,note\n" + "".join(f"{i / 4},note {i % 40}\n" for i in range(80)))
    shell("init", data, "-o", policy)
    assert proposed(policy)["output"] == {"shuffle": True}
    assert "may reveal who is who" in policy.read_text()
    assert shell("protect", data, "-p", policy, "-o", release).code == 0
    assert [r["note"] for r in read_cells(release)] != sorted(r["note"] for r in read_cells(release))


def test_what_is_in_the_first_line_twice(tmp_path):
    data = tmp_path / "d.csv"
    data.write_text("city,name,city\n" + lines(20, "a,b,c"))
    said = shell("init", data, "-o", tmp_path / "p.toml")
    assert (said.code, "several columns have the same name: columns 1, 3" in said.err) == (2, True)
    assert shell("init", data, "-o", tmp_path / "p.toml", "--no-header").code == 0
