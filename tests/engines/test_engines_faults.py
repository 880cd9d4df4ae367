"""What goes wrong with large tables: a clear error, no half release, and nothing left behind at the next start."""

import os
import secrets
import signal
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import shoal
import shoal.pipeline.protect.microaggregation_step
from shoal.engines.duckdb import DuckdbEngine
from shoal.engines.memory_budget import LEAST_BYTES, PROGRAM_BYTES, Budget
from shoal.engines.private_folder import PrivateFolder
from shoal.engines.protocol import RECORD_ID
from shoal.errors import EngineError, SourceError
from shoal.sources import ReadOptions, whole_file
from shoal.sources.leftovers import remove_leftovers
from shoal.sources.piece_sizes import PieceSizes
from shoal.sources.temp_files import new_temp_name
from survey_example import as_parquet, carrier, desk, survey, survey_policy, write_csv, write_policy

POLICY = {
    "columns": {f"x{at}": {"role": "quasi_identifier", "kind": "numeric"} for at in range(1, 4)},
    "requirements": [{"name": "k_anonymity", "k": 3}],
}


def numbers(n, seed=0):
    chance = np.random.default_rng(seed)
    return pa.table({f"x{at}": chance.random(n) for at in range(1, 4)})


def nothing_but(folder, *names):
    return {path.name for path in folder.iterdir()} == set(names)


def test_a_file_of_duckdb_that_goes_while_it_is_looked_at_is_no_fault(tmp_path):
    source = as_parquet(numbers(300), tmp_path / "table.parquet")
    with DuckdbEngine(Budget(LEAST_BYTES), tmp_path) as engine:
        (engine.folder.path / "duckdb").mkdir(exist_ok=True)
        (engine.folder.path / "duckdb" / "gone").symlink_to(tmp_path / "nowhere")
        frame = engine.read(source, ReadOptions())
        assert len(engine.collect(engine.map_rows(frame, backwards))) == 300


# The source.


@pytest.mark.gate(but=("memory-csv", "memory-parquet"))
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_source_that_changes_meanwhile_is_found_out(tmp_path, monkeypatch, suffix, engine):
    source = tmp_path / f"table.{suffix}"

    def write(seed):
        write_csv(numbers(200, seed), source) if suffix == "csv" else as_parquet(numbers(200, seed), source)

    write(0)
    grouping = shoal.pipeline.protect.microaggregation_step.BlockMicroaggregation.__call__

    def meanwhile(self, block_id, block):
        write(1)
        os.utime(source)
        return grouping(self, block_id, block)

    monkeypatch.setattr(shoal.pipeline.protect.microaggregation_step.BlockMicroaggregation, "__call__", meanwhile)
    with pytest.raises(SourceError, match=rf"table.{suffix} changed while it was being read. Nothing was released"):
        shoal.protect(source, POLICY, output=tmp_path / "release.csv", engine=engine)
    assert nothing_but(tmp_path, source.name)


def test_a_source_that_is_gone_meanwhile(tmp_path, monkeypatch):
    source = as_parquet(numbers(200), tmp_path / "table.parquet")
    with DuckdbEngine(Budget(LEAST_BYTES), tmp_path) as engine:
        frame = engine.read(source, ReadOptions())
        source.unlink()
        with pytest.raises(SourceError, match="changed while it was being read"):
            engine.total(frame, ["x1"], len)


def test_a_corrupt_row_group_is_said_and_nothing_is_released(tmp_path):
    source = tmp_path / "table.parquet"
    pq.write_table(numbers(5000), source, row_group_size=500, compression="snappy", use_dictionary=False)
    middle = pq.read_metadata(source).row_group(5).column(1).data_page_offset
    with source.open("r+b") as file:
        file.seek(middle)
        file.write(b"\xff" * 600)
    with pytest.raises(SourceError, match=r"not a valid .parquet file, or only a part of one"):
        shoal.protect(source, POLICY, output=tmp_path / "release.parquet", engine="duckdb")
    assert nothing_but(tmp_path, "table.parquet")


