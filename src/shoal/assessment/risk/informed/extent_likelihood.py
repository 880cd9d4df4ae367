"""Columns released as extents: intervals, spans, nodes or sets that contain the person's value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.assessment.risk.containment import Containment
from shoal.assessment.risk.informed.likelihood import Likelihood
from shoal.kernels import Labels, Vector


@dataclass(frozen=True, eq=False)
class ExtentLikelihood(Likelihood):
    containment: Containment  # of all persons of the original

    def log_ratios(self, persons: Labels, records: Labels) -> Vector:
        """0 where the record's extent contains the person's value, minus infinity elsewhere."""
        found = self.containment
        contained = found.contains[found.values[persons], found.extents[records]]
        return np.where(contained, 0.0, -np.inf)
