"""Counts asked of blocks: exact where blocks lie inside, even shares where they overlap."""

import pyarrow as pa
import pytest

import shoal
from shoal.assessment.utility.queries import ADULT_QUERIES, CountQuery, answers
from shoal.encode.combination_counts import count_combinations
from shoal.errors import PolicyError

SCHEMA = shoal.Schema(
    [
        shoal.Column("age", role="quasi_identifier", kind="numeric"),
        shoal.Column("town", role="quasi_identifier", kind="nominal"),
    ]
)
TABLE = pa.table({"age": [20, 21, 22, 29, 30, 31, 32, 39], "town": list("uuvvuuvv")})
COUNTS = count_combinations(TABLE, TABLE.column_names)


def asked(tree, ranges=None, values=None):
    (answer,) = answers(tree, COUNTS, [CountQuery(ranges or {}, values or {})])
    return answer


def test_blocks_inside_count_in_full_and_others_by_their_share():
    tree = shoal.mondrian(TABLE, SCHEMA, [shoal.KAnonymity(4)], cuts={"age": [30]})  # below 30 | from 30 on
    assert (asked(tree, {"age": (20, 30)}).true, asked(tree, {"age": (20, 30)}).estimate) == (4, 4)
    half = asked(tree, {"age": (20, 25)})
    assert (half.true, half.estimate) == (3, pytest.approx(4 * 5 / 10))
    assert half.error == pytest.approx(100 / 3)
    both = asked(tree, {"age": (25, 40)}, {"town": frozenset("u")})
    assert (both.true, both.estimate) == (2, pytest.approx((4 * 5 / 10 + 4) / 2))
    assert asked(tree, {"age": (100, 200)}).estimate == 0
    with pytest.raises(PolicyError, match="the query: the table has no column 'sex'"):
        asked(tree, {}, {"sex": frozenset("f")})


def test_a_dataframe_is_asked_as_its_counts_are(tmp_path):
    import pandas as pd

    tree = shoal.mondrian(TABLE, SCHEMA, [shoal.KAnonymity(4)], cuts={"age": [30]})
    queries = [shoal.CountQuery({"age": (20, 25)}, {"town": frozenset("u")}), shoal.CountQuery({"age": (22, 40)})]
    frame = pd.DataFrame(TABLE.to_pydict())
    frame.to_csv(tmp_path / "table.csv", index=False)
    for table in (TABLE, frame, tmp_path / "table.csv"):
        assert shoal.count_queries(table, tree, queries) == answers(tree, COUNTS, queries)
    with pytest.raises(PolicyError, match="the cut tree: the table has no column 'town'"):
        shoal.count_queries(TABLE.drop_columns("town"), tree, queries)


def test_the_six_queries_of_the_paper(reference_data):
    from shoal import datasets

    table = datasets.adult()
    names = ["age", "marital-status", "race"]
    schema = shoal.Schema(
        shoal.Column(name, role="quasi_identifier", kind="numeric" if name == "age" else "nominal") for name in names
    )
    counts = count_combinations(table, names)
    rough, fine = (
        answers(shoal.mondrian(table, schema, [shoal.KAnonymity(k)], mode="greedy"), counts, ADULT_QUERIES)
        for k in (15_000, 5)
    )
    assert [answer.true for answer in fine] == [answer.true for answer in rough]
    assert all(0 < answer.true < len(table) for answer in fine)
    assert max(answer.error for answer in fine) < 3 < 40 < min(answer.error for answer in rough)
