"""Columns of any type that Arrow knows: a release, or a plain complaint; never a crash."""

import contextlib
import datetime as dt
import itertools
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from file_examples import ONE_OF_EACH_FORMAT
from shoal.errors import ShoalError, SourceError, TableError
from shoal.pipeline.assess import assess
from shoal.pipeline.link import link
from shoal.pipeline.protect.protect import protect
from shoal.schema.suggest import suggest
from shoal.sources import read, write_table
from survey_example import shell, write_policy

N = 24


def turns(*values):
    return [values[i % len(values)] for i in range(N)]


COLUMNS = {
    "categories": pa.array(turns("a", "b", "c")).dictionary_encode(),
    "ordered categories": pa.DictionaryArray.from_arrays(
        pa.array(turns(0, 1, None), pa.int8()), pa.array(["lo", "mid", "hi"]), ordered=True
    ),
    "float16": pa.array(np.array(turns(1.5, 2.5, 3.0), dtype=np.float16)),
    "list": pa.array(turns([1, 2], [3])),
    "struct": pa.array(turns({"x": 1}, {"x": 2})),
    "map": pa.array(turns([("a", 1)], [("b", 2)]), pa.map_(pa.string(), pa.int64())),
    "binary": pa.array(turns(b"a", b"\xff")),
    "large_string": pa.array(turns("a", "b"), pa.large_string()),
    "decimal": pa.array(turns(Decimal("1.50"), Decimal("2.25"))),
    "decimal256": pa.array(turns(Decimal("1.50"), Decimal("2.25")), pa.decimal256(50, 2)),
    "time": pa.array(turns(dt.time(1, 2), dt.time(3, 4))),
    "duration": pa.array(turns(dt.timedelta(1), dt.timedelta(2))),
    "null": pa.nulls(N),
    "unknown zone": pa.array(turns(10**15, 10**15 + 1), pa.timestamp("us", "Mars/Phobos")),
    "far dates": pa.array(turns(4_000_000, 5), pa.int32()).cast(pa.date32()),
    "far times": pa.array(turns(86_400 * 2**32, 5), pa.timestamp("s")),
    "far in its zone": pa.array(turns(253_402_286_400, 5), pa.timestamp("s", "Pacific/Kiritimati")),
    "early times": pa.array(turns(-70_000_000_000_000_000, 5), pa.timestamp("us")),
    "uuid": pa.array(turns(b"a" * 16, b"b" * 16), pa.uuid()),
}
DAY = 86_400_000  # milliseconds
NOT_IN_PARQUET = {
    "spans of months, days and nanoseconds": pa.array([(0, i, 0) for i in range(N)], pa.month_day_nano_interval()),
    "views of bytes": pa.array(turns(b"a", b"\xff"), pa.binary_view()),
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([9, N], pa.int32()), pa.array(["a", "b"])),
    "categories of float16": pa.DictionaryArray.from_arrays(
        pa.array(turns(0, 1), pa.int8()), pa.array(np.array([0.5, 1.5], dtype=np.float16))
    ),
    "days in milliseconds": pa.array(turns(DAY, 3 * DAY), pa.date64()),
    "parts of days": pa.array(turns(DAY + 5, 2 * DAY), pa.int64()).view(pa.date64()),
    "days beyond 32 bits": pa.array(turns(DAY * 2**32, DAY), pa.date64()),
}
if hasattr(pa, "decimal32"):
    NOT_IN_PARQUET["decimal32"] = pa.array(turns(Decimal("1.50"), Decimal("2.25")), pa.decimal32(5, 2))
ROLES = ("quasi_identifier", "sensitive", "other", "weight", "household", "identifier")
ALL = COLUMNS | NOT_IN_PARQUET


def table_of(column):
    return pa.table({"age": [20 + i % 9 for i in range(N)], "x": column})


def put(folder, column):
    path = folder / "t.parquet"
    pq.write_table(table_of(column), path)
    return path


def put_as_arrow(folder, column):
    path = folder / "t.arrow"
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table_of(column).schema) as writer:
        writer.write_table(table_of(column))
    return path


OFTEN = ("categories", "ordered categories", "float16", "list", "decimal", "duration", "null", "far dates", "runs")
TYPES = [pytest.param(name, marks=[pytest.mark.long] * (name not in OFTEN)) for name in ALL]


@pytest.mark.gate(but=("list", "ordered categories"))
@pytest.mark.parametrize("name", TYPES)
def test_every_type_is_released_or_refused_in_words(tmp_path, name):
    data = (put if name in COLUMNS else put_as_arrow)(tmp_path, ALL[name])
    said = [shell("init", data, "-o", tmp_path / "new.toml"), shell("link", data, data), shell("assess", data, data)]
    for role in ("quasi_identifier", "sensitive", "other"):
        rules = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "x": {"role": role}}
        policy = write_policy(
            {"requirements": [{"name": "k_anonymity", "k": 2}], "columns": rules}, tmp_path / "p.toml"
        )
        said.append(shell("protect", data, "-p", policy, "-o", tmp_path / f"{role}.csv"))
    for each in said:
        assert "this should not happen" not in each.err
        assert each.code == 0 or each.err.startswith("error: "), each.err


PLAIN = {"views of bytes": pa.binary(), "runs": pa.string(), "decimal32": pa.decimal128(5, 2), "float16": pa.float64()}


