"""Common interface of all methods, as used by plans and stages. Each method answers for itself.

k                    minimum group size that the method itself states; None: it follows from the requirements
forms_groups         it assigns records to groups (microaggregation)
finds_cuts           it cuts the space of quasi-identifiers (generalization)
most_undivided       records up to which a table is grouped without blocks, if the policy leaves it open
repairs_borders      its groups exchange records across the borders of blocks, if the policy leaves it open
issues_certificates  its result comes with a proof of how much better any other result could be
representation       what is released of its classes if the policy does not say
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Self

from shoal.errors import PolicyError
from shoal.plan.representation import CENTROIDS, Representation
from shoal.schema import Kind

if TYPE_CHECKING:
    from shoal.blocking.som import MapRules
    from shoal.losses import UserLoss
    from shoal.methods.generalization.generalization_method import GeneralizationMethod
    from shoal.methods.generalization.gensearch import Gensearch
    from shoal.methods.method_budget import MethodBudget
    from shoal.methods.microaggregation.microaggregation_method import MicroaggregationMethod
    from shoal.methods.microaggregation.vmdav import VMdav


class Method(ABC):
    """Defaults, which fit a method that forms no classes; each family of methods overrides them."""

    forms_groups: ClassVar[bool] = False
    finds_cuts: ClassVar[bool] = False
    most_undivided: ClassVar[int] = 200_000
    repairs_borders: ClassVar[bool] = False
    issues_certificates: ClassVar[bool] = False
    representation: ClassVar[Representation] = CENTROIDS

    @property
    @abstractmethod
    def name(self) -> str: ...

    @property
    def k(self) -> int | None:
        return None

    def check_keys(self) -> None:
        """Raises PolicyError for a key that has no effect beside the others."""
        return

    def with_loss(self, loss: UserLoss, target: str | None) -> Method:
        """The method with a loss that a user wrote, and the column of its classes."""
        methods = "method.name = 'gensearch', or 'mondrian' with mode = 'greedy'"
        raise PolicyError.only_for("rules.loss", methods, f"'{self.name}'")

    @property
    def forms_classes(self) -> bool:
        return self.forms_groups or self.finds_cuts

    @property
    def merges_groups(self) -> bool:
        """Whether groups that fail a requirement are merged with another one."""
        return False

    @property
    def pairs_groups(self) -> bool:
        """Whether such a group is merged with a partner that was chosen before requirements were checked."""
        return False

    @property
    def suppression(self) -> float:
        """Share of the records that its own search may leave in blocks that fail, which are suppressed."""
        return 0.0

    def suppressing(self, share: float | None) -> Self:
        """The method with another such share; itself for None, or where it has none."""
        return self

    @property
    def other_settings(self) -> tuple[tuple[str, Self], ...]:
        """What else may release a table that the method as it is does not, and how a policy says so; ``{share}``: of
        the records that are suppressed."""
        return ()

    @property
    def keeps_households(self) -> bool:
        """Whether all members of a household, or all records of a unit, are in the same group."""
        return False

    @property
    def weighs_columns(self) -> bool:
        """Whether the weights of columns, other than 0, affect its distances or its loss."""
        return False

    @property
    def map_rules(self) -> MapRules | None:
        """How the self-organizing map whose cells are the groups is built; None for other methods."""
        return None

    def chooses_ends(self, name: str, *, has_taxonomy: bool) -> bool:
        """Whether intervals of a numeric or date column end at points set neither by the policy nor by a taxonomy."""
        return True

    def uses_taxonomy(self, kind: Kind) -> bool:
        """Whether the taxonomy of a quasi-identifier of this kind is used."""
        return False

    @property
    def budget(self) -> MethodBudget | None:
        """The budget of a method that searches until it is spent, otherwise None."""
        return None

    def with_share(self, share: float) -> Self:
        """The method with this share of its budget; itself if it has none."""
        return self

    @property
    def microaggregation(self) -> MicroaggregationMethod | None:
        """The method itself if it is a microaggregation method, otherwise None."""
        return None

    @property
    def generalization(self) -> GeneralizationMethod | None:
        """The method itself if it is a generalization method, otherwise None."""
        return None

    @property
    def certified_search(self) -> Gensearch | None:
        """The method itself if it issues certificates, otherwise None."""
        return None

    @property
    def variable_groups(self) -> VMdav | None:
        """The method itself if its group sizes follow the clusters of the records, otherwise None."""
        return None
