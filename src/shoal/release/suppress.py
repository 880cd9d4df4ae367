"""The limit on suppressed records: those of groups that fail a requirement and are dropped."""

from __future__ import annotations

from shoal.errors import RequirementError
from shoal.plan.limit import is_above


def check_limit(n_suppressed: int, n_records: int, limit: float) -> None:
    """Raises RequirementError if all records are suppressed, or a larger share than the ``limit`` of the policy."""
    if n_suppressed == n_records:
        raise RequirementError.nothing_left(n_records)
    if is_above(n_suppressed, n_records, limit):
        raise RequirementError.suppression_above_limit(n_suppressed, n_records, limit)
