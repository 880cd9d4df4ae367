"""Spark on executors of its own: what happens when they are killed, run out of memory, or lack Shoal."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import shoal
from engines.cluster_example import WAITING
from engines.test_engines_workers import cpu_time, eventually, is_alive, read
from spark_session import MARKS, TESTS, spark_installed
from survey_example import desk, of_records, survey, survey_policy

pytestmark = [*MARKS, pytest.mark.long]

CANARY = "Mrs Secret, 4711"
KEY = bytes(range(32))


@pytest.fixture
def place(tmp_path):
    """Records in some fifty blocks, one of them about somebody with a name."""
    spark_installed()
    table = survey(400)
    names = [CANARY, *table["person"].to_pylist()[1:]]
    table = table.set_column(0, "person", [names])
    return desk(tmp_path, table, of_records(survey_policy(blocking={"method": "twod_tree", "limit": 12})))


@pytest.fixture
def spark_home(tmp_path):
    """Spark by links, so that what its cluster writes beside itself is here."""
    home = tmp_path / "spark"
    home.mkdir()
    for each in Path(str(find_spec("pyspark").origin)).parent.iterdir():
        (home / each.name).symlink_to(each)
    return home


def environment(spark_home):
    paths = os.pathsep.join([str(TESTS.parent), str(TESTS), os.environ.get("PYTHONPATH", "")])
    return os.environ | {"SPARK_HOME": str(spark_home), "PYTHONPATH": paths, "PYSPARK_PYTHON": sys.executable}


@contextlib.contextmanager
def running(place, spark_home, function):
    """A release whose function of blocks is preceded by another; afterwards no process of it is left."""
    words = [place.data, place.policy, place.release, spark_home, function]
    script = "from engines.cluster_example import main; main()"
    started = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, words)],
        env=environment(spark_home),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield started
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()
        started.stdout.close()


def parent_of(pid):
    return int(read(f"/proc/{pid}/stat").rpartition(")")[2].split()[1])


def is_busy(process, worker):
    before = cpu_time(worker)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(0.3)
    return cpu_time(worker) > before


def logs(spark_home):
    """What the executors wrote."""
    return "".join(path.read_text(errors="replace") for path in (spark_home / "work").rglob("std*"))


@pytest.mark.parametrize("killed", ["an executor", "a worker"])
def test_what_is_killed_in_the_middle_of_its_work_is_done_again(tmp_path, place, spark_home, killed):
    shoal.protect(place.data, place.policy, output=tmp_path / "memory.csv", engine="memory", key=KEY)
    before = place.files()
    with running(place, spark_home, "WaitsOnce") as process:
        worker = int(eventually(lambda: read(spark_home / WAITING) or process.poll(), 900))
        assert is_busy(process, worker)
        executor = parent_of(parent_of(worker))
        assert "CoarseGrainedExecutorBackend" in read(f"/proc/{executor}/cmdline")
        os.kill(executor if killed == "an executor" else worker, signal.SIGKILL)
        said, _ = process.communicate(timeout=900)
    assert process.returncode == 0, said
    assert place.release.read_bytes() == (tmp_path / "memory.csv").read_bytes()
    assert not is_alive(worker)
    assert is_alive(executor) is False
    assert CANARY not in said + logs(spark_home)
    assert place.files() - before == {"release.csv", "release.manifest.json", "release.private.json"}


def test_executors_without_memory_are_an_error_and_nothing_is_released(place, spark_home):
    before = place.files()
    with running(place, spark_home, "Swollen") as process:
        said, _ = process.communicate(timeout=900)
    assert process.returncode != 0
    assert "Nothing was released." in said
    assert "memory" in said.splitlines()[-1]
    assert CANARY not in said + logs(spark_home)
    assert place.files() == before


WITHOUT = """#!/bin/sh
PYTHONPATH="{folder}" exec "{python}" "$@"
"""


@pytest.mark.parametrize("module", ["shoal", "shoal.kernels._compiled"])
def test_workers_without_shoal_are_an_error_that_says_so(tmp_path, place, module):
    """The second as with a zip file of the sources alone."""
    before = place.files()
    lacking = tmp_path / "lacking"
    lacking.mkdir()
    (lacking / "sitecustomize.py").write_text(f"import sys\nsys.modules[{module!r}] = None\n")
    python = lacking / "python"
    python.write_text(WITHOUT.format(folder=lacking, python=sys.executable))
    python.chmod(0o755)
    words = ["protect", place.data, "--policy", place.policy, "--output", place.release]
    start = "import sys; from shoal.cli import main; sys.argv[0] = 'shoal'; main()"
    ran = subprocess.run(
        [sys.executable, "-c", start, *map(str, words), "--engine", "spark", "--master", "local[2]"],
        env=os.environ | {"PYSPARK_PYTHON": str(python)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "install its wheel, in the same version, where they run" in " ".join(ran.stderr.split())
    assert CANARY not in ran.stdout + ran.stderr
    shutil.rmtree(lacking)
    assert place.files() - {"policy.key"} == before
