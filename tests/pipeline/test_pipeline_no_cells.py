"""No complaint of a Python function shows a cell of the table it is given."""

import pyarrow as pa
import pytest

import shoal
from shoal.assessment.utility.loss import column_loss
from shoal.gate.gate import prove_counts
from shoal.schema import Column, Schema, Taxonomy

CANARY = "Zyxwvut"
N = 24
TABLE = pa.table(
    {
        "age": [30 + i % 7 for i in range(N)],
        "town": ["north", "south", CANARY] * (N // 3),
        "grade": ["low", CANARY, "high"] * (N // 3),
        "illness": ["flu", "cold", CANARY, "none"] * (N // 4),
    }
)
PLACES = Taxonomy((("north", "*"), ("south", "*")), name="places.csv")
ILLNESSES = Taxonomy((("flu", "*"), ("cold", "*"), ("none", "*")), name="ill.csv")


def schema(kind="nominal"):
    return Schema(
        [
            Column("age", "quasi_identifier", "numeric"),
            Column("town", "quasi_identifier", "nominal", PLACES),
            Column("grade", "quasi_identifier", "ordinal", order=("low", "high")),
            Column("illness", "sensitive", kind, ILLNESSES, ("flu", "cold", "none") if kind == "ordinal" else None),
        ]
    )


def counts():
    return TABLE.select(["age", "town", "illness"]).append_column("n", pa.array([1] * N))


def closeness(distance):
    return [shoal.KAnonymity(2), shoal.TCloseness(0.9, "illness", distance=distance)]


def of_text(**rules):
    """A policy in which a column of texts is something else."""
    columns = {name: {"role": "other"} for name in TABLE.column_names} | rules
    return {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}]}


NUMERIC = {"role": "quasi_identifier", "kind": "numeric"}
CALLS = {
    "mondrian": lambda: shoal.mondrian(TABLE, schema(), closeness("hierarchical")),
    "mondrian by order": lambda: shoal.mondrian(TABLE, schema("ordinal"), closeness("ordered")),
    "gensearch": lambda: shoal.gensearch(TABLE, schema(), [shoal.KAnonymity(2)]),
    "global recoding": lambda: shoal.global_recoding(TABLE, schema(), [shoal.KAnonymity(2)]),
    "prove by tree": lambda: prove_counts(counts(), schema(), closeness("hierarchical")),
    "prove by order": lambda: prove_counts(counts(), schema("ordinal"), closeness("ordered")),
    "numeric": lambda: shoal.protect(TABLE, of_text(town=NUMERIC)),
    "numeric, of a dict": lambda: shoal.protect(TABLE.to_pydict(), of_text(town=NUMERIC)),
    "numeric, of pandas": lambda: shoal.protect(TABLE.to_pandas(), of_text(town=NUMERIC)),
    "verify": lambda: shoal.verify(TABLE, of_text(town=NUMERIC, illness={"role": "sensitive", "kind": "numeric"})),
    "link": lambda: shoal.link(TABLE, TABLE.drop_columns("town"), policy=schema(), by="probabilistic"),
    "assess": lambda: shoal.assess(TABLE, TABLE, schema()),
    "nodes": lambda: PLACES.nodes_above(TABLE["town"].to_pylist()),
    "intervals": lambda: Taxonomy.from_intervals(TABLE["town"].to_pylist(), [5, 10]),
    "date parts": lambda: Taxonomy.from_date_parts(TABLE["town"].to_pylist(), ["month", "year"]),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_no_complaint_shows_a_cell(call):
    try:
        call()
    except Exception as error:  # whatever it is: a notebook shows it
        said, cause = str(error), error.__cause__
    else:
        said, cause = "", None
    assert CANARY not in said
    assert cause is None


def test_a_value_that_the_original_does_not_have_is_a_changed_one():
    before, after = pa.chunked_array([["a", "a", "b", "c"]]), pa.chunked_array([["a", "a", CANARY, "c"]])
    assert column_loss(Column("town"), before, after) == pytest.approx(50)
