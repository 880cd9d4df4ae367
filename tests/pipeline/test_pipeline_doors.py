"""Whatever the records come in, the same release comes out, in the caller's own kind."""

from datetime import date

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest

import shoal
from survey_example import as_parquet, in_order, read_cells, survey, survey_policy, write_csv

GATHERED = ["zip", "age", "grade", "born", "disease", "weight", "note", "code", "amount"]


def cells(release):
    """The records as plain values, less the new numbers of households."""
    return release.records.select(GATHERED).to_pydict()


@pytest.fixture(scope="module")
def expected():
    return cells(shoal.protect(survey(), survey_policy(), key=bytes(range(32))))


@pytest.mark.gate
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".arrow", ".feather", ".xlsx"])
def test_every_file_gives_the_same_release(tmp_path, suffix, expected):
    source, output = tmp_path / f"survey{suffix}", tmp_path / f"release{suffix}"
    table, policy = survey(), survey_policy()
    if suffix == ".xlsx":  # a sheet has neither integers of 64 bits nor all digits of a real
        table = table.drop_columns(["code", "amount"])
        del policy["columns"]["code"], policy["columns"]["amount"]
        found = shoal.protect(table, policy, key=bytes(range(32))).records
        expected = {name: found[name].to_pylist() for name in GATHERED[:-2]}
    if suffix == ".csv":
        write_csv(table, source)
    else:
        from shoal.sources import write_table

        write_table(table, source)
    release = shoal.protect(source, policy, output=output)
    released = release.records.select(list(expected)).to_pydict()
    assert released == expected
    assert isinstance(release.table, pa.Table)
    assert shoal.verify(output, policy)
    again = shoal.protect(output, survey_without_identifier(policy))  # what was written can be read
    assert again.manifest.input.n_records == release.manifest.output.n_records


def survey_without_identifier(policy):
    columns = {name: rule for name, rule in policy["columns"].items() if rule["role"] != "identifier"}
    return policy | {"columns": columns}


@pytest.mark.gate(but=("pandas", "pandas-arrow"))
@pytest.mark.parametrize(
    ("kind", "make"),
    [
        (pd.DataFrame, lambda: survey().to_pandas()),
        (pd.DataFrame, lambda: survey().to_pandas(types_mapper=pd.ArrowDtype)),
        (pl.DataFrame, lambda: pl.from_arrow(survey())),
        (pl.LazyFrame, lambda: pl.from_arrow(survey()).lazy()),
        (pa.Table, survey),
        (dict, lambda: survey().to_pydict()),
        (duckdb.DuckDBPyRelation, lambda: duckdb.from_arrow(survey())),
    ],
    ids=["pandas", "pandas-arrow", "polars", "polars-lazy", "pyarrow", "dict", "duckdb"],
)
def test_the_callers_kind_comes_back(kind, make, expected):
    release = shoal.protect(make(), survey_policy())
    assert isinstance(release.table, kind)
    assert cells(release) == expected
    assert shoal.verify(release.table, survey_policy())


def test_columns_and_records_keep_their_order(tmp_path):
    source = write_csv(survey(), tmp_path / "survey.csv")
    shoal.protect(source, survey_policy(), output=tmp_path / "release.csv")
    released = read_cells(tmp_path / "release.csv")
    assert list(released[0]) == [name for name in survey().column_names if name != "person"]
    assert [record["code"] for record in released] == [str(code) for code in survey()["code"].to_pylist()]


@pytest.mark.gate
def test_records_are_shuffled_only_where_the_policy_says_so():
    def codes(seed, shuffle):
        policy = survey_policy(seed=seed, output={"shuffle": shuffle})
        return shoal.protect(numbered, policy).records["code"].to_pylist()

    even = list(range(0, 80, 2))  # with gaps: they number no members of a household
    numbered = survey().set_column(7, "code", pa.array(even))
    assert codes(0, False) == even
    assert codes(0, True) == codes(0, True) != codes(1, True)
    assert sorted(codes(0, True)) == even
    assert codes(0, True) != even


def test_a_shuffled_record_keeps_its_cells_together():
    plain = shoal.protect(survey(), survey_policy()).records.to_pylist()
    shuffled = shoal.protect(survey(), survey_policy(output={"shuffle": True})).records.to_pylist()
    assert sorted(map(repr, plain)) == sorted(map(repr, shuffled))


