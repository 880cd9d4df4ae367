"""An intruder knows a patient of many stays: several records of one patient can be a whole class.

Who it is          knows age, sex and district of a patient, and that the patient was there k times or more
What they hold     the release
What they try      go to the class that is nearest, and take all of its records for the patient's
When it is right   every record of the class is of this patient, so all that they share is known of the patient
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from scipy.spatial import KDTree

from attacks.members import Places, points
from attacks.published import Published
from attacks.rates import Rate


def guesses(published: Published, known: pa.Table, numbers: Sequence[str], names: Sequence[str]) -> list[Places]:
    """The released records, a class, that are taken for those of each known person."""
    here, there = points(known, published.records, numbers, names)
    classes, class_of = np.unique(there, axis=0, return_inverse=True)
    members = np.split(np.argsort(class_of.ravel(), kind="stable"), np.cumsum(np.bincount(class_of.ravel()))[:-1])
    return [members[nearest] for nearest in KDTree(classes).query(here)[1]]


def rate(guessed: Sequence[Places], targets: Sequence[str], unit_of_released: Sequence[str]) -> Rate:
    """``targets``: whose records were looked for; ``unit_of_released``: whose every released record is."""
    whose = np.array(unit_of_released, dtype=object)
    right = sum(bool((whose[places] == unit).all()) for places, unit in zip(guessed, targets, strict=True))
    return Rate(right, len(targets))
