"""The self-organizing map of a method that uses one."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.assessment.utility.population_map import PopulationMap
from shoal.release.manifest import Manifest
from shoal.report.map_pictures import map_pictures
from shoal.report.outline_nodes import Gallery, Section
from shoal.report.text_nodes import Paragraph
from shoal.report.words import number_of, percent


def _grouping(population: PopulationMap, n_cells: str) -> str:
    if population.grouped:
        return f"The records were grouped on a self-organizing map of {n_cells}"
    maps = f"one map per block and key set, {population.n_maps:,} in all" if population.n_maps > 1 else "another map"
    return (
        f"The records were grouped on {maps}. The map that is shown was trained on all records, or on a sample of "
        f"them, and has {n_cells}"
    )


def section(manifest: Manifest, assessment: Assessment) -> Section | None:
    population = assessment.map
    if population is None:
        return None
    quality = population.quality
    n_cells = number_of(population.map.n_units, "cell")
    text = Paragraph(
        f"{_grouping(population, n_cells)}. Cells that are near each other on the map contain similar records, and a "
        f"position is the same cell in all pictures. For {percent(100 * quality.topographic)} of the records, the two "
        "nearest cells are not neighbors."
    )
    return Section("population", "Map of the population", (text, Gallery(map_pictures(population))))
