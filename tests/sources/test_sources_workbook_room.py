"""lxml, with which openpyxl writes where it is installed, has an error of its own for a file that cannot grow."""

import pyarrow as pa
import pytest
from openpyxl.worksheet._writer import WorksheetWriter

from shoal.errors import SourceError
from shoal.sources import write_table


class SerialisationError(Exception):
    """As lxml calls it, which is not installed here."""


def test_a_full_folder_of_temporary_files_is_said(tmp_path, monkeypatch):
    def full(self, stream, row, row_index):
        raise SerialisationError("IO_WRITE")

    monkeypatch.setattr(WorksheetWriter, "write_row", full)
    with pytest.raises(SourceError, match="TMPDIR"):
        write_table(pa.table({"age": [31, 47]}), tmp_path / "release.xlsx")
    assert list(tmp_path.iterdir()) == []
