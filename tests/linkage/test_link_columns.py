"""Which columns the intruder compares, and that what is left out is said."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal import datasets
from shoal.errors import LinkageError
from shoal.schema import Column, Schema
from survey_example import shell, write_csv


def test_names_and_values_leave_no_column_out(reference_data):
    """Rank-swapped by 15 %: incomes look like identifiers, and one column is called a weight."""
    table = datasets.census()
    X = np.column_stack([table[name].to_numpy() for name in table.column_names]).astype(float)
    Y = shoal.rank_swap(X, p=15, seed=0)
    swapped = pa.table(dict(zip(table.column_names, Y.T, strict=True)))
    for by in ("distance", "rank"):
        guessed = shoal.link(table, swapped, by=by, truth="position")
        told = shoal.link(table, swapped, by=by, truth="position", intruder=shoal.Intruder(columns=table.column_names))
        assert guessed.columns == tuple(table.column_names)
        assert guessed.risk == told.risk == guessed.chances.mean()
        assert guessed.notes == ()
    assert shoal.link(table, swapped, truth="position").risk > 0.25


def survey(n=30):
    chance = np.random.default_rng(0)
    return pa.table({
        "person_id": [f"P{i}" for i in range(n)],
        "weight": chance.permutation(n) + 1.0,
        "age": chance.permutation(n) + 18,
        "same": [1] * n,
        "empty": pa.nulls(n, pa.float64()),
        "amount": [2**60 + i for i in range(n)],
        "born": pa.array(np.arange(n, dtype=np.int32)).cast(pa.date32()),
    })  # fmt: skip


def test_what_is_left_out_is_said_first():
    table = survey()
    released = table.set_column(6, "born", [np.arange(30)])
    roles = Schema([Column("person_id", "identifier", "nominal"), Column("weight", "weight", "numeric")])
    plain = shoal.link(table, released, truth="position")
    assert plain.columns == ("person_id", "weight", "age")
    assert [note.split(":")[0] for note in plain.notes] == [
        f"{name} is left out" for name in ("same", "empty", "amount", "born")
    ]
    declared = shoal.link(table, released, roles, truth="position")
    assert declared.columns == ("age",)
    assert declared.notes[:2] == (
        "person_id is left out: its role is identifier.",
        "weight is left out: its role is weight.",
    )
    assert (declared.weights == table["weight"].to_numpy()).all()
    assert (plain.weights == 1).all()


def test_the_shell_says_it_before_any_figure(tmp_path):
    table = survey().select(["person_id", "age", "same"])
    file = write_csv(table, tmp_path / "o.csv")
    lines = shell("link", file, file, "--truth", "position").out.splitlines()
    assert lines[0].startswith("The intruder of linkage knows person_id and age (")
    assert lines[1] == "note: same is left out: it distinguishes nobody."
    assert lines[2].startswith("note: Both files are the same")
    assert lines[3].startswith("linked persons")


def test_texts_beyond_number_are_no_distance():
    n = 1200
    table = pa.table({"name": [f"N{i}" for i in range(n)], "age": np.arange(n) % 80})
    linked = shoal.link(table, table, truth="position")
    assert linked.columns == ("age",)
    assert "1200 different texts" in linked.notes[0]


def test_truth_values_are_compared_with_the_words_for_them():
    """Of a file with types and of a CSV."""
    values = [True, False, False] * 20
    table = pa.table({"member": values, "age": np.arange(60) // 3})
    words = table.set_column(0, "member", [["true" if value else "false" for value in values]])
    found, known = (shoal.link(table, other, truth="position") for other in (words, table))
    assert (found.columns, found.notes, found.risk) == (known.columns, (), known.risk)
    assert known.notes == ("Both files are the same in all 2 columns that they share: nothing was protected.",)


def with_nested(n=60):
    chance = np.random.default_rng(0)
    return pa.table({
        "a": chance.integers(0, 50, n),
        "list": pa.array([[1, 2]] * n),
        "struct": pa.array([{"x": 1}] * n),
        "b": chance.integers(0, 50, n),
    })  # fmt: skip


def test_cells_of_several_values_are_left_out_with_the_reason():
    table = with_nested()
    released = table.set_column(0, "a", [table["a"].to_numpy()[::-1]])
    found = shoal.link(table, released, truth="position")
    assert found.columns == ("a", "b")
    assert found.notes == tuple(f"{name} is left out: its cells are not single values." for name in ("list", "struct"))
    words = table.set_column(1, "list", [["word"] * 60])
    for one, other in ((table, words), (words, table)):
        assert "list is left out: its cells are not single values." in shoal.link(one, other, truth="position").notes


@pytest.mark.parametrize("name", ["list", "struct"])
def test_nobody_can_be_said_to_know_cells_of_several_values(name):
    table, who = with_nested(), shoal.Intruder(columns=("a", name))
    for door in (shoal.link, shoal.assess):
        with pytest.raises(LinkageError, match=f"column '{name}': its cells are not single values"):
            door(table, table, truth="position", intruder=who)


def test_a_release_of_lists_is_refused_in_words():
    table = pa.table({"a": ["x", "y"] * 30, "b": np.arange(60)})
    roles = Schema([Column("a", "quasi_identifier", "nominal"), Column("b", "quasi_identifier", "numeric")])
    lists = table.set_column(0, "a", [[["x"], ["y"]] * 30])
    with pytest.raises(LinkageError, match="column 'a': its cells are not single values"):
        shoal.assess(table, lists, roles, truth="position")


def test_a_column_of_lists_hides_no_uniqueness_of_the_others():
    """What cannot be compared is left out; the figure of all others is told, and it names them."""
    table = pa.table({"age": [1, 1, 2, 2], "note": ["a", "b", "c", "d"], "visits": [[1], [2], [3], [4]]})
    schema = Schema([Column("age", "quasi_identifier", "numeric"), Column("note", "other"), Column("visits", "other")])
    found = shoal.assess(table, table, schema, truth="position").findings["unique on untouched columns"]
    assert found.estimate == 100
    assert "as they are: note." in found.meaning
