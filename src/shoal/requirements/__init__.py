"""What must hold of every group: predicates, shared by methods and gate and by nothing else.

A requirement is a frozen value with
    name      as in policy.toml
    columns   the quasi-identifiers it is about; None: all of them
    column    the sensitive column it reads; None: it reads none
    monotone  if a group fails, every division of it has a failing part: a search may prune
    holds     (n_groups,) bool
    reached   the value that the weakest group shows, to put beside the one asked for
"""

from __future__ import annotations

from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from shoal.requirements.groups import Groups
from shoal.requirements.k_anonymity import KAnonymity
from shoal.requirements.l_diversity import DistinctLDiversity

__all__ = ["AnyRequirement", "DistinctLDiversity", "Groups", "KAnonymity", "Requirement"]


class Requirement(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> tuple[str, ...] | None: ...
    @property
    def column(self) -> str | None: ...
    @property
    def asked(self) -> float: ...
    def holds(self, groups: Groups) -> NDArray[np.bool_]: ...
    def reached(self, groups: Groups) -> float: ...


AnyRequirement = Annotated[KAnonymity | DistinctLDiversity, Field(discriminator="name")]
