"""Draws docs/pictures/METHOD.svg: what a method makes of 90 records with two columns.

Groups are hulls around their records, with the released centroid; cuts are rectangles; perturbed records are arrows
from the original to the released place. Dots have the color of the text around, so that a picture serves
light and dark pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

import shoal
from shoal.kernels import Labels, Matrix

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
N, K, SIZE, MARGIN = 90, 5, 320, 12
COLORS = ("#00897b", "#5c6bc0", "#ef6c00", "#8e24aa", "#43a047", "#d81b60")
KEYS = ("x", "y")


def records() -> Matrix:
    """(N, 2) three clouds of records and a few far from all."""
    draw = np.random.default_rng(5)
    centers = np.array([[0.0, 0.0], [2.2, 0.6], [0.8, 2.1]])
    spread = draw.normal(0, 0.55, (N, 2)) * draw.lognormal(0, 0.35, (N, 1))
    return shoal.standardize(centers[draw.integers(0, 3, N)] + spread)


def grouped(X: Matrix) -> dict[str, Labels]:
    """The group of every record, by method."""
    found = {
        "mdav": shoal.mdav(X, K),
        "vmdav": shoal.vmdav(X, K, gamma=0.9),
        "mu_approx": shoal.mu_approx(X, K),
        "micro_som": shoal.micro_som(X, K, seed=0),
        "refine": shoal.microaggregate(X, K, proposals=200_000, seed=0),
        "baselines": shoal.mst_partition(X, K),
        "twod_tree": shoal.twod_tree(X, limit=12, k=K),
        "univariate_blocks": shoal.univariate_blocks(X, column=0, limit=12, k=K),
    }
    return {name: partition.labels for name, partition in found.items()}


def cut(X: Matrix) -> dict[str, Labels]:
    """The block of every record, by method."""
    table = pa.table({name: np.round(X[:, at], 1) for at, name in enumerate(KEYS)})
    schema = shoal.Schema([shoal.Column(name, "quasi_identifier", "numeric") for name in KEYS])
    wanted = [shoal.KAnonymity(K)]
    found = {
        "mondrian": shoal.mondrian(table, schema, wanted),
        "global_recoding": shoal.global_recoding(table, schema, wanted, scheme="cuts"),
        "gensearch": shoal.gensearch(table, schema, wanted, nodes=20_000).tree,
    }
    return {name: tree.partition(table).labels for name, tree in found.items()}


def perturbed(X: Matrix) -> dict[str, Matrix]:
    """The released records, by method."""
    return {
        "rank_swap": shoal.rank_swap(X, p=15, seed=1),
        "noise": shoal.noise(X, alpha=0.05, seed=1),
        "lossy_image": shoal.lossy_image(X, quality=40),
        "mic": shoal.mic(X, v=1, k=K),
        "rounding": shoal.round_to(X, base=0.5),
        "coding": shoal.top_bottom_code(X, bottom_share=0.1, top_share=0.1),
    }


def pictures() -> Iterator[tuple[str, str]]:
    """Names and drawings."""
    X = records()
    place = _places(X)
    for name, labels in grouped(X).items():
        yield name, _svg(f"Groups of at least {K} of {N} records", [*_groups(X, labels, place), *_dots(X, place)])
    for name, labels in cut(X).items():
        yield name, _svg(f"Blocks of at least {K} of {N} records", [*_blocks(X, labels, place), *_dots(X, place)])
    for name, masked in perturbed(X).items():
        yield name, _svg(f"{N} records before and after", [*_arrows(X, masked, place), *_dots(X, place)])


def _places(X: Matrix) -> Callable[[Matrix], Matrix]:
    low, width = X.min(axis=0), np.ptp(X, axis=0)

    def place(points: Matrix) -> Matrix:
        share = (points - low) / width
        return MARGIN + np.column_stack([share[:, 0], 1 - share[:, 1]]) * (SIZE - 2 * MARGIN)

    return place


def _groups(X: Matrix, labels: Labels, place: Callable[[Matrix], Matrix]) -> Iterator[str]:
    for number in range(int(labels.max()) + 1):
        members = place(X[labels == number])
        color = COLORS[number % len(COLORS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in _hull(members))
        x, y = members.mean(axis=0)
        yield (
            f'<polygon points="{path}" fill="{color}" fill-opacity="0.22" stroke="{color}" stroke-opacity="0.8" '
            'stroke-width="3" stroke-linejoin="round"/>'
        )
        yield f'<path d="M{x - 4:.1f} {y:.1f}h8M{x:.1f} {y - 4:.1f}v8" stroke="{color}" stroke-width="2"/>'


def _blocks(X: Matrix, labels: Labels, place: Callable[[Matrix], Matrix]) -> Iterator[str]:
    for number in range(int(labels.max()) + 1):
        members = place(X[labels == number])
        color = COLORS[number % len(COLORS)]
        (x, y), (width, height) = members.min(axis=0) - 3, np.ptp(members, axis=0) + 6
        yield (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="3" fill="{color}" '
            f'fill-opacity="0.22" stroke="{color}" stroke-opacity="0.8" stroke-width="1.5"/>'
        )


def _arrows(X: Matrix, masked: Matrix, place: Callable[[Matrix], Matrix]) -> Iterator[str]:
    for (a, b), (x, y) in zip(place(X), np.clip(place(masked), 2, SIZE - 2), strict=True):
        yield f'<path d="M{a:.1f} {b:.1f}L{x:.1f} {y:.1f}" stroke="{COLORS[0]}" stroke-opacity="0.55"/>'
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLORS[2]}"/>'


def _dots(X: Matrix, place: Callable[[Matrix], Matrix]) -> Iterator[str]:
    yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="currentColor"/>' for x, y in place(X))


def _hull(points: Matrix) -> list[tuple[float, float]]:
    """The convex hull, by Andrew's monotone chain."""
    ordered = sorted(map(tuple, points.tolist()))

    def half(chain: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
        found: list[tuple[float, ...]] = []
        for point in chain:
            while len(found) > 1 and _turn(*found[-2:], point) <= 0:
                found.pop()
            found.append(point)
        return found[:-1]

    return [(x, y) for x, y in half(ordered) + half(ordered[::-1])]


def _turn(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _svg(description: str, parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" role="img"'
    return "\n".join([f'{head} aria-label="{description}">', *parts, "</svg>"]) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, drawing in pictures():
        (FOLDER / f"{name}.svg").write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
