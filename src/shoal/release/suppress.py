"""Groups that cannot be released: their records are dropped, counted, and limited by the policy."""

from __future__ import annotations

from shoal.errors import RequirementError
from shoal.plan.limit import most_records


def check_limit(n_suppressed: int, n_records: int, limit: float) -> None:
    """The policy says how much may be lost before the release is worth nothing."""
    if n_suppressed == n_records:
        raise RequirementError.nothing_left(n_records)
    if n_suppressed > most_records(limit, n_records):
        raise RequirementError.suppression_above_limit(n_suppressed, n_records, limit)
