"""A taxonomy is a tree that covers its column, from a file or by rule."""

from datetime import date

import pytest

import shoal
from shoal.errors import TaxonomyError


@pytest.mark.parametrize(
    "text", ["a;x;*\nb;x;*\nc;y;*\n", "a,x,*\r\nb,x,*\r\nc,y,*", '\ufeffa;x;*\nb;x;*\n\n"c";y;*\n']
)
def test_both_separators_any_line_ends(tmp_path, text):
    file = tmp_path / "hierarchy.csv"
    file.write_text(text, encoding="utf-8")
    tree = shoal.Taxonomy.read(file)
    assert tree.paths == (("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"))
    assert (tree.height, tree.values) == (2, {"a", "b", "c"})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ("a\nb\n", "one field"),
        ("a;x;*\nb;*\n", "line 2: 2 levels, but the first line has 3"),
        ("a;x;p;*\nb;x;q;*\n", "line 2: the entry in field 2 has another parent"),
        ("a;x\nb;y\n", "last fields differ"),
        ("a;x;*\na;x;*\n", "more than once"),
    ],
)
def test_what_is_no_tree_is_refused_by_line(tmp_path, text, complaint):
    file = tmp_path / "hierarchy.csv"
    file.write_text(text)
    with pytest.raises(TaxonomyError, match=complaint):
        shoal.Taxonomy.read(file)


def test_no_file(tmp_path):
    with pytest.raises(TaxonomyError, match="cannot be read"):
        shoal.Taxonomy.read(tmp_path / "none.csv")


def test_prefixes():
    assert shoal.Taxonomy.from_prefixes(["04712", "08"], (3, 1)).paths == (
        ("04712", "047**", "0****", "*"),
        ("08", "08", "0*", "*"),
    )
    with pytest.raises(TaxonomyError, match="decreasing lengths"):
        shoal.Taxonomy.from_prefixes(["04712"], (1, 3))


def test_intervals():
    tree = shoal.Taxonomy.from_intervals([33, -1], (5, 10))
    assert tree.paths == (("-1", "[-5, 0)", "[-10, 0)", "*"), ("33", "[30, 35)", "[30, 40)", "*"))
    for widths in ((10, 15), (0,), ()):
        with pytest.raises(TaxonomyError, match="multiple"):
            shoal.Taxonomy.from_intervals([1], widths)


def test_date_parts():
    tree = shoal.Taxonomy.from_date_parts([date(2024, 5, 17)], ("month", "quarter", "year", "decade"))
    assert tree.paths == (("2024-05-17", "2024-05", "2024-Q2", "2024", "2020s", "*"),)
    with pytest.raises(TaxonomyError, match="finest first"):
        shoal.Taxonomy.from_date_parts([date(2024, 5, 17)], ("year", "month"))


@pytest.mark.usefixtures("reference_data")
def test_the_hierarchies_of_adult_cover_it():
    from shoal import datasets

    table = datasets.adult()
    for name, file in datasets.adult_taxonomies().items():
        assert shoal.Taxonomy.read(file).n_outside(map(str, table[name].to_pylist())) == 0
