"""What a plan and the stages may ask of every method. Each method answers in its own room.

forms_groups         it puts records into groups (microaggregation)
finds_cuts           it cuts the space of quasi-identifiers (generalization)
issues_certificates  what it finds comes with a proof of how much better anything else could be
representation       what is released of its classes where the policy names none
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from shoal.plan.representation import CENTROIDS, Representation
from shoal.schema import Kind

if TYPE_CHECKING:
    from shoal.blocking.som import MapRules
    from shoal.methods.generalization.cutting_method import CuttingMethod
    from shoal.methods.generalization.optimal import Gensearch
    from shoal.methods.microaggregation.grouping_method import GroupingMethod
    from shoal.methods.microaggregation.vmdav import VMdav


class Method:
    """The answers of a method that makes no records alike; every family has others."""

    forms_groups: ClassVar[bool] = False
    finds_cuts: ClassVar[bool] = False
    issues_certificates: ClassVar[bool] = False
    representation: ClassVar[Representation] = CENTROIDS

    @property
    def forms_classes(self) -> bool:
        return self.forms_groups or self.finds_cuts

    @property
    def merges_groups(self) -> bool:
        """Whether groups that fail a requirement are merged with another one."""
        return False

    @property
    def pairs_groups(self) -> bool:
        """Whether they are merged with a partner that was chosen before anything failed."""
        return False

    @property
    def keeps_households(self) -> bool:
        """Whether members of a household, or records of a unit, share a group."""
        return False

    @property
    def map_rules(self) -> MapRules | None:
        """How the map is made whose cells are its groups."""
        return None

    def chooses_ends(self, name: str, *, has_taxonomy: bool) -> bool:
        """Whether intervals of a column of numbers or dates end where no policy and no taxonomy says."""
        return True

    def uses_taxonomy(self, kind: Kind) -> bool:
        """Whether it looks at the taxonomy of a quasi-identifier of this kind."""
        return False

    @property
    def microaggregation(self) -> GroupingMethod | None:
        """The method itself, where it is of this family."""
        return None

    @property
    def generalization(self) -> CuttingMethod | None:
        """The method itself, where it is of this family."""
        return None

    @property
    def certified_search(self) -> Gensearch | None:
        """The method itself, where it issues certificates."""
        return None

    @property
    def variable_groups(self) -> VMdav | None:
        """The method itself, where the sizes of its groups follow the clusters of the records."""
        return None
