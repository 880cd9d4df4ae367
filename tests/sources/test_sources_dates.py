"""How dates are written where not by ISO 8601, told from the cells."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest

from shoal.sources.text_dates import WrittenDates, detect_date_format


@pytest.mark.parametrize(
    ("cells", "date_format"),
    [
        (["01.02.2020", "1.12.1999", None], "%d.%m.%Y"),
        (["01/02/2020", "31/12/1999"], "%d/%m/%Y"),
        (["01/02/2020", "12/31/1999"], "%m/%d/%Y"),
        (["01/02/2020", "11/12/1999"], None),  # the day or the month first?
        (["01.02.20", "01.12.99"], None),
        (["1.2.2020 or so", "x"], None),
        (["31.02.2020"], None),
        ([None], None),
    ],
)
def test_a_custom_is_told_only_where_it_is_sure(cells: list[str | None], date_format: str | None) -> None:
    found = detect_date_format(pa.table({"d": pa.array(cells, pa.string()), "n": [1] * len(cells)}), is_typed=False)
    assert found.date_format == date_format
    assert dict(found.n_misfits) == ({"d": 0} if date_format else {})


def test_a_few_odd_cells_are_counted() -> None:
    cells = ["13.02.2020"] * 99 + ["Zyxwvut"]
    assert detect_date_format(pa.table({"d": cells}), is_typed=False) == WrittenDates("%d.%m.%Y", {"d": 1})
    assert detect_date_format(pa.table({"d": cells[-10:]}), is_typed=False) == WrittenDates()


def test_a_sure_column_speaks_for_an_unsure_one() -> None:
    table = pa.table({"a": ["31/12/2020"], "b": ["01/02/2020"], "c": ["x"]})
    assert detect_date_format(table, is_typed=False) == WrittenDates("%d/%m/%Y", {"a": 0, "b": 0})


def test_what_cannot_be_told_is_noted() -> None:
    (note,) = detect_date_format(pa.table({"a": ["01/02/2020"]}), is_typed=False).notes
    assert "the day or the month may come first" in note
    assert note.endswith(": a")
    two = pa.table({"a": ["31/12/2020"], "b": ["31.12.2020"]})
    assert "several formats" in detect_date_format(two, is_typed=False).notes[0]


def test_one_format_holds_for_all_columns_without_a_type() -> None:
    table = pa.table({"a": ["31.12.2020"], "iso": [dt.date(2020, 12, 31)]})
    assert detect_date_format(table, is_typed=False).date_format is None
    assert detect_date_format(table, is_typed=True).date_format == "%d.%m.%Y"
