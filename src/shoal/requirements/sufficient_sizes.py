"""Requirements on the whole release, replaced by class sizes, or persons of the population in every class, that are
always sufficient: what a method can aim at."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shoal.requirements.journalist_risk import JournalistRisk
from shoal.requirements.k_anonymity import KAnonymity
from shoal.requirements.requirement import ReleaseRequirement, Requirement


def with_sufficient_sizes(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """The requirements on classes that imply all ``requirements``; those that no class implies are kept."""
    return tuple(map(_by_size, requirements))


def _by_size(requirement: Requirement) -> Requirement:
    if not isinstance(requirement, ReleaseRequirement):
        return requirement
    if requirement.reads == "population":
        parameters: Any = requirement
        return JournalistRisk(
            requirement.sufficient_risk, population=parameters.population, columns=requirement.columns
        )
    if requirement.sufficient_records is None:
        return requirement
    return KAnonymity(max(2, requirement.sufficient_records), requirement.columns)
