"""What was proved, what is only stated, and what nobody looked at."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any


@dataclass(frozen=True)
class Verdict:
    """One requirement, counted on the written file."""

    rule: str
    holds: bool
    reached: float | None  # by the class that is protected least; None where it has no figure
    n_classes: int
    n_failing: int
    n_records_failing: int
    reading: str  # of the values; that in which it holds least

    def __str__(self) -> str:
        if self.holds:
            reached = "" if self.reached is None else f", {self.reached:.6g} reached"
            return f"holds  {self.rule}{reached} in {self.n_classes:,} classes"
        failing = f"{self.n_failing:,} of {self.n_classes:,} classes, {self.n_records_failing:,} records"
        return f"FAILS  {self.rule} in {failing}"


@dataclass(frozen=True)
class Proof:
    """``holds`` where no verdict fails and there is no fault; ``is_whole`` where nothing that the policy requires was
    left to others, either."""

    n_records: int
    n_classes: int
    k_reached: int
    counted: str  # what classes are counted in, where that is not records
    reader: str
    verdicts: tuple[Verdict, ...]
    faults: tuple[str, ...]
    stated: tuple[str, ...]  # by manifest or policy, taken over
    unproved: tuple[str, ...]  # requirements that the file alone cannot show
    not_looked_at: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.faults and all(verdict.holds for verdict in self.verdicts)

    @property
    def is_whole(self) -> bool:
        return self.holds and not self.unproved

    @property
    def failures(self) -> tuple[str, ...]:
        return (*self.faults, *(str(each) for each in self.verdicts if not each.holds))

    def to_dict(self) -> dict[str, Any]:
        """For JSON, which has no infinity."""
        found = {"holds": self.holds, "is_whole": self.is_whole, **asdict(self)}
        for verdict in found["verdicts"]:
            if verdict["reached"] is not None and not isfinite(verdict["reached"]):
                verdict["reached"] = None
        return found

    def lines(self) -> list[str]:
        """The proof as it is printed."""
        smallest = f", the smallest of {self.n_classes:,} classes has {self.k_reached:,}" if self.n_classes else ""
        parts = [
            ("", [f"{self.n_records:,} records{smallest}{self.counted}; cells as {self.reader} reads them"]),
            ("Proven from the file:" if self.holds else "Counted on the file:", [str(each) for each in self.verdicts]),
            ("Faults:", list(self.faults)),
            ("Stated, not proven:", list(self.stated)),
            ("Not proven:", list(self.unproved)),
            ("Not looked at:", list(self.not_looked_at)),
        ]
        return [line for title, lines in parts if lines for line in [*([title] if title else []), *lines]]
