"""What cannot be linked is refused by name, without a cell value."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.errors import ArrayError, LinkageError, PolicyError, ShoalError, TableError

TABLE = pa.table({"pid": ["a", "b", "c"], "age": [1, 2, 3], "town": ["x", "y", "x"], "same": [5, 5, 5]})
AGE = shoal.Intruder(columns=("age",))
NUMBER = shoal.Schema([shoal.Column("age", "quasi_identifier", "numeric")])
DAYS = pa.array([1, 2, 3], pa.int32()).cast(pa.date32())


def link(original, released, schema=None, **more):
    """Record i is record i, unless something else is said."""
    return shoal.link(original, released, schema, **({} if "id" in more else {"truth": "position"}) | more)


@pytest.mark.parametrize(
    ("released", "more", "words"),
    [
        (pa.table({"other": [1, 2, 3]}), {}, "no column in common"),
        (TABLE.slice(0, 2), {"intruder": AGE}, "--id"),
        (TABLE.slice(0, 2), {"intruder": AGE, "id": "pdi"}, "Did you mean 'pid'"),
        (TABLE, {"intruder": AGE, "id": "town"}, "an id of another record"),
        (TABLE, {"intruder": shoal.Intruder(columns=("agee",))}, "Did you mean 'age'"),
        (TABLE, {"intruder": shoal.Intruder(columns=("same",))}, "the same value"),
        (TABLE.set_column(1, "age", [pa.nulls(3, pa.int64())]), {"intruder": AGE}, "value of the release is missing"),
        (TABLE.set_column(1, "age", [DAYS]), {"intruder": AGE, "schema": NUMBER}, "which cannot be compared"),
        (TABLE, {"intruder": shoal.Intruder(columns=("age",), persons=0.0)}, "knows nobody"),
        (TABLE, {"intruder": shoal.Intruder(columns=("age",), persons=(0, 3))}, "record numbers from 0 to 2"),
        (TABLE, {"intruder": shoal.Intruder(columns=("age",), persons=1.5)}, "share from 0 to 1"),
        (TABLE, {"intruder": shoal.Intruder(columns=("town",), precision={"town": 2})}, "numeric and date"),
        (TABLE, {"intruder": AGE, "by": "magic"}, "It can be: distance"),
        (TABLE, {"intruder": AGE, "blocking": "fuzy"}, "Did you mean 'fuzzy'"),
        (TABLE, {"intruder": AGE, "k": 0}, "1 or more"),
        (TABLE, {"intruder": AGE, "truth": None}, "it is not known which released record"),
        (TABLE, {"intruder": AGE, "id": "pid", "truth": "position"}, "Give only one of them"),
        (TABLE, {"intruder": AGE, "truth": [0, 1, 1]}, "no released record may occur twice"),
    ],
)
def test_tables(released, more, words):
    with pytest.raises(ShoalError, match=words):
        link(TABLE, released, **more)


def test_an_original_of_missing_values():
    empty = TABLE.set_column(1, "age", [pa.nulls(3, pa.int64())])
    with pytest.raises(LinkageError, match="value of the original is missing"):
        link(empty, TABLE, intruder=AGE)


def test_weights_of_nothing():
    table = TABLE.append_column("weight", [[1.0, 0.0, 2.0]])
    weights = shoal.Schema([shoal.Column("weight", "weight", "numeric")])
    with pytest.raises(TableError, match="1 weights are missing, zero or negative"):
        link(table, TABLE, weights, intruder=AGE)


@pytest.mark.parametrize("width", [0, -1, float("inf"), float("nan")])
def test_precision(width):
    with pytest.raises(LinkageError, match="width above 0"):
        shoal.Intruder(precision={"age": width})


@pytest.mark.parametrize("truth", [[0, 1], [0, 1, 3], [0, 0, 1], [-2, 0, 1], [0.0, 1.0, 2.0]])
def test_truths(truth):
    with pytest.raises(LinkageError, match="truth"):
        shoal.distance_linkage(np.eye(3), np.eye(3), truth=np.array(truth))


def test_arrays():
    with pytest.raises(LinkageError, match="2 columns, the release 3"):
        shoal.distance_linkage(np.zeros((3, 2)), np.zeros((3, 3)))
    with pytest.raises(ArrayError, match="released has 1 NaN"):
        shoal.distance_linkage(np.eye(2), np.array([[1, 2], [np.nan, 1]]))
    with pytest.raises(LinkageError, match="does not show which records belong together"):
        shoal.distance_linkage(np.eye(3), np.eye(3)[:2])


def test_too_many_pairs_to_compare_one_by_one(monkeypatch):
    from shoal.linkage import probabilistic_linkage

    monkeypatch.setattr(probabilistic_linkage, "MOST_PAIRS", 8)
    with pytest.raises(LinkageError, match="9 pairs"):
        link(TABLE, TABLE, intruder=AGE, by="probabilistic")


def test_a_blocking_that_leaves_nothing():
    apart = shoal.LabelBlocking(np.zeros(3, int), np.ones(3, int))
    assert link(TABLE, TABLE, intruder=AGE, blocking=apart).risk == 0
    with pytest.raises(LinkageError, match="no pair at all"):
        link(TABLE, TABLE, intruder=AGE, blocking=apart, by="probabilistic")


def test_choices_are_of_the_policy_kind():
    with pytest.raises(PolicyError, match="none, standard, sorted, fuzzy, auto, twod_tree, som"):
        link(TABLE, TABLE, intruder=AGE, blocking="nothing")
