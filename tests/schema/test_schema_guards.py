"""Columns, schemas and taxonomies refuse what they must, and nothing that is just right."""

from datetime import date
from pathlib import Path

import pyarrow as pa
import pytest

import shoal
from shoal.errors import PolicyError, TaxonomyError
from shoal.schema.suggest import suggest


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"kind": "nominal", "order": ("a", "b")}, "order"),
        ({"kind": "numeric", "order": ("a", "b")}, "order"),
        ({"kind": "ordinal", "order": ("a", "b", "a")}, "order"),
        ({"kind": "nominal", "role": "quasi_identifier", "decimals": 1}, "decimals"),
        ({"kind": "numeric", "role": "quasi_identifier", "decimals": 16}, "decimals"),
        ({"kind": "numeric", "role": "quasi_identifier", "decimals": -16}, "decimals"),
        ({"kind": "numeric", "role": "other", "decimals": 1}, "decimals"),
        ({"kind": "numeric", "role": "weight", "decimals": 1}, "decimals"),
        ({"role": "quasi_identifier", "key_file": Path("key")}, "pseudonym"),
        ({"role": "household", "key_file": Path("key")}, "pseudonym"),
        ({"role": "owner"}, "role"),
        ({"kind": "text"}, "kind"),
    ],
)
def test_what_does_not_go_together_is_refused(options, word):
    with pytest.raises(PolicyError, match=rf"columns\.c\.{word}"):
        shoal.Column("c", **options)


@pytest.mark.parametrize(
    "options",
    [
        {"kind": "ordinal", "order": ("a", "b")},
        {"kind": "numeric", "role": "quasi_identifier", "decimals": 15},
        {"kind": "numeric", "role": "quasi_identifier", "decimals": -15},
        {"role": "identifier", "key_file": Path("key")},
    ],
)
def test_what_is_just_right_is_taken(options):
    assert shoal.Column("c", **options).name == "c"


def test_a_column_has_one_role_and_a_table_no_column_without():
    a, b = shoal.Column("a", "sensitive"), shoal.Column("b")
    with pytest.raises(PolicyError, match=r"columns\.a occurs twice"):
        shoal.Schema([a, b, shoal.Column("a", "other")])
    schema = shoal.Schema([a, b])
    schema.check_names(["b", "a"])
    with pytest.raises(PolicyError, match="'b'"):
        schema.check_names(["a"])
    with pytest.raises(PolicyError, match="c"):
        schema.check_names(["a", "b", "c"])


def test_a_name_in_another_case_is_a_near_one():
    schema = shoal.Schema([shoal.Column("plz", "quasi_identifier"), shoal.Column("age", "quasi_identifier")])
    with pytest.raises(PolicyError, match=r"no column 'plz'\. Did you mean 'PLZ'\?"):
        schema.check_names(["PLZ", "age"])
    with pytest.raises(PolicyError, match=r"The table has 'PLZ' where the policy has 'plz'\.$") as complaint:
        schema.check_names(["PLZ", "Meier", "Bonn"])
    assert "Meier" not in str(complaint.value)


def test_a_node_right_below_the_root_has_one_parent_too():
    with pytest.raises(TaxonomyError, match="line 2"):
        shoal.Taxonomy((("a", "x", "*"), ("b", "x", "+")))
    with pytest.raises(TaxonomyError, match="last fields differ"):
        shoal.Taxonomy((("a", "x", "*"), ("b", "y", "+")))


def test_the_first_line_decides_what_separates(tmp_path):
    file = tmp_path / "hierarchy.csv"
    file.write_text("a;x, y;*\nb;x, y;*\n")
    assert shoal.Taxonomy.read(file).paths == (("a", "x, y", "*"), ("b", "x, y", "*"))


def test_intervals_begin_at_their_origin():
    assert shoal.Taxonomy.from_intervals([7, 12, -3], (5, 10), origin=2).paths == (
        ("-3", "[-3, 2)", "[-8, 2)", "*"),
        ("7", "[7, 12)", "[2, 12)", "*"),
        ("12", "[12, 17)", "[12, 22)", "*"),
    )


@pytest.mark.parametrize("widths", [(10, 5), (5, 5), (-5, 10), (5, 12)])
def test_widths_grow_by_whole_factors(widths):
    with pytest.raises(TaxonomyError, match="multiple"):
        shoal.Taxonomy.from_intervals([1], widths)


@pytest.mark.parametrize("lengths", [(), (3, 0), (2, 2), (1, 3)])
def test_prefixes_fall_and_keep_a_letter(lengths):
    with pytest.raises(TaxonomyError, match="decreasing lengths"):
        shoal.Taxonomy.from_prefixes(["04712"], lengths)


def test_quarters_of_all_months():
    tree = shoal.Taxonomy.from_date_parts([date(2023, month, 28) for month in range(1, 13)], ("quarter",))
    assert [path[1] for path in tree.paths] == [f"2023-Q{quarter}" for quarter in (1, 2, 3, 4) for _ in range(3)]


def test_values_outside_of_a_tree_are_counted_once():
    assert shoal.Taxonomy((("a", "*"), ("b", "*"))).n_outside(["a", "c", "c", "d", "c"]) == 2


@pytest.mark.parametrize(("n_values", "kind"), [(11, "ordinal"), (12, "ordinal"), (13, "numeric")])
def test_a_dozen_whole_numbers_are_grades(n_values, kind):
    table = pa.table({"height": [i % n_values for i in range(60)]})
    assert suggest(table)[0].kind == kind


def test_different_values_tell_persons_apart_gaps_or_not():
    table = pa.table(
        {
            "thing": [*(f"t{i}" for i in range(30)), *[None] * 12],
            "few": [*(f"t{i}" for i in range(20)), *[None] * 22],
        }
    )
    thing, few = suggest(table)
    assert (thing.role, few.role) == ("identifier", "quasi_identifier")


def test_a_column_without_values_is_dropped_and_one_with_a_single_value_is_kept():
    table = pa.table({"thing": pa.array([None] * 5, pa.string()), "same": ["x"] * 5})
    assert [found.role for found in suggest(table)] == ["identifier", "other"]
