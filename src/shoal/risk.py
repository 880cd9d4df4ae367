"""Disclosure risk of arrays and of sample frequencies. Record linkage is in `shoal.linkage`."""

from shoal.assessment.risk.individual_risk import household_risk as household_risk
from shoal.assessment.risk.individual_risk import individual_risk as individual_risk
from shoal.assessment.risk.interval import IntervalDisclosure as IntervalDisclosure
from shoal.assessment.risk.interval import interval_disclosure as interval_disclosure
from shoal.assessment.risk.population_uniques import population_uniques as population_uniques
from shoal.assessment.risk.suda import Suda as Suda
from shoal.assessment.risk.suda import suda as suda
