"""What must hold of every group: predicates, shared by methods and gate and by nothing else.

A requirement is a frozen value with
    name      as in policy.toml
    columns   the quasi-identifiers it is about; None: all of them
    column    the column it reads, sensitive unless it reads extents; None: it reads none
    reads     what of the groups it looks at besides their totals
    monotone  if a group fails, every division of it has a failing part: a search may prune
    measure   which of its parameters ``asked`` and ``reached`` are about
    holds     (n_groups,) bool
    reached   the value that the weakest group shows, to put beside the one asked for
    weaker    which of two such values is the weaker one: the smaller or the larger
    of_records  what holds of different units holds of their records, too: who cannot tell units proves it of these

All of them see counts: of records or, where a column says which records are of one unit, of different units. A weight
does not make a record several.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from shoal.requirements.alpha_k_anonymity import AlphaKAnonymity
from shoal.requirements.beta_likeness import BetaLikeness
from shoal.requirements.delta_disclosure import DeltaDisclosure
from shoal.requirements.distinct_l_diversity import DistinctLDiversity
from shoal.requirements.entropy_l_diversity import EntropyLDiversity
from shoal.requirements.epsilon_privacy import EpsilonPrivacy
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.k_anonymity import KAnonymity
from shoal.requirements.minimum_length import MinimumLength
from shoal.requirements.recursive_l_diversity import RecursiveLDiversity
from shoal.requirements.t_closeness import TCloseness

__all__ = [
    "AlphaKAnonymity",
    "AnyRequirement",
    "BetaLikeness",
    "DeltaDisclosure",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "EpsilonPrivacy",
    "Groups",
    "KAnonymity",
    "MinimumLength",
    "Reads",
    "RecursiveLDiversity",
    "Requirement",
    "TCloseness",
    "about_size",
]

Reads = Literal["totals", "counts", "order", "tree", "extents"]


class Requirement(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> tuple[str, ...] | None: ...
    @property
    def column(self) -> str | None: ...
    @property
    def reads(self) -> Reads: ...
    @property
    def measure(self) -> str: ...
    @property
    def weaker(self) -> Weaker: ...
    @property
    def of_records(self) -> bool: ...
    @property
    def asked(self) -> float: ...
    def holds(self, groups: Groups) -> NDArray[np.bool_]: ...
    def reached(self, groups: Groups) -> float: ...


AnyRequirement = Annotated[
    KAnonymity
    | DistinctLDiversity
    | EntropyLDiversity
    | RecursiveLDiversity
    | AlphaKAnonymity
    | TCloseness
    | DeltaDisclosure
    | BetaLikeness
    | EpsilonPrivacy
    | MinimumLength,
    Field(discriminator="name"),
]


def about_size(requirements: Iterable[Requirement]) -> list[KAnonymity | AlphaKAnonymity]:
    """Those that ask for a number k of records, or units, in every class."""
    return [wanted for wanted in requirements if isinstance(wanted, KAnonymity | AlphaKAnonymity)]
