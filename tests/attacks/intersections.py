"""An intruder knows all stays of a patient and intersects the classes in which they are.

Who it is          knows the quasi-identifiers of everybody, so that they can repeat the grouping, and that a patient
                   has one diagnosis in all stays
What they hold     the release, which does not say which records are of one patient, and the class of every stay
What they try      guess the value that is most likely in all classes of a patient together
When it is right   it is the patient's value; the policy states how often one value may occur among the units of a class
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np


def guesses(units: Sequence[str], classes: Sequence[Any], values: Sequence[str]) -> dict[str, str]:
    """The value that every unit is taken to have. ``classes``, ``values``: of every released record."""
    class_of = np.unique([str(each) for each in classes], return_inverse=True)[1]
    names, codes = np.unique(values, return_inverse=True)
    shares = np.zeros((int(class_of.max()) + 1, len(names)))
    np.add.at(shares, (class_of, codes), 1)
    shares /= shares.sum(axis=1, keepdims=True)
    likelihoods: dict[str, Any] = defaultdict(lambda: np.ones(len(names)))
    for unit, at in zip(units, class_of, strict=True):
        likelihoods[unit] = likelihoods[unit] * shares[at]
    return {unit: str(names[likelihood.argmax()]) for unit, likelihood in likelihoods.items()}
