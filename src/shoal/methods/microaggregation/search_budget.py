"""Budgets of a search: a number of proposals, or as many as fit into a time.

A search requests the length of its descent, then lengths of chains (small table) or of legs (large table). It records
the lengths that a clock gives out; given these lengths again, it produces the same partition.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

PER_CHAIN = 10_000  # proposals per record of a chain: longer chains gain less than another restart
DESCENT = {"small": 200, "large": 30}  # proposals per record of the first descent
PILOT = 2  # proposals per record that measure the speed of a search before it begins
N_STAGES = 16  # number of stages in the annealing of a large table; the last one is a descent
TIME_MARGIN = 0.95  # share of the remaining time that is planned for: a machine may slow down


def descent_length(n_records: int, small: bool) -> int:
    """Proposals of a first descent that is not cut short."""
    return DESCENT["small" if small else "large"] * n_records


class ProposalBudget:
    """Numbers of proposals fixed before the search begins."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self._left = list(lengths)

    @classmethod
    def of_total(cls, n_proposals: int, n_records: int, small: bool) -> ProposalBudget:
        """The descent, then chains of about ``PER_CHAIN`` proposals per record, or stages of equal length."""
        descent = min(n_proposals, descent_length(n_records, small))
        rest = n_proposals - descent
        n_parts = max(1, round(rest / (PER_CHAIN * n_records))) if small else N_STAGES
        return cls([descent, *(rest // n_parts + (part < rest % n_parts) for part in range(n_parts))])

    def is_over(self) -> bool:
        return False

    def pilot(self, n_records: int) -> int:
        return 0

    def descent(self, n_records: int) -> int:
        return self._left.pop(0) if self._left else 0

    def chains(self, n_records: int, threads: int) -> list[int]:
        lengths, self._left = [n for n in self._left if n > 0], []
        return lengths

    def stage(self, n_stages_left: int) -> int:
        return self._left.pop(0) if self._left else 0

    def report(self, n_proposals: int) -> None:
        pass


class TimeBudget:
    """Numbers of proposals that fit into a time, from the speed measured so far. The time begins here.

    ``now`` returns the current time in seconds.
    """

    def __init__(
        self, seconds: float, small: bool, per_chain: int = PER_CHAIN, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._now = now
        self._end = now() + seconds
        self._small = small
        self._per_chain = per_chain
        self._asked = self._now()
        self.speed = 0.0  # proposals per second, all threads together

    @property
    def seconds_left(self) -> float:
        return self._end - self._now()

    def is_over(self) -> bool:
        return self.seconds_left <= 0

    def pilot(self, n_records: int) -> int:
        """Proposals that are made to be measured, and not kept."""
        self._asked = self._now()
        return 0 if self.is_over() else PILOT * n_records

    def descent(self, n_records: int) -> int:
        self._asked = self._now()
        return min(descent_length(n_records, self._small), int(self._fits()))

    def chains(self, n_records: int, threads: int) -> list[int]:
        """One length per thread, such that a whole number of such rounds fits into the remaining time."""
        self._asked = self._now()
        possible = self._fits() / threads
        n_waves = max(1, round(possible / (self._per_chain * n_records)))
        length = int(possible / n_waves)
        return [length] * threads if length > n_records else []

    def stage(self, n_stages_left: int) -> int:
        self._asked = self._now()
        return int(self._fits() / n_stages_left)

    def report(self, n_proposals: int) -> None:
        """Reports the number of proposals made since a length was last requested."""
        self.speed = n_proposals / max(1e-6, self._now() - self._asked)

    def _fits(self) -> float:
        return max(0.0, self.seconds_left * TIME_MARGIN * self.speed)


Budget = ProposalBudget | TimeBudget
