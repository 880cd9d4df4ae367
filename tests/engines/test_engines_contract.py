"""One contract, every engine: each verb against what a loop over records says."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shoal.encode.combination_counts import COUNT
from shoal.engines.memory import MemoryEngine
from shoal.engines.memory_budget import LEAST_BYTES, Budget
from shoal.engines.protocol import BLOCK, RECORD_ID
from shoal.errors import EngineError, SourceError
from shoal.sources import ReadOptions, read
from spark_session import SPARK
from survey_example import carrier, survey, write_csv

# Functions are of this module, not of a test: they travel to other processes.
ENGINES = ["memory", "duckdb", "processes", SPARK]
IN_PIECES = ENGINES[1:]
KINDS = dict.fromkeys(("age", "code", "amount", "weight"), "numeric") | {"born": "date"}
N = 500


@pytest.fixture(params=ENGINES)
def engine(request, tmp_path):
    spare = tmp_path / "spare"
    spare.mkdir()
    with carrier(request.param, spare) as made:
        yield made
    assert list(spare.iterdir()) == []


@pytest.fixture(params=["csv", "parquet"])
def source(request, tmp_path):
    path = tmp_path / f"survey.{request.param}"
    table = survey(N)
    if request.param == "csv":
        return write_csv(table, path)
    pq.write_table(table, path, row_group_size=100)
    return path


@pytest.fixture
def frame(engine, source):
    return engine.read(source, ReadOptions(), columns=None, kinds=KINDS)


@pytest.fixture
def records(source):
    """The same records as Python values, by nobody's engine."""
    return read(source, kinds=KINDS).table.to_pylist()


@pytest.mark.gate(but=("memory-parquet", "memory-csv", "duckdb-csv"))
def test_what_is_read_is_what_sources_read(engine, frame, source):
    table = read(source, kinds=KINDS).table
    assert engine.collect(frame) == table
    assert frame.names == tuple(table.column_names)
    assert frame.n_records == N
    assert frame.origin == read(source, kinds=KINDS).origin


@pytest.mark.gate(but=("memory-csv", "memory-parquet", "duckdb-csv"))
def test_only_the_columns_asked_for_are_read(engine, source):
    frame = engine.read(source, ReadOptions(), columns=["age", "zip"], kinds=KINDS)
    assert frame.names == ("age", "zip")
    assert engine.collect(frame) == read(source, columns=["age", "zip"], kinds=KINDS).table


@pytest.mark.gate(but=("memory-csv-by3", "memory-csv-by0", "memory-csv-by1"))
@pytest.mark.parametrize("by", [["grade"], ["zip", "disease"], ["age", "amount", "born"], ["note", "code"]])
def test_combinations_are_counted(engine, frame, records, by):
    counts = engine.group_counts(frame, by)
    assert counts.column_names == [*by, COUNT]
    found = Counter({tuple(row[name] for name in by): row[COUNT] for row in counts.to_pylist()})
    assert found == Counter(tuple(record[name] for name in by) for record in records)
    assert len(counts) == len(found)


def test_counts_of_nothing_are_all_records(engine, frame):
    assert engine.group_counts(frame, []).to_pydict() == {COUNT: [N]}


@pytest.mark.gate(but=("memory-csv", "memory-parquet", "duckdb-csv"))
def test_a_total_adds_up_over_every_record_once(engine, frame, records):
    seen = engine.total(frame, ["code", RECORD_ID], counted_rows)
    assert seen == Counter((record["code"], place) for place, record in enumerate(records))


def counted_rows(piece):
    return Counter(zip(piece["code"].to_pylist(), piece[RECORD_ID].to_pylist(), strict=True))


@pytest.mark.gate(but=("memory-csv", "memory-parquet", "duckdb-csv", "processes-csv"))
def test_a_total_of_classes_adds_up_over_every_class_once(engine, frame, records):
    classes, values = ["zip", "age"], ["disease", "grade"]
    seen = engine.class_total(frame, classes, values, counted_classes)
    assert seen.rows == Counter(tuple(record[name] for name in (*classes, *values)) for record in records)
    assert seen.n_parts == Counter({(record["zip"], record["age"]): 1 for record in records})
    nobody = engine.map_rows(frame, no_rows)
    assert not engine.class_total(nobody, classes, values, counted_classes).rows


@dataclass(frozen=True)
class ClassesSeen:
    rows: Counter
    n_parts: Counter  # how often a class was there

    def __add__(self, other):
        return ClassesSeen(self.rows + other.rows, self.n_parts + other.n_parts)


def counted_classes(counts):
    *columns, n = (column.to_pylist() for column in counts.columns)
    rows = Counter(dict(zip(zip(*columns, strict=True), n, strict=True)))
    return ClassesSeen(rows, Counter(set(zip(*columns[:2], strict=True))))


