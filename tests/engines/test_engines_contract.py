"""One contract, every engine: each verb against what a loop over records says."""

from collections import Counter
from datetime import date, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shoal.encode.combination_counts import COUNT
from shoal.engines.duckdb import DuckdbEngine
from shoal.engines.memory import MemoryEngine
from shoal.engines.memory_budget import LEAST_BYTES, Budget
from shoal.engines.protocol import BLOCK, RECORD_ID
from shoal.errors import EngineError, SourceError
from shoal.sources import ReadOptions, read
from survey_example import carrier, survey, write_csv

KINDS = dict.fromkeys(("age", "code", "amount", "weight"), "numeric") | {"born": "date"}
N = 500


@pytest.fixture(params=["memory", "duckdb"])
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


def test_what_is_read_is_what_sources_read(engine, frame, source):
    table = read(source, kinds=KINDS).table
    assert engine.collect(frame) == table
    assert frame.names == tuple(table.column_names)
    assert frame.n_records == N
    assert frame.origin == read(source, kinds=KINDS).origin


def test_only_the_columns_asked_for_are_read(engine, source):
    frame = engine.read(source, ReadOptions(), columns=["age", "zip"], kinds=KINDS)
    assert frame.names == ("age", "zip")
    assert engine.collect(frame) == read(source, columns=["age", "zip"], kinds=KINDS).table


@pytest.mark.slow
@pytest.mark.parametrize("by", [["grade"], ["zip", "disease"], ["age", "amount", "born"], ["note", "code"]])
def test_combinations_are_counted(engine, frame, records, by):
    counts = engine.group_counts(frame, by)
    assert counts.column_names == [*by, COUNT]
    found = Counter({tuple(row[name] for name in by): row[COUNT] for row in counts.to_pylist()})
    assert found == Counter(tuple(record[name] for name in by) for record in records)
    assert len(counts) == len(found)


def test_counts_of_nothing_are_all_records(engine, frame):
    assert engine.group_counts(frame, []).to_pydict() == {COUNT: [N]}


def test_classes_come_in_pieces_and_none_in_two(engine, frame, records):
    classes, values = ["zip", "age"], ["disease", "grade"]
    seen, found = set(), Counter()
    for piece in engine.class_counts(frame, classes, values):
        rows = piece.to_pylist()
        here = {tuple(row[name] for name in classes) for row in rows}
        assert not here & seen
        seen |= here
        found.update({tuple(row[name] for name in (*classes, *values)): row[COUNT] for row in rows})
    assert found == Counter(tuple(record[name] for name in (*classes, *values)) for record in records)


def test_a_fold_sees_all_records_in_their_order(engine, frame, records):
    seen = []
    engine.fold(frame, ["code", RECORD_ID], lambda piece: seen.extend(piece.to_pylist()))
    assert [row["code"] for row in seen] == [record["code"] for record in records]
    assert [row[RECORD_ID] for row in seen] == list(range(N))


def known_ages(piece):
    return piece.filter(piece["age"].is_valid())


def test_rows_are_mapped_record_by_record(engine, frame, records):
    doubled = engine.map_rows(frame, lambda piece: piece.set_column(0, "twice", pa.array(doubles(piece))))
    few = engine.map_rows(doubled, known_ages)
    expected = [2 * record["age"] for record in records if record["age"] is not None]
    assert engine.collect(few)["twice"].to_pylist() == expected
    assert few.n_records == len(expected)
    assert few.names[0] == "twice"


def doubles(piece):
    return [None if age is None else 2 * age for age in piece["age"].to_pylist()]


def test_new_record_ids_are_a_new_order(engine, frame, records):
    def turned(piece):
        ids = -piece[RECORD_ID].to_numpy() - 1
        return piece.set_column(piece.column_names.index(RECORD_ID), RECORD_ID, pa.array(ids))

    backwards = engine.map_rows(frame, turned)
    assert engine.collect(backwards)["code"].to_pylist() == [record["code"] for record in reversed(records)]
    seen = []
    engine.fold(backwards, ["code"], lambda piece: seen.extend(piece["code"].to_pylist()))
    assert seen == [record["code"] for record in reversed(records)]


def marked(piece):
    return piece.append_column(BLOCK, pa.array(piece["code"].to_numpy() % 7))


def test_blocks_are_worked_on_once_each_and_records_come_back_in_order(engine, frame, records):
    seen = []

    def work(block_id, block):
        ids = block[RECORD_ID].to_pylist()
        assert ids == sorted(ids)
        assert BLOCK not in block.column_names
        seen.append((block_id, len(block)))
        return block.append_column("rank", pa.array(range(len(block))))

    made = engine.collect(engine.map_blocks(engine.map_rows(frame, marked), work))
    sizes = Counter(record["code"] % 7 for record in records)
    assert sorted(seen) == sorted(sizes.items())
    ranks, rank_in = [], Counter()
    for record in records:
        ranks.append(rank_in[record["code"] % 7])
        rank_in[record["code"] % 7] += 1
    assert made["rank"].to_pylist() == ranks
    assert made.drop_columns("rank") == engine.collect(frame)


