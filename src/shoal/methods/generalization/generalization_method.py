"""Base of the generalization methods of a policy: from a table of counts to a cut tree."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from shoal.encode.count_table import CountTable
from shoal.methods.method import Method
from shoal.plan import CutTree
from shoal.plan.representation import EXTENTS, Representation
from shoal.requirements import Requirement
from shoal.requirements.judge import Domains
from shoal.schema import Kind, Schema

if TYPE_CHECKING:
    from shoal.methods.generalization.gensearch_result import GensearchResult


class GeneralizationMethod(Method):
    """A generalization method. Group sizes follow from the requirements, so it has no k of its own."""

    finds_cuts: ClassVar[bool] = True
    representation: ClassVar[Representation] = EXTENTS

    @property
    def target(self) -> str | None:
        """The additional column that the loss depends on, besides the quasi-identifiers."""
        return None

    def chooses_cuts(self, name: str) -> bool:
        """Whether cut points of a numeric or date column are chosen from its values, not given by the policy."""
        return True

    def chooses_ends(self, name: str, *, has_taxonomy: bool) -> bool:
        return not has_taxonomy and self.chooses_cuts(name)

    def uses_taxonomy(self, kind: Kind) -> bool:
        return True

    @property
    def generalization(self) -> GeneralizationMethod:
        return self

    @property
    def baseline(self) -> GeneralizationMethod | None:
        """The method whose cut trees serve as baseline in errors of count queries; None: a single block."""
        return None

    @abstractmethod
    def cut(
        self, counts: CountTable, schema: Schema, requirements: Sequence[Requirement], whole: Domains | None = None
    ) -> CutTree:
        """The cut tree of the combinations of quasi-identifiers and sensitive columns.

        ``whole``: the sensitive values of the whole table, if ``counts`` is a part of it; by default it is the whole.
        """

    def search(
        self,
        counts: CountTable,
        schema: Schema,
        requirements: Sequence[Requirement],
        whole: Domains | None = None,
        share: float | None = None,
    ) -> tuple[CutTree, GensearchResult | None]:
        """As ``cut``, with what is proven about the tree by a method that issues certificates, otherwise None.

        ``share``: of records that may be suppressed, where that is less than the method's own.
        """
        return self.suppressing(share).cut(counts, schema, requirements, whole), None

    def suppressing(self, share: float | None) -> Self:
        if share is None or "suppression" not in self.__dict__:
            return self
        own: Any = self
        changed: Self = replace(own, suppression=share)
        return changed

    @property
    def other_settings(self) -> tuple[tuple[str, Self], ...]:
        most = self.suppressing(1.0)
        return () if most is self else (("", self), ("method.suppression = {share}", most))

    def without(self, names: Collection[str]) -> Self:
        """The method without what it says of these columns, which are of another key set."""
        own: Any = self
        said = {key: getattr(self, key) for key in ("cuts", "widths") if getattr(self, key, None)}
        fewer = {key: {name: at for name, at in of.items() if name not in names} for key, of in said.items()}
        return replace(own, **fewer) if fewer != said else self