def no_rows(piece):
    return piece.slice(0, 0)


@pytest.mark.gate(but=("memory-csv", "memory-parquet", "duckdb-csv"))
def test_what_is_read_by_record_is_in_their_order(engine, frame, records):
    found = engine.by_record(frame, ["code", RECORD_ID], with_places)
    assert found["code"].to_pylist() == [record["code"] for record in records]
    assert found["place"].to_pylist() == list(range(N))


def with_places(piece):
    return piece.rename_columns(["code", "place"])


def known_ages(piece):
    return piece.filter(piece["age"].is_valid())


@pytest.mark.gate(but=("memory-csv", "memory-parquet", "duckdb-csv"))
def test_rows_are_mapped_record_by_record(engine, frame, records):
    doubled = engine.map_rows(frame, with_doubles)
    few = engine.map_rows(doubled, known_ages)
    expected = [2 * record["age"] for record in records if record["age"] is not None]
    assert engine.collect(few)["twice"].to_pylist() == expected
    assert few.n_records == len(expected)
    assert few.names[0] == "twice"


def with_doubles(piece):
    doubles = [None if age is None else 2 * age for age in piece["age"].to_pylist()]
    return piece.set_column(0, "twice", pa.array(doubles, pa.int64()))


@pytest.mark.gate(but=("memory-csv", "memory-parquet", "duckdb-csv"))
def test_new_record_ids_are_a_new_order(engine, frame, records):
    backwards = engine.map_rows(frame, turned)
    assert engine.collect(backwards)["code"].to_pylist() == [record["code"] for record in reversed(records)]
    seen = engine.by_record(backwards, ["code"], unchanged)["code"].to_pylist()
    assert seen == [record["code"] for record in reversed(records)]


def turned(piece):
    ids = -piece[RECORD_ID].to_numpy() - 1
    return piece.set_column(piece.column_names.index(RECORD_ID), RECORD_ID, pa.array(ids))


def unchanged(piece):
    return piece


def marked(piece):
    return piece.append_column(BLOCK, pa.array(piece["code"].to_numpy() % 7))


@pytest.mark.gate(but=("memory-csv", "memory-parquet", "duckdb-csv"))
def test_blocks_are_worked_on_once_each_and_records_come_back_in_order(engine, frame, records):
    made = engine.collect(engine.map_blocks(engine.map_rows(frame, marked), ranked))
    sizes = Counter(record["code"] % 7 for record in records)
    seen = zip(made["block"].to_pylist(), made["size"].to_pylist(), strict=True)
    assert sorted(set(seen)) == sorted(sizes.items())
    ranks, rank_in = [], Counter()
    for record in records:
        ranks.append(rank_in[record["code"] % 7])
        rank_in[record["code"] % 7] += 1
    assert made["rank"].to_pylist() == ranks
    assert made.drop_columns(["rank", "block", "size"]) == engine.collect(frame)


def ranked(block_id, block):
    ids = block[RECORD_ID].to_pylist()
    assert ids == sorted(ids)
    assert BLOCK not in block.column_names
    sizes = {"block": [block_id] * len(block), "size": [len(block)] * len(block)}
    for name, cells in {"rank": range(len(block)), **sizes}.items():
        block = block.append_column(name, pa.array(cells, pa.int64()))
    return block


@pytest.mark.gate(but=("memory-csv", "memory-parquet", "duckdb-csv"))
def test_blocks_may_differ_in_types(engine, frame, records):
    """Whole numbers in one block, reals in another, nothing known in a third: one column of reals."""
    made = engine.collect(engine.map_blocks(engine.map_rows(frame, marked), differing_types))
    assert made.schema.field("age").type == pa.float64()
    assert made["age"].to_pylist() == [None if record["code"] % 7 == 0 else record["age"] for record in records]


def differing_types(block_id, block):
    age = [pa.nulls(len(block)), block["age"].combine_chunks(), block["age"].cast(pa.float64())][min(block_id, 2)]
    return block.set_column(block.column_names.index("age"), "age", age)


def complaining(*_):
    raise SourceError("as worded")


@pytest.mark.gate(but=("memory-csv", "memory-parquet", "duckdb-csv"))
def test_what_a_block_complains_of_is_said_as_it_is(engine, frame):
    with pytest.raises(SourceError, match=r"^as worded$"):
        engine.map_blocks(engine.map_rows(frame, marked), complaining)


def test_what_a_row_function_complains_of_is_said_as_it_is(engine, frame):
    with pytest.raises(SourceError, match=r"^as worded$"):
        engine.group_counts(engine.map_rows(frame, complaining), ["age"])