def test_blocks_may_differ_in_types(engine, frame, records):
    """Whole numbers in one block, reals in another, nothing known in a third: one column of reals."""

    def work(block_id, block):
        age = [pa.nulls(len(block)), block["age"].combine_chunks(), block["age"].cast(pa.float64())][min(block_id, 2)]
        return block.set_column(block.column_names.index("age"), "age", age)

    made = engine.collect(engine.map_blocks(engine.map_rows(frame, marked), work))
    assert made.schema.field("age").type == pa.float64()
    assert made["age"].to_pylist() == [None if record["code"] % 7 == 0 else record["age"] for record in records]


def test_what_a_block_complains_of_is_said_as_it_is(engine, frame):
    def work(block_id, block):
        raise SourceError("as worded")

    with pytest.raises(SourceError, match=r"^as worded$"):
        engine.map_blocks(engine.map_rows(frame, marked), work)


def test_what_a_row_function_complains_of_is_said_as_it_is(engine, frame):
    def work(piece):
        raise SourceError("as worded")

    with pytest.raises(SourceError, match=r"^as worded$"):
        engine.group_counts(engine.map_rows(frame, work), ["age"])


@pytest.mark.slow
@pytest.mark.parametrize("places", [range(N), range(0, N, 7), [3, 4, 90, N - 1], []])
def test_a_sample_is_the_records_at_its_places(engine, frame, records, places):
    sample = engine.sample(frame, np.array(places, dtype=np.int64))
    assert sample["code"].to_pylist() == [records[place]["code"] for place in places]
    assert sample[RECORD_ID].to_pylist() == list(places)


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    blocks = engine.map_rows(frame, lambda piece: piece.append_column(BLOCK, pa.array([0, 1, 0, 1])))
    made = engine.collect(engine.map_blocks(blocks, lambda block_id, block: block))
    assert made.schema == there.schema
    assert made.to_pylist() == there.to_pylist()
    assert np.signbit(made["zero"].to_numpy()[1])
    for name in there.column_names:
        counts = engine.group_counts(frame, [name])
        found = Counter(
            {str(row): n for row, n in zip(*(column.to_pylist() for column in counts.columns), strict=True)}
        )
        assert found == Counter(map(str, there[name].to_pylist())), name


# What only the engine of large tables has to say.


@pytest.fixture
def duckdb(tmp_path):
    with DuckdbEngine(Budget(LEAST_BYTES), tmp_path) as engine:
        yield engine


@pytest.mark.parametrize("name", ["book.xlsx", "table.feather", "survey.sav"])
def test_what_is_read_at_once_is_refused(duckdb, tmp_path, name):
    (tmp_path / name).write_bytes(b"anything")
    with pytest.raises(SourceError, match=r"cannot be protected piece by piece. Use engine = 'memory'"):
        duckdb.read(tmp_path / name, ReadOptions())
    with pytest.raises(SourceError, match="in memory already"):
        duckdb.read(survey(), ReadOptions())


def test_categories_with_an_order_are_refused(duckdb, tmp_path):
    grade = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["low", "high"]), ordered=True)
    pq.write_table(pa.table({"grade": grade}), tmp_path / "ordered.parquet")
    with pytest.raises(SourceError, match="column 'grade': its categories have an order"):
        duckdb.read(tmp_path / "ordered.parquet", ReadOptions())


def test_records_and_classes_come_in_many_pieces_of_the_sizes_asked_for(source, tmp_path):
    """Or all that is shown here of pieces would be shown of one."""
    with carrier("duckdb", tmp_path) as engine:
        frame = engine.read(source, ReadOptions(), kinds=KINDS)
        folded = []
        engine.fold(frame, ["age"], lambda piece: folded.append(len(piece)))
        assert len(folded) >= 5
        assert len(list(engine.class_counts(frame, ["zip", "age"], ["disease"]))) >= 5
        assert len(list(engine.class_counts(frame, ["zip", "age"], []))) >= 3


class Tight(Budget):
    """As much as ever for DuckDB, next to nothing for all else."""

    counts = blocks = 1000


def test_more_values_than_memory_can_list_are_refused(tmp_path):
    write_csv(survey(N), tmp_path / "survey.csv")
    with carrier("duckdb", tmp_path, Tight(LEAST_BYTES)) as engine:
        frame = engine.read(tmp_path / "survey.csv", ReadOptions())
        with pytest.raises(EngineError, match="person: there are more different values than"):
            engine.group_counts(frame, ["person"])


def test_a_block_larger_than_memory_is_refused(tmp_path):
    write_csv(survey(N), tmp_path / "survey.csv")
    with carrier("duckdb", tmp_path, Tight(LEAST_BYTES)) as engine:
        frame = engine.map_rows(engine.read(tmp_path / "survey.csv", ReadOptions(), kinds=KINDS), marked)
        with pytest.raises(EngineError, match="does not fit into 800 MB of memory"):
            engine.map_blocks(frame, lambda block_id, block: block)


def test_its_folder_is_private_and_goes(tmp_path):
    write_csv(survey(N), tmp_path / "survey.csv")
    spare = tmp_path / "spare"
    spare.mkdir()
    with DuckdbEngine(Budget(LEAST_BYTES), spare) as engine:
        engine.read(tmp_path / "survey.csv", ReadOptions())
        (folder,) = spare.iterdir()
        assert folder.stat().st_mode & 0o777 == 0o700
        assert all(isinstance(path, Path) for path in folder.iterdir())
    assert list(spare.iterdir()) == []
