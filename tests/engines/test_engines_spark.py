"""What only Spark has to say: its session, its tasks that fail, and what both leave."""

import contextlib
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from engines.test_engines_workers import SECRET, children_of, converting, cpu_time, dying, eventually, is_alive, read
from shoal import progress
from shoal.engines.lots.spark_engine import SparkEngine, spark_engine
from shoal.engines.lots.spark_rows import RowTask, check_fault
from shoal.engines.lots.spark_session import ROWS_AT_ONCE, SparkJobs, without_pandas_warning
from shoal.engines.memory_budget import LEAST_BYTES, Budget
from shoal.engines.protocol import BLOCK
from shoal.errors import EngineError, ShoalError, SourceError
from shoal.pipeline.protect.forecast import forecast
from shoal.sources import ReadOptions, sha256_of
from shoal.sources.private import create_private
from spark_session import MARKS, spark_installed, spark_session
from survey_example import as_parquet, carrier, desk, shell, survey, survey_policy, write_csv, write_policy

pytestmark = MARKS


@pytest.fixture
def engine(tmp_path):
    with carrier("spark", tmp_path) as made:
        yield made


def test_a_fault_shows_no_cell_in_its_words_or_on_any_stream(tmp_path, engine, capfd):
    frame = engine.read(write_csv(survey(), tmp_path / "survey.csv"), ReadOptions())
    with pytest.raises(EngineError, match="a worker process stopped with ArrowInvalid") as said:
        engine.total(frame, ["age"], converting)
    with pytest.raises(EngineError, match="a worker process stopped with ArrowInvalid"):
        engine.group_counts(engine.map_rows(frame, converting), ["age"])
    shown = capfd.readouterr()
    assert SECRET not in f"{said.value!r}{shown.out}{shown.err}"


def test_a_worker_that_dies_is_an_error(tmp_path, engine):
    frame = engine.read(write_csv(survey(), tmp_path / "survey.csv"), ReadOptions())
    with pytest.raises(
        EngineError, match=r"^Spark stopped with \w+\. Nothing .* A worker ended before its work was done"
    ):
        engine.total(frame, ["age"], dying)


def test_a_worker_without_memory_is_an_error_with_advice(tmp_path, engine):
    frame = engine.read(write_csv(survey(), tmp_path / "survey.csv"), ReadOptions())
    with pytest.raises(EngineError, match=r"stopped with MemoryError\. .* Python on the workers \(spark.executor.mem"):
        engine.total(frame, ["age"], insatiable)


def insatiable(piece):
    return np.empty(2**58)


def test_a_task_that_cannot_be_read_is_a_fault_like_others():
    (row,) = RowTask(b"no pickle")([])
    assert b"UnpicklingError" in row["fault"][0].as_py()


def test_a_worker_with_another_version_is_an_error():
    (row,) = RowTask(b"any", "0.0.1")([])
    with pytest.raises(EngineError, match=rf"have Shoal {shoal.__version__}, and this process has 0.0.1"):
        check_fault(row["fault"][0].as_py())


@pytest.mark.parametrize("what", ["vanishes", "changes"])
def test_a_source_that_is_another_between_passes_is_an_error(tmp_path, engine, what):
    source = as_parquet(survey(), tmp_path / "survey.parquet")
    frame = engine.read(source, ReadOptions())
    assert engine.total(frame, ["age"], len) == len(survey())
    another(source, what)
    with pytest.raises(SourceError, match=r"survey.parquet changed while it was being read. Nothing was released"):
        engine.total(frame, ["age"], len)


def another(source, what):
    source.unlink() if what == "vanishes" else as_parquet(survey(seed=1), source)


@pytest.mark.long
@pytest.mark.parametrize("what", ["vanishes", "changes"])
def test_a_source_that_is_another_between_passes_is_not_released(tmp_path, monkeypatch, what):
    spark_session()
    source, map_blocks = as_parquet(survey(200), tmp_path / "survey.parquet"), SparkEngine.map_blocks

    def meanwhile(self, frame, fn):
        another(source, what)
        return map_blocks(self, frame, fn)

    monkeypatch.setattr(SparkEngine, "map_blocks", meanwhile)
    with pytest.raises(SourceError, match=r"survey.parquet changed while it was being read. Nothing was released"):
        shoal.protect(source, survey_policy(), output=tmp_path / "release.parts", engine="spark")
    assert {path.name for path in tmp_path.iterdir()} <= {"survey.parquet"}


def test_rows_go_to_the_part_that_they_name_with_and_without_a_verb_for_it():
    jobs = SparkJobs(spark_session())
    from pyspark.sql.functions import col, spark_partition_id

    class WithoutVerb:
        def __init__(self, rows):
            self.repartition = rows.repartition

    rows = spark_session().range(1000).select((col("id") % 7).cast("int").alias("part"))
    for each in (rows, WithoutVerb(rows)):
        moved = jobs.to_parts(each, 7).select("part", spark_partition_id().alias("task"))
        found = jobs.collect(moved, 7)
        assert len(found) == 1000
        assert found["part"].to_pylist() == found["task"].to_pylist()


