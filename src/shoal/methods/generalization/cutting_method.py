"""What all methods of generalization share in a policy: from a table of counts to a cut tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from shoal.encode.count_table import CountTable
from shoal.plan import CutTree
from shoal.requirements import Requirement
from shoal.requirements.judge import Domains
from shoal.schema import Schema

if TYPE_CHECKING:
    from shoal.methods.generalization.found import Found


class CuttingMethod(ABC):
    """Its groups are as large as the requirements ask, so it has no k of its own."""

    k: ClassVar[int | None] = None
    proves: ClassVar[bool] = False  # what it finds comes with a certificate

    @property
    @abstractmethod
    def name(self) -> str: ...

    @property
    def target(self) -> str | None:
        """The column that its loss is about, besides the quasi-identifiers."""
        return None

    def chooses_cuts(self, name: str) -> bool:
        """Whether it cuts a column of numbers or dates among its values, and not where the policy says."""
        return True

    @abstractmethod
    def cut(
        self, counts: CountTable, schema: Schema, requirements: Sequence[Requirement], whole: Domains | None = None
    ) -> CutTree:
        """Of the combinations of quasi-identifiers and sensitive columns.

        ``whole``: the sensitive values of the table that these are a part of; left out, they are all.
        """

    def search(
        self, counts: CountTable, schema: Schema, requirements: Sequence[Requirement], whole: Domains | None = None
    ) -> tuple[CutTree, Found | None]:
        """As ``cut``, with what is proved of the tree by a method that proves."""
        return self.cut(counts, schema, requirements, whole), None
