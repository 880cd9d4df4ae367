"""Places of the labels of points in a chart, so that they cover neither points nor each other.

points in pixels, texts -> labels; points that nearly coincide share one
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CLOSE = 9.0  # pixels; points nearer than this share a label
RADIUS = 6.0  # of a point
LETTER, LINE = 6.1, 12.0  # width of a letter and height of a line, in pixels

Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class LabelSide:
    """Where a label is next to its point: to the right if ``right``, and ``down`` pixels below its center."""

    right: bool
    down: float


SIDES = tuple(LabelSide(right, down) for down in (-9.0, 10.0, 0.0, -20.0, 21.0) for right in (True, False))


@dataclass(frozen=True)
class LabeledPoint:
    """A point in pixels, from the top left. ``text`` is shown where there is room, otherwise ``short``."""

    x: float
    y: float
    text: str
    short: str


@dataclass(frozen=True)
class PlacedLabel:
    points: tuple[int, ...]  # that share it, the first one is where it is
    text: str
    side: LabelSide


def place_labels(points: Sequence[LabeledPoint], width: float) -> tuple[PlacedLabel, ...]:
    """One label for every point, or for all points that nearly coincide, in their order."""
    dots = [_box(point.x - RADIUS, point.y - RADIUS, 2 * RADIUS, 2 * RADIUS) for point in points]
    taken: list[Box] = []
    placed = []
    for members in _clusters(points):
        point = points[members[0]]
        joined = ", ".join(points[at].short for at in members)
        texts = (point.text, joined) if len(members) == 1 else (joined,)
        others = [dots[at] for at in range(len(points)) if at not in members]
        text, side = _first_free(point, texts, [*taken, *others], width)
        taken.append(_label_box(point, text, side))
        placed.append(PlacedLabel(members, text, side))
    return tuple(placed)


def _clusters(points: Sequence[LabeledPoint]) -> list[tuple[int, ...]]:
    """Points that are close to the first of their cluster."""
    clusters: list[list[int]] = []
    for at, point in enumerate(points):
        near = (c for c in clusters if _is_close(points[c[0]], point))
        cluster = next(near, None)
        if cluster is None:
            clusters.append([at])
        else:
            cluster.append(at)
    return [tuple(cluster) for cluster in clusters]


def _is_close(one: LabeledPoint, other: LabeledPoint) -> bool:
    return abs(one.x - other.x) < CLOSE and abs(one.y - other.y) < CLOSE


def _first_free(point: LabeledPoint, texts: Iterable[str], taken: Sequence[Box], width: float) -> tuple[str, LabelSide]:
    """The first text and side that are free; the last text on the first side where none is."""
    last = ""
    for text in texts:
        for side in SIDES:
            box = _label_box(point, text, side)
            if box[0] >= 0 and box[2] <= width and not any(_overlap(box, other) for other in taken):
                return text, side
        last = text
    return last, SIDES[0]


def _label_box(point: LabeledPoint, text: str, side: LabelSide) -> Box:
    length = LETTER * len(text)
    left = point.x + RADIUS if side.right else point.x - RADIUS - length
    return _box(left, point.y + side.down - LINE / 2, length, LINE)


def _box(left: float, top: float, width: float, height: float) -> Box:
    return left, top, left + width, top + height


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