def test_what_a_bad_cell_holds_is_not_told(tmp_path):
    source = tmp_path / "table.csv"
    source.write_text("x1,x2,x3\n" + "1,2,3\n" * 5000 + "1,canary,3\n")
    with pytest.raises(SourceError, match=r"at least 1 cell does not hold a number \(line 5002\)") as said:
        shoal.protect(source, POLICY, output=tmp_path / "release.csv", engine="duckdb")
    assert "canary" not in str(said.value)
    assert nothing_but(tmp_path, "table.csv")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x1,x2,x3\n" + "1,2,3\n" * 100_000 + "1,2\n", "line 100002 has 2"),
        ('x1,x2,x3\n1,2,"3\n' + "1,2,3\n" * 10, "never closed"),
        ("x1,x2,x3\n", "no records"),
    ],
)
def test_a_csv_without_a_shape_is_said_as_ever(tmp_path, text, words):
    (tmp_path / "table.csv").write_text(text)
    with pytest.raises(SourceError, match=words):
        shoal.protect(tmp_path / "table.csv", POLICY, output=tmp_path / "release.csv", engine="duckdb")


def test_a_record_longer_than_a_block(tmp_path):
    long = "a" * 50_000
    (tmp_path / "table.csv").write_text("a,b\n" + "x,1\n" * 3000 + f"{long},2\n" + "y,3\n" * 3000)
    with carrier("duckdb", tmp_path) as engine:
        table = engine.collect(engine.read(tmp_path / "table.csv", ReadOptions()))
    assert table["a"].to_pylist() == ["x"] * 3000 + [long] + ["y"] * 3000
    short = PieceSizes(csv_block=4096, longest_record=8192)
    with (
        DuckdbEngine(Budget(LEAST_BYTES), tmp_path, short) as engine,
        pytest.raises(SourceError, match="a record is longer than"),
    ):
        engine.read(tmp_path / "table.csv", ReadOptions())


