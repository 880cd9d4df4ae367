"""The page of a profile: every name is escaped, every picture has words."""

import pyarrow as pa

import shoal
from shoal.report import render_profile
from shoal.report.pictures.heat_table import HeatTable
from shoal.report.profile_outline import MOST_DRAWN, profile_outline
from shoal.report.svg import svg

HOSTILE = ("<script>alert(1)</script>", "']+alert(1)+['", "a|b*c_d`e", "\u202eabc 🐟", "x" * 300)


def test_hostile_names_are_escaped():
    table = pa.table({name: [at % (n + 2) for at in range(60)] for n, name in enumerate(HOSTILE)})
    found = shoal.profile(table, keys=list(HOSTILE))
    page = render_profile(found, "t")
    assert "<script" not in page
    assert "alert(1)" in page  # as text
    words = render_profile(found, "t", is_markdown=True)
    assert "\\<script\\>" in words
    assert "a\\|b\\*c\\_d\\`e" in words


def test_a_heat_table_is_drawn_and_described():
    shares = {("a",): 0.0, ("b",): 0.01, ("a", "b"): 55.5}
    picture = HeatTable("Pairs", "Caption.", ("a", "b"), shares, "percent of the records")
    drawn = svg(picture)
    assert all(text in drawn for text in ("&lt;0.1", "56"))
    assert "by two of 2 columns" in picture.description
    assert [str(row[0]) for row in picture.details.part.rows] == ["a, b", "b", "a"]


def test_one_key_needs_no_pairs():
    outline = profile_outline(shoal.profile(pa.table({"a": [1, 1, 2]}), keys=["a"]), "t")
    parts = [part for section in outline.sections for part in section.parts]
    assert not any(isinstance(part, HeatTable) for part in parts)


def test_of_many_keys_some_are_drawn():
    names = [f"k{at:02}" for at in range(MOST_DRAWN + 4)]
    table = pa.table({name: [row % (at + 2) for row in range(30)] for at, name in enumerate(names)})
    outline = profile_outline(shoal.profile(table, keys=names), "t")
    heat = next(part for section in outline.sections for part in section.parts if isinstance(part, HeatTable))
    assert len(heat.names) == MOST_DRAWN
    assert f"The first {MOST_DRAWN} keys are drawn." in heat.caption


def test_nobody_is_singled_out():
    page = render_profile(shoal.profile(pa.table({"a": [1, 1], "b": [2, 2]}), keys=["a", "b"]), "t", is_markdown=True)
    assert "No single key, pair or triple singles anybody out." in page


def test_a_key_that_costs_nothing_has_no_line_of_zeros():
    """Everybody is unique by ``number`` alone, so that nothing is won by the other keys."""
    table = pa.table({"number": range(20), "sex": ["f", "m"] * 10, "age": [1, 2] * 10})
    costs = next(
        s for s in profile_outline(shoal.profile(table, keys=table.column_names), "t").sections if s.name == "costs"
    )
    _, grid, none = costs.parts
    assert [str(row[0].text) for row in grid.rows] == ["number left out"]
    assert none.text.startswith("No cost, because the violations stay as they are: ")
    assert none.text.endswith(" sex left out, age left out.")


def test_where_nothing_is_won_there_is_no_table():
    outline = profile_outline(shoal.profile(pa.table({"a": [1] * 5, "b": [2] * 5}), keys=["a", "b"]), "t")
    costs = next(section for section in outline.sections if section.name == "costs")
    assert [type(part).__name__ for part in costs.parts] == ["Paragraph", "Paragraph"]


def test_uniques_say_whether_units_are_counted():
    """Two records of one household are alike: they do not hide each other from who knows households."""
    table = pa.table(
        {"hh_id": [1, 1, 2, 2, 3, 3], "age": [30, 30, 40, 40, 50, 50], "sex": ["f", "f", "m", "m", "f", "f"]}
    )
    page = render_profile(shoal.profile(table, keys=["age", "sex"]), "t", is_markdown=True)
    assert "100 % of the records, counting units" in page
    assert "unique on some of the keys, counting units" in page
    without = render_profile(shoal.profile(table.drop(["hh_id"]), keys=["age", "sex"]), "t", is_markdown=True)
    assert "counting units" not in without
