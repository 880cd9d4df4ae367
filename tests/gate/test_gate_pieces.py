"""The gate, whatever pieces the classes come in: what is proved of all together, and every requirement by itself."""

import pickle
from dataclasses import replace
from functools import reduce
from operator import add
from zlib import crc32

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from requirement_examples import parameters
from shoal.errors import RequirementError
from shoal.gate.gate import Proof, prove, prove_counts
from shoal.gate.wildcards import prove_wildcards, wildcard_class_sizes
from shoal.pipeline.verify.prove_file import raise_if_failed

SCHEMA = shoal.Schema(
    [
        shoal.Column("a", "quasi_identifier"),
        shoal.Column("b", "quasi_identifier"),
        shoal.Column("s", "sensitive", "ordinal", order=("p", "q", "r")),
    ]
)
ASKED = parameters("proved", lambda requirement: requirement.reads in ("totals", "counts", "order"))


def counted(rows, names="abs"):
    table = pa.table({name: pa.array([row[at] for row in rows], pa.string()) for at, name in enumerate(names)})
    return table.group_by(list(names)).aggregate([([], "count_all")]).rename_columns([*names, "n"])


def in_pieces(counts, n_pieces):
    """Classes in several tables, none of them in two: by a hash of the quasi-identifiers, as an engine does."""

    def classes(columns, sensitive, of):
        by = counts.group_by([*columns, *sensitive]).aggregate([("n", "sum")])
        rows = by.to_pylist()
        places = [crc32(repr([row[name] for name in columns]).encode()) % n_pieces for row in rows]
        pieces = [[at for at, place in enumerate(places) if place == one] for one in range(n_pieces)]
        parts = [of(by.take(pa.array(rows_of, pa.int64()))) for rows_of in pieces]
        return reduce(add, [pickle.loads(pickle.dumps(part)) for part in reversed(parts)])

    return classes


cell = st.sampled_from([None, "x", "y", "z"])
value = st.sampled_from([None, "p", "q", "r"])


@settings(max_examples=examples(60))
@given(st.lists(st.tuples(cell, cell, value), min_size=1, max_size=40), st.integers(2, 7))
def test_pieces_of_classes_prove_what_all_of_them_prove(rows, n_pieces):
    counts = counted(rows)
    wholes = {"s": counts.group_by(["s"]).aggregate([("n", "sum")])}
    assert prove(in_pieces(counts, n_pieces), SCHEMA, ASKED, wholes) == prove_counts(counts, SCHEMA, ASKED)


# A class of one record and one value, and a class that is as good as can be: reached, and what failing counts.
UNEQUAL = [("x", "x", "p")] + [("y", "y", value) for value in "pqrpqr"]


def one_by_one(columns, sensitive):
    """Every class in a piece of its own, the weak one first and last."""
    by = counted(UNEQUAL).group_by([*columns, *sensitive]).aggregate([("n", "sum")]).to_pylist()
    for letter in "xy":
        yield pa.Table.from_pylist([row for row in by if row["a"] == letter])


@pytest.mark.parametrize("backwards", [False, True])
def test_the_weakest_class_of_all_pieces_is_what_is_reached(backwards):
    def classes(columns, sensitive, of):
        pieces = [of(piece) for piece in one_by_one(columns, sensitive)]
        return reduce(add, pieces[::-1] if backwards else pieces)

    wholes = {"s": counted(UNEQUAL).group_by(["s"]).aggregate([("n", "sum")])}
    asked = [shoal.KAnonymity(2), shoal.DistinctLDiversity(2, "s"), shoal.TCloseness(0.3, "s")]
    proof = prove(classes, SCHEMA, asked, wholes)
    assert [verdict.reached for verdict in proof.verdicts] == [1, 1, pytest.approx(1 - 3 / 7)]
    assert proof.k_reached == 1
    for verdict in proof.verdicts:
        assert (verdict.n_classes, verdict.n_classes_failing, verdict.n_records_failing) == (2, 1, 1)
        assert not verdict.holds
    assert (proof.n_records, proof.n_classes) == (7, 2)


