"""Files that hold a secret besides their cells, one for every carrier: its name, extension and how it is written."""

from __future__ import annotations

import gzip
import struct
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
import pyreadstat

from shoal.sources import write_table

TABLE = pa.table({"town": ["a", "b", None], "age": pa.array([1, 2, 2])})
SECRET = "Zqsecretq"


def _gzip(path: Path, **header: object) -> None:
    with path.open("wb") as file, gzip.GzipFile(fileobj=file, mode="wb", **header) as packed:
        packed.write(b"a,b\n1,2\n")


def _second_member_named(path: Path) -> None:
    _gzip(path, filename="", mtime=0)
    first = path.read_bytes()
    _gzip(path, filename=SECRET, mtime=0)
    path.write_bytes(first + path.read_bytes())


def _gzip_remark(path: Path) -> None:
    _gzip(path, filename="", mtime=0)
    content = bytearray(path.read_bytes())
    content[3] |= 16
    path.write_bytes(bytes(content[:10]) + SECRET.encode() + b"\0" + bytes(content[10:]))


def _zstd_frame(path: Path) -> None:
    write_table(TABLE, path)
    note = SECRET.encode()
    path.write_bytes(b"\x50\x2a\x4d\x18" + struct.pack("<I", len(note)) + note + path.read_bytes())


def _zstd_frame_behind(path: Path) -> None:
    write_table(TABLE, path)
    path.write_bytes(2 * path.read_bytes() + b"\x5f\x2a\x4d\x18" + struct.pack("<I", len(SECRET)) + SECRET.encode())


def _zstd_bytes_behind(path: Path) -> None:
    write_table(TABLE, path)
    path.write_bytes(path.read_bytes() + SECRET.encode())


def _gzip_bytes_behind_zeros(path: Path) -> None:
    _gzip(path, filename="", mtime=0)
    path.write_bytes(path.read_bytes() + bytes(3 << 20) + SECRET.encode())


def _parquet(path: Path, table: pa.Table = TABLE, **how: object) -> None:
    pq.write_table(table, path, **how)


def _with_field_metadata() -> pa.Table:
    return pa.table([[1]], schema=pa.schema([pa.field("x", pa.int64(), metadata={"k": SECRET})]))


def _false_statistics(path: Path) -> None:
    """The least and the greatest value of another column of the same length."""
    write_table(pa.table({"town": ["bbbb", "cccc"]}), path)
    content = path.read_bytes()
    at = content.rindex(b"cccc")  # in the footer, after the pages
    path.write_bytes(content[:at] + b"zzzz" + content[at + 4 :])


def _categories() -> pa.Table:
    return pa.table({"town": pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array(["x", SECRET]))})


def _arrow(path: Path, table: pa.Table, metadata: dict[str, str] | None = None) -> None:
    with ipc.new_file(str(path), table.schema) as file:
        for batch in table.to_batches():
            file.write_batch(batch, custom_metadata=metadata)


def _stream(path: Path, table: pa.Table) -> None:
    with ipc.new_stream(str(path), table.schema) as stream:
        for batch in table.to_batches():
            stream.write_batch(batch, custom_metadata={"k": SECRET})


def _hidden(path: Path) -> None:
    masked = pa.array(np.array([1, 2, 3]), mask=np.array([True, False, False]))
    _arrow(path, pa.table({"age": masked}))


def _hidden_text(path: Path) -> None:
    valid = pa.py_buffer(bytes([0b10]))
    _, offsets, text = pa.array([SECRET, "b"]).buffers()
    _arrow(path, pa.table({"town": pa.StringArray.from_buffers(2, offsets, text, valid)}))


def _hidden_flag(path: Path) -> None:
    valid = pa.py_buffer(bytes([0b10]))
    _arrow(path, pa.table({"flag": pa.Array.from_buffers(pa.bool_(), 2, [valid, pa.py_buffer(bytes([0b11]))])}))


