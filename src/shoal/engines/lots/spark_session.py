"""The session of Spark: that of the caller, or one of our own, and the jobs of one run in it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa

from shoal import progress
from shoal.engines.lots.spark_progress import reported
from shoal.engines.lots.spark_rows import DDL, SCHEMA, RowTask
from shoal.engines.private_folder import PrivateFolder
from shoal.errors import EngineError

ROWS_AT_ONCE = "spark.sql.execution.arrow.maxRecordsPerBatch"
FEW_ROWS = "8"  # that pass between Spark and Python at a time: each is a lot
TIMES = "spark.sql.parquet.outputTimestampType"  # as other programs write them, instead of a type of Spark's own
SETTINGS = {ROWS_AT_ONCE: FEW_ROWS, TIMES: "TIMESTAMP_MICROS"}
ENCRYPTION = "spark.io.encryption.enabled"  # of what Spark writes to disks
STAGE = "running tasks of Spark"
STEPS = 100  # of a stage whose number of tasks is not known
SERVER = "sc://"  # how an address of Spark Connect begins

# What the message of an error of Spark contains, and what it means.
CAUSES = {
    "ModuleNotFoundError": "no module",
    "OutOfMemoryError": "memory",
    "MemoryError": "memory",
    "maxResultSize": "memory",
    "ExecutorLostFailure": "worker",
    "exited unexpectedly": "worker",
    "FetchFailed": "worker",
}


@contextmanager
def open_session(master: str | None, folder: PrivateFolder, session: Any = None) -> Iterator[Any]:
    """``session``: that of a dataframe; None: that of the caller, if there is one, else one that is started here (where
    ``master`` says) and ended."""
    active = _active_session() if session is None else session
    if active is None:
        with _new_session(master or "local[*]", folder) as started:
            yield started
        return
    if master is not None:
        raise EngineError.session_runs(master)
    with _settings(active), _plain_ctrl_c():
        yield active


def _active_session() -> Any:
    """That of the caller, also where another thread has started it; None: there is none."""
    SparkSession = _spark().SparkSession
    from pyspark.errors import PySparkRuntimeError

    try:
        return SparkSession.active()
    except PySparkRuntimeError:
        return None


@contextmanager
def _new_session(master: str, folder: PrivateFolder) -> Iterator[Any]:
    """``master``: of a session on machines of its own, or the address of a server of Spark Connect (sc://)."""
    builder = _spark().SparkSession.builder
    with _plain_errors(), _plain_ctrl_c():
        if master.startswith(SERVER):
            session = builder.remote(master).config(map=SETTINGS).getOrCreate()
        else:
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            session = builder.master(master).appName("shoal").config(map=_own_settings(folder)).getOrCreate()
    try:
        yield session
    finally:
        session.stop()


def _own_settings(folder: PrivateFolder) -> dict[str, str]:
    """Of a session whose files on disk nobody else can read."""
    return {
        **SETTINGS,
        "spark.local.dir": str(folder.path),
        ENCRYPTION: "true",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
    }


@contextmanager
def _plain_ctrl_c() -> Iterator[None]:
    """Spark's own answer to Ctrl-C stops the jobs of all who share a session: meanwhile it is as without Spark."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    try:
        if str(getattr(before, "__module__", "")).startswith("pyspark"):
            signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _spark() -> Any:
    try:
        with without_pandas_warning():
            import pyspark.sql
    except ImportError:
        raise EngineError.no_spark() from None
    return pyspark.sql


@contextmanager
def without_pandas_warning() -> Iterator[None]:
    """Spark warns of a pandas that is newer than it knows; here it passes Arrow batches on and uses none."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        yield


@contextmanager
def _settings(session: Any) -> Iterator[None]:
    """What a run needs, in a session of others; set back afterwards."""
    before = {name: session.conf.get(name) for name in SETTINGS}
    try:
        for name, value in SETTINGS.items():
            session.conf.set(name, value)
        yield
    finally:
        for name, value in before.items():
            session.conf.set(name, value)


def is_spark_dataframe(source: Any) -> bool:
    return type(source).__module__.startswith("pyspark.sql") and hasattr(source, "mapInArrow")


def dataframe_of(path: Path) -> Any:
    """A file or folder of Parquet as a dataframe of the running session, or of a new one."""
    session = _active_session()
    with _plain_errors():
        return (session or _spark().SparkSession.builder.getOrCreate()).read.parquet(str(path))


class SparkJobs:
    """Jobs are tagged, so that these alone are stopped by Ctrl-C. The words of Spark's errors are not passed on: they
    quote what tasks said."""

    def __init__(self, session: Any) -> None:
        self._session, self._tag = session, f"shoal-{uuid4().hex}"

    @cached_property
    def n_cores(self) -> int:
        """Tasks that run at the same time, up to 4,096, as Spark itself divides numbers among them."""
        from pyspark.sql.functions import spark_partition_id

        rows = self._session.range(1 << 12).select(spark_partition_id().alias("task"))
        return max(1, len(self.collect(rows, 1)["task"].unique()))

    @cached_property
    def n_sharing(self) -> int:
        """Tasks that share the memory of one worker."""
        return int(self._session.conf.get("spark.executor.cores", None) or self.n_cores)

    @property
    def is_encrypted(self) -> bool:
        """Whether Spark encrypts what it writes to disks."""
        return str(self._session.conf.get(ENCRYPTION, "false")).lower() == "true"

    def numbers(self, n: int) -> Any:
        """Rows with the numbers from 0 on, each in a task of its own."""
        return self._session.range(0, n, 1, max(n, 1))

    def mapped(self, rows: Any, task: RowTask) -> Any:
        """What the task makes of the rows of each partition."""
        with without_pandas_warning():
            return rows.mapInArrow(task, DDL)

    def to_parts(self, rows: Any, n_parts: int) -> Any:
        """Every row in the task that its column ``part`` names."""
        from pyspark.sql.functions import array, col, element_at, lit

        if hasattr(rows, "repartitionById"):  # since Spark 4.1
            return rows.repartitionById(n_parts, col("part"))
        keys = array(*map(lit, self._keys(n_parts)))
        return rows.repartition(n_parts, element_at(keys, col("part") + 1))

    @cached_property
    def _keys(self) -> Any:
        return cache(self._found_keys)

    def _found_keys(self, n_parts: int) -> list[int]:
        """For every part a number that Spark's own hash sends there."""
        from pyspark.sql.functions import expr

        found: dict[int, int] = {}
        n = 32 * n_parts
        while len(found) < n_parts:
            parts = expr(f"pmod(hash(cast(id as int)), {n_parts})").alias("part")
            asked = self.collect(self._session.range(n).select("id", parts), 1)
            keys: list[Any] = asked["id"].to_pylist()
            parts_of_keys: list[Any] = asked["part"].to_pylist()
            found = dict(zip(parts_of_keys, keys, strict=True))
            n *= 2
        return [found[part] for part in range(n_parts)]

    def table(self, name: str) -> Any:
        """A table of the catalogs of the session, as a dataframe."""
        with _plain_errors():
            if not self._session.catalog.tableExists(name):
                raise EngineError.no_catalog_table(name)
            return self._session.table(name)

    def write_down(self, dataframe: Any, path: Path) -> None:
        """As a folder of Parquet, in an order that only the records determine: that of their hashes. Equal records are
        interchangeable."""
        from pyspark.sql.functions import xxhash64

        columns = [dataframe[f"`{name}`"] for name in dataframe.columns]
        with (
            progress.stage("writing down the dataframe", STEPS) as at,
            self._running(),
            reported(self._session, STEPS, at),
        ):
            dataframe.orderBy(xxhash64(*columns), *columns).write.parquet(str(path))

    def stored(self, rows: Any) -> Any:
        """The rows, written to the disks of the workers when they are first read."""
        from pyspark import StorageLevel

        return rows.persist(StorageLevel.DISK_ONLY)

    def forget(self, rows: Any) -> None:
        with self._running():
            rows.unpersist()

    def collect(self, rows: Any, n_tasks: int) -> pa.Table:
        with progress.stage(STAGE, n_tasks) as at, self._running(), reported(self._session, n_tasks, at):
            found: pa.Table = rows.toArrow()
            at(n_tasks)
        return found

    def batches(self, rows: Any) -> Iterator[pa.RecordBatch]:
        """One row after the other."""
        with self._running():
            for row in rows.toLocalIterator(prefetchPartitions=True):
                yield pa.RecordBatch.from_pylist([row.asDict()], schema=SCHEMA)

    @contextmanager
    def _running(self) -> Iterator[None]:
        with _plain_errors():
            self._session.addTag(self._tag)
            try:
                yield
            except KeyboardInterrupt:
                self._session.interruptTag(self._tag)
                raise
            finally:
                self._session.removeTag(self._tag)


@contextmanager
def _plain_errors() -> Iterator[None]:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        words = str(error)
        cause = next((cause for known, cause in CAUSES.items() if known in words), None)
        raise EngineError.spark_failed(type(error).__name__, cause) from None
