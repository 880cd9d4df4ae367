"""A CSV is read as written; what it does not say is found, and what is wrong is said without a cell."""

from __future__ import annotations

import bz2
import codecs
import datetime as dt
import gzip
import lzma
import os
from pathlib import Path

import pyarrow as pa
import pytest

from shoal.errors import SourceError
from shoal.sources import ReadOptions, read

SECRET = "Zyxwvut"


@pytest.fixture
def put(tmp_path: Path):
    def put(content: str | bytes, name: str = "people.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put


def complaint(*args: object, **how: object) -> str:
    with pytest.raises(SourceError) as caught:
        read(*args, **how)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return str(caught.value)


def test_text_is_kept_as_written(put) -> None:
    loaded = read(put('id,zip,note\n1,08193," a ""b"", c"\n2,007,\n'))
    assert loaded.table.to_pydict() == {
        "id": ["1", "2"],
        "zip": ["08193", "007"],
        "note": [' a "b", c', None],
    }
    assert loaded.origin.format == "csv"
    assert loaded.origin.notes == ()


def test_declared_kinds(put) -> None:
    path = put("n,x,d,t,z\n1,1.5,2020-02-29,2020-01-01T10:00:00,01\n,2,,,\n+3,-1e3,1999-12-31,2020-01-01 11:00,2\n")
    kinds = {"n": "numeric", "x": "numeric", "d": "date", "t": "date", "z": "text"}
    table = read(path, kinds=kinds).table
    assert table.schema.types == [pa.int64(), pa.float64(), pa.date32(), pa.timestamp("us"), pa.string()]
    assert table["n"].to_pylist() == [1, None, 3]
    assert table["x"].to_pylist() == [1.5, 2.0, -1000.0]
    assert table["d"].to_pylist() == [dt.date(2020, 2, 29), None, dt.date(1999, 12, 31)]


def test_inferred_kinds_leave_codes_alone(put) -> None:
    table = read(put("n,code,d,s,none\n1,007,2020-01-01,a,\n2,12,2020-01-02,3,\n"), kinds="infer").table
    assert table.schema.types == [pa.int64(), pa.string(), pa.date32(), pa.string(), pa.string()]


@pytest.mark.parametrize("codes", [["01067", "01069", "99084"], ["00", "10"], ["-07", "12"], ["+01", "1"], ["1", "04"]])
def test_a_number_that_begins_with_0_is_a_code(put, codes: list[str]) -> None:
    table = read(put("zip,n\n" + "".join(f"{code},0.5\n" for code in codes)), kinds="infer").table
    assert table["zip"].to_pylist() == codes
    assert table["n"].type == pa.float64()


@pytest.mark.parametrize("numbers", [["0", "1"], ["0.5", "-0.5"], ["-0", "7"], ["0e1", "3"]])
def test_a_0_alone_or_before_a_point_is_a_number(put, numbers: list[str]) -> None:
    assert not pa.types.is_string(
        read(put("n,m\n" + "".join(f"{n},1\n" for n in numbers)), kinds="infer").table["n"].type
    )


def test_inference_keeps_an_integer_too_large_as_text(put) -> None:
    assert read(put("n\n1\n92233720368547758070\n"), kinds="infer").table["n"].to_pylist()[1] == "92233720368547758070"


@pytest.mark.parametrize("cell", ["9223372036854775808", "-9223372036854775809", "1" * 400])
def test_an_integer_beyond_64_bits_is_an_error(put, cell: str) -> None:
    message = complaint(put(f"a,n\nx,1\nx,{cell}\n"), kinds={"n": "numeric"})
    assert "column 'n'" in message
    assert "line 3" in message
    assert cell not in message


def test_integers_that_reals_cannot_hold_are_an_error(put) -> None:
    assert "line 3" in complaint(put("n\n0.5\n9007199254740993\n"), kinds={"n": "numeric"})
    assert "line 3" in complaint(put("n\n0.5\n9223372036854775807\n"), kinds={"n": "numeric"})
    exact = read(put("n\n0.5\n9007199254740994\n-9223372036854775808\n"), kinds={"n": "numeric"}).table
    assert exact["n"].to_pylist() == [0.5, 9007199254740994.0, -(2.0**63)]


@pytest.mark.parametrize("cell", [SECRET, "nan", "inf", "0x1F", " 5", "1,5", "1e999", "1_0", "--1", "+-1"])
def test_cells_that_are_no_numbers_are_counted_and_located(put, cell: str) -> None:
    message = complaint(put(f'n,"b\nb"\n1,"two\nlines"\n"{cell}",x\n\n2,y\n"{cell}",z\n'), kinds={"n": "numeric"})
    assert "2 cells do not hold a number (line 5, 8)" in message


def test_cells_that_are_no_dates(put) -> None:
    path = put(f"d\n2020-01-01\n{SECRET}\n2020-02-30\n2020-01-01T10:00\n2020-01-01T10:00Z\n")
    message = complaint(path, kinds={"d": "date"})
    assert "3 cells do not hold an ISO date (line 3, 4, 6)" in message
    assert "Under [source], state the format of dates in `date_format`" in message
    assert "date_format" not in complaint(path, kinds={"d": "numeric"})


def test_date_format(put) -> None:
    options = ReadOptions(date_format="%d.%m.%Y")
    table = read(put("d;n\n01.02.2020;1\n1.2.2021;2\n;3\n"), options, kinds={"d": "date"}).table
    assert table["d"].to_pylist() == [dt.date(2020, 2, 1), dt.date(2021, 2, 1), None]
    bad = put("d;n\n31.02.2020;1\n01.02.20;1\n 01.02.2020;1\n2020-01-01;1\n01.02.2020;1\n")
    assert "4 cells do not hold a date in the format %d.%m.%Y (line 2, 3, 4, ...)" in complaint(
        bad, options, kinds={"d": "date"}
    )
    timed = ReadOptions(date_format="%d.%m.%Y %H:%M")
    table = read(put("d;n\n01.02.2020 10:30;1\n"), timed, kinds={"d": "date"}).table
    assert table["d"].to_pylist() == [dt.datetime(2020, 2, 1, 10, 30)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_sniffed(put, delimiter: str) -> None:
    text = "\n".join(
        delimiter.join(cells) for cells in (["name", "age", "text"], ["a", "1", "x; y, z"], ["b", "2", ""])
    )
    if delimiter in ",;":
        text = text.replace("x; y, z", '"x; y, z"')
    loaded = read(put(text))
    assert loaded.table.num_columns == 3
    assert loaded.origin.options.delimiter == delimiter
    assert loaded.table["text"].to_pylist() == ["x; y, z", None]


def test_decimal_commas_are_sniffed(put) -> None:
    loaded = read(put("1,5;2,25\n3,5;4\n"), kinds={"column_1": "numeric", "column_2": "numeric"})
    assert loaded.table.to_pydict() == {"column_1": [1.5, 3.5], "column_2": [2.25, 4.0]}
    assert loaded.origin.options.decimal == ","
    assert any("decimal comma" in note for note in loaded.origin.notes)
    assert "1 cell does not hold a number (line 3)" in complaint(
        put("x;y\n1,5;a\n1.5;b\n2,5;c\n"), kinds={"x": "numeric"}
    )


def test_single_quotes_are_sniffed(put) -> None:
    assert read(put("a,b\n'x,y',1\n'z',2\n")).table["a"].to_pylist() == ["x,y", "z"]
    assert read(put("a,b\n'tis,1\nJan's,2\n")).table["a"].to_pylist() == ["'tis", "Jan's"]


def test_no_quotes_when_told_so(put) -> None:
    table = read(put('a,b\n"x,1\n5" pipe,2\n'), ReadOptions(quote="")).table
    assert table["a"].to_pylist() == ['"x', '5" pipe']


@pytest.mark.parametrize(
    ("content", "encoding", "note"),
    [
        ("a,b\n1,é\n".encode(), "utf-8", False),
        ("a,b\n1,é\n".encode("utf-8-sig"), "utf-8-sig", False),
        ("a,b\n1,é\n".encode("utf-16"), "utf-16", False),
        (codecs.BOM_UTF16_BE + "a,b\n1,é\n".encode("utf-16-be"), "utf-16", False),
        (codecs.BOM_UTF32_LE + "a,b\n1,é\n".encode("utf-32-le"), "utf-32", False),
        (codecs.BOM_UTF32_BE + "a,b\n1,é\n".encode("utf-32-be"), "utf-32", False),
        ("a,b\n1,é\n".encode("cp1252"), "cp1252", True),
        (b"a,b\n" + b"1,2\n" * 400_000 + "1,é\n".encode("cp1252"), "cp1252", True),
    ],
)
def test_encodings(put, content: bytes, encoding: str, note: bool) -> None:
    loaded = read(put(content))
    assert loaded.table.column_names == ["a", "b"]
    assert loaded.table["b"].to_pylist()[-1] == "é"
    assert loaded.origin.options.encoding == encoding
    assert ("read as cp1252: the bytes are not UTF-8" in loaded.origin.notes) == note
    assert ("the release is written as UTF-8" in loaded.origin.notes) == (encoding not in ("utf-8", "utf-8-sig"))


@pytest.mark.parametrize(
    "text",
    [
        "ann,12\nbob,13\n",
        "ann,2020-01-01\nbob,2020-01-02\n",
        "a,,x\nb,c,d\n",
        "NA,5\n3,6\n",  # a word that means missing is no name
        "ann,1980,2000\nbob,1985,2003\n",  # years above years
        "ann,2000\nbob,2500\n",  # a single number like a year
    ],
)
def test_a_first_line_of_data_is_no_header(put, text: str) -> None:
    loaded = read(put(text))
    assert loaded.table.column_names[:2] == ["column_1", "column_2"]
    assert loaded.table.num_rows == 2
    assert any("column_1" in note and "declare header = true" in note for note in loaded.origin.notes)


@pytest.mark.parametrize(
    "text",
    [
        "region,2019,2020\nn,5,7\ns,2001,8\n",
        "2018,2020\n5,6\n7,8\n",
        "age,2019\n33,6\n35,8\n",
        "name,town\nann,x\nbob,y\n",
        "flu,id\ncold,12\nflu,13\n",
    ],
)
def test_a_header_in_doubt_is_noted(put, text: str) -> None:
    loaded = read(put(text))
    assert loaded.table.column_names == text.partition("\n")[0].split(",")
    doubt = "the first line was read as column names; if it is a record, declare header = false"
    assert doubt in loaded.origin.notes
    assert doubt not in read(put(text), ReadOptions(header=True)).origin.notes
    assert read(put(text), ReadOptions(header=False)).table.num_rows == 3


def test_a_header_may_be_declared(put) -> None:
    path = put("region,2019\nx,5\n")
    assert read(path, ReadOptions(header=True)).table.to_pydict() == {"region": ["x"], "2019": ["5"]}
    assert read(put("a,b\nc,d\n"), ReadOptions(header=False)).table.num_rows == 2


def test_the_nameless_index_of_pandas_gets_a_name(put) -> None:
    loaded = read(put(",age\n0,34\n1,35\n"))
    assert loaded.table.column_names == ["column_1", "age"]
    assert "column_1" in loaded.origin.notes[0]


def test_missing_texts(put) -> None:
    path = put('a,b\nNA,1\n"",2\n.,3\n')
    assert read(path, ReadOptions(missing=("NA", "."))).table["a"].to_pylist() == [None, "", None]
    assert read(path).table["a"].to_pylist() == ["NA", None, "."]


def test_columns_are_read_in_the_order_asked_for(put) -> None:
    path = put("name,age,zip\na,1,2\n")
    assert read(path, columns=["zip", "name"]).table.column_names == ["zip", "name"]
    message = complaint(path, columns=["agee", "sex"])
    assert "Did you mean 'age'?" in message
    assert "It has: name, age, zip." in message


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends(put, ending: str) -> None:
    assert read(put(ending.join(["a,b", "1,2", "3,4"]))).table.to_pydict() == {
        "a": ["1", "3"],
        "b": ["2", "4"],
    }


def test_quoted_lines_read_right_over_many_blocks(put) -> None:
    n = 60_000
    text = "id,note\n" + "".join(f'{i},"first {i}\nsecond, ""{i}"""\n' for i in range(n))
    table = read(put(text), kinds={"id": "numeric"}).table
    assert table["id"].to_pylist() == list(range(n))
    assert table["note"][n - 1].as_py() == f'first {n - 1}\nsecond, "{n - 1}"'


def test_a_cell_longer_than_a_block(put) -> None:
    long = "x" * 3_000_000
    assert read(put(f'a,b\n1,"{long}"\n2,y\n')).table["b"].to_pylist() == [long, "y"]


@pytest.mark.parametrize("suffix", ["gz", "bz2", "xz", "zst"])
def test_compressed(put, suffix: str) -> None:
    plain = b"a,b\n1,2\n"
    packers = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": _zstd}
    packed = packers[suffix](plain)
    assert read(put(packed, f"x.csv.{suffix}")).table.to_pydict() == {"a": ["1"], "b": ["2"]}
    assert "part of one" in complaint(put(packed[:-6], f"cut.csv.{suffix}"))
    assert "part of one" in complaint(put(plain, f"plain.csv.{suffix}"))


def _zstd(plain: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(plain)
    return sink.getvalue().to_pybytes()


def test_files_that_cannot_be_opened(put, tmp_path: Path) -> None:
    assert "no such file" in complaint(tmp_path / "none.csv")
    assert "is a folder" in complaint(tmp_path)
    assert "is empty" in complaint(put(b""))
    assert "is empty" in complaint(put(b"\n\n"))
    assert "is empty" in complaint(put(gzip.compress(b""), "x.csv.gz"))
    assert complaint(put("name,age\n")).endswith("has column names but no records. Give a file with records.")
    assert "no records" in complaint(put("name,age"))
    assert "is not the extension of a format" in complaint(put("x", "x.doc"))
    assert "is not the extension of a format" in complaint(put("x", "x.parquet.gz"))
    if os.geteuid():
        path = put("a\n1\n")
        path.chmod(0)
        assert "permission to read" in complaint(path)


def test_files_that_are_no_text(put) -> None:
    assert "is not text" in complaint(put(f"a,b\n1,{SECRET}\0\n"))
    assert "is not text" in complaint(put(bytes(range(1, 128)) + b"\xff\xfe\xe9"))
    assert "not valid utf-8" in complaint(put(b"a,b\n1,\x81\xe9\n"))
    random = bytes((i * i * 7 + i // 3) % 256 for i in range(5000))  # bytes that cp1252 does not know among them
    for content in (random, random.replace(b"\0", b"\x01")):
        for options in (ReadOptions(), ReadOptions(encoding="utf-8")):
            message = complaint(put(content), options)
            assert "is not text" in message
            assert "cp1252" not in message
    assert "not valid utf-16" in complaint(put("a,b\n".encode("utf-16-le") + b"\0"), ReadOptions(encoding="utf-16-le"))
    assert "not valid ascii" in complaint(put("a,b\n1,é\n"), ReadOptions(encoding="ascii"))
    assert "not valid utf-16" in complaint(put("a,b\n1,2\n".encode("utf-16-le")), ReadOptions(encoding="utf-16"))


def test_a_wrong_delimiter_is_named(put) -> None:
    message = complaint(put(f"a;b;c\n1;2;{SECRET}\n"), ReadOptions(delimiter=","))
    assert "with ';' it has 3" in message
    assert read(put("a\n1\n2\n"), ReadOptions(delimiter=";")).table.num_columns == 1


def test_ragged_lines_are_named(put) -> None:
    text = f'a,b\n1,"x\ny"\n2,{SECRET},3\n\n4\n5,6\n' + "7,8,9\n" * 10
    message = complaint(put(text))
    assert "should have 2 cells" in message
    assert "line 4 has 3, line 6 has 1, line 8 has 3 and 9 more" in message


def test_an_unclosed_quote_is_named(put) -> None:
    assert "line 3" in complaint(put(f'a,b\n1,2\n3,"{SECRET}\n5,6\n'))
    assert "line 3" in complaint(put(f'a,b,c\n1,2,3\n3,"{SECRET},1\n' + "5,6,7\n" * 500_000))
    assert read(put('a,b\n5" pipe,2\n')).table["a"].to_pylist() == ['5" pipe']


def test_repeated_names(put) -> None:
    assert "same name: columns 1, 2." in complaint(put("a,a,b\n1,2,3\n"))
    assert "same name: columns 1, 2." in complaint(put("a,a,b\n1,2,3\n"), ReadOptions(header=True))
    assert "same name: columns 1, 3." in complaint(put(f"{SECRET},b,{SECRET}\n1,2,3\n"), ReadOptions(header=True))


@pytest.mark.parametrize("end", ["", ","])
def test_repeated_names_above_texts(put, end: str) -> None:
    path = put(f"{SECRET},name,{SECRET}{end}\na,b,c{end}\n")  # it may be a record
    message = complaint(path)
    assert "same name: columns 1, 3." in message
    assert "declare header = false" in message
    assert read(path, ReadOptions(header=False)).table.num_rows == 2


def test_a_byte_order_mark_is_no_part_of_a_name(put) -> None:
    path = put('"a,b",c\n1,2\n3,x\n'.encode("utf-8-sig"))
    assert read(path, ReadOptions(encoding="utf-8")).table.column_names == ["a,b", "c"]
    assert "line 3" in complaint(path, ReadOptions(encoding="utf-8"), kinds={"c": "numeric"})


def test_a_quote_that_opens_in_the_header(put) -> None:
    assert "line 1" in complaint(put('"a,b\n' + "1,2\n" * 500_000))
    assert "line 1" in complaint(put('"a,b\n1,2\n'))


def test_a_single_column(put) -> None:
    assert read(put('x\n1\n""\n3\n'), kinds={"x": "numeric"}).table["x"].to_pylist() == [1, None, 3]
    assert read(put("x\n1,5\n2,5\n"), kinds={"x": "numeric"}).table["x"].to_pylist() == [1.5, 2.5]
