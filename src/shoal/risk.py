"""Disclosure risk of arrays and of sample frequencies. Record linkage is in `shoal.linkage`."""

from __future__ import annotations

from shoal.assessment.risk.individual_risk import household_risk, individual_risk
from shoal.assessment.risk.interval import IntervalDisclosure, interval_disclosure
from shoal.assessment.risk.suda import Suda, suda

__all__ = [
    "IntervalDisclosure",
    "Suda",
    "household_risk",
    "individual_risk",
    "interval_disclosure",
    "suda",
]
