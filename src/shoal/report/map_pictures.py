"""Pictures of a self-organizing map: distances, records, columns, regions, labels.

map of a population -> pictures of it

No picture shows a value of a column: shades range from its lowest to its highest cell, and cells with few records are
empty.
"""

from __future__ import annotations

import numpy as np

from shoal.assessment.utility.population_map import PopulationMap
from shoal.blocking.som import Map
from shoal.kernels import Labels, Vector
from shoal.report.pictures.map_picture import MapForm, MapPicture
from shoal.report.words import number_of


def map_pictures(population: PopulationMap) -> tuple[MapPicture, ...]:
    planes = (_plane(population.map, column, plane) for column, plane in population.planes.items())
    return (_u_matrix(population.map), _hits(population), _regions(population), *_labels(population), *planes)


def _u_matrix(trained: Map) -> MapPicture:
    """The U-matrix: cells for units and for the distances between them; where two distances cross, their mean."""
    unit, place = np.nonzero(trained.lattice.neighbors > np.arange(trained.n_units)[:, None])
    other = trained.lattice.neighbors[unit, place]
    positions, distances = trained.lattice.positions, trained.neighbor_distances[unit, place]
    near = np.abs(positions[unit] - positions[other]).max(axis=1) < 2  # not across the seam of a cylinder
    between = (positions[unit] + positions[other])[near] / 2
    points, at = np.unique(np.round(np.vstack([positions, between]), 6), axis=0, return_inverse=True)
    values = np.concatenate([trained.u_matrix, distances[near]])
    means = np.bincount(at.ravel(), weights=values) / np.bincount(at.ravel())
    return MapPicture(
        "shades",
        "Distances between neighbors (U-matrix)",
        "The stronger the color, the more neighbors differ: strong lines are borders, pale areas contain similar "
        "records.",
        trained.lattice.form == "hexagonal",
        tuple((float(x), float(y), float(value)) for (x, y), value in zip(points, means, strict=True)),
        spacing=0.5,
    )


def _hits(population: PopulationMap) -> MapPicture:
    hits = population.hits
    hidden = int(((population.map.hits > 0) & (hits == 0)).sum())
    few = f" {number_of(hidden, 'cell')} with fewer than {population.fewest} records are left empty." if hidden else ""
    values = np.where(hits > 0, hits, np.nan).astype(np.float64)
    return _picture(
        population.map, "areas", "Records", f"The larger the mark, the more records are in the cell.{few}", values
    )


def _plane(trained: Map, column: str, plane: Vector) -> MapPicture:
    return _picture(trained, "shades", column, "From the lowest to the highest values of the column.", plane)


def _regions(population: PopulationMap) -> MapPicture:
    n = population.regions.n
    names = tuple(f"region {at + 1}" for at in range(n))
    chosen = "found by k-means; their number is chosen by the Davies-Bouldin index"
    caption = f"{number_of(n, 'region')} of similar cells, {chosen}."
    return _picture(population.map, "colors", "Regions", caption, population.regions.of_unit.astype(np.float64), names)


def _labels(population: PopulationMap) -> tuple[MapPicture, ...]:
    labels = population.labels
    if labels is None:
        return ()
    values = np.where(labels.of_unit < 0, np.nan, labels.of_unit)
    caption = "The most frequent value among the records of each cell."
    return (_picture(population.map, "colors", labels.column, caption, values, _used(labels.names, labels.of_unit)),)


def _used(names: tuple[str, ...], of_unit: Labels) -> tuple[str, ...]:
    """The names without the last one, which stands for other values, if no cell shows it."""
    return names if (of_unit == len(names) - 1).any() else names[:-1]


def _picture(
    trained: Map, drawn: MapForm, title: str, caption: str, values: Vector, names: tuple[str, ...] = ()
) -> MapPicture:
    cells = tuple(
        (float(x), float(y), None if np.isnan(value) else float(value))
        for (x, y), value in zip(trained.lattice.positions, values, strict=True)
    )
    return MapPicture(drawn, title, caption, trained.lattice.form == "hexagonal", cells, names=names)
