"""A page with a self-organizing map of a table."""

from __future__ import annotations

from shoal.assessment.utility.population_map import PopulationMap
from shoal.report.map_pictures import map_pictures
from shoal.report.outline_nodes import Gallery, Outline, Section
from shoal.report.text_nodes import Paragraph, Table, facts
from shoal.report.words import number_of, percent


def map_outline(population: PopulationMap, name: str) -> Outline:
    text = Paragraph(
        "Each record lies in the cell whose position in the data is nearest to it; cells that are near each other on "
        "the map are similar. A position is the same cell in all pictures. The pictures show the original table and "
        "are for internal use."
    )
    return Outline(
        "Map of the records",
        f"{name}, {number_of(population.map.labels.size, 'record')}",
        None,
        (
            Section("map", "The map", (text, Gallery(map_pictures(population)))),
            Section("quality", "Quality of the map", (_quality(population),)),
        ),
    )


def _quality(population: PopulationMap) -> Table:
    lattice, quality = population.map.lattice, population.quality
    return facts(
        ("Cells", f"{lattice.rows} x {lattice.columns}, {lattice.form} {lattice.shape}"),
        ("Quantization error", f"{quality.quantization:.4g}, the mean distance from a record to its cell"),
        (
            "Topographic error",
            f"{percent(100 * quality.topographic)} of the records have two nearest cells that are not neighbors",
        ),
        (
            "Combined error",
            f"{quality.combined:.4g}, the mean distance from a record to its cell and on along the map to its "
            "second-nearest cell",
        ),
        ("Regions", f"{population.regions.n}, Davies-Bouldin index {population.regions.index:.3g}"),
    )
