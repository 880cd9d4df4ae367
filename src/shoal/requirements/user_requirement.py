"""Base of requirements that users write in Python: a frozen dataclass with ``holds`` and ``monotone``.

An object of such a class has passed the search for counterexamples (``user_requirement_laws.py``): whoever constructs
it gets it checked, or an error.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.requirement import Reads
from shoal.user_rule import UserRule


@dataclass(frozen=True, kw_only=True)
class UserRequirement(UserRule):
    """What a class of the user states; everything but ``monotone`` and ``holds`` has a default.

    monotone       two groups for which it holds always hold together, so that a search may prune
    holds          (n_groups,) bool: which groups satisfy the requirement; depends on each of them alone
    measure        the parameter that ``asked`` and ``reached`` refer to; "holds": there is none
    weaker         whether the smaller or the larger of two values of it protects less
    reached        the value of the weakest group
    least_records  records of a group at least; None: the requirement states no size
    reads          "counts", or "order" where the values of the column are to be numbered in their order
    of_records     True: if it holds for distinct units, it also holds for their records
    """

    column: str | None = None
    """The sensitive column; left out: it reads the sizes of groups alone."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""

    monotone: ClassVar[bool]
    title: ClassVar[str]
    formula: ClassVar[str] = ""
    measure: ClassVar[str] = "holds"
    weaker: ClassVar[Weaker] = "smaller"
    of_records: ClassVar[bool] = False
    reads: ClassVar[Reads] = "counts"
    native_test: ClassVar[None] = None  # a search calls ``holds``

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.title = cls.__dict__.get("title", cls.__name__)

    @property
    def name(self) -> str:
        return type(self).__name__

    @property
    def asked(self) -> float:
        return 1.0 if self.measure == "holds" else float(getattr(self, self.measure))

    @property
    def least_records(self) -> int | None:
        return None

    @property
    def rests_on(self) -> str:
        """What a proof by a search takes on trust."""
        from shoal.requirements.user_requirement_laws import N_GROUPS

        return (
            f"monotonicity of {self.name}: declared by its author, no counterexample among {N_GROUPS:,} random groups"
        )

    def check_laws(self) -> None:
        from shoal.requirements.user_requirement_laws import check_laws

        check_laws(self)

    @abstractmethod
    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        """(n_groups,) which groups satisfy the requirement."""

    def reached(self, groups: Groups) -> float:
        """1 where it holds for all groups, otherwise 0."""
        return float(self.holds(groups).all())
