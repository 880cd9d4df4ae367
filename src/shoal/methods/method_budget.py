"""The budget of a search: how much it may examine before it ends with the best result so far."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MethodBudget:
    amount: int
    unit: str  # what is counted, in the plural
    stages: tuple[str, ...]  # the stages of progress in which it is spent

    @property
    def words(self) -> str:
        return f"{self.amount:,} {self.unit}"
