"""What only Spark has to say: its session, its tasks that fail, and what both leave."""

import contextlib
import os
import signal
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

import shoal
from engines.test_engines_workers import SECRET, children_of, converting, cpu_time, dying, eventually, is_alive
from shoal.engines.lots.spark_engine import spark_engine
from shoal.engines.lots.spark_rows import RowTask
from shoal.engines.lots.spark_session import ROWS_AT_ONCE, SparkJobs
from shoal.engines.memory_budget import LEAST_BYTES, Budget
from shoal.errors import EngineError, ShoalError
from shoal.sources import ReadOptions, sha256_of
from shoal.sources.private import create_private
from spark_session import MARKS, spark_session
from survey_example import carrier, desk, survey, survey_policy, write_csv

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
    with pytest.raises(EngineError, match="A worker ended before its work was done"):
        engine.total(frame, ["age"], dying)


def test_a_task_that_cannot_be_read_is_a_fault_like_others():
    (row,) = RowTask(b"no pickle")([])
    assert b"UnpicklingError" in row["fault"][0].as_py()


def test_rows_go_to_the_part_that_they_name_with_and_without_a_verb_for_it():
    jobs = SparkJobs(spark_session())
    from pyspark.sql.functions import col, spark_partition_id

    class WithoutVerb:
        def __init__(self, rows):
            self.repartition = rows.repartition

    rows = jobs.numbers(1000).select((col("id") % 7).cast("int").alias("part"))
    for each in (rows, WithoutVerb(rows)):
        moved = jobs.to_parts(each, 7).select("part", spark_partition_id().alias("task"))
        found = jobs.collect("testing", moved, 7)
        assert len(found) == 1000
        assert found["part"].to_pylist() == found["task"].to_pylist()


def test_the_session_of_the_caller_is_left_as_it_was(tmp_path):
    session = spark_session()
    before = session.conf.get(ROWS_AT_ONCE)
    with spark_engine(Budget(LEAST_BYTES), tmp_path) as engine:
        assert session.conf.get(ROWS_AT_ONCE) != before
        engine.collect(engine.read(write_csv(survey(), tmp_path / "survey.csv"), ReadOptions()))
    assert session.conf.get(ROWS_AT_ONCE) == before
    assert session.range(3).count() == 3
    assert not session.getTags()


def test_a_master_is_not_silently_ignored(tmp_path):
    spark_session()
    with (
        pytest.raises(EngineError, match="a Spark session runs already"),
        spark_engine(Budget(LEAST_BYTES), tmp_path, master="local[2]"),
    ):
        pass


def test_a_dataframe_gives_one_release_however_it_is_divided(tmp_path):
    session, policy = spark_session(), survey_policy()
    pq.write_table(survey(200).drop_columns("grade"), tmp_path / "survey.parquet")
    frame = session.read.parquet(str(tmp_path / "survey.parquet"))
    del policy["columns"]["grade"]
    outputs = [tmp_path / name for name in ("one.parts", "three.parts")]
    for divided, output in zip((frame.coalesce(1), frame.repartition(3, "age")), outputs, strict=True):
        release = shoal.protect(divided, policy, output=output, key=bytes(range(32)))
        assert release.table.count() == 200
    assert sha256_of(outputs[0]) == sha256_of(outputs[1])
    assert all(each.holds for each in shoal.verify(outputs[0], policy, engine="memory").verdicts)
    assert "dataframe" in (tmp_path / "one.manifest.json").read_text()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []
    with pytest.raises(EngineError, match="cannot read a dataframe of Spark"):
        shoal.protect(frame, policy, output=tmp_path / "x.parts", engine="memory")
    with pytest.raises(EngineError, match="Set output"):
        shoal.protect(frame, policy)


def test_a_folder_of_parquet_is_released_as_in_memory(tmp_path):
    spark_session()
    source, table = tmp_path / "survey", survey(200)
    source.mkdir()
    for at in range(3):
        pq.write_table(table.slice(70 * at, 70), source / f"part-{at}.parquet", row_group_size=30)
    for engine in ("memory", "spark"):
        output = tmp_path / f"{engine}.parts"
        shoal.protect(source, survey_policy(), output=output, engine=engine, key=bytes(range(32)))
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
    assert places[0].release.read_bytes() == places[1].release.read_bytes()
    assert places[0].files() == places[1].files()


@pytest.mark.parametrize("stopped", ["by Ctrl-C", "by the death of a worker"])
@pytest.mark.usefixtures("ctrl_c_heard")
def test_who_is_stopped_leaves_no_release_and_no_worker(tmp_path, stopped):
    spark_session()
    place = desk(tmp_path, survey(20_000))
    before = place.files()
    with subprocess.Popen(command(place), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        busy = eventually(lambda: busy_workers(running))
        if stopped == "by Ctrl-C":
            running.send_signal(signal.SIGINT)
        else:
            os.kill(busy[0], signal.SIGKILL)
        _, said = running.communicate(timeout=120)
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
    java = children_of(pid)
    starters = [each for one in java for each in children_of(one)]
    return [each for one in starters for each in children_of(one)]
