"""Representations: what a release shows for the records of an equivalence class.

centroids  the mean of the class
extents    the interval, taxonomy node or set of values that the class covers, such as [30, 35)
anatomy    unchanged quasi-identifiers, with the sensitive values of the class in a second table
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RepresentationName = Literal["centroids", "extents", "anatomy"]


@dataclass(frozen=True)
class Representation:
    """A representation and its consequences for columns, files and the gate."""

    name: RepresentationName
    releases_means: bool = False  # of the quasi-identifiers of a class
    releases_extents: bool = False
    separates_sensitive: bool = False  # from the quasi-identifiers, into a separate table


CENTROIDS = Representation("centroids", releases_means=True)
EXTENTS = Representation("extents", releases_extents=True)
ANATOMY = Representation("anatomy", separates_sensitive=True)
REPRESENTATIONS: dict[str, Representation] = {each.name: each for each in (CENTROIDS, EXTENTS, ANATOMY)}
