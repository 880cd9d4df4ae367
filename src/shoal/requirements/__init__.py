"""Privacy requirements: predicates on groups of records, shared by the methods and the final check of a release.

A requirement is a frozen value with
    name      as in policy.toml
    columns   the quasi-identifiers that form its equivalence classes; None: all of them
    column    the column it reads: sensitive, or a quasi-identifier where it reads extents; None: it reads none
    reads     what it needs of the groups besides their totals
    monotone  if a group fails, every division of it has a failing part, so that a search may prune
    measure   the parameter that ``asked`` and ``reached`` refer to
    asked     the required value of that parameter
    holds     (n_groups,) bool: which groups satisfy the requirement
    reached   the value of the weakest group, to compare with the required one
    weaker    whether the smaller or the larger of two such values protects less
    of_records  True: if it holds for distinct units, it also holds for their records, so that it can be proven of the
              records where units are not known

All requirements read counts: of records or, where a column says which records belong to one unit, of distinct units.
Weights do not enter: a record counts once.
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
    """The requirements on the size of classes: at least k records, or units."""
    return [wanted for wanted in requirements if isinstance(wanted, KAnonymity | AlphaKAnonymity)]
