"""An original in every format, with values in all that is no cell; and the copy that a careless hand would publish.

Every planted text is unique, begins with ``MARK`` and stands in no cell of a release. A copy keeps what the format
has besides cells; its cells are protected well enough: names are gone, and towns of few persons are nobody's.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pyreadstat
from openpyxl.comments import Comment
from openpyxl.workbook.defined_name import DefinedName

MARK = "Zq"
N_RECORDS, N_HOUSEHOLDS = 600, 200
N_TOWNS, N_EMPTY_TOWNS = 6, 60  # with many persons each; that nobody has
HIDDEN = 7_310_000_000  # and above: incomes that are missing, and stand under a null all the same
COLUMNS: dict[str, dict[str, Any]] = {
    "person": {"role": "identifier"},
    "household": {"role": "household"},
    "town": {"role": "quasi_identifier", "kind": "nominal"},
    "age": {"role": "quasi_identifier", "kind": "numeric"},
    "disease": {"role": "sensitive"},
    "income": {"role": "other", "kind": "numeric"},
}


@dataclass(frozen=True)
class Planted:
    """An original on disk, and what it holds besides cells."""

    path: Path
    secrets: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()  # that stand under nulls, as 8 bytes


def records() -> pa.Table:
    """Codes, so that labels explain them."""
    draw = np.random.default_rng(14)
    at = np.arange(N_RECORDS)
    return pa.table(
        {
            "person": [_name("person", i) for i in at],
            "household": at // 3 + 1,
            "town": 1 + (at // 3) % N_TOWNS,
            "age": draw.integers(18, 90, N_RECORDS),
            "disease": draw.integers(1, 5, N_RECORDS),
            "income": pa.array(
                np.where(at % 4 == 0, HIDDEN + at, draw.integers(100, 9000, N_RECORDS)), mask=at % 4 == 0
            ),
        }
    )


def policy(**more: Any) -> dict[str, Any]:
    return {
        "requirements": [{"name": "k_anonymity", "k": 5}],
        "columns": {n: dict(r) for n, r in COLUMNS.items()},
    } | more


def _name(what: str, i: int) -> str:
    return f"{MARK}{what}{i:04}q"


def _labels() -> dict[str, dict[int, str]]:
    """Of households, of towns that somebody has and that nobody has, of a disease that nobody has."""
    return {
        "household": {i: _name("family", i) for i in range(1, N_HOUSEHOLDS + 1)},
        "town": {i: _name("town", i) if i > N_TOWNS else f"Town {i}" for i in range(1, N_TOWNS + N_EMPTY_TOWNS + 1)},
        "disease": {1: "flu", 2: "cold", 3: "cough", 4: "none", 5: _name("disease", 5)},
    }


def _texts(texts: Any) -> tuple[str, ...]:
    return tuple(text for text in texts if text.startswith(MARK))


def _labelled(path: Path, write: Callable[..., None], **more: Any) -> Planted:
    labels = _labels()
    titles = {"town": "Where the person lives", "age": "Age in years"}
    table = records()
    write(table.to_pandas(), str(path), column_labels=titles, variable_value_labels=labels, **more)
    told = [text for texts in labels.values() for text in texts.values()]
    names = table["person"].to_pylist()
    return Planted(path, _texts([*told, *names, *more.get("note", []), more.get("file_label", "")]))


def spss(path: Path) -> Planted:
    """Labels of values, documents, a title, and codes that count as missing."""
    notes = [_name("document", i) for i in range(300)]
    ranges = {"disease": [5]}
    more = {"note": notes, "file_label": _name("title", 0), "missing_ranges": ranges}
    return _labelled(path, pyreadstat.write_sav, compress=path.suffix == ".zsav", **more)


def stata(path: Path) -> Planted:
    """Labels of values and a title; the library writes no notes."""
    return _labelled(path, pyreadstat.write_dta, file_label=_name("title", 0), version=15)


def categories(*, ordered: bool) -> pa.Table:
    """The same records; towns and diseases are categories, and more of them are listed than anybody has."""
    table, labels = records(), _labels()
    for name in ("town", "disease"):
        texts = pa.array(list(labels[name].values()))
        codes = pa.array(table[name].to_numpy() - 1, pa.int32())
        column = pa.DictionaryArray.from_arrays(codes, texts, ordered=ordered and name == "disease")
        table = table.set_column(table.column_names.index(name), name, column)
    notes = {f"note {i}": _name("metadata", i) for i in range(300)}
    fields = [field.with_metadata({"about": _name("field", i)}) for i, field in enumerate(table.schema)]
    return pa.table(table.columns, schema=pa.schema(fields, metadata=notes))


def _of_categories(path: Path, table: pa.Table, numbers: tuple[int, ...] = ()) -> Planted:
    labels = _labels()
    told = [text for name in ("town", "disease") for text in labels[name].values()]
    metadata = [text.decode() for text in table.schema.metadata.values()]
    fields = [field.metadata[b"about"].decode() for field in table.schema]
    return Planted(path, _texts([*told, *metadata, *fields, *table["person"].to_pylist()]), numbers)


def parquet(path: Path) -> Planted:
    table = categories(ordered=False)
    pq.write_table(table, path)
    return _of_categories(path, table)


def arrow(path: Path) -> Planted:
    table = categories(ordered=True)
    pyarrow.feather.write_feather(table, str(path), compression="uncompressed")
    return _of_categories(path, table, _hidden())


def _hidden() -> tuple[int, ...]:
    return tuple(HIDDEN + i for i in range(0, N_RECORDS, 4))


def workbook(path: Path) -> Planted:
    """Properties, a comment and a link beside every name, names of ranges, a hidden sheet."""
    book, table = openpyxl.Workbook(), records()
    page = book.active
    page.append(table.column_names)
    for at, record in enumerate(zip(*table.to_pydict().values(), strict=True), start=2):
        page.append(record)
        page.cell(at, 2).comment = Comment(_name("comment", at), _name("author", at))
        page.cell(at, 3).hyperlink = f"https://example.org/{_name('link', at)}"
    hidden = book.create_sheet("Notes")
    hidden.sheet_state = "hidden"
    hidden.append([_name("hidden", 0)])
    book.defined_names.add(DefinedName(_name("range", 0), attr_text="Sheet!$A$1"))
    book.properties.creator, book.properties.title = _name("creator", 0), _name("title", 0)
    book.save(path)
    secrets = [_name(what, at) for what in ("comment", "author", "link") for at in range(2, N_RECORDS + 2)]
    single = [_name(what, 0) for what in ("hidden", "range", "creator", "title")]
    return Planted(path, (*secrets, *single, *table["person"].to_pylist()))


def csv(path: Path) -> Planted:
    """A name of a file that gzip keeps, and names of persons that must not be anywhere."""
    secret = _name("file", 0)
    plain = path.with_name(secret)
    pyarrow.csv.write_csv(records(), plain)
    with plain.open("rb") as source, path.open("wb") as file, gzip.GzipFile(secret, "wb", fileobj=file) as packed:
        shutil.copyfileobj(source, packed)
    plain.unlink()
    return Planted(path, (secret, *records()["person"].to_pylist()))


ORIGINALS: dict[str, Callable[[Path], Planted]] = {
    ".sav": spss,
    ".zsav": spss,
    ".dta": stata,
    ".parquet": parquet,
    ".arrow": arrow,
    ".feather": arrow,
    ".xlsx": workbook,
    ".csv.gz": csv,
}


def original(suffix: str, folder: Path) -> Planted:
    return ORIGINALS[suffix](folder / f"original{suffix}")


def careless_copy(planted: Planted, path: Path) -> Path:
    """Names are gone, ages are the mean of a decade; all else that the file says stays as it was."""
    match path.suffix:
        case ".sav" | ".zsav" | ".dta":
            _copied_labels(planted.path, path)
        case ".parquet":
            pq.write_table(_without_names(categories(ordered=True)), path)
        case ".arrow" | ".feather":
            pyarrow.feather.write_feather(
                _without_names(categories(ordered=True)), str(path), compression="uncompressed"
            )
        case ".xlsx":
            book = openpyxl.load_workbook(planted.path)
            book.active.delete_cols(1)
            book.save(path)
        case _:
            shutil.copy(planted.path, path)
    return path


def _copied_labels(source: Path, path: Path) -> None:
    is_stata = path.suffix == ".dta"
    frame, about = (pyreadstat.read_dta if is_stata else pyreadstat.read_sav)(str(source))
    more = {} if is_stata else {"note": about.notes, "missing_ranges": about.missing_ranges}
    (pyreadstat.write_dta if is_stata else pyreadstat.write_sav)(
        frame.drop(columns="person"),
        str(path),
        file_label=about.file_label or "",
        column_labels=about.column_names_to_labels,
        variable_value_labels=about.variable_value_labels,
        **more,
    )


def _without_names(table: pa.Table) -> pa.Table:
    return table.drop_columns(["person"])
