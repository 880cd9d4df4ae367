"""Histogram of records by the size of their equivalence class, with increasing bins, one of which begins at k."""

from __future__ import annotations

import numpy as np

from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.report.pictures.bar_chart import Chart, Series
from shoal.report.words import percent

EXACT = 10  # smaller sizes have a bin of their own


def class_sizes(original: ClassSizes, released: ClassSizes, k: int | None) -> Chart:
    noun = released.noun
    largest = int(max(original.sizes.max(), released.sizes.max()))
    edges = _edges(largest, k)
    return Chart(
        "columns",
        f"{noun.capitalize()}s by the size of their class",
        _caption(original, released, k),
        _names(edges, largest),
        (Series("original", _shares(original, edges)), Series("release", _shares(released, edges))),
        bin_title=f"{noun}s in the class",
        measure=f"percent of the {noun}s",
        start=(edges.index(k), f"k = {k}") if k in edges else None,
    )


def _edges(largest: int, k: int | None) -> list[int]:
    """Lower ends of the bins: 1 to 10, then 20, 50, 100, 200, 500 ... up to the largest class, and k."""
    wide = {step * 10**power for power in range(1, len(str(largest)) + 1) for step in (1, 2, 5)}
    return sorted(edge for edge in {*range(1, EXACT), *wide, k} if edge and edge <= max(largest, k or 1))


def _names(edges: list[int], largest: int) -> tuple[str, ...]:
    """Names of the bins, such as 1, 2, 10-19."""
    ends = [*(edge - 1 for edge in edges[1:]), largest]
    bins = zip(edges, ends, strict=True)
    return tuple(f"{low:,}" if low >= high else f"{low:,}-{high:,}" for low, high in bins)


def _shares(sizes: ClassSizes, edges: list[int]) -> tuple[float, ...]:
    """(n_bins,) Percent of the records, so that a class counts by its size."""
    records, _ = np.histogram(sizes.sizes, bins=[*edges, np.inf], weights=sizes.sizes * sizes.n_classes)
    return tuple((100 * records / max(sizes.n_records, 1)).tolist())


def _caption(original: ClassSizes, released: ClassSizes, k: int | None) -> str:
    least, noun = k or 2, released.noun
    before, after = (_share_below(sizes, least) for sizes in (original, released))
    small = f"in classes of fewer than {k} {noun}s" if k else "alone in their class"
    return f"In the original {percent(before)} of the {noun}s are {small}, in the release {percent(after)}."


def _share_below(sizes: ClassSizes, least: int) -> float:
    small = sizes.sizes < least
    return 100 * float((sizes.sizes * sizes.n_classes)[small].sum()) / sizes.n_records