def test_progress_is_told_while_a_job_runs(tmp_path):
    """The last task ends when somebody has seen that others have."""
    jobs, seen = SparkJobs(spark_session()), tmp_path / "seen"

    @contextlib.contextmanager
    def listener(what, total):
        yield lambda done: seen.touch() if 0 < done < total else None

    with without_pandas_warning():
        rows = jobs.numbers(4).mapInArrow(partial(waiting, seen), "id long")
    with progress.report_to(listener):
        assert len(jobs.collect(rows, 4)) == 4
    assert seen.exists()


def waiting(seen, batches):
    for batch in batches:
        if batch["id"][0].as_py() == 3:
            assert eventually(seen.exists)
        yield batch


def test_the_session_of_the_caller_is_left_as_it_was(tmp_path):
    session = spark_session()
    before = session.conf.get(ROWS_AT_ONCE)
    with spark_engine(Budget(LEAST_BYTES), tmp_path) as engine:
        assert session.conf.get(ROWS_AT_ONCE) != before
        frame = engine.read(write_csv(survey(), tmp_path / "survey.csv"), ReadOptions())
        kept = engine.map_blocks(engine.map_rows(frame, in_one_block), unchanged)
        assert kept.lots.rows.is_cached
    assert not kept.lots.rows.is_cached
    assert session.conf.get(ROWS_AT_ONCE) == before
    assert session.range(3).count() == 3
    assert not session.getTags()


def in_one_block(piece):
    return piece.append_column(BLOCK, pa.array(np.zeros(len(piece), dtype=np.int64)))


def unchanged(block_id, block):
    return block


def test_a_session_that_another_thread_has_started_is_not_ended(tmp_path):
    session = spark_session()

    def open_engine():
        with spark_engine(Budget(LEAST_BYTES), tmp_path):
            pass

    with ThreadPoolExecutor(1) as threads:
        threads.submit(open_engine).result()
    assert session.range(3).count() == 3


class Recorder:
    """A session that notes what is done with tags."""

    def __init__(self):
        self.done = []

    def __getattr__(self, verb):
        return lambda tag: self.done.append((verb, tag))


