"""What a file holds besides its cells: all of it is found, and nothing of it is in a file as it is written."""

import datetime as dt
import decimal
import gzip
import tracemalloc
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
import pytest

from carrier_examples import PLANTED, SECRET, TABLE, write_book
from file_examples import WRITTEN
from shoal.sources import Origin, sha256_of, write_pieces, write_table
from shoal.sources.carriers import carriers_of
from shoal.sources.origin import Labels


def faults(path: Path) -> list[str]:
    return [carrier.fault for carrier in carriers_of(path) if not carrier.may_stay]


@pytest.mark.parametrize("suffix", WRITTEN)
def test_a_file_as_it_is_written_holds_its_cells(tmp_path, suffix):
    labels = Labels({"age": "In years"}, {"age": {1: "one", 2: "two", 3: SECRET}})
    for name in "ab":
        write_table(TABLE, tmp_path / f"{name}{suffix}", Origin("spss", labels=labels))
    assert faults(tmp_path / f"a{suffix}") == []
    assert sha256_of(tmp_path / f"a{suffix}") == sha256_of(tmp_path / f"b{suffix}")


def every_type() -> pa.Table:
    """With gaps, and with values that a careless comparison takes for others."""
    day, long = dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 13, 5, 7, 123456)
    numbers = {
        str(kind): pa.array([3, None, 5], kind) for kind in (pa.int8(), pa.uint64(), pa.int64(), pa.duration("ms"))
    }
    reals = {"zeros": pa.array([-0.0, None, 0.0]), "real32": pa.array([0.1, None, 2.5], pa.float32())}
    times = {
        str(kind): pa.array([long, None, dt.datetime(1, 1, 1)], kind)
        for kind in (pa.timestamp("s"), pa.timestamp("ms"), pa.timestamp("us"), pa.timestamp("us", "Europe/Berlin"))
    }
    exact = {
        "nanoseconds": pa.array([1_234_567_891, None, 7]).cast(pa.timestamp("ns")),
        "time of day": pa.array([1_234_567_891, None, 7]).cast(pa.time64("ns")),
        "seconds of day": pa.array([7, None, 9], pa.int32()).cast(pa.time32("s")),
        "decimal": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("-2.25")]),
        "day": pa.array([day, None, dt.date(1, 1, 1)]),
        "flag": pa.array([True, None, False]),
        "text": pa.array(["é" * 5000, None, ""]),
        "bytes": pa.array([b"\xff\x00", None, b"a"]),
        "category": pa.array(["x", None, "y"]).dictionary_encode(),
    }
    nested = {
        "list": pa.array([[1, 2], None, [3]]),
        "structure": pa.array([{"a": 1, "b": "x"}, None, {"a": None, "b": "y"}]),
        "map": pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.int64())),
    }
    return pa.table(numbers | reals | times | exact | nested)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_no_type_is_taken_for_a_carrier(tmp_path, suffix):
    table = every_type()
    write_table(table, tmp_path / f"x{suffix}")
    assert faults(tmp_path / f"x{suffix}") == []
    again = (
        pq.read_table(tmp_path / f"x{suffix}")
        if suffix == ".parquet"
        else ipc.open_file(str(tmp_path / "x.arrow")).read_all()
    )
    assert again.select(["text", "list", "structure", "map"]).equals(table.select(["text", "list", "structure", "map"]))


def test_row_groups_list_categories_of_one_another(tmp_path):
    """What another row group has is in the release."""
    kind = pa.dictionary(pa.int32(), pa.string(), ordered=True)
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 30 + [1] * 30, pa.int32()), ["x", "y"], ordered=True)
    with pq.ParquetWriter(tmp_path / "x.parquet", pa.schema([pa.field("c", kind)])) as file:
        for at in (0, 30):
            file.write_table(pa.table({"c": column.slice(at, 30)}))
    assert faults(tmp_path / "x.parquet") == []


def test_metadata_inside_of_cells_and_bytes_under_missing_ones_are_not_written(tmp_path):
    inside = pa.struct([pa.field("a", pa.dictionary(pa.int8(), pa.string()), metadata={"k": SECRET})])
    column = pa.DictionaryArray.from_arrays(pa.array([0, 0], pa.int8()), pa.array(["x", SECRET]))
    hidden = pa.array(np.array([77_777_777_777, 5]), mask=np.array([True, False]))
    schema = pa.schema(
        [pa.field("s", inside, metadata={"k": SECRET}), pa.field("n", pa.int64())], metadata={"k": SECRET}
    )
    table = pa.table([pa.StructArray.from_arrays([column], fields=list(inside)), hidden], schema=schema)
    for suffix in (".parquet", ".arrow"):
        path = tmp_path / f"x{suffix}"
        write_table(table, path)
        assert faults(path) == []
        assert SECRET.encode() not in path.read_bytes()
        assert (77_777_777_777).to_bytes(8, "little") not in path.read_bytes()
    write_pieces([table.slice(0, 1), table.slice(1, 1)], tmp_path / "pieces.parquet")
    assert (tmp_path / "pieces.parquet").read_bytes() == (tmp_path / "x.parquet").read_bytes()


@pytest.mark.parametrize("what", PLANTED)
def test_every_carrier_is_found_and_not_repeated(tmp_path, what):
    suffix, plant = PLANTED[what]
    path = tmp_path / f"x{suffix}"
    plant(path)
    found = faults(path)
    assert any(what.split(",")[0] in fault for fault in found), found
    assert SECRET not in " ".join([*found, *map(str, carriers_of(path))])


def _packed(content: bytes) -> bytes:
    stream = pa.BufferOutputStream()
    with pa.CompressedOutputStream(stream, "zstd") as packed:
        packed.write(content)
    return stream.getvalue().to_pybytes()


@pytest.mark.parametrize("content", [b"", b"a\n", b"a\n" * 400_000, np.random.default_rng(0).bytes(600_000)])
def test_frames_of_records_may_follow_each_other(tmp_path, content):
    """Of blocks that are packed, repeated or as they were; with and without the size of what they hold."""
    path = tmp_path / "x.csv.zst"
    path.write_bytes(_packed(content) + pa.compress(b"b\n" + content, "zstd", asbytes=True) + _packed(b"c\n"))
    assert carriers_of(path) == ()
    path.write_bytes(path.read_bytes()[:-7])
    assert [str(each) for each in carriers_of(path)] == ["frames without records (1)"]


def test_little_is_unpacked_at_once(tmp_path):
    path = tmp_path / "x.csv.gz"
    with path.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        for _ in range(64):
            packed.write(bytes(1 << 20))
    tracemalloc.start()
    assert carriers_of(path) == ()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20


def test_a_plain_book_of_another_program_may_stay(tmp_path):
    write_book(tmp_path / "x.xlsx")
    assert faults(tmp_path / "x.xlsx") == []


def test_a_cell_may_speak_of_links(tmp_path):
    write_table(pa.table({"x": ['TargetMode="External"', "b"]}), tmp_path / "x.xlsx", None)
    assert faults(tmp_path / "x.xlsx") == []


@pytest.mark.parametrize(
    "kind", [pa.list_(pa.large_string()), pa.large_list(pa.string()), pa.list_(pa.struct([("large", pa.int8())]))]
)
def test_lists_of_any_width_hide_nothing(tmp_path, kind):
    cells = [[], None, [None], []]
    with pa.OSFile(str(tmp_path / "x.arrow"), "wb") as file, pa.ipc.new_file(file, pa.schema([("x", kind)])) as out:
        out.write_table(pa.table({"x": pa.array(cells, kind)}))
    assert faults(tmp_path / "x.arrow") == []
