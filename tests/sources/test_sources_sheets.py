"""A workbook whose first sheet is not the table: the message names the other sheets."""

import openpyxl
import pytest

from shoal.errors import SourceError
from shoal.sources import read


def workbook(path, notes):
    """A workbook with a sheet of notes before the table."""
    book = openpyxl.Workbook()
    book.active.title = "Notes"
    for line in notes:
        book.active.append([line])
    table = book.create_sheet("Staff 2024")
    for row in (["age", "sex"], [30, "f"], [40, "m"]):
        table.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize(
    ("notes", "words"),
    [(["Read me", "Staff list", "as of 2024"], "the name of its one column or is a record"), ([], "'Notes' is empty")],
    ids=["text", "empty"],
)
def test_a_first_sheet_of_notes_is_refused_with_the_names_of_the_others(tmp_path, notes, words):
    path = workbook(tmp_path / "staff.xlsx", notes)
    with pytest.raises(SourceError, match=words) as raised:
        read(path).check_named()
    assert "other sheets: Staff 2024. Name one with --sheet" in str(raised.value)
