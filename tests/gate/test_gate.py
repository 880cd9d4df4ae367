"""The gate sees counts alone, and agrees with counting by hand."""

from collections import defaultdict

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.gate.file_contents import structure_faults
from shoal.gate.gate import prove_counts

SCHEMA = shoal.Schema(
    [
        shoal.Column("id", "identifier"),
        shoal.Column("a", "quasi_identifier"),
        shoal.Column("b", "quasi_identifier"),
        shoal.Column("s", "sensitive"),
    ]
)


def counts(rows):
    table = pa.table({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate("abs")})
    counted = table.group_by(["a", "b", "s"]).aggregate([([], "count_all")])
    return counted.rename_columns(["a", "b", "s", "n"])


cell = st.sampled_from([None, "x", "y"])


@given(st.lists(st.tuples(cell, cell, cell), min_size=1, max_size=40), st.integers(2, 5), st.integers(2, 3))
def test_verdicts_agree_with_counting_by_hand(rows, k, l):  # noqa: E741 the letter of the paper
    classes = defaultdict(list)
    for a, b, s in rows:
        classes[a, b].append(s)
    proof = prove_counts(counts(rows), SCHEMA, [shoal.KAnonymity(k), shoal.DistinctLDiversity(l, "s")])
    smallest = min(len(members) for members in classes.values())
    least = min(len(set(members) - {None}) for members in classes.values())
    by_k, by_l = proof.verdicts
    assert (proof.k_reached, by_k.reached, by_l.reached) == (smallest, smallest, least)
    assert (by_k.holds, by_l.holds) == (smallest >= k, least >= l)
    assert by_k.n_records_failing == sum(len(m) for m in classes.values() if len(m) < k)
    assert proof.holds == bool(proof) == (smallest >= k and least >= l)


def test_a_requirement_may_name_its_columns():
    proof = prove_counts(counts([("x", "1", "p"), ("x", "2", "q")]), SCHEMA, [shoal.KAnonymity(2, columns=("a",))])
    assert proof.holds
    assert proof.k_reached == 1


def test_of_no_record_everything_holds():
    empty = counts([]).cast(pa.schema([("a", pa.string()), ("b", pa.string()), ("s", pa.string()), ("n", pa.int64())]))
    proof = prove_counts(empty, SCHEMA, [shoal.KAnonymity(2)])
    assert proof.holds
    assert "no record" in str(proof.verdicts[0])


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        (("id", "a", "b", "s"), "identifier column 'id' is in the release"),
        (("a", "s"), "'b' is not in the release"),
        (("a", "b", "s", "z"), "'z' is in the release but not in the policy"),
    ],
)
def test_structure(names, fault):
    assert any(fault in found for found in structure_faults(names, SCHEMA))
    assert structure_faults(("a", "b", "s"), SCHEMA) == ()


@pytest.mark.parametrize("requirement", [shoal.TCloseness(0.4, "s"), shoal.EntropyLDiversity(2, "s")])
def test_what_is_reached_does_not_depend_on_the_order_of_the_counts(requirement):
    """Engines count in an order of their own, and a sum of reals has a last bit."""
    chance = np.random.default_rng(0)
    counts = pa.table(
        {"a": np.repeat(["x", "y"], 40), "s": [f"v{i % 40}" for i in range(80)], "n": chance.integers(1, 9, 80)}
    )
    schema = shoal.Schema([shoal.Column("a", "quasi_identifier"), shoal.Column("s", "sensitive")])
    reached = {
        prove_counts(counts.take(chance.permutation(80)), schema, [requirement]).verdicts[0].reached for _ in range(20)
    }
    assert len(reached) == 1
