"""Texts that are ISO dates are dates, whatever source they come from."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

import shoal
from shoal.sources import read

FRAME = pd.DataFrame(
    {
        "born": ["1980-01-02", None, "1990-12-31"] * 9,
        "seen": ["1980-01-02 10:00:00", "1990-12-31 11:30:00", None] * 9,
        "code": ["0123", "0456", "0789"] * 9,
        "mixed": ["1980-01-02", "unknown", None] * 9,
    }
)


@pytest.mark.parametrize("suffix", [None, ".csv", ".parquet", ".xlsx"])
def test_dates_are_inferred_alike_and_nothing_else_is(tmp_path: Path, suffix: str | None) -> None:
    source = FRAME if suffix is None else tmp_path / f"x{suffix}"
    if suffix == ".csv":
        FRAME.to_csv(source, index=False)
    elif suffix == ".parquet":
        FRAME.to_parquet(source)
    elif suffix:
        FRAME.to_excel(source, index=False)
    types = read(source, kinds="infer").table.schema
    assert pa.types.is_date(types.field("born").type)
    assert pa.types.is_timestamp(types.field("seen").type)
    assert [str(types.field(name).type) for name in ("code", "mixed")] == ["string", "string"]
    assert str(read(source).table.schema.field("born").type) == "string"


def test_a_draft_for_a_dataframe_is_that_for_its_csv(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "x.csv", index=False)
    drafts = [shoal.propose(source).text for source in (FRAME, tmp_path / "x.csv")]
    kinds = [[line for line in draft.splitlines() if line.startswith(("[columns", "kind"))] for draft in drafts]
    assert kinds[0] == kinds[1]
    assert 'kind = "date"' in kinds[0]
