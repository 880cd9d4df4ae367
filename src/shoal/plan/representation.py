"""Representations: what a release shows of the records of an equivalence class.

centroids  what they have on average
extents    from where to where they reach, as [30, 35)
anatomy    their quasi-identifiers as they are, and the sensitive values of the class in a second table
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RepresentationName = Literal["centroids", "extents", "anatomy"]


@dataclass(frozen=True)
class Representation:
    """A representation, and what follows from it for columns, files and the gate."""

    name: RepresentationName
    releases_means: bool = False  # of the quasi-identifiers of a class
    releases_extents: bool = False
    separates_sensitive: bool = False  # from the quasi-identifiers, into a table of their own


CENTROIDS = Representation("centroids", releases_means=True)
EXTENTS = Representation("extents", releases_extents=True)
ANATOMY = Representation("anatomy", separates_sensitive=True)
REPRESENTATIONS: dict[str, Representation] = {each.name: each for each in (CENTROIDS, EXTENTS, ANATOMY)}