def _hidden_structure(path: Path) -> None:
    valid = pa.array([True, False])
    column = pa.StructArray.from_arrays([pa.array([1, 2])], names=["a"], mask=valid)
    _arrow(path, pa.table({"s": column}))


def _sav(path: Path, **how: object) -> None:
    frame = pd.DataFrame({"town": ["a", "b"], "age": [1.0, 2.0]})
    (pyreadstat.write_dta if path.suffix == ".dta" else pyreadstat.write_sav)(frame, str(path), **how)


def _refused(path: Path) -> None:
    """Stata knows 26 further ways to be missing, and every one can be read."""
    frame = pd.DataFrame({"age": [1.0, "a"]})
    pyreadstat.write_dta(frame, str(path), missing_user_values={"age": ["a"]})


def _attributes(path: Path) -> None:
    """SPSS keeps attributes of a file in an extension that the library passes over."""
    _sav(path)
    content, note = path.read_bytes(), SECRET.encode()
    at = content.rindex(struct.pack("<ii", 999, 0))
    path.write_bytes(content[:at] + struct.pack("<iiii", 7, 17, 1, len(note)) + note + content[at:])


def _characteristics(path: Path) -> None:
    """Notes of Stata; what follows them is moved, as the map of the file says."""
    _sav(path)
    content = path.read_bytes()
    note = b"<ch>" + struct.pack("<I", 258 + len(SECRET)) + b"_dta".ljust(129, b"\0") + b"x".ljust(129, b"\0")
    note += SECRET.encode() + b"</ch>"
    at = content.index(b"</characteristics>")
    first = content.index(b"<map>") + 5
    places = list(struct.unpack("<14Q", content[first : first + 112]))
    moved = struct.pack("<14Q", *(place + len(note) * (place > at) for place in places))
    path.write_bytes(content[:first] + moved + content[first + 112 : at] + note + content[at:])


def write_book(path: Path, change: object = None) -> None:
    """A plain workbook of another program, after ``change``."""
    book = openpyxl.Workbook()
    book.active.title = "Sheet1"
    book.active.append(["town"])
    book.active.append(["a"])
    if callable(change):
        change(book)
    book.save(path)


def _commented(book: openpyxl.Workbook) -> None:
    from openpyxl.comments import Comment

    book.active["A2"].comment = Comment(SECRET, SECRET)


def _hidden_sheet(book: openpyxl.Workbook) -> None:
    book.create_sheet("x").sheet_state = "veryHidden"


def _named_range(book: openpyxl.Workbook) -> None:
    from openpyxl.workbook.defined_name import DefinedName

    book.defined_names.add(DefinedName(SECRET, attr_text="Sheet1!$A$1"))


def _linked(book: openpyxl.Workbook) -> None:
    book.active["A2"].hyperlink = f"https://example.org/{SECRET}"


def _created(book: openpyxl.Workbook) -> None:
    book.properties.creator = SECRET


def _formatted(book: openpyxl.Workbook) -> None:
    book.active["A2"].number_format = f'0 "{SECRET}"'


def _validated(book: openpyxl.Workbook) -> None:
    from openpyxl.worksheet.datavalidation import DataValidation

    rule = DataValidation(type="list", formula1=f'"{SECRET}"')
    rule.add("A2")
    book.active.add_data_validation(rule)


def _formula(book: openpyxl.Workbook) -> None:
    book.active["A2"] = f'=LEN("{SECRET}")'


def _styled(book: openpyxl.Workbook) -> None:
    from openpyxl.styles import NamedStyle

    book.active["A2"].style = NamedStyle(SECRET)


def _rewritten(path: Path, part: str, change: object, remark: bytes = b"") -> None:
    write_book(path)
    with zipfile.ZipFile(path) as book:
        content = {part: b""} if part else {}
        content |= {name: book.read(name) for name in book.namelist()}
    with zipfile.ZipFile(path, "w") as book:
        book.comment = remark
        for name, each in content.items():
            book.writestr(name, change(each) if name == part else each)


