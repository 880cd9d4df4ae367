"""Every kind of picture is a chart of the schema of Vega-Lite, with which pages do not compare it again."""

from __future__ import annotations

from typing import get_args

import pytest

from shoal.assessment.utility.cut_tree_summary import DrawnNode
from shoal.report.pictures import PICTURES, AnyPicture
from shoal.report.pictures.bar_chart import FORMS, Chart, Series
from shoal.report.pictures.coefficient_chart import CoefficientBar, CoefficientChart
from shoal.report.pictures.convergence import Convergence
from shoal.report.pictures.cut_tree_picture import CutTreePicture
from shoal.report.pictures.frontier import Frontier, Spot
from shoal.report.pictures.heat_table import HeatTable
from shoal.report.pictures.map_picture import MapForm, MapPicture
from shoal.report.svg import svg

BARS = (CoefficientBar("age", (-2.0, 2.0), (-1.0, 0.5, 3.0)), CoefficientBar("gone", (-2.0, 2.0), None))
NODES = (DrawnNode(-1, 0, "", "all", 20, 2, True), DrawnNode(0, 1, "age", "below 40", 8, 1, True))
SPOTS = (Spot(1, "k = 3", 1.0, 20.0, True, True), Spot(2, "k = 5", 4.0, 30.0, False), Spot(3, "k = 9", 9.0, 5.0, True))
CELLS = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, None))


def charts() -> list[AnyPicture]:
    """Of every kind and form."""
    names, one, two = (
        ("a", "b"),
        (Series("share", (40.0, 60.0)),),
        (Series("before", (1, 99)), Series("after", (2, 98))),
    )
    bars = [
        Chart(form, "Title", "Caption", names, series, "bin", "percent", (1, "k"))
        for form in FORMS
        for series in (one, two)
    ]
    maps = [
        MapPicture(form, "Title", "Caption", is_hexagonal, CELLS, names=names)
        for form in get_args(MapForm)
        for is_hexagonal in (False, True)
    ]
    return [
        *bars,
        CoefficientChart("Title", "Caption", BARS),
        Convergence("Title", "Caption", ((0.1, 9.0, 1.0), (0.5, 8.0, 2.0)), "cost"),
        CutTreePicture("Title", "Caption", NODES),
        Frontier("Title", "Caption", SPOTS, "loss", "risk"),
        HeatTable("Title", "Caption", names, {("a",): 10.0, ("b",): 5.0, ("a", "b"): 60.0}, "share"),
        *maps,
    ]


@pytest.mark.gate(but="False")
@pytest.mark.parametrize("small", [False, True])
def test_every_kind_of_picture_is_a_chart_of_the_schema(small: bool) -> None:
    drawn = charts()
    assert {type(picture) for picture in drawn} == set(PICTURES.values())
    for picture in drawn:
        chart = picture.draw(small=small)
        assert isinstance(chart, str) or chart.to_dict(validate=True)


def test_equal_pictures_are_drawn_once() -> None:
    first, again = charts(), charts()
    assert len({*first, *again}) == len(first)
    assert [svg(picture) for picture in first[:2]] == [svg(picture) for picture in again[:2]]
    assert svg(first[0]) != svg(first[0], small=True)
