"""Maps as pictures: hexagons are hexagons, few records are nobody, names are only text."""

from __future__ import annotations

import re
from math import hypot

import numpy as np
import pyarrow as pa
import pytest
from markupsafe import escape

import shoal
from shoal.assessment.utility.population_map import PopulationMap, map_of_numbers
from shoal.errors import visible
from shoal.report import render_map, render_map_svg
from shoal.report.map_outline import map_outline
from shoal.report.map_pictures import map_pictures
from shoal.report.markdown import render as as_markdown
from shoal.report.pictures.map_picture import draw_map

NAMES = ["income", "hours"]


def table(n: int = 300, names: list[str] = NAMES) -> pa.Table:
    chance = np.random.default_rng(0)
    half = np.arange(n) % 2
    columns = {name: pa.array(6 * half + chance.normal(size=n)) for name in names}
    return pa.table({**columns, "job": pa.array(np.where(half == 1, "clerk", "nurse"))})


def population(names: list[str] = NAMES, rules: shoal.MapRules = shoal.MapRules(), label: str = "job") -> PopulationMap:  # noqa: B008
    people = table(names=names)
    return map_of_numbers(people, names, rules, seed=0, fewest=3).with_labels(label, people["job"])


def paths(svg: str) -> list[tuple[float, float, list[tuple[float, float]]]]:
    """Center and corners of every cell."""
    found = re.findall(r'<path transform="translate\(([-\d.]+),([-\d.]+)\)" d="M([-\d.,L]+)Z"', svg)
    return [(float(x), float(y), [tuple(map(float, p.split(","))) for p in d.split("L")]) for x, y, d in found]


@pytest.mark.parametrize(("lattice", "n_corners"), [("hexagonal", 6), ("rectangular", 4)])
def test_cells_are_regular_and_fill_the_plane(lattice, n_corners):
    import vl_convert

    picture = map_pictures(population(rules=shoal.MapRules(lattice=lattice)))[-1]
    cells = paths(vl_convert.vegalite_to_svg(draw_map(picture).to_dict()))
    assert len(cells) == len(picture.cells)
    for _, _, corners in cells:
        assert len(corners) == n_corners
        lengths = [hypot(x, y) for x, y in corners]
        assert max(lengths) - min(lengths) < 0.02
    (x, y, corners), (next_x, next_y, _) = cells[0], cells[1]
    width = max(x for x, _ in corners) - min(x for x, _ in corners)
    assert next_y == pytest.approx(y, abs=1e-6)
    assert 0.9 < width / (next_x - x) < 1


def test_what_is_shown():
    titles = [picture.title for picture in map_pictures(population())]
    assert titles == ["Distances between neighbors (U-matrix)", "Records", "Regions", "job", "income", "hours"]


def test_cells_of_few_records_are_empty():
    found = population()
    cells = map_pictures(found)[1].cells
    few = found.map.hits < 3
    assert few.any()
    assert [value is None for _, _, value in cells] == few.tolist()
    assert ((found.labels.of_unit >= 0) <= ~few).all()


def test_cells_are_named_after_most_of_their_records():
    found = population()
    people = table()
    unit = int(np.argmax(found.hits))
    jobs = [job for job, at in zip(people["job"].to_pylist(), found.map.labels, strict=True) if at == unit]
    assert found.labels.names[found.labels.of_unit[unit]] == max(set(jobs), key=jobs.count)


def test_rare_labels_are_other():
    people = table()
    words = pa.chunked_array([[f"word {at % 30 if at % 2 else 0}" for at in range(300)]])
    found = map_of_numbers(people, NAMES, shoal.MapRules(), seed=0, fewest=3).with_labels("word", words)
    assert len(found.labels.names) == 10
    assert found.labels.names[-1] == "other"
    assert found.labels.names[0] == "word 0"


@pytest.mark.gate(but="a\\x00b \\uffff {{ 7 * 7 }}")
@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "']+alert(1)+['", "a\x00b \uffff {{ 7 * 7 }}"])
def test_names_of_the_user_are_only_text(name):
    found = population(names=[name, "hours"], label=name)
    page, drawing = render_map(found, name), render_map_svg(found)
    assert "<script>" not in page + drawing
    assert page.count(str(escape(visible(name)))) >= 3  # file, label and column
    assert "\x00" not in drawing
    assert "# Map of the records" in as_markdown(map_outline(found, name))


@pytest.mark.gate(but=("constant", "two records"))
@pytest.mark.parametrize(
    "columns",
    [
        {"a": [1.0] * 40, "b": [2.0] * 40},
        {"a": list(range(40))},
        {"a": [1.0, 2.0], "b": [5.0, 1.0]},
        {"a": [7.0]},
    ],
    ids=["constant", "one column", "two records", "one record"],
)
def test_odd_tables_are_drawn(columns):
    people = pa.table({name: pa.array(values, pa.float64()) for name, values in columns.items()})
    found = map_of_numbers(people, list(columns), shoal.MapRules(), seed=0, fewest=3)
    assert "<svg" in render_map(found, "odd")


@pytest.mark.parametrize("shape", ["cylinder", "toroid"])
def test_a_map_that_goes_round_has_no_cells_in_between_far_ones(shape):
    found = population(rules=shoal.MapRules(size=(6, 5), shape=shape))
    cells = map_pictures(found)[0].cells
    assert len(cells) == len({(x, y) for x, y, _ in cells})
    assert len(cells) == 30 + 6 * 4 + 5 * 9  # units, between columns, between rows: as on a sheet
