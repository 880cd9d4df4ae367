"""No command shows a cell: a file without names has its first record where others have their names."""

import openpyxl
import pytest

from survey_example import desk, shell, survey, survey_policy, write_csv, write_policy

CANARIES = ("Zyxwvut Quatsch", "Kanarienstadt", "Schwindsucht", "73519", "1931-07-23")
TEXTS = ",".join(CANARIES[:3])
MIXED = ",".join(CANARIES)


def headless(path, first, n=30):
    """Records without names above them, by a writer that knows no CSV but this."""
    n_columns = len(first.split(","))
    others = [("ann", "x", "flu", "12", "1980-01-01"), ("bob", "y", "cold", "13", "1981-02-03")]
    lines = [first, *(",".join(others[i % 2][:n_columns]) for i in range(n - 1))]
    if path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for line in lines:
            book.active.append([int(cell) if cell.isdigit() else cell for cell in line.split(",")])
        book.save(path)
    else:
        path.write_text("\n".join(lines) + "\n")
    return path


def policy_of(path, **source):
    rule = {"role": "quasi_identifier", "kind": "nominal"}
    columns = {"name": {"role": "identifier"}, "city": dict(rule), "illness": {"role": "sensitive"}}
    return write_policy({"requirements": [{"name": "k_anonymity", "k": 2}], "columns": columns, "source": source}, path)


@pytest.fixture(params=[("d.csv", TEXTS), ("d.csv", MIXED), ("d.xlsx", TEXTS), ("d.xlsx", MIXED)])
def data(request, tmp_path):
    name, first = request.param
    return headless(tmp_path / name, first)


@pytest.mark.gate(but="data0-None")
@pytest.mark.parametrize("header", [None, pytest.param(True, marks=pytest.mark.long)])
def test_no_command_shows_the_first_line_of_a_file_without_names(tmp_path, data, header):
    there, policy = desk(tmp_path), policy_of(tmp_path / "p.toml", **({} if header is None else {"header": header}))
    out = tmp_path / "r.csv"
    commands = [
        ("protect", data, "-p", policy, "-o", out),
        ("protect", data, "-p", policy, "-o", out, "--engine", "duckdb"),
        ("protect", data, "-p", policy, "-o", out, "--dry-run"),
        ("protect", data, "-p", there.policy, "-o", out),
        ("verify", data, "-p", policy),
        ("verify", data, "-p", there.policy),
        ("verify", data, "-p", there.policy, "--json"),
        ("init", data, "-o", tmp_path / "new.toml"),
        ("assess", data, there.data, "-p", policy),
        ("assess", there.data, data, "-p", there.policy),
        ("assess", data, there.data),
        ("assess", there.data, data),
        ("assess", data, data, "--id", "name"),
        ("assess", data, data, "--known", "nmae"),
        ("link", data, data),
        ("link", data, data, "--json"),
        ("assess", data, data),
        ("link", data, there.data),
        ("link", there.data, data),
        ("link", data, data, "--id", "name"),
        ("link", data, data, "--known", "name"),
        ("compare", data, "-p", policy),
        ("mend", data, "-p", policy),
        ("mend", data, "-p", there.policy),
        ("profile", data),
        ("profile", data, "--json"),
        ("profile", data, "-p", policy),
        ("profile", data, "--keys", "nmae"),
        ("som", data, "-o", tmp_path / "map.html", "-c", "age"),
        ("som", data, "-o", tmp_path / "map.html", "--json"),
        ("som", data, "-o", tmp_path / "map.html", "-p", policy),
        ("som", data, "-o", tmp_path / "map.html", "-p", policy, "--label", "age"),
    ]
    for command in commands:
        said = shell(*command)
        shown = [canary for canary in CANARIES if canary in said.out + said.err]
        assert shown == [], command
        assert "this should not happen" not in said.err, command


@pytest.mark.parametrize("name", ["d.csv", "d.xlsx"])
def test_what_to_do_about_a_file_without_names_is_said(tmp_path, name):
    data, policy = headless(tmp_path / name, TEXTS), policy_of(tmp_path / "p.toml")
    said = shell("protect", data, "-p", policy, "-o", tmp_path / "r.csv")
    assert said.code == 2
    assert "none of the 3 columns of the policy" in said.err
    assert "header = false" in said.err
    said = shell("init", data, "-o", tmp_path / "new.toml")
    assert (said.code, "--no-header" in said.err) == (2, True)
    assert "3 columns" in said.err
    assert shell("init", data, "-o", tmp_path / "new.toml", "--no-header").code == 0
    assert shell("init", data, "-o", tmp_path / "new.toml", "--header", "--force").code == 0


def test_a_release_without_names_is_refused_without_its_cells(tmp_path):
    policy = policy_of(tmp_path / "p.toml")
    said = shell("verify", headless(tmp_path / "d.csv", TEXTS), "-p", policy)
    assert said.code == 1
    assert "3 columns are in the release but not in the policy" in said.out


def test_a_misspelled_column_is_still_named(tmp_path):
    policy = survey_policy()
    policy["columns"]["agee"] = policy["columns"].pop("age")
    there = desk(tmp_path, policy=policy)
    said = shell("protect", there.data, "-p", there.policy, "-o", there.release)
    assert "the table has no column 'agee'. Did you mean 'age'? It has: person, household, zip" in said.err
    said = shell("link", there.data, there.data, "--truth", "position", "--known", "agee")
    assert "'agee' is not a column of both files. Did you mean 'age'? Both have: person" in said.err
    extra = write_csv(survey().append_column("extra", [["x"] * 40]), tmp_path / "extra.csv")
    assert "the column 'extra' is in the release" in shell("verify", extra, "-p", there.policy).out
