"""Columns released as extents: intervals, spans, nodes or sets that contain the person's value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.assessment.risk.containment import Containment
from shoal.assessment.risk.informed.likelihood import Likelihood, Mask
from shoal.kernels import Labels, Vector


@dataclass(frozen=True, eq=False)
class ExtentLikelihood(Likelihood):
    containment: Containment  # of all persons of the original

    def possible(self, persons: Labels, records: Labels) -> Mask:
        """Whether the record's extent contains the person's value."""
        found = self.containment
        return found.contain(found.values[persons], found.extents[records])

    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        return np.where(self.possible(persons, records), 0.0, -np.inf)
