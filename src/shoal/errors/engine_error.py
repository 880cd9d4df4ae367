"""Errors of the engines: memory, disk space, DuckDB and Spark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from shoal.errors.base import ShoalError, install, listed

IN_PIECES = (
    "'shoal protect' and 'shoal verify' process a CSV or Parquet file in pieces where --memory (in Python memory=) is "
    "less than it needs."
)
SMALLER = (
    "Limit the memory of DuckDB (--memory); to protect a table, set smaller blocks ([blocking] limit in the policy)."
)
FEWER = (
    "Limit the memory of all workers together (--memory); to protect a table, set smaller blocks ([blocking] limit)."
)
SPARK_ADVICE = {
    "no module": (
        "Its workers lack Shoal or a library of it: install its wheel, in the same version, where they run "
        "(docs/spark.md says how)."
    ),
    "memory": (
        "It had no memory left: allow more for Python on the workers (spark.executor.memoryOverhead) or for the driver "
        "(spark.driver.memory), or set smaller blocks ([blocking] limit in the policy)."
    ),
    "worker": (
        "A worker ended before its work was done; it may have been stopped, or its machine had no memory left. Allow "
        "more memory for Python on the workers (spark.executor.memoryOverhead)."
    ),
    None: "Its log says more. Check that Java 17 is installed and that workers run; else report this error.",
}


class EngineError(ShoalError):
    """The engine cannot process the records: too little memory, no disk space, or wrong options."""

    @classmethod
    def bad_memory(cls, given: object) -> Self:
        return cls(f"memory: {given!r} is not an amount of memory. Write it as '2GB', '500MB' or a number of bytes.")

    @classmethod
    def memory_too_small(cls, given: int, least: int) -> Self:
        return cls(f"memory: {_size(given)} is too little. Allow at least {_size(least)}.")

    @classmethod
    def out_of_memory(cls, memory: int) -> Self:
        return cls(
            f"{_size(memory)} of memory is too little for this table. Nothing was released. Allow more (--memory)."
        )

    @classmethod
    def none_left(cls, engine: str | None = None) -> Self:
        """The system has no memory left. ``engine``: the engine in use, if there is advice on how to need less."""
        less = {"memory": f" {IN_PIECES}", "duckdb": f" {SMALLER}", "processes": f" {FEWER}"}
        less["spark"] = f" {SPARK_ADVICE['memory']}"
        return cls(
            "this machine has no memory left. Nothing was released. Free some memory, or raise the limit that is set "
            f"on it (ulimit -v).{less[engine] if engine else ''}"
        )

    @classmethod
    def no_room_to_start(cls, limit: int, least: int) -> Self:
        return cls(f"to start, Shoal needs {_addresses(limit, least)}. Nothing was written. Raise the limit.")

    @classmethod
    def no_room_for_duckdb(cls, limit: int, least: int) -> Self:
        return cls(
            f"DuckDB needs {_addresses(limit, least)}. Nothing was written. Raise the limit; a table that fits into "
            "memory is protected without DuckDB ('shoal protect' with --engine memory)."
        )

    @classmethod
    def no_room_for_charts(cls, limit: int, least: int) -> Self:
        return cls(
            f"the program that draws charts needs {_addresses(limit, least)}. Nothing was written. Raise the limit, or "
            "leave out --report where it was given."
        )

    @classmethod
    def no_charts(cls) -> Self:
        return cls(
            f"charts of HTML pages need altair and vl-convert. {install('report')}. Or write the page as Markdown "
            "(.md), which has tables instead."
        )

    @classmethod
    def no_room(cls, folder: Path) -> Self:
        return cls(
            f"{folder}: there is no room for temporary files. Nothing was released. Free some space, or write the "
            "release to another disk. 'shoal protect --dry-run' says how much is needed."
        )

    @classmethod
    def large_block(cls, n_records: int, memory: int, engine: str | None = None) -> Self:
        workers = " and on the workers (spark.executor.memoryOverhead)" if engine == "spark" else ""
        return cls(
            f"a block of {n_records:,} records or more does not fit into {_size(memory)} of memory. Nothing was "
            f"released. Set smaller blocks ([blocking] limit in the policy), or allow more memory (--memory){workers}."
        )

    @classmethod
    def undivided(cls, steps: Sequence[str], n_bytes: int, memory: int, whole: int) -> Self:
        """``steps``: of the policy; ``whole``: bytes that the memory engine takes for the whole table."""
        need = "needs" if len(steps) == 1 else "need"
        return cls(
            f"{listed(steps)} {need} all records at once, and about {_size(n_bytes)} of them do not fit into "
            f"{_size(memory)} of memory. Nothing was read. Use engine = 'memory' where there are about {_size(whole)} "
            "of it, or leave such steps out (docs/engines.md lists them)."
        )

    @classmethod
    def many_records(cls, steps: Sequence[str], n_records: int, memory: int) -> Self:
        need = "needs" if len(steps) == 1 else "need"
        return cls(
            f"{listed(steps)} {need} a number for each of {n_records:,} records, and {_size(memory)} of memory cannot "
            "hold these. Nothing was read. Allow more memory (--memory), or leave such steps out (docs/engines.md "
            "lists them)."
        )

    @classmethod
    def many_values(cls, columns: Sequence[str], memory: int) -> Self:
        return cls(
            f"{listed(columns)}: there are more different values than {_size(memory)} of memory can hold. Nothing was "
            "released. Allow more memory (--memory), or give the column a role or kind that needs no list of values."
        )

    @classmethod
    def unbounded(cls) -> Self:
        return cls("engine = 'memory' takes what the table needs. Set memory only with engine = 'auto' or 'duckdb'.")

    @classmethod
    def no_output(cls, engine: str) -> Self:
        return cls(f"engine = '{engine}' writes the release to a file and never holds it in memory. Set output.")

    @classmethod
    def no_worker_started(cls, program: str | None) -> Self:
        """Before any record was read. ``program``: the file whose code the workers import; None in a notebook."""
        if program is None:
            return cls(
                "no worker process could be started: this machine has no memory left, or allows no more processes. "
                "Nothing was released. Use engine = 'memory' or engine = 'duckdb', which start none."
            )
        if Path(program).is_file():
            found, remedy = f"{program}: ", "Put what starts them below these lines"
        else:
            found, remedy = "a program that is read from standard input: ", "Save it in a file, with these lines"
        return cls(
            f"{found}the worker processes of engine = 'processes' could not be started, because each of them first "
            "runs this program, and so comes to the call that starts them. Nothing was released. "
            f"{remedy}, or use engine = 'duckdb', which starts none:\n"
            "  import shoal\n"
            "\n"
            '  if __name__ == "__main__":\n'
            "      shoal.protect(...)"
        )

    @classmethod
    def worker_died(cls) -> Self:
        return cls(
            "a worker process ended before its work was done; it may have been stopped, or the system had no memory "
            "left. Nothing was released. Allow less memory (--memory), so that fewer records are worked on at a time."
        )

    @classmethod
    def worker_failed(cls, kind: str) -> Self:
        """The message of the error is omitted: it may show a cell value."""
        return cls(
            f"a worker process stopped with {kind}. Nothing was released. Try engine = 'memory', or report this."
        )

    @classmethod
    def no_spark(cls) -> Self:
        return cls(f"engine = 'spark' needs Java 17 and the library pyspark. {install('spark')}")

    @classmethod
    def master_without_spark(cls, engine: str) -> Self:
        return cls(f"master is that of Spark, and engine = '{engine}'. Set engine = 'spark', or leave out master.")

    @classmethod
    def table_of_spark(cls, engine: str) -> Self:
        return cls(
            f"engine = '{engine}' cannot read a dataframe of Spark or a table of its catalog. Set engine = 'spark', or "
            "leave it out."
        )

    @classmethod
    def no_catalog_table(cls, name: str) -> Self:
        return cls(
            f"table:{name}: the catalogs of this Spark session have no such table. Name it as in SQL "
            "(catalog.schema.table). A session that Shoal starts has the catalogs of spark-defaults.conf; --master "
            "sc://HOST:PORT has those of a server. A file of this name is given by its full path."
        )

    @classmethod
    def no_forecast(cls) -> Self:
        return cls("a forecast reads a file; there is none of a dataframe of Spark or a table of its catalog.")

    @classmethod
    def session_runs(cls, master: str) -> Self:
        return cls(f"master = '{master}': a Spark session runs already and would be used instead. Leave out master.")

    @classmethod
    def spark_failed(cls, kind: str, cause: str | None) -> Self:
        """The message of Spark is omitted: it may show a cell value. ``cause``: a key of SPARK_ADVICE."""
        return cls(f"Spark stopped with {kind}. Nothing was released. {SPARK_ADVICE[cause]}")

    @classmethod
    def other_version(cls, here: str, there: str) -> Self:
        return cls(
            f"the workers of Spark have Shoal {there}, and this process has {here}. Nothing was released. Install the "
            "same version on both: another one might make another release."
        )

    @classmethod
    def failed(cls, kind: str) -> Self:
        """The message of DuckDB is omitted: it may show a cell value."""
        return cls(f"DuckDB stopped with {kind}. Nothing was released. Try engine = 'memory', or report this error.")


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:.3g} GB" if n_bytes >= 1e9 else f"{n_bytes / 1e6:.3g} MB"


def _addresses(limit: int, least: int) -> str:
    return f"{_size(least)} of address space, and that is limited to {_size(limit)} (ulimit -v)"
