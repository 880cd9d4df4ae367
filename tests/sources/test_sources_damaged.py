"""Files that are damaged, empty, renamed or endless: a plain complaint by name, never a crash."""

import gzip
import zipfile

import openpyxl
import openpyxl.chart
import pyarrow as pa
import pytest

from file_examples import COMPRESSED_CSV, ONE_OF_EACH_FORMAT
from shoal.errors import SourceError
from shoal.sources import read, write_table
from survey_example import shell

SECRET = "Zyxwvut"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600  # what an old or an encrypted Excel file begins with


def book(path):
    made = openpyxl.Workbook()
    for record in (["name", "age"], [SECRET, 1], ["b", 2]):
        made.active.append(record)
    made.save(path)
    return path


def chart_book(path):
    made = openpyxl.Workbook()
    made.remove(made.active)
    made.create_chartsheet("a chart").add_chart(openpyxl.chart.BarChart())
    made.create_sheet("people").append(["age"])
    made["people"].append([1])
    made.save(path)
    return path


def without(path, part):
    """The workbook less one of its parts, or with one that is no XML."""
    old = zipfile.ZipFile(path)
    parts = {name: old.read(name) for name in old.namelist() if name != part.lstrip("!")}
    with zipfile.ZipFile(path, "w") as new:
        for name, content in parts.items():
            new.writestr(name, content)
        if part.startswith("!"):
            new.writestr(part[1:], f"<worksheet><{SECRET}")
    return path


PARTS = ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "[Content_Types].xml", "xl/styles.xml", "xl/sharedStrings.xml"]


@pytest.mark.parametrize("part", [*PARTS, *(f"!{part}" for part in PARTS)])
def test_a_workbook_with_a_damaged_part(tmp_path, part):
    path = without(book(tmp_path / "d.xlsx"), part)
    said = shell("init", path, "-o", tmp_path / "p.toml", "--header")
    assert "this should not happen" not in said.err
    assert SECRET not in said.err
    assert said.code == 0 or "not a valid .xlsx file" in said.err or "is empty" in said.err


@pytest.mark.parametrize(
    "content", [OLE, b"PK\x03\x04", b"not a workbook", b"\0" * 100], ids=["old", "cut", "text", "zeros"]
)
def test_what_is_no_workbook(tmp_path, content):
    path = tmp_path / "d.xlsx"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="not a valid .xlsx file" if content != OLE else "encrypted, or an old .xls"):
        read(path)


def test_a_sheet_of_a_chart_holds_no_records(tmp_path):
    path = chart_book(tmp_path / "d.xlsx")
    assert read(path).table.column_names == ["age"]
    from shoal.sources import ReadOptions

    with pytest.raises(SourceError, match=r"no sheet 'a chart'\. It has: people"):
        read(path, ReadOptions(sheet="a chart"))


@pytest.mark.parametrize("suffix", [*ONE_OF_EACH_FORMAT, *COMPRESSED_CSV])
def test_links_that_lead_in_a_circle(tmp_path, suffix):
    name = f"d{suffix}"
    (tmp_path / name).symlink_to(tmp_path / name)
    for command in (("init", tmp_path / name, "-o", tmp_path / "p.toml"), ("link", tmp_path / name, tmp_path / name)):
        said = shell(*command)
        assert said.code == 2
        assert name in said.err
        assert "this should not happen" not in said.err


@pytest.mark.parametrize("suffix", COMPRESSED_CSV)
@pytest.mark.parametrize("cut", [0, 5, 40, -3])
def test_compressed_files_that_are_cut(tmp_path, suffix, cut):
    path = tmp_path / f"d{suffix}"
    write_table(pa.table({"a": [f"{SECRET} {i * 7919 % 1000}" for i in range(500)], "n": list(range(500))}), path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(SourceError) as caught:
        read(path)
    assert SECRET not in str(caught.value)


def test_what_follows_a_compressed_file_is_not_taken_for_records(tmp_path):
    path = tmp_path / "d.csv.gz"
    path.write_bytes(gzip.compress(b"a,n\nx,1\n") + b"rubbish")
    with pytest.raises(SourceError, match=r"not a valid \.gz file"):
        read(path)


@pytest.mark.parametrize(
    "content",
    [b"\xef\xbb\xbf", b"\xff\xfe", b"\n\n\n", b"a,b\n", b"a\n", b"\xef\xbb\xbfa,b\n", b"a,b\n1,\x002\n"],
    ids=str,
)
def test_files_without_a_record(tmp_path, content):
    path = tmp_path / "d.csv"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"is empty|no records|not text"):
        read(path)
    assert shell("init", path, "-o", tmp_path / "p.toml").code == 2


MEMORY = {
    ".csv": "pyarrow.csv.read_csv",
    ".parquet": "pyarrow.parquet.ParquetFile",
    ".arrow": "pyarrow.ipc.open_file",
    ".xlsx": "openpyxl.load_workbook",
    ".sav": "pyreadstat.read_sav",
}


@pytest.mark.parametrize("suffix", MEMORY)
def test_too_little_memory_is_no_damage(tmp_path, monkeypatch, suffix):
    path = tmp_path / f"d{suffix}"
    write_table(pa.table({"name": ["a", "b"], "age": [1, 2]}), path)

    def full(*args, **how):
        raise pa.ArrowMemoryError(f"malloc of size 8 failed, near {SECRET}")

    monkeypatch.setattr(MEMORY[suffix], full)
    with pytest.raises(SourceError, match="too little memory to read it") as caught:
        read(path)
    assert SECRET not in str(caught.value)


def test_too_little_memory_for_a_piece(tmp_path, monkeypatch):
    from shoal.sources import ReadOptions
    from shoal.sources.pieces import open_pieces

    path = tmp_path / "d.csv"
    write_table(pa.table({"name": ["a", "b"], "age": [1, 2]}), path)
    pieces = open_pieces(path, ReadOptions())

    def full(*args, **how):
        raise pa.ArrowMemoryError("malloc of size 8 failed")

    monkeypatch.setattr("pyarrow.csv.open_csv", full)
    with pytest.raises(SourceError, match="too little memory"):
        list(pieces.read(["name"]))
