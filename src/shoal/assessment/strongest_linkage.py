"""The most successful of the linkage attacks that were tried on a release."""

from __future__ import annotations

from shoal.assessment.assessment import Assessment
from shoal.linkage.linkage_risk import Linkage


def strongest_linkage(assessment: Assessment) -> Linkage | None:
    """The linkage of the highest risk; None where none was tried."""
    return max(assessment.linkages.values(), key=lambda linkage: linkage.risk, default=None)
