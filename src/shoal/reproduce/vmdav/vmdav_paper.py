"""V-MDAV on the three sets of the CASC project, and on synthetic clusters.

The table of Solanas & Martinez-Balleste (2006), "V-MDAV: a multivariate microaggregation with variable group size",
COMPSTAT: 100 * SSE / SST of z-scores. Its "MDAV" is V-MDAV with gamma 0 (a fixed centroid, one group at a time),
not the MDAV of Domingo-Ferrer & Torra. gamma is 0.2 for data that the paper calls scattered, 1.1 for clustered data.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal import datasets
from shoal.encode.standardize import standardize
from shoal.kernels import Matrix
from shoal.methods.microaggregation.vmdav import vmdav
from shoal.methods.microaggregation.vmdav_diagnosis import vmdav_diagnosis
from shoal.reproduce.reproduction import Reproduction, Row
from shoal.reproduce.vmdav import vmdav_study, worked_example

SIZES = (3, 4, 5, 10)
GAMMA = {"S": 0.2, "C": 1.1}  # scattered, clustered


@dataclass(frozen=True)
class PublishedFigures:
    """Published losses of one set, for k = 3, 4, 5, 10."""

    kinds: str
    mdav: tuple[float, ...]
    vmdav: tuple[float, ...]


CASC = {
    "census": PublishedFigures("SSSS", (5.66, 7.51, 9.01, 14.07), (5.69, 7.52, 8.98, 14.07)),
    "tarragona": PublishedFigures("SSSS", (16.96, 19.70, 22.88, 33.26), (16.96, 19.70, 22.88, 33.26)),
    "eia": PublishedFigures("SSCC", (0.49, 0.67, 1.78, 3.54), (0.53, 0.75, 1.30, 2.82)),
}
CLUSTERS = {  # the paper's sets are lost; these have clusters of the sizes that its results suggest
    "clusters 1": PublishedFigures("CSSS", (7.64, 8.84, 12.20, 30.21), (0.94, 5.64, 11.83, 30.03)),
    "clusters 2": PublishedFigures("CSSS", (9.54, 13.35, 17.34, 39.28), (1.63, 8.21, 16.49, 38.91)),
    "clusters 3": PublishedFigures("SCCS", (5.95, 7.66, 9.03, 22.36), (2.17, 1.85, 5.21, 21.41)),
}

NEARLY = 0.03  # percentage points: tolerance for rounding and ties
FAR_BELOW = 0.7  # relative to the loss with gamma 0
NOT_ABOVE = 1.03

NOTE = (
    "A loss holds when it is within 0.03 of the printed one; 20 of the 24 agree to the digit. The two rows of "
    "Tarragona are printed alike, and are V-MDAV's: for gamma 0 we get 16.95, 19.77, 22.87 and 33.26, so one cell does "
    "not hold. The paper's clustered sets are lost: on ours, with clusters of 3 to 5, 3 to 5 and 4 to 7 records, "
    "V-MDAV must lie far below (0.7 of the loss with gamma 0) where it does in the paper, and nowhere above. Example 1 "
    "has the paper's thirteen records; it draws MDAV's four groups, one of them scattered, and V-MDAV is made to have "
    "none. The left half of Table 1 says which data are clustered at which k: its rows show the gamma that follows, "
    "1.1 for clustered and 0.2 for scattered, and hold where our diagnosis says the same. Our three clustered sets are "
    "clustered at one more k each, 4, 4 and 3, so these three rows do not hold."
)


def reproduce(*, full: bool) -> Reproduction:
    casc_sets = {name: casc(name) for name in CASC}
    clustered = {name: _clustered(name, full=full) for name in CLUSTERS}
    rows = worked_example.rows()
    rows += [row for name, printed in CASC.items() for row in _losses(name, printed, casc_sets[name])]
    rows += [row for name, printed in CLUSTERS.items() for row in _gains(name, printed, clustered[name])]
    for name, printed in (CASC | CLUSTERS).items():
        rows += _diagnoses(name, printed, (casc_sets | clustered)[name])
    extra = {**worked_example.files(), **vmdav_study.files(full=full)}
    return Reproduction("vmdav", "V-MDAV: groups of variable size", NOTE, tuple(rows), extra)


def casc(name: str) -> Matrix:
    return standardize(np.column_stack(getattr(datasets, name)().columns))


def _clustered(name: str, *, full: bool) -> Matrix:
    made = {
        "clusters 1": lambda: datasets.clustered_array(400, 8, (3, 5), 0.02, seed=1),
        "clusters 2": lambda: datasets.clustered_array(1500, 12, (3, 5), 0.03, seed=1),
        "clusters 3": lambda: datasets.clustered_array(5800 if full else 2000, 20, (4, 7), 0.04, seed=1),
    }
    return standardize(made[name]())


def _losses(name: str, printed: PublishedFigures, X: Matrix) -> list[Row]:
    rows = []
    for k, kind, plain, grown in zip(SIZES, printed.kinds, printed.mdav, printed.vmdav, strict=True):
        for method, gamma, paper in (("MDAV (gamma 0)", 0.0, plain), ("V-MDAV", GAMMA[kind], grown)):
            ours = vmdav(X, k, gamma=gamma).information_loss(X)
            holds = abs(ours - paper) <= NEARLY
            rows.append(Row.of("information loss, %", f"{name}, {method}", f"k={k}", paper, ours, holds=holds))
    return rows


def _gains(name: str, printed: PublishedFigures, X: Matrix) -> list[Row]:
    rows = []
    for k, kind, plain, grown in zip(SIZES, printed.kinds, printed.mdav, printed.vmdav, strict=True):
        paper = grown / plain
        ours = vmdav(X, k, gamma=GAMMA[kind]).sse(X) / vmdav(X, k, gamma=0).sse(X)
        holds = ours <= (FAR_BELOW if paper <= FAR_BELOW else NOT_ABOVE)
        rows.append(Row.of("loss of V-MDAV / loss of MDAV (gamma 0)", name, f"k={k}", paper, ours, holds=holds))
    return rows


def _diagnoses(name: str, printed: PublishedFigures, X: Matrix) -> list[Row]:
    """The gamma of the paper's kind of data, and of ours."""
    rows = []
    for k, kind in zip(SIZES, printed.kinds, strict=True):
        ours = GAMMA["C" if vmdav_diagnosis(X, k).is_clustered else "S"]
        holds = ours == GAMMA[kind]
        rows.append(Row.of("Table 1, left: gamma by kind of data", name, f"k={k}", GAMMA[kind], ours, holds=holds))
    return rows