def test_values_as_written_and_as_normalized_say_together_what_is_reached():
    """Four spellings of one illness: read as one, no class has two; read as four, each class is far from the whole."""
    schema = shoal.Schema([shoal.Column("a", "quasi_identifier"), shoal.Column("s", "sensitive")])
    counts = counted([("x", "flu"), ("x", "Flu"), ("y", "fLu"), ("y", "FLU")], names="as")
    proof = prove_counts(counts, schema, [shoal.DistinctLDiversity(2, "s"), shoal.TCloseness(0.3, "s")])
    assert [verdict.reached for verdict in proof.verdicts] == [1, 0.5]


def test_the_gate_opens_only_where_all_hold():
    met, missed = shoal.KAnonymity(2, columns=("a",)), shoal.KAnonymity(3, columns=("b",))
    rows = [("x", "1", "p"), ("x", "1", "p"), ("y", "2", "p"), ("y", "2", "q")]
    counts = counted(rows)
    for asked in ([met, missed], [missed, met]):
        proof = prove_counts(counts, SCHEMA, asked)
        assert sorted(verdict.holds for verdict in proof.verdicts) == [False, True]
        assert not proof.holds
        assert len(proof.failures) == 1
        with pytest.raises(RequirementError, match=r"gate is closed(.|\n)*k_anonymity = 3 does not hold"):
            raise_if_failed(proof)
    proof = prove_counts(counts, SCHEMA, [met])
    assert raise_if_failed(proof) is proof
    for faulty in (replace(proof, faults=("a column too many",)), Proof(4, 0, 0, (), ("a column too many",))):
        assert not faulty.holds
        with pytest.raises(RequirementError, match="a column too many"):
            raise_if_failed(faulty)


# 33 columns of three values each: 4^33 combinations, of which an int64 forgets the first column.
MANY = [f"c{at:02}" for at in range(33)]


def many(*rows):
    """Rows that tell every column by one letter, and the number of their records."""
    return pa.table({**{name: [row[at] for row, _ in rows] for at, name in enumerate(MANY)}, "n": [n for _, n in rows]})


ALONE = many(("a" * 33, 1), ("b" + "a" * 32, 1), ("b" * 33, 5), ("c" * 33, 5))  # the first two differ in one column


def test_more_combinations_than_a_number_holds_are_still_told_apart():
    schema = shoal.Schema([shoal.Column(name, "quasi_identifier") for name in MANY])
    proof = prove_counts(ALONE, schema, [shoal.KAnonymity(2)])
    assert (proof.k_reached, proof.n_classes) == (1, 4)
    assert (proof.verdicts[0].n_classes_failing, proof.verdicts[0].n_records_failing) == (2, 2)


def test_so_they_are_where_a_blank_may_be_any_value():
    of_many = many(("d" * 33, 1), ("a" * 33, 1), ("b" + "a" * 32, 1), ("b" * 33, 5), ("c" * 33, 5))
    assert wildcard_class_sizes(of_many, MANY).tolist() == [1, 1, 1, 5, 5]
    assert wildcard_class_sizes(ALONE, MANY).tolist() == [1, 1, 5, 5]


def wildcards(counts, *asked):
    return prove_wildcards(
        lambda columns, _, of: of(counts.group_by(list(columns)).aggregate([("n", "sum")])), SCHEMA, list(asked)
    )


def test_the_wildcard_gate_asks_for_k_and_not_one_less():
    """x matches its own 2 and the 1 blank, y its own 4 and the blank."""
    counts = pa.table({"a": ["x", "y", None], "b": ["p", "p", "p"], "n": [2, 4, 1]})
    assert wildcards(counts, shoal.KAnonymity(3)).holds
    proof = wildcards(counts, shoal.KAnonymity(4))
    (verdict,) = proof.verdicts
    assert not proof.holds
    assert (verdict.asked, verdict.reached, verdict.holds) == (4, 3, False)
    assert (verdict.n_classes, verdict.n_classes_failing, verdict.n_records_failing) == (3, 1, 2)
    assert (proof.n_records, proof.n_classes, proof.k_reached) == (7, 3, 3)


def test_the_wildcard_gate_counts_every_requirement_on_its_own_columns():
    counts = pa.table({"a": ["x", "y", None], "b": ["p", "p", "p"], "n": [2, 4, 1]})
    proof = wildcards(counts, shoal.KAnonymity(7, columns=("b",)), shoal.KAnonymity(5))
    assert [(verdict.columns, verdict.reached, verdict.holds) for verdict in proof.verdicts] == [
        (("b",), 7, True),
        (("a", "b"), 3, False),
    ]
    assert not proof.holds
    assert proof.k_reached == 3
