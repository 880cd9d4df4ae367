"""What helps where too many records are in classes that fail: by what the requirements read, and how classes arise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.errors.base import listed

LEAST_K = 2  # that can be required


@dataclass(frozen=True)
class FailingClasses:
    """The circumstances of classes that fail."""

    requirements: Sequence[str] = ()  # as messages name them
    reads: Sequence[str] = ()  # what each of them reads of a class: its totals, values, amounts, ...
    within: Sequence[str] = ()  # columns of the strata
    unit: str | None = None  # the column whose distinct values are counted
    k: int | None = None  # that the policy states; None: it has no key k
    grow_with_k: bool = False  # a method forms them, and a larger k, for which there are units, makes them larger
    have_values_of_units: bool = False  # values are protected for all records of a unit together

    @property
    def names(self) -> str:
        return listed(self.requirements) or "a requirement"

    @property
    def rare_units(self) -> str:
        """The other cause of suppression, where there may be one."""
        if not self.have_values_of_units:
            return ""
        return f", or of units of '{self.unit}' with more records than enough others have"

    @property
    def remedies(self) -> str:
        """The changes of the policy that help, as a list."""
        return ", ".join([*self._remedies(), "or weaken the requirements"])

    def _remedies(self) -> list[str]:
        strata = [f"use fewer or coarser columns in within ({listed(self.within)})"] if self.within else []
        if set(self.reads) <= {"totals", "sizes"}:
            of_units = f", which counts different values of '{self.unit}'" if self.unit else ""
            lower = [f"lower k{of_units}"] if self.k and self.k > LEAST_K else []
            return [*strata, "recode the quasi-identifiers more coarsely", *lower]
        if strata and "amounts" in self.reads:
            return strata
        return [*strata, "raise k" if self.grow_with_k and self.k else "recode the quasi-identifiers more coarsely"]
