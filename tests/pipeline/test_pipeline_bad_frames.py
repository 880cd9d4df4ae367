"""Bad tables in memory: a clear complaint about the column, and whatever is only unusual is released."""

import pandas as pd
import pyarrow as pa
import pytest

import shoal
from shoal.errors import PolicyError, SourceError, TableError
from survey_example import in_order, survey, survey_policy

pytestmark = pytest.mark.linkage

K = {"method": {"k": 3}}


def without_household():
    policy = survey_policy()
    del policy["columns"]["household"]
    for rule in policy["columns"].values():
        rule.pop("order", None)
    return policy


def test_a_schema_with_a_column_in_two_roles():
    with pytest.raises(PolicyError, match=r"columns\.age occurs twice, as identifier and as quasi_identifier"):
        shoal.Schema([shoal.Column("age", "identifier"), shoal.Column("age", "quasi_identifier")])


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"age": [1.0, float("inf"), -float("inf")]}, r"columns\.age has infinite values"),
        ({"age": [1e200, 1.0, 2.0]}, r"columns\.age has numbers beyond 1e\+140"),
        ({"age": [2**53 + 1, 1, 2]}, r"columns\.age: 1 integers are beyond 2\^53"),
        ({"age": [[1], [2], [3]]}, r"columns\.age: its cells are not single values"),
        ({"age": [True, False, True]}, r"columns\.age: declared numeric or date, but the table holds bool"),
        ({"age": [None, None, None]}, r"columns\.age: every value is missing"),
        ({"born": [1980, 1981, 1982]}, r"columns\.born: declared date, but the table holds int64"),
    ],
    ids=lambda value: None,
)
def test_values_that_do_not_fit_their_kind(columns, words):
    kinds = {"age": "numeric", "born": "date"}
    rules = {name: {"role": "quasi_identifier", "kind": kinds[name]} for name in columns}
    with pytest.raises(TableError, match=words):
        shoal.protect(columns, {"columns": rules, "method": {"k": 2}})


def test_integers_beyond_exactness_are_codes_elsewhere():
    rules = {"age": {"role": "quasi_identifier"}, "code": {"role": "sensitive", "kind": "numeric"}}
    values = [2**60 + 1, 2**60 + 1, 2**60 + 3, 2**60 + 3]
    release = shoal.protect({"age": values, "code": values}, in_order({"columns": rules, "method": {"k": 2}}))
    assert release.table == {"age": values, "code": values}


def test_dataframes_with_two_columns_of_a_name():
    frame = pd.DataFrame([[1, 2], [3, 4]], columns=["age", "age"])
    with pytest.raises(SourceError, match="several columns have the same name: columns 1, 2"):
        shoal.protect(frame, {"columns": {"age": {"role": "quasi_identifier"}}, "method": {"k": 2}})
    with pytest.raises(SourceError, match="is not a table"):
        shoal.protect(object(), survey_policy())


def test_all_that_a_dataframe_cannot_be(tmp_path):
    with pytest.raises(SourceError, match="all columns must have the same number of records"):
        shoal.protect({"a": [1, 2], "b": [1]}, {"columns": {"a": {"role": "other"}, "b": {"role": "other"}}} | K)
    with pytest.raises(TableError, match="k = 3 needs at least 3 records, but the table has 2"):
        shoal.protect(survey(2).drop_columns(["household"]), without_household())
    empty = pa.table({"a": pa.array([], pa.int64())})
    with pytest.raises((TableError, SourceError), match="the table has no records, so there is nothing to protect"):
        shoal.protect(empty, {"columns": {"a": {"role": "quasi_identifier", "kind": "numeric"}}} | K)
