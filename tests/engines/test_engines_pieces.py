"""Paths of more than one piece: batches, jobs and limits so small that everything comes in several."""

from collections import Counter
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import shoal
import shoal.engines.duckdb.duckdb_engine
from reference import requirements as twin
from shoal import operating_system
from shoal.encode.combination_counts import COUNT
from shoal.engines import memory_budget
from shoal.engines.block_loop import Block, process_blocks
from shoal.engines.duckdb import DuckdbEngine
from shoal.engines.duckdb.database import runs_by_key
from shoal.engines.memory import MemoryEngine
from shoal.engines.memory_budget import LEAST_BYTES, Budget
from shoal.engines.protocol import BLOCK, GROUP, RECORD_ID
from shoal.errors import EngineError, SourceError
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.group_index import GroupIndex
from shoal.pipeline.protect.protect import protect_by
from shoal.pipeline.verify.prove_file import prove_source
from shoal.pipeline.verify.written_release import release_read_options
from shoal.policy import load
from shoal.sources import ReadOptions
from shoal.sources.piece_sizes import PieceSizes
from survey_example import survey, survey_policy, write_csv

N = 500
KINDS = dict.fromkeys(("age", "code", "amount", "weight"), "numeric")


SMALLEST = PieceSizes(
    most_records=64, fewest_records=64, csv_block=4096, summed_bytes=1, n_sorted=7, n_combinations=100
)


@contextmanager
def carried(name, folder):
    if name == "memory":
        yield MemoryEngine()
        return
    with DuckdbEngine(Budget(LEAST_BYTES), folder, SMALLEST) as engine:
        yield engine


@pytest.fixture(params=["memory", "duckdb"])
def engine(request, tmp_path):
    with carried(request.param, tmp_path) as carrier:
        yield carrier


@pytest.fixture
def frame(engine, tmp_path):
    return engine.read(write_csv(survey(N), tmp_path / "survey.csv"), ReadOptions(), columns=None, kinds=KINDS)


def in_a_list(piece):
    return [piece]


def test_no_class_is_split_where_its_piece_comes_in_many_batches(engine, frame):
    classes, values = ["zip", "grade"], ["disease", "note"]
    seen, found = set(), Counter()
    for piece in engine.class_total(frame, classes, values, in_a_list):
        rows = piece.to_pylist()
        here = {tuple(row[name] for name in classes) for row in rows}
        assert not here & seen
        seen |= here
        found.update({tuple(row[name] for name in (*classes, *values)): row[COUNT] for row in rows})
    records = survey(N).to_pylist()
    assert found == Counter(tuple(record[name] for name in (*classes, *values)) for record in records)


def test_counts_of_many_batches_are_all_there(engine, frame):
    counts = engine.group_counts(frame, ["age", "note"])
    found = Counter({(row["age"], row["note"]): row[COUNT] for row in counts.to_pylist()})
    assert found == Counter(zip(*(survey(N)[name].to_pylist() for name in ("age", "note")), strict=True))
    assert len(counts) == len(found) > 14


def test_blocks_of_many_batches_are_worked_on_once(engine, frame):
    def marked(piece):
        return piece.append_column(BLOCK, pa.array(piece["code"].to_numpy() % 3))

    seen = []

    def work(block_id, block):
        seen.append((block_id, block[RECORD_ID].to_pylist()))
        return block

    made = engine.collect(engine.map_blocks(engine.map_rows(frame, marked), work))
    codes = survey(N)["code"].to_numpy() % 3
    assert sorted(seen) == [(block, np.flatnonzero(codes == block).tolist()) for block in range(3)]
    assert made == engine.collect(frame)


