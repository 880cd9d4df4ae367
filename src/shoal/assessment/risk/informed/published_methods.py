"""What a policy publishes about how the values of a release were changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from shoal.methods.perturbation.perturbation_method import PerturbationMethod

Grouping = Literal["none", "cuts", "replayable", "hidden"]


@dataclass(frozen=True)
class PublishedMethods:
    """The methods of a release and their parameters; its key is no part of them.

    perturbations  in their order
    within         columns by which the table was divided into strata first
    grouping       none: the method forms no classes; replayable: it forms classes, which whoever holds all
                   quasi-identifiers can form again; hidden: its groups depend on the key or on values that the intruder
                   does not hold; cuts: so do its cuts of the space of values, but a class contains those of its records
    blanks         whether known values may have been blanked
    permuted       columns whose values were permuted within classes
    """

    perturbations: tuple[PerturbationMethod, ...] = ()
    within: tuple[str, ...] = ()
    grouping: Grouping = "none"
    blanks: bool = False
    permuted: tuple[str, ...] = ()

    def add_knowledge(self, names: Iterable[str]) -> bool:
        """Whether the methods tell an intruder who holds the quasi-identifiers ``names`` more than the release does: a
        blank may be any value there, where other attacks take it for a value of its own or for no evidence."""
        shows_blanks = self.blanks and self.grouping == "none"
        return self.grouping == "replayable" or shows_blanks or any(self.applied_to(name) for name in names)

    def applied_to(self, name: str) -> tuple[PerturbationMethod, ...]:
        """The perturbations of a quasi-identifier, in their order."""
        return tuple(method for method in self.perturbations if method.gives_values(name))
