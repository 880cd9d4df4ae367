"""Information losses that papers print for Tarragona, Census and EIA, 100 * SSE / SST of z-scores, with their source.

A figure is here only if it was read in its source, or is computed by public software as well. ``NOT_CONFIRMED`` names
the methods whose figures were not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shoal.reproduce.blocking import blocking_paper
from shoal.reproduce.mdav_tables import PUBLISHED
from shoal.reproduce.vmdav import vmdav_paper

SETS = ("tarragona", "census", "eia")
SIZES = (3, 4, 5, 10)
EIA_SST = 4092 * 11  # of z-scores: the number of cells

MDAV = (
    "Domingo-Ferrer & Torra (2005), Ordinal, continuous and heterogeneous k-anonymity through microaggregation, Data "
    "Mining and Knowledge Discovery 11(2); the figures as later papers quote them, and as sdcMicro's mdav computes them"
)
VMDAV = (
    "Solanas & Martinez-Balleste (2006), V-MDAV: a multivariate microaggregation with variable group size, COMPSTAT, "
    "Table 1"
)
BLOCKING = (
    "Solanas, Martinez-Balleste, Domingo-Ferrer & Mateo-Sanz (2006), A 2^d-tree-based blocking method for "
    "microaggregating very large data sets, ARES, Table 5; the SSE there divided by 4092 x 11"
)

NOT_CONFIRMED = (
    "MHM with its paths NPN, MD and CBFS (Domingo-Ferrer, Martinez-Balleste, Mateo-Sanz & Sebe 2006)",
    "M-d, the spanning tree (Laszlo & Mukherjee 2005)",
    "mu-Approx (Domingo-Ferrer, Sebe & Solanas 2008)",
    "TFRP",
    "DBA",
    "the genetic algorithm",
    "IMHM",
    "FDM",
    "ONA and MONA (Thaeter & Reischuk 2021)",
    "iterative group decomposition (Symmetry 10(7), 262, 2018)",
    "Hamiltonian paths (Symmetry 13(6), 916, 2021)",
    "variable neighborhood search",
    "column generation",
)


@dataclass(frozen=True)
class PrintedLosses:
    """The printed losses of one method. ``losses``: by set and k."""

    method: str
    source: str
    losses: Mapping[tuple[str, int], float]


def printed_losses() -> tuple[PrintedLosses, ...]:
    vmdav = vmdav_paper.CASC
    return (
        PrintedLosses("MDAV", MDAV, _by_size(PUBLISHED)),
        PrintedLosses("V-MDAV, gamma 0", VMDAV, _by_size({name: vmdav[name].mdav for name in SETS})),
        PrintedLosses("V-MDAV", VMDAV, _by_size({name: vmdav[name].vmdav for name in SETS})),
        *(
            PrintedLosses(f"MDAV in blocks of a 2^d-tree, L={limit}", BLOCKING, _in_blocks(limit))
            for limit in sorted({limit for limit, _ in blocking_paper.EIA})
        ),
    )


def _by_size(losses: Mapping[str, tuple[float, ...]]) -> dict[tuple[str, int], float]:
    return {(name, k): loss for name in SETS for k, loss in zip(SIZES, losses[name], strict=True)}


def _in_blocks(limit: int) -> dict[tuple[str, int], float]:
    return {("eia", k): 100 * tree / EIA_SST for (L, k), (_, tree) in blocking_paper.EIA.items() if limit == L}