@pytest.mark.gate(but=("memory-0", "memory-1", "memory-7"))
@pytest.mark.parametrize("n_left_out", [0, 1, 7])
def test_groups_are_numbered_in_their_order_without_gaps(engine, frame, n_left_out):
    """In three blocks of ten groups, of which some are suppressed: of the first block the last, which leaves no gap."""
    gone = np.array([9, 12, 13, 20, 21, 22, 25])[:n_left_out]

    def grouped(piece):
        places = piece[RECORD_ID].to_numpy() * 7 % 30
        return piece.append_column(GROUP, pa.array(places // 10 * 2**32 + places % 10, mask=np.isin(places, gone)))

    made = GroupIndex.of(engine, engine.map_rows(frame, grouped))
    mapping = engine.collect(engine.map_rows(engine.map_rows(frame, grouped), made.mapping))
    left = np.setdiff1d(np.arange(30), gone)
    places = np.arange(N) * 7 % 30
    expected = np.where(np.isin(places, gone), -1, np.searchsorted(left, places))
    assert mapping["group"].fill_null(-1).to_pylist() == expected.tolist()
    assert made.counts()["n_groups"] == 30 - n_left_out
    assert len(made.numbers.of_gaps) == {0: 0, 1: 0, 7: 14}[n_left_out]


def test_groups_are_counted_over_all_pieces(engine, frame):
    """Every fifth record has no group; the others have one of 40."""

    def grouped(piece):
        ids = piece[RECORD_ID].to_numpy()
        return piece.append_column(GROUP, pa.array(ids % 40 * 2**32, mask=ids % 5 == 0))

    made = GroupIndex.of(engine, engine.map_rows(frame, grouped))
    assert made.counts() == {"n_records": N, "n_released": 400, "n_suppressed": 100, "n_groups": 32}
    assert made.groups.tolist() == [group * 2**32 for group in range(40) if group % 5]
    mapping = engine.collect(engine.map_rows(engine.map_rows(frame, grouped), made.mapping))
    assert mapping["record"].to_pylist() == list(range(1, N + 1))
    numbers = {group: number for number, group in enumerate(group for group in range(40) if group % 5)}
    assert mapping["group"].to_pylist() == [numbers.get(record % 40) for record in range(N)]


def batches(*runs_of_keys):
    return [pa.record_batch({"key": keys, "at": list(range(len(keys)))}) for keys in runs_of_keys]


def test_a_run_goes_on_over_batches_and_ends_where_the_key_changes():
    sizes = []
    found = runs_by_key(
        batches([1, 1, 2], [2], [2, 2], [3], [4, 4]), "key", lambda run: sizes.append(sum(map(len, run)))
    )
    keys = [[key for part in run for key in part["key"].to_pylist()] for run in found]
    assert keys == [[1, 1], [2, 2, 2, 2], [3], [4, 4]]
    assert sizes == [2, 1, 2, 4, 1, 2]
    assert list(runs_by_key([], "key")) == []


# What is reached, where the classes differ and come in several pieces.


def test_every_engine_proves_the_same_of_classes_that_differ(tmp_path, engine):
    """Classes of 2 to 21 records, of which each has 1 to 3 diseases."""
    rng = np.random.default_rng(1)
    places = np.repeat(np.arange(20), np.arange(2, 22))
    diseases = [f"d{rng.integers(1 + place % 3)}" for place in places]
    order = rng.permutation(len(places))
    table = pa.table({"place": [f"p{at:02}" for at in places], "disease": diseases}).take(order)
    policy = {
        "columns": {"place": {"role": "quasi_identifier"}, "disease": {"role": "sensitive"}},
        "requirements": [
            {"name": "k_anonymity", "k": 4},
            {"name": "distinct_l_diversity", "l": 2, "column": "disease"},
            {"name": "t_closeness", "t": 0.5, "column": "disease"},
        ],
    }
    source = write_csv(table, tmp_path / "table.csv")
    rules = load(policy)
    proof = prove_source(source, release_read_options(rules), rules, engine)
    by_k, by_l, by_t = proof.verdicts
    assert (proof.n_records, proof.n_classes, proof.k_reached) == (len(table), 20, 2)
    assert (by_k.reached, by_k.n_classes_failing, by_k.n_records_failing) == (2, 2, 5)
    groups = [[d for p, d in zip(places, diseases, strict=True) if p == place] for place in range(20)]
    failing = [len(group) for group in groups if twin.distinct_l(group) < 2]
    assert (by_l.reached, by_l.n_classes_failing, by_l.n_records_failing) == (1, len(failing), sum(failing))
    assert by_t.reached == pytest.approx(max(twin.t_equal(group, diseases) for group in groups))
    assert not proof


# How much is worked on at a time.


def blocks_of(sizes, made):
    for at, size in enumerate(sizes):
        made.append(at)
        yield Block(at, pa.table({"x": np.zeros(size)}))


def most_ahead(n_blocks, most_bytes, ahead=1000):
    """The most blocks that were fetched but not yet handed on."""
    made, n_come, most = [], 0, 0
    blocks, sizes = blocks_of([100] * n_blocks, made), {"records_per_job": 50, "ahead": ahead}
    for _ in process_blocks(blocks, lambda id_, block: block, 100 * n_blocks, most_bytes, **sizes):
        most, n_come = max(most, len(made) - n_come), n_come + 1
    assert n_come == n_blocks
    return most


def test_bytes_at_work_are_limited():
    block = 800  # bytes
    assert most_ahead(20, None) == 20
    assert most_ahead(20, 5 * block) == 6
    assert most_ahead(20, block) == 2
    assert most_ahead(20, 0) == 1


def test_jobs_at_work_are_limited():
    assert most_ahead(20, None, ahead=3) == 4


def test_what_is_at_work_stays_within_the_budget(tmp_path, monkeypatch):
    """The engine of large tables hands its limit on."""
    asked = []

    def heard(blocks, fn, n_records, most_bytes=None):
        asked.append((n_records, most_bytes))
        return process_blocks(blocks, fn, n_records, most_bytes)

    monkeypatch.setattr(shoal.engines.duckdb.duckdb_engine, "process_blocks", heard)
    with carried("duckdb", tmp_path) as engine:
        frame = engine.read(write_csv(survey(N), tmp_path / "survey.csv"), ReadOptions(), kinds=KINDS)
        engine.map_blocks(
            engine.map_rows(frame, lambda piece: piece.append_column(BLOCK, pa.array(piece["code"].to_numpy() % 3))),
            lambda block_id, block: block,
        )
        assert asked == [(N, engine.budget.blocks // 12)]


# How much memory there is.


def container(folder, most, taken):
    (folder / "memory.max").write_text(f"{most}\n")
    (folder / "memory.current").write_text(f"{taken}\n")
    return folder


def test_a_container_says_what_is_free(tmp_path):
    assert memory_budget._free_in_container(tmp_path) is None
    assert memory_budget._free_in_container(container(tmp_path, 10**9, 4 * 10**8)) == 6 * 10**8
    assert memory_budget._free_in_container(container(tmp_path, 10**9, 2 * 10**9)) == 0
    assert memory_budget._free_in_container(container(tmp_path, "max", 5)) is None
    assert memory_budget._free_in_container(container(tmp_path, "odd", 5)) is None


@pytest.mark.parametrize(
    ("machine", "container", "free"), [(10**10, None, 10**10), (10**10, 4 * 10**9, 4 * 10**9), (10**9, 10**10, 10**9)]
)
def test_the_smaller_of_machine_and_container_is_free_and_half_of_it_is_taken(monkeypatch, machine, container, free):
    monkeypatch.setattr(operating_system, "free_memory_of_machine", lambda: machine)
    monkeypatch.setattr(memory_budget, "_free_in_container", lambda: container)
    assert memory_budget.free_memory() == free
    assert Budget.of(None).memory == max(LEAST_BYTES, free // 2)


# Whom a complaint names.

LARGE = 2**60 + 1  # that no float64 holds


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("cells", "place"),
    [
        (["1"] * 300 + ["one"], 300),
        (["1"] * 150 + [str(LARGE)] + ["1"] * 149 + ["2.5"], 150),  # found out when the first pieces are read again
        (["2.5"] + ["1"] * 299 + [str(LARGE)], 300),  # found out when its piece is written
    ],
    ids=["a word", "before a real", "after a real"],
)
def test_a_complaint_names_the_record_of_the_file(tmp_path, engine, suffix, cells, place):
    path = tmp_path / f"table.{suffix}"
    names = [f"somebody with a long name {at}" for at in range(len(cells))]
    table = pa.table({"a": names, "b": cells})
    write_csv(table, path) if suffix == "csv" else pq.write_table(table, path)
    where = {f"record {place + 1})", f"line {place + 2})"}
    with pytest.raises(SourceError, match="column 'b'") as said:
        engine.collect(engine.read(path, ReadOptions(), columns=None, kinds={"b": "numeric"}))
    assert any(words in str(said.value) for words in where), str(said.value)
    assert cells[place] not in str(said.value)


@pytest.mark.gate
def test_the_survey_is_released_alike_through_the_smallest_pieces(tmp_path):
    source = write_csv(survey(N), tmp_path / "survey.csv")
    policy = survey_policy(
        blocking={"method": "twod_tree", "limit": 60},
        method={"split_households": True},
        output={"permute": True, "shuffle": True},
    )
    files = []
    for engine in ("memory", "duckdb"):
        files.append(tmp_path / f"{engine}.csv")
        with carried(engine, tmp_path) as carrier:
            protect_by(carrier, source, load(policy), Targets.of(files[-1], None, None), None, force=False)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_limits_are_of_all_batches_together(tmp_path, monkeypatch):
    """No batch of seven is too large, but the list of all persons is, and so is the block."""
    with carried("duckdb", tmp_path) as engine:
        frame = engine.read(write_csv(survey(N), tmp_path / "survey.csv"), ReadOptions(), kinds=KINDS)
        monkeypatch.setattr(Budget, "counts", 1000)
        assert max(piece.nbytes for piece in engine.class_total(frame, ["person"], (), in_a_list)) < 1000
        assert len(engine.group_counts(frame, ["zip"])) == 4
        with pytest.raises(EngineError, match="person: there are more different values than"):
            engine.group_counts(frame, ["person"])
        monkeypatch.setattr(Budget, "blocks", 12 * 5000)
        one_block = engine.map_rows(frame, lambda piece: piece.append_column(BLOCK, pa.array([0] * len(piece))))
        with pytest.raises(EngineError, match=r"does not fit into 800 MB of memory"):
            engine.map_blocks(one_block, lambda block_id, block: block)
        few = engine.map_rows(one_block, lambda piece: piece.filter(pc.less(piece[RECORD_ID], 20)))
        assert engine.map_blocks(few, lambda block_id, block: block).n_records == 20