@pytest.mark.gate(but=("n", "count_all", "number"))
@pytest.mark.parametrize("name", ["n", "count_all", "number", "text", "all", "record", "group", "1", "", "ü b", "a.b"])
def test_a_column_may_have_any_name(tmp_path, name):
    policy = {
        "requirements": [{"name": "k_anonymity", "k": 2}],
        "columns": {name: {"role": "quasi_identifier", "kind": "numeric", "decimals": 1}, "other": {"role": "other"}},
    }
    table = {name: [1, 2, 30, 40], "other": ["a", "b", "c", "d"]}
    assert shoal.protect(table, in_order(policy)).table[name] == [1.5, 1.5, 35.0, 35.0]
    parquet = as_parquet(pa.table(table), tmp_path / "t.parquet")
    shoal.protect(parquet, policy, output=tmp_path / "release.parquet")
    assert shoal.verify(tmp_path / "release.parquet", policy).k_reached == 2


def test_names_that_shoal_keeps_for_itself_are_refused():
    policy = {"columns": {"__group__": {"role": "quasi_identifier", "kind": "numeric"}}, "method": {"k": 2}}
    with pytest.raises(shoal.ShoalError, match=r"reserves these column names.*__group__"):
        shoal.protect({"__group__": [1, 2, 3, 4]}, policy)


def test_a_csv_without_names_gets_them_in_the_release(tmp_path):
    source, output = tmp_path / "bare.csv", tmp_path / "release.csv"
    source.write_text("".join(f"{1000 + i},{i // 2},x\n" for i in range(8)))
    policy = {
        "requirements": [{"name": "k_anonymity", "k": 2}],
        "columns": {
            "column_1": {"role": "identifier"},
            "column_2": {"role": "quasi_identifier", "kind": "numeric"},
            "column_3": {"role": "other"},
        },
        "source": {"header": False},
    }
    release = shoal.protect(source, policy, output=output)
    assert output.read_text().splitlines()[0] == "column_2,column_3"
    assert [note for note in release.manifest.notes if "was read as a record" in note]
    assert shoal.verify(output, policy)


def test_a_sheet_may_be_declared(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.create_sheet("people")
    for record in [("a",), *((i,) for i in (1, 2, 30, 40))]:
        sheet.append(record)
    book.save(tmp_path / "book.xlsx")
    policy = {
        "requirements": [{"name": "k_anonymity", "k": 2}],
        "columns": {"a": {"role": "quasi_identifier", "kind": "numeric"}},
        "source": {"sheet": "people"},
    }
    shoal.protect(tmp_path / "book.xlsx", policy, output=tmp_path / "release.xlsx")
    assert shoal.verify(tmp_path / "release.xlsx", policy)


@pytest.mark.parametrize(
    "options",
    [
        {"delimiter": ";", "decimal": ",", "date_format": "%d.%m.%Y", "encoding": "cp1252"},
        {"delimiter": "\t", "missing": ["", "NA"]},
        {"delimiter": "|", "quote": "'"},
    ],
    ids=str,
)
def test_a_declared_dialect_is_that_of_the_release(tmp_path, options):
    sep, day = options["delimiter"], "17.05.1980" if "date_format" in options else "1980-05-17"
    point, gap = options.get("decimal", "."), "NA" if "NA" in options.get("missing", ()) else ""
    lines = [f"{20 + i}{point}5{sep}{day if i % 5 else gap}{sep}Zoë {i % 2}" for i in range(12)]
    source, output = tmp_path / "in.csv", tmp_path / "out.csv"
    text = "\n".join([sep.join(["age", "born", "town"]), *lines]) + "\n"
    source.write_bytes(text.encode(options.get("encoding", "utf-8")))
    policy = {
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "source": options,
        "columns": {
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "born": {"role": "quasi_identifier", "kind": "date"},
            "town": {"role": "other"},
        },
        "output": {"shuffle": False},
    }
    release = shoal.protect(source, policy, output=output)
    assert set(release.records["born"].to_pylist()) <= {None, date(1980, 5, 17)}
    written = output.read_text(encoding="utf-8").splitlines()
    assert written[0] == sep.join(["age", "born", "town"])
    assert [line.split(sep)[2] for line in written[1:]] == [f"Zoë {i % 2}" for i in range(12)]
    assert shoal.verify(output, policy)
    assert shoal.protect(source, policy).records.to_pydict() == release.records.to_pydict()
