"""A page with a self-organizing map of a table."""

from __future__ import annotations

from shoal.assessment.utility.population_map import PopulationMap
from shoal.report.map_pictures import map_pictures
from shoal.report.outline_nodes import Gallery, Outline, Section
from shoal.report.text_nodes import Paragraph, Table, facts
from shoal.report.words import number_of, percent


def map_outline(population: PopulationMap, name: str) -> Outline:
    told = Paragraph(
        "Every record lies in the cell whose place in the data is nearest to it; cells that are near on the map are "
        "alike. The same place is the same cell in all pictures. They are made of the original table: for internal use."
    )
    return Outline(
        "Map of the records",
        f"{name}, {number_of(population.map.labels.size, 'record')}",
        None,
        (
            Section("map", "The map", (told, Gallery(map_pictures(population)))),
            Section("quality", "How good the map is", (_quality(population),)),
        ),
    )


def _quality(population: PopulationMap) -> Table:
    lattice, quality = population.map.lattice, population.quality
    return facts(
        ("Cells", f"{lattice.rows} x {lattice.columns}, {lattice.form} {lattice.shape}"),
        ("Quantization error", f"{quality.quantization:.4g}, the mean distance of a record to its cell"),
        (
            "Topographic error",
            f"{percent(100 * quality.topographic)} of records have their two nearest cells apart",
        ),
        (
            "Combined error",
            f"{quality.combined:.4g}, from a record to its cell and on the map to the second one",
        ),
        ("Regions", f"{population.regions.n}, Davies-Bouldin index {population.regions.index:.3g}"),
    )
