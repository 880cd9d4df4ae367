"""What the tests of the pipeline share: a small table that has everything, its policy, and a shell."""

from __future__ import annotations

import contextlib
import copy
import io
import random
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import tomlkit

from shoal.engines.duckdb import DuckdbEngine
from shoal.engines.lots.process_engine import process_engine
from shoal.engines.lots.spark_engine import spark_engine
from shoal.engines.memory import MemoryEngine
from shoal.engines.memory_budget import LEAST_BYTES, Budget
from shoal.engines.protocol import Engine
from shoal.sources.piece_sizes import PieceSizes
from spark_session import spark_session

SMALL_PIECES = PieceSizes(
    most_records=64,
    fewest_records=64,
    csv_block=4096,
    summed_bytes=1,
    lot_records=40,
    part_bytes=4096,
    n_sorted=64,
    n_combinations=50,
)
# A task of Spark costs a tenth of a second, whatever it does.
FEW_TASKS = replace(SMALL_PIECES, part_bytes=10_000, most_parts=6)
N_RECORDS = 40
GRADES = ["low", "middle", "high"]


def survey(n: int = N_RECORDS, seed: int = 0) -> pa.Table:
    """Records with every role and kind, gaps among them; codes with leading zeros, integers beyond 2^53."""
    draw = random.Random(seed)

    def gaps(values: list[Any], share: float) -> list[Any]:
        return [None if draw.random() < share else value for value in values]

    return pa.table(
        {
            "person": [f"P{i:04}" for i in range(n)],
            "household": pa.array(gaps([f"H{i // 3:03}" for i in range(n)], 0.05), pa.string()),
            "zip": [draw.choice(["01067", "01069", "04103", "99084"]) for _ in range(n)],
            "age": pa.array(gaps([draw.randint(18, 90) for _ in range(n)], 0.15), pa.int64()),
            "grade": pa.array(gaps([draw.choice(GRADES) for _ in range(n)], 0.15), pa.string()),
            "born": pa.array(gaps([date(1950, 1, 1) + timedelta(draw.randint(0, 20000)) for _ in range(n)], 0.1)),
            "disease": [draw.choice(["flu", "cold", "none"]) for _ in range(n)],
            "code": [2**60 + draw.randint(0, 9) for _ in range(n)],
            "amount": [draw.uniform(0.1, 99) for _ in range(n)],
            "weight": [draw.randint(1, 99999) / 1000 for _ in range(n)],
            "note": [draw.choice(["plain", "with, comma", 'a "quote"', "é ü", "007"]) for _ in range(n)],
        }
    )


def survey_policy(k: int = 3, **more: Any) -> dict[str, Any]:
    """The policy of the survey as a dictionary; a new one at every call. Records stay in order, to be compared."""
    return in_order(
        {
            "requirements": [{"name": "k_anonymity", "k": k}],
            "columns": {
                "person": {"role": "identifier"},
                "household": {"role": "household"},
                "zip": {"role": "quasi_identifier", "kind": "nominal", "taxonomy": {"prefixes": [3, 1]}},
                "age": {"role": "quasi_identifier", "kind": "numeric"},
                "grade": {"role": "quasi_identifier", "kind": "ordinal", "order": GRADES.copy()},
                "born": {"role": "quasi_identifier", "kind": "date"},
                "disease": {"role": "sensitive"},
                "code": {"role": "other", "kind": "numeric"},
                "amount": {"role": "other", "kind": "numeric"},
                "weight": {"role": "weight", "kind": "numeric"},
                "note": {"role": "other"},
            },
        }
        | copy.deepcopy(more)
    )


def in_order(policy: dict[str, Any]) -> dict[str, Any]:
    """The same policy with records in the order of the input, so that they can be compared one by one."""
    return {**policy, "output": {"shuffle": False, **policy.get("output", {})}}


def of_records(policy: dict[str, Any]) -> dict[str, Any]:
    """The same policy where nothing says which records are of one household, so that records are counted."""
    policy["columns"]["household"]["role"] = "other"
    return policy


def write_csv(table: pa.Table, path: Path) -> Path:
    """A CSV by Python's own writer, every value as Python shows it."""
    import csv

    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(table.column_names)
        for record in zip(*table.to_pydict().values(), strict=True):
            writer.writerow(["" if cell is None else cell for cell in record])
    return path


def write_policy(policy: dict[str, Any], path: Path) -> Path:
    path.write_text(tomlkit.dumps(policy), encoding="utf-8")
    return path


def read_cells(path: Path) -> list[dict[str, str]]:
    """The cells of a CSV as written, by Python's own reader."""
    import csv

    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@dataclass(frozen=True)
class Desk:
    """A folder with the survey and its policy."""

    folder: Path

    @property
    def data(self) -> Path:
        return self.folder / "survey.csv"

    @property
    def policy(self) -> Path:
        return self.folder / "policy.toml"

    @property
    def key(self) -> Path:
        return self.folder / "policy.key"

    @property
    def release(self) -> Path:
        return self.folder / "release.csv"

    @property
    def manifest(self) -> Path:
        return self.folder / "release.manifest.json"

    def files(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()}


def desk(folder: Path, table: pa.Table | None = None, policy: dict[str, Any] | None = None) -> Desk:
    made = Desk(folder)
    write_csv(survey() if table is None else table, made.data)
    write_policy(survey_policy() if policy is None else policy, made.policy)
    return made


def as_parquet(table: pa.Table, path: Path) -> Path:
    pq.write_table(table, path)
    return path


@contextlib.contextmanager
def carrier(name: str, folder: Path, budget: Budget | None = None) -> Iterator[Engine[Any]]:
    """The engine of this name; where it takes records in pieces, in small ones. ``folder``: for its own files."""
    if name == "memory":
        yield MemoryEngine()
        return
    if name == "spark":
        spark_session()
    opened = {"duckdb": DuckdbEngine, "processes": process_engine, "spark": spark_engine}[name]
    sizes = FEW_TASKS if name == "spark" else SMALL_PIECES
    with opened(budget or Budget(LEAST_BYTES), folder, sizes) as engine:
        yield engine


@dataclass(frozen=True)
class Said:
    """What a command left: its exit code and its words."""

    code: int
    out: str
    err: str


def shell(*words: object) -> Said:
    """``shoal`` with these words, in this process."""
    from shoal.cli import main

    out, err = io.StringIO(), io.StringIO()
    before, argv = signal.getsignal(signal.SIGTERM), sys.argv
    sys.argv = ["shoal", *map(str, words)]
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    finally:
        sys.argv = argv
        signal.signal(signal.SIGTERM, before)
    return Said(code, out.getvalue(), err.getvalue())
