"""Reproduction of published tables: one module per paper, published and recomputed numbers side by side; and all of
them on one page."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path

from shoal import progress
from shoal.errors import DatasetError, PolicyError
from shoal.report.charts import check_charts
from shoal.reproduce.overview import Overview, overview
from shoal.reproduce.overview_page import page
from shoal.reproduce.reproduction import Reproduction, Row, write
from shoal.sources import whole_file

__all__ = ["ALL", "NAMES", "Overview", "Reproduction", "Row", "reproduce_all", "reproduction", "write"]

ALL = "all"

NAMES = {
    "blocking": "shoal.reproduce.blocking.blocking_paper",
    "fuzzy-blocking": "shoal.reproduce.fuzzy_blocking.fuzzy_blocking_paper",
    "gensearch": "shoal.reproduce.gensearch.gensearch_paper",
    "literature": "shoal.reproduce.literature.literature_tables",
    "mdav": "shoal.reproduce.mdav_tables",
    "micro-som": "shoal.reproduce.micro_som.micro_som_paper",
    "vmdav": "shoal.reproduce.vmdav.vmdav_paper",
}
TOPOLOGIES = "micro-som"  # the only reproduction with a study of topologies


def reproduction(name: str, *, full: bool = False, topologies: bool = False) -> Reproduction:
    """The reproduction ``name``. ``full``: in the paper's table sizes; ``topologies``: with a study of maps."""
    if name not in NAMES:
        raise PolicyError.unknown_choice("reproduce", name, (ALL, *NAMES))
    if topologies and name != TOPOLOGIES:
        raise PolicyError.only_for("--topologies", TOPOLOGIES, name)
    check_charts()
    found: Reproduction = import_module(NAMES[name]).reproduce(full=full)
    if topologies:
        from shoal.reproduce.micro_som import topologies as map_topologies

        found = replace(found, extra={**found.extra, **map_topologies.files(full=full)})
    return found


def reproduce_all(output: Path, *, full: bool = False) -> Overview:
    """All reproductions, each written to its folder of ``output`` as soon as it is there, and an overview of them as
    index.html and overview.json. One whose data are not here is named with the reason."""
    found, reasons = {}, {}
    with progress.stage("reproductions", len(NAMES)) as at:
        for done, name in enumerate(NAMES, 1):
            try:
                found[name] = reproduction(name, full=full)
                write(found[name], output)
            except DatasetError as error:
                reasons[name] = str(error)
            at(done)
    everything = overview(found, reasons)
    output.mkdir(parents=True, exist_ok=True)
    for file, text in (("index.html", page(everything)), ("overview.json", everything.to_json())):
        with whole_file(output / file, force=True) as draft:
            draft.write_text(text, encoding="utf-8")
    return everything