def _unused_text(path: Path) -> None:
    texts = f"<sst><si><t>a</t></si><si><t>{SECRET}</t></si></sst>".encode()
    _rewritten(path, "xl/sharedStrings.xml", lambda _: texts)


def _remark_in_part(path: Path) -> None:
    _rewritten(path, "xl/styles.xml", lambda content: content + f"<!-- {SECRET} -->".encode())


PLANTED = {
    "names of compressed files": (".csv.gz", lambda path: _gzip(path, filename=SECRET)),
    "names of compressed files, later": (".csv.gz", _second_member_named),
    "comments of gzip": (".csv.gz", _gzip_remark),
    "extra fields of gzip, behind zeros": (".csv.gz", _gzip_bytes_behind_zeros),
    "frames without records": (".csv.zst", _zstd_frame),
    "frames without records, behind others": (".csv.zst", _zstd_frame_behind),
    "frames without records, bytes": (".csv.zst", _zstd_bytes_behind),
    "key-value metadata": (".parquet", lambda path: _parquet(path, TABLE.replace_schema_metadata({"k": SECRET}))),
    "metadata of the table": (".parquet", lambda path: pd.DataFrame({"x": [1]}).to_parquet(path)),
    "metadata of fields": (".parquet", lambda path: _parquet(path, _with_field_metadata())),
    "categories that no record has": (".parquet", lambda path: _parquet(path, _categories())),
    "statistics of values that no record has": (".parquet", _false_statistics),
    "indexes of pages": (".parquet", lambda path: _parquet(path, write_page_index=True)),
    "categories that no record has, Arrow": (".arrow", lambda path: _arrow(path, _categories())),
    "metadata of batches": (".arrow", lambda path: _arrow(path, TABLE, {"k": SECRET})),
    "metadata of batches, stream": (".arrow", lambda path: _stream(path, TABLE)),
    "bytes under missing cells": (".feather", _hidden),
    "bytes under missing cells, text": (".arrow", _hidden_text),
    "bytes under missing cells, flag": (".arrow", _hidden_flag),
    "bytes under missing cells, structure": (".arrow", _hidden_structure),
    "value labels of values that no record has": (
        ".sav", lambda path: _sav(path, variable_value_labels={"age": {1: "one", 9: SECRET}}),
    ),
    "value labels of values that no record has, Stata": (
        ".dta", lambda path: _sav(path, variable_value_labels={"age": {1: "one", 9: SECRET}}),
    ),
    "titles": (".sav", lambda path: _sav(path, file_label=SECRET)),
    "titles, Stata": (".dta", lambda path: _sav(path, file_label=SECRET)),
    "documents": (".zsav", lambda path: _sav(path, compress=True, note=SECRET)),
    "user-missing values": (".sav", lambda path: _sav(path, missing_ranges={"age": [2]})),
    "user-missing values, Stata": (".dta", _refused),
    "records of SPSS": (".sav", _attributes),
    "characteristics": (".dta", _characteristics),
    "such as comments": (".xlsx", lambda path: write_book(path, _commented)),
    "hidden sheets": (".xlsx", lambda path: write_book(path, _hidden_sheet)),
    "definedName": (".xlsx", lambda path: write_book(path, _named_range)),
    "hyperlinks": (".xlsx", lambda path: write_book(path, _linked)),
    "document properties": (".xlsx", lambda path: write_book(path, _created)),
    "number formats that contain text": (".xlsx", lambda path: write_book(path, _formatted)),
    "dataValidations": (".xlsx", lambda path: write_book(path, _validated)),
    "among them f": (".xlsx", lambda path: write_book(path, _formula)),
    "named styles": (".xlsx", lambda path: write_book(path, _styled)),
    "texts that no cell shows": (".xlsx", _unused_text),
    "comments in its parts": (".xlsx", _remark_in_part),
    "comments of the archive": (".xlsx", lambda path: _rewritten(path, "", bytes, SECRET.encode())),
}  # fmt: skip
