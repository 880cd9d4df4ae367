"""Files that only other libraries read: SPSS, Stata and SAS by pyreadstat, Excel by openpyxl.

file -> an Arrow table of texts, who has read it
"""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any

from shoal.verifier.refused import RefusedError

STATISTICS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
WITH_USER_MISSING = (".sav", ".zsav", ".dta", ".sas7bdat")


def read_other(path: Path) -> tuple[Any, str]:
    import pyarrow as pa

    kind = path.suffix.lower()
    if kind in STATISTICS:
        import pyreadstat

        # What only a label calls missing is a value: others see it.
        asked = {"user_missing": True} if kind in WITH_USER_MISSING else {}
        found, _ = getattr(pyreadstat, STATISTICS[kind])(str(path), output_format="dict", **asked)
        columns = {str(name): [_text(value) for value in values] for name, values in found.items()}
        reader = "pyreadstat"
    elif kind == ".xlsx":
        from openpyxl import load_workbook  # type: ignore[import-untyped]

        book = load_workbook(path, read_only=True)
        if len(book.sheetnames) != 1:
            raise RefusedError(f"{path.name} has {len(book.sheetnames)} sheets; a release has one")
        book.active.reset_dimensions()  # which a file may state as smaller than they are
        cells = [list(row) for row in book.active.iter_rows()]
        if any(len(row) != len(cells[0]) for row in cells):
            raise RefusedError(f"{path.name} has records with another number of cells than names")
        n_formulas = sum(cell.data_type == "f" for row in cells for cell in row)
        if n_formulas:
            raise RefusedError(f"{path.name} holds {n_formulas} formulas, whose values only a spreadsheet shows")
        names, *rows = [[cell.value for cell in row] for row in cells] or [[]]
        columns = {str(name): [_text(row[at]) for row in rows] for at, name in enumerate(names)}
        if len(columns) < len(names):
            raise RefusedError(f"{path.name} has a column twice")
        reader = "openpyxl"
    else:
        raise RefusedError(f"the verifier knows no file that ends in {kind!r}")
    return pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()}), reader


def _text(value: Any) -> str | None:
    """The shortest text of a value; these formats do not tell an empty text from a missing cell."""
    if value is None or value == "" or value != value:
        return None
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == datetime.min.time() else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)
