"""What the policy of a release publishes about its methods, for the intruder who knows it."""

from __future__ import annotations

from shoal.assessment.risk.informed.published_methods import Grouping, PublishedMethods
from shoal.policy import ReleasePlan


def published_methods(plan: ReleasePlan) -> PublishedMethods:
    permuted = tuple(name for name, column in plan.columns.items() if column.is_permuted)
    return PublishedMethods(plan.perturbations, plan.within, _grouping(plan), plan.blanks_cells, permuted)


def _grouping(plan: ReleasePlan) -> Grouping:
    """Classes can be formed again if they depend on quasi-identifiers alone: not on sensitive values, by which groups
    are merged and cuts allowed, and not on pairs of groups that the key draws."""
    if not plan.method.forms_classes or plan.representation.separates_sensitive:
        return "none"
    if plan.sensitive_in_requirements or plan.method.pairs_groups or plan.blanks_cells:
        return "hidden" if plan.method.forms_groups else "cuts"
    return "replayable"
