"""Any dataframe in, the same kind out."""

from __future__ import annotations

import datetime as dt

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from shoal.errors import SourceError
from shoal.sources import ReadOptions, read, to_native

NAN = float("nan")


def there_and_back(source: object) -> object:
    loaded = read(source)
    return to_native(loaded.table, loaded.origin)


def test_pandas_keeps_its_types() -> None:
    frame = pd.DataFrame(
        {
            "id": [1, 2, 3],
            "n": pd.array([1, None, 2**60 + 1], dtype="Int64"),
            "small": pd.array([1, None, 3], dtype="UInt8"),
            "x": [1.5, NAN, 2.0],
            "s": ["a", None, "ü"],
            "ok": pd.array([True, None, False], dtype="boolean"),
            "c": pd.Categorical(["lo", None, "hi"], categories=["lo", "mid", "hi"], ordered=True),
            "t": pd.to_datetime(["2020-01-01", None, "2020-01-02"]),
            "arrow": pd.array(["x", None, "z"], dtype=pd.ArrowDtype(pa.string())),
        }
    )
    table = read(frame).table
    assert table["n"].to_pylist() == [1, None, 2**60 + 1]
    assert table["x"].to_pylist() == [1.5, None, 2.0]
    assert table["c"].type == pa.dictionary(pa.int32(), pa.string(), ordered=True)
    assert table["s"].type == pa.string()
    pd.testing.assert_frame_equal(there_and_back(frame), frame)


def test_an_index_of_pandas_is_left_out_and_said() -> None:
    frame = pd.DataFrame({"a": [1, 2]}, index=["ann", "bob"])
    loaded = read(frame)
    assert loaded.table.column_names == ["a"]
    assert loaded.origin.dropped == ("the index of a pandas frame",)
    assert loaded.origin.notes == ("the index of a pandas frame was left out",)
    assert read(pd.DataFrame({"a": [1, 2]})).origin.notes == ()
    assert read(pd.DataFrame({"a": [1, 2]})).origin.dropped == ()
    assert read(frame.reset_index(drop=True)[::2]).origin.dropped == loaded.origin.dropped


def test_an_index_that_pandas_gave_to_others_is_left_out_too() -> None:
    table = pa.Table.from_pandas(pd.DataFrame({"a": [1, 2]}, index=["ann", "bob"]))
    for source in (table, pl.from_arrow(table)):
        loaded = read(source)
        assert loaded.table.column_names == ["a"]
        assert loaded.origin.dropped == ("the index of a pandas frame",)


def test_names_of_pandas_that_are_not_text_come_back() -> None:
    frame = pd.DataFrame([[1, 2.5]], columns=[2019, "x"])
    assert read(frame).table.column_names == ["2019", "x"]
    assert list(there_and_back(frame).columns) == [2019, "x"]


def test_an_integer_column_with_new_gaps_stays_integer_in_pandas() -> None:
    loaded = read(pd.DataFrame({"a": [1, 2]}))
    back = to_native(pa.table({"a": pa.array([1, None]), "new": ["x", "y"]}), loaded.origin)
    assert str(back["a"].dtype) == "Int64"
    assert list(back.columns) == ["a", "new"]


def test_polars_keeps_its_types() -> None:
    frame = pl.DataFrame(
        {"n": [1, None], "s": ["a", None], "x": [1.5, NAN], "e": ["y", "x"], "c": ["p", "q"]},
        schema_overrides={"e": pl.Enum(["y", "x", "unused"]), "c": pl.Categorical, "n": pl.Int16},
    )
    table = read(frame).table
    assert table["s"].type == pa.string()
    assert table["x"].null_count == 1
    assert table["e"].type.ordered
    back = there_and_back(frame)
    # An Enum would name categories that no record has any more.
    expected = frame.with_columns(pl.col("x").fill_nan(None), pl.col("e").cast(pl.Categorical))
    assert back.schema == expected.schema
    assert back.cast({"e": pl.String}).equals(expected.cast({"e": pl.String}))


def test_lazy_for_lazy() -> None:
    frame = pl.LazyFrame({"a": [1, 2], "b": ["x", "y"]})
    back = there_and_back(frame)
    assert isinstance(back, pl.LazyFrame)
    assert back.collect().equals(frame.collect())
    assert read(frame, columns=["b"]).table.column_names == ["b"]


def test_arrow_for_arrow() -> None:
    table = pa.table({"a": pa.array(["x", None], pa.large_string()), "b": pa.array(["u", "v"]).dictionary_encode()})
    assert there_and_back(table).equals(table)
    batch = table.to_batches()[0]
    assert there_and_back(batch).num_rows == 2