def test_ctrl_c_stops_the_jobs_of_one_release_alone():
    spark_installed()
    session = Recorder()

    class Rows:
        def unpersist(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SparkJobs(session).forget(Rows())
    verbs, tags = zip(*session.done, strict=True)
    assert (verbs, len(set(tags))) == (("addTag", "interruptTag", "removeTag"), 1)
    with contextlib.suppress(KeyboardInterrupt):
        SparkJobs(session).forget(Rows())
    assert len({tag for _, tag in session.done}) == 2


def test_spark_does_not_answer_ctrl_c_while_a_release_is_made(tmp_path):
    """It would stop the jobs of all who share the session."""
    spark_session()

    def stop_all_jobs(*_):
        raise AssertionError

    stop_all_jobs.__module__ = "pyspark.core.context"
    before = signal.signal(signal.SIGINT, stop_all_jobs)
    try:
        with spark_engine(Budget(LEAST_BYTES), tmp_path):
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert signal.getsignal(signal.SIGINT) is stop_all_jobs
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_master_is_not_silently_ignored(tmp_path):
    spark_session()
    with (
        pytest.raises(EngineError, match="a Spark session runs already"),
        spark_engine(Budget(LEAST_BYTES), tmp_path, master="local[2]"),
    ):
        pass


def test_a_dataframe_or_table_gives_one_release_however_it_is_divided(tmp_path):
    session, policy = spark_session(), survey_policy()
    pq.write_table(survey(200).drop_columns("grade"), tmp_path / "survey.parquet")
    frame = session.read.parquet(str(tmp_path / "survey.parquet"))
    del policy["columns"]["grade"]
    frame.repartition(3, "age").createOrReplaceTempView("persons")
    outputs = [tmp_path / name for name in ("one.parts", "three.parts")]
    for source, output in zip((frame.coalesce(1), "table:persons"), outputs, strict=True):
        release = shoal.protect(source, policy, output=output, key=bytes(range(32)))
        assert release.table.count() == 200
    assert sha256_of(outputs[0]) == sha256_of(outputs[1])
    assert all(each.holds for each in shoal.verify(outputs[0], policy, engine="memory").verdicts)
    assert "dataframe" in (tmp_path / "one.manifest.json").read_text()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []
    with pytest.raises(EngineError, match="cannot read a dataframe of Spark"):
        shoal.protect(frame, policy, output=tmp_path / "x.parts", engine="memory")
    with pytest.raises(EngineError, match="Set output"):
        shoal.protect(frame, policy)
    with pytest.raises(EngineError, match="cannot read a dataframe of Spark or a table of its catalog"):
        shoal.protect("table:persons", policy, output=tmp_path / "x.parts", engine="duckdb")
    for source in (frame, "table:persons"):
        with pytest.raises(EngineError, match="a forecast reads a file"):
            forecast(source, policy)


def test_a_table_that_no_catalog_has_is_said(tmp_path):
    spark_session()
    policy = write_policy(survey_policy(), tmp_path / "policy.toml")
    said = shell("protect", "table:nobody", "-p", policy, "-o", tmp_path / "release.parts", "--engine", "spark")
    assert (said.code, "table:nobody: the catalogs of this Spark session have no such table" in said.err) == (2, True)
    assert {path.name for path in tmp_path.iterdir()} == {"policy.toml"}


def test_a_folder_of_parquet_is_released_as_in_memory(tmp_path):
    spark_session()
    source, table = tmp_path / "survey", survey(200)
    source.mkdir()
    for at in range(3):
        pq.write_table(table.slice(70 * at, 70), source / f"part-{at}.parquet", row_group_size=30)
    for engine, named in (("memory", source), ("spark", source / "*.parquet")):
        output = tmp_path / f"{engine}.parts"
        shoal.protect(named, survey_policy(), output=output, engine=engine, key=bytes(range(32)))
    assert sha256_of(tmp_path / "spark.parts") == sha256_of(tmp_path / "memory.parts")


def test_a_column_that_one_part_lacks_is_said_before_anything_is_written(tmp_path):
    spark_session()
    source, table = tmp_path / "survey", survey(200)
    source.mkdir()
    pq.write_table(table, source / "part-0.parquet")
    pq.write_table(table.drop_columns("age"), source / "part-1.parquet")
    with pytest.raises(ShoalError, match="age"):
        shoal.protect(source, survey_policy(), output=tmp_path / "release.parts", engine="spark")
    assert [path.name for path in tmp_path.iterdir()] == ["survey"]


def command(place):
    words = ["protect", place.data, "--policy", place.policy, "--output", place.release]
    start = "import sys; from shoal.cli import main; sys.argv[0] = 'shoal'; main()"
    return [sys.executable, "-c", start, *map(str, words), "--engine", "spark", "--master", "local[2]"]


def test_a_session_of_our_own_makes_the_same_release_and_leaves_nothing(tmp_path):
    spark_session()
    for name in ("memory", "spark"):
        (tmp_path / name).mkdir()
    places = [desk(tmp_path / name, survey(400)) for name in ("memory", "spark")]
    for place in places:
        create_private(place.folder / "policy.key").write_bytes(bytes(range(32)))
    shoal.protect(places[0].data, places[0].policy, output=places[0].release)
    said = subprocess.run(command(places[1]), capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert "does not encrypt" not in said.stdout
    assert places[0].release.read_bytes() == places[1].release.read_bytes()
    assert places[0].files() == places[1].files()


@pytest.mark.parametrize("stopped", ["by Ctrl-C", "by the death of a worker"])
@pytest.mark.usefixtures("ctrl_c_heard")
def test_who_is_stopped_leaves_no_release_and_no_worker(tmp_path, stopped):
    spark_session()
    place = desk(tmp_path, survey(20_000))
    before = place.files()
    with subprocess.Popen(command(place), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        busy = eventually(lambda: busy_workers(running), 900)
        (private,) = {path.parent for path in place.folder.glob(".shoal-*/blockmgr-*")}
        assert private.stat().st_mode & 0o777 == 0o700
        if stopped == "by Ctrl-C":
            running.send_signal(signal.SIGINT)
        else:
            os.kill(busy[0], signal.SIGKILL)
        _, said = running.communicate(timeout=900)
    assert running.returncode != 0
    assert (
        "stopped. Nothing was released." if stopped == "by Ctrl-C" else "A worker ended before its work was done"
    ) in said
    assert eventually(lambda: not any(map(is_alive, busy)))
    assert place.files() - {"policy.key"} == before


def busy_workers(running):
    """Python workers of Spark that took CPU time just now: Java starts a process that starts them."""
    before = {each: cpu_time(each) for each in workers_of(running.pid)}
    with contextlib.suppress(subprocess.TimeoutExpired):
        running.wait(0.2)
    return [each for each, time_before in before.items() if cpu_time(each) > max(time_before, 20)]


def workers_of(pid):
    """Of Python: before Java itself there are processes that look for it, which have children as well."""
    java = children_of(pid)
    starters = [each for one in java for each in children_of(one)]
    found = [each for one in starters for each in children_of(one)]
    return [each for each in found if "pyspark.daemon" in read(f"/proc/{each}/cmdline")]
