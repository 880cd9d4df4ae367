"""The gate beside a slow count: of any table, and of proven releases whose cells were changed afterwards."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import shoal
from requirement_examples import REQUIREMENTS as EXAMPLES
from requirement_examples import RequirementExample, on_column
from shoal.pipeline.verify.prove_file import prove_source
from shoal.pipeline.verify.written_release import release_read_options
from shoal.policy import load
from shoal.requirements import Requirement
from survey_example import as_parquet, carrier, of_records, survey, survey_policy, write_csv

COLUMNS: dict[str, dict[str, Any]] = {
    "a": {"role": "quasi_identifier"},
    "b": {"role": "quasi_identifier", "kind": "numeric"},
    "c": {"role": "quasi_identifier", "kind": "ordinal", "order": ["low", "high"]},
    "s": {"role": "sensitive"},
    "t": {"role": "sensitive", "kind": "numeric"},
}
PLAIN = {
    "a": st.sampled_from([None, "x", "y", "01"]),
    "b": st.sampled_from([None, 1, 2, 10]),
    "c": st.sampled_from([None, "low", "high"]),
    "s": st.sampled_from([None, "flu", "cold", "gout"]),
    "t": st.sampled_from([None, 0, 1, 5]),
}
TYPES = {"a": pa.string(), "b": pa.int64(), "c": pa.string(), "s": pa.string(), "t": pa.int64()}


def _drawn(example: RequirementExample, column: st.SearchStrategy[str]) -> list[st.SearchStrategy[dict[str, Any]]]:
    """What is drawn of a requirement whose slow twin has a figure; where it does not say, its loose parameters."""
    if example.figure is None:
        return []
    return (
        example.drawn(column)
        if example.drawn
        else [st.builds(on_column, st.just(each), column) for each in example.loose]
    )


@st.composite
def requirements(draw: st.DrawFn) -> list[dict[str, Any]]:
    column = st.sampled_from(["s", "t"])
    kinds = [kind for example in EXAMPLES.values() for kind in _drawn(example, column)]
    asked = draw(st.lists(st.one_of(kinds), min_size=1, max_size=3))
    for each in asked:
        if draw(st.booleans()):
            each["columns"] = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True))
    return asked


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    records = draw(st.lists(st.tuples(*PLAIN.values()), min_size=1, max_size=40))
    columns = zip(*records, strict=True)
    return pa.table({name: pa.array(cells, TYPES[name]) for name, cells in zip(PLAIN, columns, strict=True)})


def slow_count(records: list[dict[str, Any]], asked: dict[str, Any], keys: list[str]) -> tuple[float, int]:
    """What is reached, and how many records are in classes that fail, one class after the other."""
    classes: dict[tuple[Any, ...], list[dict[str, Any]]] = defaultdict(list)
    for record in records:
        classes[tuple(record[name] for name in asked.get("columns", keys))].append(record)
    column = asked.get("column")
    whole = [record[column] for record in records] if column else []
    figures = {
        key: _reached(asked, [record.get(column) for record in members], whole) for key, members in classes.items()
    }
    failing = sum(len(classes[key]) for key, figure in figures.items() if not _suffices(asked, figure))
    return (min if EXAMPLES[asked["name"]].at_least else max)(figures.values()), failing


def _example(asked: dict[str, Any]) -> tuple[RequirementExample, Requirement]:
    """The example of a requirement, and the requirement of a policy entry as a value."""
    example = EXAMPLES[asked["name"]]
    requirement: Requirement = type(example.of_s)(**asked)
    return example, requirement


def _reached(asked: dict[str, Any], group: list[Any], whole: list[Any]) -> float:
    example, requirement = _example(asked)
    assert example.figure is not None
    return example.figure(requirement, group, whole, {})


def _suffices(asked: dict[str, Any], figure: float) -> bool:
    example, requirement = _example(asked)
    limit = requirement.asked
    return figure >= limit * (1 - 1e-9) if example.at_least else figure <= limit * (1 + 1e-9)


def compared(path: Path, policy: dict[str, Any], records: list[dict[str, Any]], keys: list[str]) -> None:
    """The verdicts of the gate on both engines, beside the slow count."""
    rules = load(policy)
    for name in ("memory", "duckdb"):
        with carrier(name, path.parent) as engine:
            proof = prove_source(path, release_read_options(rules), rules, engine)
        assert not proof.faults
        assert proof.n_records == len(records)
        for asked, verdict in zip(policy["requirements"], proof.verdicts, strict=True):
            reached, failing = slow_count(records, asked, keys)
            assert math.isclose(verdict.reached, reached, rel_tol=1e-9, abs_tol=1e-12), (name, asked)
            assert verdict.n_records_failing == failing, (name, asked)
            assert verdict.holds == (failing == 0), (name, asked)


@given(tables(), requirements(), st.sampled_from(["csv", "parquet"]))
def fuzz(table: pa.Table, asked: list[dict[str, Any]], suffix: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"release.{suffix}"
        (write_csv if suffix == "csv" else as_parquet)(table, path)
        compared(path, {"columns": COLUMNS, "requirements": asked}, table.to_pylist(), ["a", "b", "c"])


@given(st.data())
def fuzz_changed_releases(data: st.DataObject) -> None:
    """Some cells of a proven release become those of other records."""
    keys, cells = ["zip", "age", "grade", "born"], ("zip", "age", "grade", "born", "disease")
    asked = [
        {"name": "k_anonymity", "k": 3},
        {"name": "distinct_l_diversity", "l": 2, "column": "disease"},
        {"name": "t_closeness", "t": 0.5, "column": "disease"},
    ]
    policy = of_records(survey_policy(requirements=asked))
    representation = data.draw(st.sampled_from(["centroids", "extents"]))
    policy["output"] = {"representation": representation}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "release.csv"
        shoal.protect(survey(40, data.draw(st.integers(0, 3))), policy, output=path)
        with path.open(newline="", encoding="utf-8") as file:
            records: list[dict[str, Any]] = list(csv.DictReader(file))
        for _ in range(data.draw(st.integers(0, 3))):
            one, other = (data.draw(st.integers(0, len(records) - 1)) for _ in range(2))
            name = data.draw(st.sampled_from(cells))
            records[one][name] = records[other][name]
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, records[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(records)
        compared(path, policy, [{**record, "disease": record["disease"] or None} for record in records], keys)
