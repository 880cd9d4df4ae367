"""A cut tree as an Altair chart: one line per node, indented below its parent, with its records as a bar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from shoal.assessment.utility.cut_tree_summary import DrawnNode
from shoal.report import theme
from shoal.report.chart_text import chart_text
from shoal.report.pictures.picture import Picture
from shoal.report.text_nodes import Branch, Details, Tree
from shoal.report.words import isolate, number_of

if TYPE_CHECKING:
    import altair as alt
else:
    from shoal.report.pictures import late_altair as alt

LINE = 20  # pixels from one node to the next
INDENT = 18
DOT = 34
BARS, COUNTS = 330, 420  # x where bars begin, and where the longest ends


@dataclass(frozen=True)
class CutTreePicture(Picture):
    """The top of a cut tree, every node with its cut and its records."""

    title: str
    caption: str
    nodes: tuple[DrawnNode, ...]  # parents before children, the root first
    form: ClassVar[str] = "cut_tree"

    @property
    def description(self) -> str:
        """Alternative text for readers who cannot see it."""
        return f"{self.title}: {number_of(len(self.nodes), 'node')}. {self.caption} All nodes are listed below."

    @property
    def details(self) -> Details:
        return Details("The nodes", Tree(self._branch(0)))

    def _branch(self, at: int) -> Branch:
        parts = tuple(self._branch(part) for part, node in enumerate(self.nodes) if node.parent == at)
        return Branch(node_text(self.nodes[at]), parts)

    def draw(self, *, small: bool = False) -> alt.LayerChart:
        height = LINE * len(self.nodes)
        x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, theme.WIDTH], nice=False, zero=False))
        y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[len(self.nodes), 0], nice=False, zero=False))
        layers = [layer.encode(x, y) for layer in (*_branches(self), *_dots(self), *_labels(self))]
        layers += [layer.encode(x, y) for layer in (_bars(self), _counts(self))]
        return alt.LayerChart(layer=layers).properties(width=theme.WIDTH, height=height, config=theme.CONFIG)


def node_text(node: DrawnNode) -> str:
    """Such as: age: [30, 40), 1,200 records in 14 blocks"""
    return f"{node_label(node)}, {number_of(node.n_records, 'record')} in {number_of(node.n_blocks, 'block')}"


def node_label(node: DrawnNode) -> str:
    return f"{isolate(node.column)}: {isolate(node.label)}" if node.column else node.label


def _branches(picture: CutTreePicture) -> Iterator[alt.Chart]:
    """Lines from each parent down and across to its children."""
    lines: list[dict[str, float]] = []
    for at, node in enumerate(picture.nodes[1:], 1):
        left = _left(picture.nodes[node.parent].depth)
        lines += [
            {"x": left, "y": node.parent + 0.78, "x2": left, "y2": at + 0.5},
            {"x": left, "y": at + 0.5, "x2": _left(node.depth) - 5, "y2": at + 0.5},
        ]
    if lines:
        yield _data(lines).mark_rule(stroke=theme.TEXT, strokeOpacity=0.35).encode(alt.X2("x2:Q"), alt.Y2("y2:Q"))


def _dots(picture: CutTreePicture) -> Iterator[alt.Chart]:
    """Filled: a block. Open: a node that is cut, whether its children are drawn or not."""
    for is_block in (True, False):
        spots = [
            {"x": _left(node.depth), "y": at + 0.5, "tip": node_text(node)}
            for at, node in enumerate(picture.nodes)
            if (node.n_blocks == 1) == is_block
        ]
        style: dict[str, Any] = {"fill": theme.ACCENT if is_block else None, "stroke": theme.ACCENT, "strokeWidth": 1.5}
        if spots:
            yield _data(spots).mark_point(size=DOT, opacity=1, **style).encode(tooltip="tip:N")


def _labels(picture: CutTreePicture) -> Iterator[alt.Chart]:
    """Labels of the nodes; all labels of one depth have the same width limit."""
    for depth in sorted({node.depth for node in picture.nodes}):
        left = _left(depth) + 8
        texts = [
            {"x": left, "y": at + 0.5, "text": chart_text(node_label(node))}
            for at, node in enumerate(picture.nodes)
            if node.depth == depth
        ]
        yield _data(texts).mark_text(align="left", limit=BARS - left - 8).encode(alt.Text("text:N"))


def _bars(picture: CutTreePicture) -> alt.Chart:
    most = max(node.n_records for node in picture.nodes) or 1
    bars = [
        {
            "x": BARS,
            "x2": BARS + (COUNTS - BARS) * node.n_records / most,
            "y": at + 0.25,
            "y2": at + 0.75,
            "tip": node_text(node),
        }
        for at, node in enumerate(picture.nodes)
    ]
    x2, y2 = alt.X2("x2:Q"), alt.Y2("y2:Q")
    drawn: alt.Chart = _data(bars).mark_rect(fill=theme.ACCENT).encode(x2, y2, tooltip="tip:N")
    return drawn


def _counts(picture: CutTreePicture) -> alt.Chart:
    texts = [{"x": theme.WIDTH, "y": at + 0.5, "text": f"{node.n_records:,}"} for at, node in enumerate(picture.nodes)]
    drawn: alt.Chart = _data(texts).mark_text(align="right").encode(alt.Text("text:N"))
    return drawn


def _left(depth: int) -> float:
    return 6 + INDENT * depth


def _data(values: Sequence[dict[str, Any]]) -> alt.Chart:
    return alt.Chart(alt.InlineData(list(values)))
