"""A column that comes in pieces has the type that all of them ask for, whichever comes last."""

from __future__ import annotations

import datetime as dt
from itertools import permutations
from pathlib import Path

import pyarrow as pa
import pytest

from shoal.engines.duckdb import DuckdbEngine
from shoal.errors import SourceError
from shoal.sources import ReadOptions, read
from shoal.sources.piece_sizes import PieceSizes
from shoal.sources.promote_types import promote_schemas

LADDERS = [
    (pa.null(), pa.int64(), pa.float64()),
    (pa.null(), pa.date32(), pa.timestamp("us"), pa.timestamp("ns")),
    (pa.timestamp("us", "UTC"), pa.timestamp("ns", "UTC")),
]


def schema(kind: pa.DataType) -> pa.Schema:
    return pa.schema([("x", kind)])


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: str(ladder[-1]))
def test_the_widest_wins_in_any_order(ladder: tuple[pa.DataType, ...]) -> None:
    for order in permutations(ladder):
        found = schema(order[0])
        for kind in order[1:]:
            found = promote_schemas("d.csv", found, schema(kind))
        assert found.field("x").type == ladder[-1]


def test_types_that_have_nothing_in_common_are_refused() -> None:
    with pytest.raises(SourceError, match="its values have several types"):
        promote_schemas("d.csv", schema(pa.date32()), schema(pa.bool_()))


PIECES = {
    "numeric": (["1", "2"], ["2.5", "3"], ["4", "5"]),
    "date": (["2020-01-01", "2020-01-02"], ["2020-01-01T12:30:00", "2020-01-03"], ["2020-01-04", "2020-01-05"]),
}


@pytest.mark.parametrize("kind", PIECES)
@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_pieces_are_read_as_the_whole(tmp_path: Path, kind: str, order: tuple[int, ...]) -> None:
    path = tmp_path / "d.csv"
    cells = [cell for at in order for cell in PIECES[kind][at] * 10]
    path.write_text("x,n\n" + "".join(f"{cell},{i}\n" for i, cell in enumerate(cells)))
    kinds = {"x": kind, "n": "numeric"}
    whole = read(path, ReadOptions(), kinds=kinds).table  # type: ignore[arg-type]
    with DuckdbEngine("1GB", tmp_path, PieceSizes(csv_block=64)) as engine:  # some records at a time
        frame = engine.read(path, ReadOptions(), columns=None, kinds=kinds)  # type: ignore[arg-type]
        found = engine.collect(frame)
    assert whole["x"].type == (pa.float64() if kind == "numeric" else pa.timestamp("us"))
    assert found.schema.types == whole.schema.types
    assert found.to_pydict() == whole.to_pydict()
    if kind == "date":
        assert dt.datetime(2020, 1, 1, 12, 30) in found["x"].to_pylist()
