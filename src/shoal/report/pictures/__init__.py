"""The table of pictures: every kind of picture that a report can show, listed once.

A kind is one file here with its value, its drawing and its words. Pages and Markdown look it up in ``PICTURES``.
"""

from __future__ import annotations

from typing import get_args

from shoal.report.pictures.bar_chart import Chart
from shoal.report.pictures.coefficient_chart import CoefficientChart
from shoal.report.pictures.convergence import Convergence
from shoal.report.pictures.cut_tree_picture import CutTreePicture
from shoal.report.pictures.frontier import Frontier
from shoal.report.pictures.heat_table import HeatTable
from shoal.report.pictures.map_picture import MapPicture
from shoal.report.pictures.picture import Picture

AnyPicture = Chart | CoefficientChart | Convergence | CutTreePicture | Frontier | HeatTable | MapPicture
PICTURES: dict[str, type[Picture]] = {kind.form: kind for kind in get_args(AnyPicture)}