def test_duckdb_for_duckdb() -> None:
    relation = duckdb.sql("select 1 as a, 'x' as b")
    back = there_and_back(relation)
    assert isinstance(back, duckdb.DuckDBPyRelation)
    assert back.fetchall() == [(1, "x")]


def test_a_dict_for_a_dict() -> None:
    source = {"a": [1, None], "x": np.array([1.5, NAN]), "s": ["u", "v"]}
    assert there_and_back(source) == {"a": [1, None], "x": [1.5, None], "s": ["u", "v"]}


def test_narwhals_and_capsules() -> None:
    assert isinstance(there_and_back(nw.from_native(pl.DataFrame({"a": [1]}))), pl.DataFrame)

    class Capsule:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return pa.table({"a": [1]}).__arrow_c_stream__(requested_schema)

    assert there_and_back(Capsule()).to_pydict() == {"a": [1]}


def test_declared_kinds_apply_to_text_only() -> None:
    table = read({"a": ["1", None], "b": [1, 2]}, kinds={"a": "numeric", "b": "text"}).table
    assert table.schema.types == [pa.int64(), pa.int64()]
    with pytest.raises(SourceError, match=r"'a': declared numeric, but 1 cell does not hold a number \(record 2\)"):
        read({"a": ["1", "Zyxwvut"]}, kinds={"a": "numeric"})


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(SourceError, match=r"builtins\.int is not a table"):
        read(5)
    for column in (
        pd.Series([1]),
        pl.Series([1]),
        pa.array([1]),
        pa.chunked_array([[1]]),
        np.zeros((2, 2)),
        [{"a": 1}],
    ):
        with pytest.raises(SourceError, match=r"is not a table\. Pass a path, a dataframe"):
            read(column)
    for column in (5, None, "Zyxwvut"):
        with pytest.raises(SourceError, match="column 'a': this is not a column"):
            read({"a": column})
    with pytest.raises(SourceError, match="column 'a'"):
        read({"a": [2**70]})
    with pytest.raises(SourceError, match="same name: columns 1, 2"):
        read(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(SourceError, match="same name: columns 1, 2"):
        read(pa.table([[1], [2]], names=["a", "a"]))
    with pytest.raises(SourceError, match="same name: columns 1, 2"):
        read(pd.DataFrame([[1, 2]], columns=[1, "1"]))
    with pytest.raises(SourceError, match="column 'o'") as caught:
        read(pd.DataFrame({"o": [1, "Zyxwvut"]}))
    assert "Zyxwvut" not in str(caught.value)
    with pytest.raises(SourceError, match="a 1, b 2"):
        read({"a": [1], "b": [1, 2]})
    with pytest.raises(SourceError, match="Did you mean 'age'"):
        read({"age": [1]}, columns=["agee"])


def test_null_categories_and_many_dictionaries_are_one() -> None:
    chunks = [pa.array(["a", "b"]).dictionary_encode(), pa.array(["c", "a"]).dictionary_encode()]
    column = read(pa.table({"c": pa.chunked_array(chunks)})).table["c"]
    assert [chunk.dictionary.to_pylist() for chunk in column.chunks] == [["a", "b", "c"]] * 2
    odd = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a", None]))
    assert read(pa.table({"c": odd})).table["c"].null_count == 1


HALF = "\ud83d"


@pytest.mark.parametrize(
    "source",
    [
        {"note": ["x", f"Zyxwvut{HALF}"]},
        pd.DataFrame({"note": ["x", f"Zyxwvut{HALF}"]}, dtype=object),
        pd.DataFrame({"note": pd.Categorical(pd.Series(["x", f"Zyxwvut{HALF}"], dtype=object))}),
        pa.table({"note": pa.array([b"Zyxwvut\xff"]).view(pa.string())}),
    ],
    ids=["dict", "pandas", "categories", "arrow"],
)
def test_halves_of_characters_are_refused(source: object) -> None:
    with pytest.raises(SourceError, match="column 'note': some of its texts are not valid Unicode") as caught:
        read(source)
    assert "Zyxwvut" not in str(caught.value)
    assert HALF not in str(caught.value)
    assert caught.value.__suppress_context__


def test_halves_of_characters_in_a_name() -> None:
    with pytest.raises(SourceError, match="the names of columns 2 are not valid Unicode"):
        read({"a": [1], HALF: [2]})


def test_dates_of_a_dataframe_are_read_as_declared() -> None:
    options = ReadOptions(date_format="%d.%m.%Y")
    table = read({"d": ["31.12.2020"]}, options, kinds={"d": "date"}).table
    assert table["d"].to_pylist() == [dt.date(2020, 12, 31)]
