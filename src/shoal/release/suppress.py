"""Groups that cannot be released: their records are dropped, counted, and limited by the policy."""

from __future__ import annotations

from shoal.errors import RequirementError
from shoal.plan.limit import is_above


def check_limit(n_suppressed: int, n_records: int, limit: float) -> None:
    """The policy says how much may be lost before the release is worth nothing."""
    if n_suppressed == n_records:
        raise RequirementError.nothing_left(n_records)
    if is_above(n_suppressed, n_records, limit):
        raise RequirementError.suppression_above_limit(n_suppressed, n_records, limit)
