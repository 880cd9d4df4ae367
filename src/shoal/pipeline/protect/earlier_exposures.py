"""Warnings of what earlier releases of the same persons reveal or leave open.

figures of the earlier releases, ComparedReleases, ReleasePlan -> exposures
"""

from __future__ import annotations

from shoal.assessment.exposure import Exposure
from shoal.assessment.risk.earlier_releases import pinned_shares
from shoal.findings import Findings
from shoal.gate.person_records import STABLE, ComparedReleases
from shoal.policy.policy_advice import advice_to_keep_values
from shoal.policy.release_plan import ReleasePlan


def earlier_exposures(plan: ReleasePlan, compared: ComparedReleases, figures: Findings) -> tuple[Exposure, ...]:
    return (*_unrecognized(compared), *_pinned(plan, compared, figures))


def _pinned(plan: ReleasePlan, compared: ComparedReleases, figures: Findings) -> tuple[Exposure, ...]:
    """A warning, with a proposal, where comparing releases pins down more sensitive values than the policy accepts in
    classes of one value. Only of the worst column: m-invariance of several suppresses most groups."""
    limit = 100 * plan.warn.homogeneous
    found = pinned_shares(figures, compared.new.other_columns)
    above = [name for name in found if found[name].severity[0] > limit]
    if not above:
        return ()
    worst = max(above, key=lambda name: found[name].severity)
    return (Exposure("pinned", found[worst].estimate, limit, (worst,), advice_to_keep_values(plan, worst)),)


def _unrecognized(compared: ComparedReleases) -> tuple[Exposure, ...]:
    """A warning where columns could have been compared, and all of them differ for many persons."""
    agreements = compared.agreements if compared.declared is None and _is_measured(compared) else {}
    if not agreements or compared.stable:
        return ()
    best = max(agreements, key=lambda name: agreements[name])
    return (Exposure("unrecognized", 100 * (1 - agreements[best]), 100 * (1 - STABLE), (best,), ""),)


def _is_measured(compared: ComparedReleases) -> bool:
    return compared.are_persons_known and compared.has_common_persons
