"""The map that the method made of the records, where it made one."""

from __future__ import annotations

from shoal.assess.assessment import Assessment
from shoal.release.manifest import Manifest
from shoal.report.map_pictures import map_pictures
from shoal.report.nodes import MapGallery, Paragraph, Section
from shoal.report.words import counted, percent


def section(manifest: Manifest, assessment: Assessment) -> Section | None:
    population = assessment.map
    if population is None:
        return None
    quality = population.quality
    told = Paragraph(
        f"The records were grouped on a self-organizing map of {counted(population.map.n_units, 'cell')}: near on the "
        "map is alike in the data, and the same place is the same cell in all pictures. For "
        f"{percent(100 * quality.topographic)} of the records the two nearest cells are apart on the map."
    )
    return Section("population", "A map of the population", (told, MapGallery(map_pictures(population))))
