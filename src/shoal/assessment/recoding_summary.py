"""What global recoding by hand did to one column."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class RecodingSummary:
    column: str
    n_before: int  # different values before recoding, missing ones not counted
    n_after: int
    changed: float  # percent of the records whose value changed
    loss: float | None  # percent, from before recoding to the release; None: there is no record to compare
    unused: tuple[str, ...] = ()  # categories that the policy merges and that do not occur

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
