"""Requirements on the whole release, replaced by class sizes that are always sufficient: what a method can aim at."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.requirements.k_anonymity import KAnonymity
from shoal.requirements.requirement import ReleaseRequirement, Requirement


def with_sufficient_sizes(requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
    """The requirements on classes that imply all ``requirements``; those that no class size implies are kept."""
    return tuple(map(_by_size, requirements))


def _by_size(requirement: Requirement) -> Requirement:
    if not isinstance(requirement, ReleaseRequirement) or requirement.sufficient_records is None:
        return requirement
    return KAnonymity(max(2, requirement.sufficient_records), requirement.columns)