@pytest.mark.gate(but=("memory-csv-places0", "memory-csv-places1", "memory-csv-places2", "duckdb-csv-places1"))
@pytest.mark.parametrize("places", [range(N), range(0, N, 7), [3, 4, 90, N - 1], []])
def test_a_sample_is_the_records_at_its_places(engine, frame, records, places):
    sample = engine.sample(frame, np.array(places, dtype=np.int64))
    assert sample["code"].to_pylist() == [records[place]["code"] for place in places]
    assert sample[RECORD_ID].to_pylist() == list(places)


@pytest.mark.gate(but=("memory-csv-csv", "memory-csv-csv.gz", "memory-csv-parquet"))
@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "parquet"])
def test_every_engine_writes_the_same_bytes(engine, frame, tmp_path, source, suffix):
    engine.write(frame, tmp_path / f"ours.{suffix}", frame.origin)
    plain = MemoryEngine()
    plain.write(plain.read(source, ReadOptions(), kinds=KINDS), tmp_path / f"plain.{suffix}", frame.origin)
    assert (tmp_path / f"ours.{suffix}").read_bytes() == (tmp_path / f"plain.{suffix}").read_bytes()


# What a piece shows only a part of: the types of a column that is text in its file.

LATE = {
    "whole numbers, then a real": (["1"] * 300 + ["2.5"], "numeric"),
    "nothing, then whole numbers": ([""] * 300 + ["7"], "numeric"),
    "nothing at all": ([""] * 300, "numeric"),
    "no date at all": ([""] * 300, "date"),
    "days, then a time of day": (["2020-02-29"] * 300 + ["2021-01-01 10:00:00"], "date"),
    "a time to the nanosecond": (["2020-02-29"] * 300 + ["2021-01-01 10:00:00.123456789"], "date"),
    "nothing, then a time of a zone": ([""] * 300 + ["2021-01-01T10:00:00Z"], "date"),
    "large whole numbers": ([str(2**60 + 1)] * 300 + ["3"], "numeric"),
    "a large whole number that a real holds": ([str(2**60)] * 300 + ["0.5"], "numeric"),
}


@pytest.mark.gate(
    but=("memory-csv-whole numbers, then a real", "memory-csv-nothing, then whole numbers", "memory-csv-nothing at all")
)
@pytest.mark.parametrize(("cells", "kind"), LATE.values(), ids=LATE)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_column_has_the_type_that_all_of_its_cells_ask_for(engine, tmp_path, cells, kind, suffix):
    path = tmp_path / f"late.{suffix}"
    if suffix == "csv":
        path.write_text("a,b\n" + "".join(f"x{at},{cell}\n" for at, cell in enumerate(cells)))
    else:
        texts = pa.array([cell or None for cell in cells], pa.string())
        pq.write_table(pa.table({"a": [f"x{at}" for at in range(len(cells))], "b": texts}), path)
    kinds = {"b": kind}
    frame = engine.read(path, ReadOptions(), columns=None, kinds=kinds)
    assert engine.collect(frame) == read(path, kinds=kinds).table


MIXED = {
    "a real beside a whole number that no real holds": ([str(2**60 + 1)] * 300 + ["0.5"], "numeric"),
    "a word among numbers": (["1"] * 300 + ["one"], "numeric"),
    "local times and times of a zone": (["2021-01-01 10:00:00"] * 300 + ["2021-01-01T10:00:00Z"], "date"),
}


@pytest.mark.parametrize(("cells", "kind"), MIXED.values(), ids=MIXED)
def test_cells_that_do_not_fit_are_refused(engine, tmp_path, cells, kind):
    path = tmp_path / "mixed.csv"
    path.write_text("a,b\n" + "".join(f"x{at},{cell}\n" for at, cell in enumerate(cells)))
    with pytest.raises(SourceError, match="column 'b'") as said:
        engine.collect(engine.read(path, ReadOptions(), columns=None, kinds={"b": kind}))
    assert not any(cell in str(said.value) for cell in set(cells) - {"1"})