# The disk.


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a disk of 8 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)], capture_output=True)
    if made.returncode:
        pytest.skip("only root can make a small disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_disk_too_small_for_what_duckdb_sorts(tmp_path, small_disk):
    source = as_parquet(numbers(1_000_000), tmp_path / "table.parquet")
    tight = Budget(PROGRAM_BYTES + 5 * 10**7)  # 20 MB for DuckDB, of 32 MB of records
    with DuckdbEngine(tight, small_disk) as engine:
        frame = engine.map_rows(engine.read(source, ReadOptions()), backwards)
        with pytest.raises(EngineError, match=r"disk: there is no room for temporary files"):
            engine.collect(frame)
    assert list(small_disk.iterdir()) == []


@pytest.mark.gate
def test_a_disk_too_small_for_what_is_written_down(tmp_path, small_disk):
    source = tmp_path / "table.csv"
    pa.csv.write_csv(numbers(400_000), source)
    with (
        DuckdbEngine(Budget(LEAST_BYTES), small_disk) as engine,
        pytest.raises(EngineError, match=r"disk: there is no room for temporary files"),
    ):
        engine.read(source, ReadOptions())
    assert list(small_disk.iterdir()) == []


@pytest.mark.gate
def test_a_disk_too_small_for_the_release(tmp_path, small_disk):
    source = as_parquet(numbers(200_000), tmp_path / "table.parquet")
    with DuckdbEngine(Budget(LEAST_BYTES), tmp_path) as engine:
        frame = engine.read(source, ReadOptions())
        with (
            pytest.raises(SourceError, match=r"release.csv: the disk is full"),
            whole_file(small_disk / "release.csv") as draft,
        ):
            engine.write(frame, draft, None)
    assert list(small_disk.iterdir()) == []


def backwards(piece):
    return piece.set_column(piece.column_names.index(RECORD_ID), RECORD_ID, pa.array(-piece[RECORD_ID].to_numpy() - 1))


def test_a_disk_that_fills_up_while_records_are_written_down(tmp_path, monkeypatch):
    source = write_csv(survey(400), tmp_path / "survey.csv")

    class Full:
        def __init__(self, *_, **__):
            pass

        def write_table(self, table):
            raise OSError(28, "No space left on device")

        def close(self):
            pass

    monkeypatch.setattr("shoal.engines.spill.ipc.new_file", Full)
    with pytest.raises(EngineError, match=r"no room for temporary files. Nothing was released"):
        shoal.protect(source, survey_policy(), output=tmp_path / "release.csv", engine="duckdb")
    assert nothing_but(tmp_path, "survey.csv")


def test_memory_too_small_for_duckdb(tmp_path):
    source = as_parquet(numbers(300_000), tmp_path / "table.parquet")
    with DuckdbEngine(Budget(PROGRAM_BYTES + 10**6), tmp_path) as engine:
        frame = engine.map_rows(engine.read(source, ReadOptions()), backwards)
        with pytest.raises(EngineError, match=r"301 MB of memory is too little for this table"):
            engine.collect(frame)
    assert nothing_but(tmp_path, "table.parquet")


# Those who die.

ENDLESS = """
import sys, threading
import shoal, shoal.pipeline.protect.microaggregation_step as grouping

def forever(self, block_id, block):
    print("READY", flush=True)
    threading.Event().wait()

grouping.BlockMicroaggregation.__call__ = forever
shoal.protect(sys.argv[1], sys.argv[2], output=sys.argv[3], engine="duckdb")
"""


@pytest.fixture
def running(tmp_path):
    """A run in the middle of its work, in a process of its own."""
    place = desk(tmp_path, policy=survey_policy())
    words = [sys.executable, "-c", ENDLESS, place.data, place.policy, place.release]
    process = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "READY\n"
    yield place, process
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.mark.gate
def test_who_is_killed_leaves_no_release_and_is_cleaned_up_at_the_next_start(running):
    place, process = running
    left = place.files() - {"survey.csv", "policy.toml"}
    assert len(left) == 4  # three drafts and a folder
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert place.files() - {"survey.csv", "policy.toml"} == left
    assert not place.release.exists()
    shoal.protect(place.data, place.policy, output=place.release, engine="duckdb")
    release = {"release.csv", "release.private.json", "release.manifest.json"}
    assert place.files() == {"survey.csv", "policy.toml"} | release


@pytest.mark.gate
def test_a_living_run_is_left_alone(running):
    place, _ = running
    before = place.files()
    other = place.folder / "other.csv"
    shoal.protect(place.data, place.policy, output=other, engine="duckdb")
    assert place.files() == before | {"other.csv", "other.private.json", "other.manifest.json"}


def test_the_lock_counts_more_than_the_name(tmp_path):
    """A run that cannot be seen from here, in another container, holds its lock all the same."""
    folder = PrivateFolder.create_in(tmp_path)
    unseen = tmp_path / f".shoal-4194304-1-{secrets.token_hex(8)}"
    folder.path.rename(unseen)
    remove_leftovers(tmp_path)
    assert unseen.exists()
    folder.remove()
    remove_leftovers(tmp_path)
    assert not unseen.exists()


def test_only_traces_of_dead_runs_are_swept(tmp_path):
    dead = f".shoal-4194304-1-{secrets.token_hex(8)}"
    (tmp_path / dead).mkdir(mode=0o700)
    (tmp_path / dead / "1.arrow").write_text("records")
    (tmp_path / f"{dead}.csv").write_text("half a release")
    others = [".shoal", ".shoal-1-2", ".shoal-x-1-0123456789abcdef", "release.csv", new_temp_name()]
    for name in others:
        (tmp_path / name).write_text("")
    (tmp_path / f".shoal-4194304-1-{secrets.token_hex(8)}.txt").symlink_to(tmp_path / "release.csv")
    with whole_file(tmp_path / "a.csv") as draft:
        draft.write_text("x")
    assert {path.name for path in tmp_path.iterdir() if not path.is_symlink()} == {*others, "a.csv"}


def test_a_process_of_the_same_number_that_began_later_is_another_one(tmp_path):
    mine = new_temp_name()
    number, began = mine.split("-")[1:3]
    assert int(number) == os.getpid()
    assert int(began) > 0
    other = mine.replace(f"-{began}-", f"-{int(began) - 1}-")
    (tmp_path / mine).write_text("")
    (tmp_path / other).write_text("")
    remove_leftovers(tmp_path)
    assert nothing_but(tmp_path, mine)


SORTING = """
import signal, sys, threading
import pyarrow as pa
from pathlib import Path
from shoal.engines.memory_budget import LEAST_BYTES, Budget
from shoal.engines.duckdb import DuckdbEngine
from shoal.engines.protocol import RECORD_ID
from shoal.sources import ReadOptions
from shoal.sources.piece_sizes import PieceSizes

pressed, n_seen = threading.Event(), 0

def backwards(piece):
    global n_seen
    if threading.current_thread() is not threading.main_thread():
        n_seen += 1
        if n_seen == 3:
            print("READY", flush=True)
            pressed.wait()
    return piece.set_column(piece.column_names.index(RECORD_ID), RECORD_ID, pa.array(-piece[RECORD_ID].to_numpy() - 1))

def press(number, frame):
    pressed.set()
    raise KeyboardInterrupt

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, press)
try:
    sizes = PieceSizes(most_records=100, fewest_records=100)
    with DuckdbEngine(Budget(LEAST_BYTES), Path(sys.argv[2]), sizes) as engine:
        engine.collect(engine.map_rows(engine.read(Path(sys.argv[1]), ReadOptions()), backwards))
except KeyboardInterrupt:
    print(n_seen)
    sys.exit(130)
"""


@pytest.mark.gate
@pytest.mark.usefixtures("ctrl_c_heard")
def test_ctrl_c_is_heard_while_duckdb_sorts(tmp_path):
    """It waits for the third of 2,000 pieces then, and never asks for all of them."""
    pq.write_table(numbers(200_000), tmp_path / "table.parquet", row_group_size=1000)
    spare = tmp_path / "spare"
    spare.mkdir()
    words = [sys.executable, "-c", SORTING, str(tmp_path / "table.parquet"), str(spare)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "READY\n"
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)  # a net: it ends by itself
    assert process.returncode == 130
    assert 3 <= int(said) < 1500
    assert list(spare.iterdir()) == []


def test_a_policy_file_beside_a_large_table(tmp_path):
    """The whole pipeline, from files, by the shell's own defaults."""
    source = as_parquet(numbers(3000), tmp_path / "table.parquet")
    write_policy(POLICY, tmp_path / "policy.toml")
    release = shoal.protect(source, tmp_path / "policy.toml", output=tmp_path / "release.csv", engine="duckdb")
    assert release.manifest.counts["n_released"] == 3000


def test_a_query_that_failed_or_was_left_early_does_not_disturb_the_next(tmp_path):
    table = pa.table({"x": [3, 1, 2, 1]})
    with DuckdbEngine("2GB", tmp_path) as engine:
        frame = engine.read(as_parquet(table, tmp_path / "table.parquet"), ReadOptions())
        counts = engine.group_counts(frame, ["x"])
        with pytest.raises(ZeroDivisionError):
            engine.class_total(frame, ["x"], (), lambda _: 1 / 0)
        assert engine.group_counts(frame, ["x"]).sort_by("x").equals(counts.sort_by("x"))
        with pytest.raises(ZeroDivisionError):
            engine.group_counts(engine.map_rows(frame, lambda piece: 1 / 0), ["x"])
        assert engine.group_counts(frame, ["x"]).sort_by("x").equals(counts.sort_by("x"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table.parquet"]
