"""Linkage by extents, record by record."""

from __future__ import annotations

from collections.abc import Sequence


def chances(
    persons: Sequence[Sequence[float | None]],
    boxes: Sequence[Sequence[tuple[float, float] | None]],
    truth: Sequence[int],
) -> list[float]:
    """Of every person to be found; a box is low and high of every column, high outside. None could be anything."""
    found = []
    for person, own in zip(persons, truth, strict=True):
        fitting = [at for at, box in enumerate(boxes) if all(map(holds, box, person))]
        found.append(1 / len(fitting) if own in fitting else 0.0)
    return found


def holds(box: tuple[float, float] | None, value: float | None) -> bool:
    return box is None or value is None or box[0] <= value < box[1]
