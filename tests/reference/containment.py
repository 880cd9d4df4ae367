"""Linkage by extents, record by record."""

from __future__ import annotations

from collections.abc import Sequence

Box = tuple[float, float] | None


def chances(persons: Sequence[Sequence[float | None]], boxes: Sequence[Sequence[Box]]) -> list[float]:
    """Of person i to be found as record i; a box is low and high of every column, high outside. None is a gap.
    Boxes of gaps only, which could be anybody, count where no other fits."""
    columns = range(len(persons[0]))
    stay = [all((p[j] is None) == (box[j] is None) for p, box in zip(persons, boxes, strict=True)) for j in columns]

    def holds(j: int, box: Box, value: float | None) -> bool:
        if box is None or value is None:
            return not stay[j] or (box is None and value is None)
        return box[0] <= value < box[1]

    found = []
    for own, person in enumerate(persons):
        fitting = [at for at, box in enumerate(boxes) if all(holds(j, box[j], person[j]) for j in columns)]
        narrower = [at for at in fitting if not all(boxes[at][j] is None and not stay[j] for j in columns)]
        if narrower and any(value is not None for value in person):
            fitting = narrower
        found.append(1 / len(fitting) if own in fitting else 0.0)
    return found
