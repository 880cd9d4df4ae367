"""Reproduction of published tables: one module per paper, published and recomputed numbers side by side."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from shoal.errors import PolicyError
from shoal.report.charts import check_charts
from shoal.reproduce.reproduction import Reproduction, Row, write

__all__ = ["NAMES", "Reproduction", "Row", "reproduction", "write"]

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
        raise PolicyError.unknown_choice("reproduce", name, tuple(NAMES))
    if topologies and name != TOPOLOGIES:
        raise PolicyError.only_for("--topologies", TOPOLOGIES, name)
    check_charts()
    found: Reproduction = import_module(NAMES[name]).reproduce(full=full)
    if topologies:
        from shoal.reproduce.micro_som import topologies as map_topologies

        found = replace(found, extra={**found.extra, **map_topologies.files(full=full)})
    return found
