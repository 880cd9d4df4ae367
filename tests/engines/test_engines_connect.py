"""Spark Connect: a client without a Java machine of its own makes the same release."""

import json
import os
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

import shoal
from shoal.sources import sha256_of
from spark_session import MARKS, TESTS, spark_installed, spark_session
from survey_example import survey, survey_policy

pytestmark = [*MARKS, pytest.mark.long]

SCRIPT = """
import contextlib, json, pathlib, sys
from pyspark.sql import SparkSession
import shoal
from engines.test_engines_workers import eventually
from shoal import progress
from shoal.engines.lots.spark_session import SparkJobs

session = SparkSession.builder.remote("local[2]").getOrCreate()
for name in ("sparkContext", "_jvm"):
    try:
        getattr(session, name)
    except Exception:
        continue
    raise SystemExit(f"this is no session of Spark Connect: it has {name}")

source, policy, folder = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
shoal.protect(source, policy, output=f"{folder}/path.parquet", engine="spark", key=bytes(range(32)))
frame = session.read.parquet(source)
release = shoal.protect(frame.repartition(3), policy, output=f"{folder}/frame.parts", key=bytes(range(32)))
assert release.table.count() == frame.count()
frame.createOrReplaceTempView("persons")
shoal.protect("table:persons", policy, output=f"{folder}/table.parts", key=bytes(range(32)))

seen = pathlib.Path(folder, "seen")

@contextlib.contextmanager
def listener(what, total):
    yield lambda done: seen.touch() if 0 < done < total else None

def waiting(batches):
    for batch in batches:
        if batch["id"][0].as_py() == 3:  # the last task ends when somebody has seen that others have
            assert eventually(seen.exists)
        yield batch

with progress.report_to(listener):
    jobs = SparkJobs(session)
    assert len(jobs.collect(jobs.numbers(4).mapInArrow(waiting, "id long"), 4)) == 4
assert seen.exists()
assert not session._client._progress_handlers
assert not session.getTags()
session.stop()
"""


def test_a_client_of_spark_connect_makes_the_same_release(tmp_path):
    spark_installed()
    policy, source = survey_policy(), tmp_path / "survey.parquet"
    del policy["columns"]["grade"]
    pq.write_table(survey(200).drop_columns("grade"), source, row_group_size=20)
    made = tmp_path / "made"
    made.mkdir()
    paths = os.pathsep.join([str(TESTS.parent), str(TESTS), os.environ.get("PYTHONPATH", "")])
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(source), json.dumps(policy), str(made)],
        env=os.environ | {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    shoal.protect(source, policy, output=tmp_path / "memory.parquet", engine="memory", key=bytes(range(32)))
    assert (made / "path.parquet").read_bytes() == (tmp_path / "memory.parquet").read_bytes()
    frame = spark_session().read.parquet(str(source))
    shoal.protect(frame, policy, output=tmp_path / "frame.parts", key=bytes(range(32)))
    assert sha256_of(made / "frame.parts") == sha256_of(tmp_path / "frame.parts") == sha256_of(made / "table.parts")
    assert sorted(path.name for path in made.iterdir() if path.name.startswith(".")) == []
