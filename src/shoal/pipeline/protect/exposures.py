"""Disclosure despite equivalence classes: unique records on unchanged columns, unchanged columns that depend on
quasi-identifiers, and homogeneous classes.

Unique records and homogeneous classes are counted over all records by the engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from shoal.assessment.exposure import (
    HOMOGENEOUS,
    N_NAMED,
    Exposure,
    by_number_of_values,
    columns_to_cover,
    unique_finding,
)
from shoal.assessment.risk.attack import Attack
from shoal.assessment.risk.attribute_attacks import attribute_attacks
from shoal.assessment.risk.regression_linkage import LearnedLinkage
from shoal.assessment.risk.release_counts import ReleaseCounts
from shoal.findings import Finding, Findings
from shoal.linkage.linkage_risk import Linkage
from shoal.policy import ReleasePlan
from shoal.policy.policy_advice import advice_to_diversify, advice_to_protect


@dataclass(frozen=True)
class ExposureResult:
    findings: Findings
    exposures: tuple[Exposure, ...] = ()
    attacks: tuple[Attack, ...] = ()


@dataclass(frozen=True)
class ExposureMeasurement:
    """Measures both kinds of disclosure, and what else classes tell of sensitive values. ``sample``: some records."""

    plan: ReleasePlan
    release: ReleaseCounts
    sample: pa.Table

    def __call__(self) -> ExposureResult:
        if not self.release.n_records:
            return ExposureResult(Findings())
        found = (self._unique(), self._homogeneous())
        return ExposureResult(
            Findings(tuple(finding for each in found for finding in each.findings)),
            tuple(exposure for each in found for exposure in each.exposures),
            tuple(attack for each in found for attack in each.attacks),
        )

    def _unique(self) -> ExposureResult:
        """Records that are unique on unchanged columns, in case an intruder knows these."""
        names = self.release.outside
        if not names:
            return ExposureResult(Findings())
        share = 100 * self.release.small_classes(names, 2).n_unique / self.release.n_records
        found = unique_finding(share, names, 100 * self.plan.warn.unique)
        return ExposureResult(Findings((found,)), unique_exposures(self.plan, found, self.sample, names))

    def _homogeneous(self) -> ExposureResult:
        """Records in classes whose records all share one sensitive value."""
        limit = 100 * self.plan.warn.homogeneous
        found = attribute_attacks(self.release, limit)
        figures = [attack.figure for attack in found.attacks]
        findings = [each for each in figures if isinstance(each, Finding) and each.name.startswith(HOMOGENEOUS)]
        exposures = homogeneous_exposures(self.plan, found.homogeneous, limit)
        return ExposureResult(Findings(tuple(findings)), exposures, found.attacks)


def unique_exposures(plan: ReleasePlan, found: Finding, sample: pa.Table, names: Sequence[str]) -> tuple[Exposure, ...]:
    """A warning, with a proposal, where more records are unique on the unchanged columns ``names`` than the policy
    accepts. ``sample``: some released records."""
    limit = 100 * plan.warn.unique
    if found.estimate <= limit:
        return ()
    ranked = by_number_of_values(sample, names)
    remedy = advice_to_protect(plan, columns_to_cover(sample, ranked, limit))
    return (Exposure("unique", found.estimate, limit, ranked[:N_NAMED], remedy),)


def dependent_exposures(plan: ReleasePlan, linkages: Mapping[str, Linkage]) -> tuple[Exposure, ...]:
    """A warning, with a proposal, where released columns depend on quasi-identifiers, and who learned this from the
    release finds more persons than the policy accepts."""
    found = linkages.get("regression")
    if not isinstance(found, LearnedLinkage) or found.risk - found.risk_without <= plan.warn.dependent:
        return ()
    remedy = advice_to_protect(plan, found.dependent)
    shares, interval = (100 * found.risk, 100 * found.risk_without), found.reported_interval
    named = found.dependent[:N_NAMED]
    return (Exposure("dependent", *shares, named, remedy, 100 * interval[1] if interval else None),)


def homogeneous_exposures(plan: ReleasePlan, shares: Mapping[str, float], limit: float) -> tuple[Exposure, ...]:
    """A warning, with a proposal, where more records are in classes of one sensitive value than the policy accepts.
    ``shares``: percent of the records, by column."""
    above_limit = sorted((name for name in shares if shares[name] > limit), key=lambda name: -shares[name])
    if not above_limit:
        return ()
    remedy = advice_to_diversify(plan, above_limit)
    return (Exposure("homogeneous", shares[above_limit[0]], limit, tuple(above_limit[:N_NAMED]), remedy),)
