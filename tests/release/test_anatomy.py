"""Anatomy: the two tables say what they should and no more, and the gate's rule sees when they do not."""

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.encode.combination_counts import count_combinations
from shoal.errors import PolicyError, TableError
from shoal.gate.anatomy import name_faults, prove_anatomy
from shoal.gate.gate import Proof
from shoal.release.anatomize import Anatomy
from shoal.rng import Rng

SCHEMA = shoal.Schema(
    [
        shoal.Column("name", "identifier"),
        shoal.Column("a", "quasi_identifier", "numeric"),
        shoal.Column("o"),
        shoal.Column("s", "sensitive"),
    ]
)
DIVERSE = [shoal.KAnonymity(2, columns=("a",)), shoal.DistinctLDiversity(2, "s")]


def chance(seed=0):
    return Rng(b"a key", seed)


def anatomy(values, labels, seed=0):
    table = pa.table({"a": range(len(values)), "o": [7] * len(values), "s": pa.array(values, pa.string())})
    return told(table, SCHEMA, np.array(labels), chance(seed))


@dataclass(frozen=True)
class Told:
    records: pa.Table
    sensitive: pa.Table


def told(table, schema, labels, of):
    """Both tables, as the pipeline puts them together."""
    cut = Anatomy.of(schema, np.unique(labels), of)
    tied = cut.with_group_numbers(table, labels)
    return Told(cut.records(tied), cut.sensitive(count_combinations(tied, cut.counted_columns)))


def members(records):
    return records.group_by("group").aggregate([([], "count_all")])


def proof(found, requirements=DIVERSE, **changed):
    sensitive = changed.get("sensitive", found.sensitive)
    records = changed.get("records", found.records)
    faults = name_faults(records.column_names, sensitive.column_names, SCHEMA)
    return Proof(0, 0, 0, (), faults) if faults else prove_anatomy(members(records), sensitive, SCHEMA, requirements)


@given(st.lists(st.tuples(st.none() | st.sampled_from("xyz"), st.integers(0, 3)), min_size=1, max_size=40))
def test_the_tables_hold_what_the_groups_hold(drawn):
    values, labels = [v for v, _ in drawn], np.unique([g for _, g in drawn], return_inverse=True)[1].tolist()
    found = anatomy(values, labels)
    assert found.records.column_names == ["a", "o", "group"]
    assert found.sensitive.column_names == ["group", "s", "count"]
    assert found.records["a"].to_pylist() == list(range(len(values)))
    number_of = dict(zip(labels, found.records["group"].to_pylist(), strict=True))
    assert sorted(number_of.values()) == list(range(1, len(number_of) + 1))
    counted = Counter((number_of[g], v) for v, g in zip(values, labels, strict=True))
    rows = found.sensitive.to_pylist()
    assert {(row["group"], row["s"]): row["count"] for row in rows} == counted
    assert rows == sorted(rows, key=lambda row: (row["group"], row["s"] is None, row["s"]))

    groups = defaultdict(list)
    for value, group in zip(values, labels, strict=True):
        groups[group].append(value)
    judged = proof(found)
    assert judged.faults == ()
    assert judged.verdicts[0].reached == min(len(group) for group in groups.values())
    assert judged.verdicts[1].reached == min(len(set(group) - {None}) for group in groups.values())
    assert judged.n_records == len(values)


def test_numbers_of_groups_say_nothing_and_come_again():
    labels = (np.arange(60) // 2).tolist()
    one, again, other = (anatomy(["x", "y"] * 30, labels, seed) for seed in (0, 0, 1))
    assert one.records.equals(again.records)
    assert not one.records.equals(other.records)
    assert one.records["group"].to_pylist() != sorted(one.records["group"].to_pylist())


def test_other_requirements_are_proved_per_group():
    found = anatomy(["x", "y", "x", "y", "x", "y"], [0, 0, 0, 0, 1, 1])
    judged = proof(found, [shoal.TCloseness(0.1, "s"), shoal.EntropyLDiversity(2, "s")])
    assert judged.holds
    assert judged.verdicts[0].columns == ("group",)


def test_several_sensitive_columns_are_counted_together():
    schema = shoal.Schema([shoal.Column("a", "quasi_identifier"), *(shoal.Column(n, "sensitive") for n in "st")])
    table = pa.table({"a": [1, 2, 3], "s": pa.array(["x", "x", "y"]).dictionary_encode(), "t": [1, 1, 2]})
    found = told(table, schema, np.array([0, 0, 0]), chance())
    assert found.sensitive.to_pydict() == {"group": [1, 1], "s": ["x", "y"], "t": [1, 2], "count": [2, 1]}
    asked = [shoal.DistinctLDiversity(2, n) for n in "st"]
    judged = prove_anatomy(members(found.records), found.sensitive, schema, asked)
    assert judged.holds


HONEST = anatomy(["x", "y", "x", "y"], [0, 0, 1, 1])


def sensitive(group, s, count):
    return pa.table({"group": group, "s": pa.array(s, pa.string()), "count": count})


def test_the_honest_tables_pass():
    assert proof(HONEST).holds
    assert proof(HONEST).k_reached == 2


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        (sensitive([1, 1], ["x", "y"], [1, 1]), "1 groups are in only one of the two tables"),
        (sensitive([1, 1, 2, 2, 3], [*"xyxyx"], [1] * 5), "1 groups are in only one of the two tables"),
        (sensitive([1, 1, 2, 2], [*"xyxy"], [1, 1, 1, 2]), "1 groups have another number of records"),
        (sensitive([1, 1, 2, 2, 2], [*"xyxyy"], [1, 1, 1, 1, 1]), "1 rows of the sensitive table repeat another"),
        (sensitive([1, 1, 2, None], [*"xyxy"], [1] * 4), "1 rows have no group"),
        (sensitive([1, 1, 2, 2], [*"xyxy"], [1, 1, 2, 0]), "1 counts of the sensitive table are missing or below 1"),
        (sensitive([1, 1, 2, 2], [*"xyxy"], ["1"] * 4), "does not hold whole numbers"),
        (HONEST.sensitive.append_column("a", pa.array(range(4))), "'a' must not be in the sensitive table"),
        (HONEST.sensitive.drop_columns(["s"]), "'s' is not in the sensitive table"),
    ],
)
def test_a_sensitive_table_that_is_not_the_one_is_refused(changed, fault):
    judged = proof(HONEST, sensitive=changed)
    assert not judged.holds
    assert any(fault in failure for failure in judged.failures)


def test_a_table_of_records_that_tells_more_is_refused():
    assert name_faults(["a", "o", "group"], ["group", "s", "count"], SCHEMA) == ()
    for names in (
        ["a", "o", "s", "group"],
        ["a", "o"],
        ["a", "o", "group", "name"],
        ["a", "group"],
        ["a", "o", "group", "z"],
    ):
        assert len(name_faults(names, ["group", "s", "count"], SCHEMA)) == 1


def test_a_group_of_one_value_does_not_hold():
    judged = proof(anatomy(["x", "x", "x", "y"], [0, 0, 1, 1]))
    assert not judged.holds
    assert judged.verdicts[1].n_classes_failing == 1


def test_bad_input_is_named():
    with pytest.raises(PolicyError, match="no column has role 'sensitive'"):
        Anatomy.of(shoal.Schema([shoal.Column("a", "quasi_identifier")]), np.array([0]), chance())
    schema = shoal.Schema([shoal.Column("a", "quasi_identifier"), shoal.Column("group", "sensitive")])
    with pytest.raises(TableError, match="has a column 'group'"):
        Anatomy.of(schema, np.array([0]), chance())