@pytest.mark.gate(but="memory")
def test_types_and_cells_come_through_as_they_are(engine, tmp_path):
    table = pa.table(
        {
            "zero": [0.0, -0.0, 0.0, None],
            "small": pa.array([1.5, None, -2.5, 1.5], pa.float32()),
            "byte": pa.array([255, 0, None, 255], pa.uint8()),
            "large": pa.array([2**64 - 1, 0, None, 0], pa.uint64()),
            "flag": [True, None, False, True],
            "day": [date(2020, 2, 29), None, date(1, 1, 1), date(9999, 12, 31)],
            "time": pa.array([datetime(2020, 1, 1, 10), None, None, None], pa.timestamp("ns", "Europe/Berlin")),
            "old": pa.array([datetime(1, 1, 1), None, None, None], pa.timestamp("s")),
            "text": ["", None, "é\0ü", 'a "quote"'],
            "bytes": [b"\xff", None, b"", b"\0"],
            "category": pa.array(["b", "a", None, "b"]).dictionary_encode(),
            "decimal": pa.array([None, 1, 2, 3], pa.decimal128(20, 2)),
            "AGE": [1, 2, 3, 4],
            "age": [5, 6, 7, 8],
            "n": [1, 1, 2, 2],
        }
    )
    pq.write_table(table, tmp_path / "types.parquet")
    frame = engine.read(tmp_path / "types.parquet", ReadOptions(), columns=None, kinds={})
    there = read(tmp_path / "types.parquet").table
    assert engine.collect(frame).equals(there)
    blocks = engine.map_rows(frame, in_two_blocks)
    made = engine.collect(engine.map_blocks(blocks, same_block))
    assert made.schema == there.schema
    assert made.to_pylist() == there.to_pylist()
    assert np.signbit(made["zero"].to_numpy()[1])
    for name in there.column_names:
        counts = engine.group_counts(frame, [name])
        found = Counter(
            {str(row): n for row, n in zip(*(column.to_pylist() for column in counts.columns), strict=True)}
        )
        assert found == Counter(map(str, there[name].to_pylist())), name


def in_two_blocks(piece):
    return piece.append_column(BLOCK, pa.array(piece["n"].to_numpy() % 2))


def same_block(block_id, block):
    return block


# What only the engines of large tables have to say.


@pytest.mark.parametrize("large", IN_PIECES)
@pytest.mark.parametrize("name", ["book.xlsx", "table.feather", "survey.sav"])
def test_what_is_read_at_once_is_refused(large, tmp_path, name):
    (tmp_path / name).write_bytes(b"anything")
    with carrier(large, tmp_path) as engine:
        with pytest.raises(SourceError, match=r"cannot be protected piece by piece. Use engine = 'memory'"):
            engine.read(tmp_path / name, ReadOptions())
        with pytest.raises(SourceError, match="in memory already"):
            engine.read(survey(), ReadOptions())


def test_categories_with_an_order_are_refused(tmp_path):
    grade = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["low", "high"]), ordered=True)
    pq.write_table(pa.table({"grade": grade}), tmp_path / "ordered.parquet")
    with (
        carrier("duckdb", tmp_path) as engine,
        pytest.raises(SourceError, match="column 'grade': its categories have an order"),
    ):
        engine.read(tmp_path / "ordered.parquet", ReadOptions())


def sizes_of(piece):
    return [len(piece)]


@pytest.mark.gate(but=("csv-duckdb", "parquet-duckdb"))
@pytest.mark.parametrize("large", IN_PIECES)
def test_records_and_classes_come_in_many_pieces_of_the_sizes_asked_for(large, source, tmp_path):
    """Or all that is shown here of pieces would be shown of one."""
    with carrier(large, tmp_path) as engine:
        frame = engine.read(source, ReadOptions(), kinds=KINDS)
        fewest = 3 if large == "spark" else 5
        assert len(engine.total(frame, ["age"], sizes_of)) >= fewest
        assert len(engine.class_total(frame, ["zip", "age"], ["disease"], sizes_of)) >= fewest
        assert len(engine.class_total(frame, ["zip", "age"], [], sizes_of)) >= 3


class Tight(Budget):
    """As much as ever for DuckDB, next to nothing for all else."""

    counts = blocks = 1000


@pytest.mark.parametrize("large", IN_PIECES)
def test_more_values_than_memory_can_list_are_refused(large, tmp_path):
    write_csv(survey(N), tmp_path / "survey.csv")
    with carrier(large, tmp_path, Tight(LEAST_BYTES)) as engine:
        frame = engine.read(tmp_path / "survey.csv", ReadOptions())
        with pytest.raises(EngineError, match="person: there are more different values than"):
            engine.group_counts(frame, ["person"])


@pytest.mark.parametrize("large", IN_PIECES)
def test_a_block_larger_than_memory_is_refused(large, tmp_path):
    write_csv(survey(N), tmp_path / "survey.csv")
    with carrier(large, tmp_path, Tight(LEAST_BYTES)) as engine:
        frame = engine.map_rows(engine.read(tmp_path / "survey.csv", ReadOptions(), kinds=KINDS), marked)
        with pytest.raises(EngineError, match="does not fit into 800 MB of memory"):
            engine.map_blocks(frame, same_block)


@pytest.mark.parametrize("large", IN_PIECES)
def test_its_folder_is_private_and_goes(large, tmp_path):
    write_csv(survey(N), tmp_path / "survey.csv")
    spare = tmp_path / "spare"
    spare.mkdir()
    with carrier(large, spare) as engine:
        engine.read(tmp_path / "survey.csv", ReadOptions())
        (folder,) = spare.iterdir()
        assert folder.stat().st_mode & 0o777 == 0o700
        assert all(isinstance(path, Path) for path in folder.iterdir())
    assert list(spare.iterdir()) == []