@pytest.mark.parametrize("name", [each for each in PLAIN if each in ALL])
def test_values_are_read_in_the_plain_type_of_their_kind(name):
    column = read(table_of(ALL[name])).table["x"]
    assert (column.type, column.to_pylist()) == (PLAIN[name], ALL[name].to_pylist())


def test_categories_count_as_what_they_stand_for(tmp_path):
    found = suggest(read(put(tmp_path, COLUMNS["categories"])).table)[1]
    assert (found.role, found.kind, found.reason.partition("; ")[2]) == (
        "quasi_identifier", "nominal", "3 different values",
    )  # fmt: skip
    assert suggest(read(put(tmp_path, COLUMNS["ordered categories"])).table)[1].kind == "ordinal"


def test_cells_that_are_no_single_values_are_proposed_to_be_dropped():
    for name in ("list", "spans of months, days and nanoseconds"):
        found = suggest(read(table_of(ALL[name])).table)[1]
        assert (found.role, "not single values" in found.reason) == ("identifier", True)


@pytest.mark.gate(but="runs")
@pytest.mark.parametrize("name", TYPES)
def test_what_python_raises_of_any_type_is_of_this_project(name):
    diverse = [
        {"name": "distinct_l_diversity", "column": "x", "l": 2},
        {"name": "t_closeness", "column": "x", "t": 0.9},
    ]
    for role, kind in itertools.product(ROLES, ("numeric", "date", "ordinal", "nominal")):
        rules = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "x": {"role": role, "kind": kind}}
        wanted = [{"name": "k_anonymity", "k": 2}, *(diverse if role == "sensitive" else [])]
        with contextlib.suppress(ShoalError):
            protect(table_of(ALL[name]), {"columns": rules, "requirements": wanted})


@pytest.mark.gate(but=("list", "categories", "ordered categories", "spans of months, days and nanoseconds"))
@pytest.mark.parametrize("name", ALL)
def test_every_type_is_written_or_refused_in_words(tmp_path, name):
    for suffix in ONE_OF_EACH_FORMAT:
        with contextlib.suppress(SourceError):
            write_table(read(table_of(ALL[name])).table, tmp_path / f"t{suffix}")
            assert len(read(tmp_path / f"t{suffix}").table) == N


@pytest.mark.parametrize("name", ALL)
def test_every_type_is_an_id_or_refused_in_words(name):
    column = table_of(ALL[name])
    with contextlib.suppress(ShoalError):
        link(column, column, id="x")


@pytest.mark.parametrize(
    "values",
    [
        pa.array(turns(1, 2, 3)),
        pa.array(turns(0.5, 1.5, 2.0)),
        *(ALL[name] for name in ("decimal", "categories")),
    ],
    ids=lambda values: str(values.type),
)
def test_a_release_in_text_is_held_against_an_original_with_types(tmp_path, values):
    """What was released as it is has changed nowhere, whatever the type of the original."""
    table = table_of(values)
    rules = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "x": {"role": "quasi_identifier"}}
    policy = {"columns": rules, "requirements": [{"name": "k_anonymity", "k": 2}]}
    write_table(read(put(tmp_path, values)).table, tmp_path / "same.csv")
    found = assess(table, tmp_path / "same.csv", policy, truth="position")
    assert found.findings["information loss of x"].estimate == 0


def test_dates_outside_of_the_calendar_are_counted(tmp_path):
    rules = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "x": {"role": "quasi_identifier", "kind": "date"}}
    for name in ("far dates", "far times", "far in its zone", "early times"):
        with pytest.raises(TableError, match=r"columns\.x: 12 dates are before the year 1 or after 9999"):
            protect(put(tmp_path, COLUMNS[name]), {"columns": rules, "method": {"k": 2}})


@pytest.mark.parametrize("name", ["parts of days", "days beyond 32 bits"])
def test_days_that_are_none_are_refused_without_a_cell(tmp_path, name):
    for source in (table_of(ALL[name]), put_as_arrow(tmp_path, ALL[name])):
        with pytest.raises(SourceError, match="column 'x': some of its dates are not whole days") as said:
            read(source)
        assert not any(str(cell) in str(said.value) for cell in ALL[name].view(pa.int64()).to_pylist())


def test_spans_of_months_and_days_are_kept_and_told_apart():
    spans = ALL["spans of months, days and nanoseconds"]
    table = table_of(spans).add_column(1, "y", pa.array(range(N)))
    rules = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "y": {"role": "other"}, "x": {"role": "other"}}
    release = protect(table, {"columns": rules, "method": {"k": 2}})
    assert sorted(release.records["x"].to_pylist()) == sorted(spans.to_pylist())
    assert release.assessment.findings["unique on untouched columns"].meaning.endswith(": y, x.")
    with pytest.raises(TableError, match=r"columns\.x: its cells are not single values"):
        protect(table, {"columns": {**rules, "x": {"role": "sensitive"}}, "method": {"k": 2}})


def test_a_zone_that_nobody_knows_is_named(tmp_path):
    with pytest.raises(SourceError, match="its time zone 'Mars/Phobos' is unknown on this machine"):
        read(put(tmp_path, COLUMNS["unknown zone"]))


def test_times_that_no_calendar_has_are_not_written_as_something_else(tmp_path):
    far = pa.table({"seen": COLUMNS["far times"]})
    with pytest.raises(
        SourceError, match="column 'seen' cannot be written as CSV: it contains dates outside the range of the calendar"
    ):
        write_table(far, tmp_path / "far.csv")
