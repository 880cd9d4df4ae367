"""t-closeness: the sensitive values of a group are distributed almost as in the whole release.

Li, Li & Venkatasubramanian (2007), doi:10.1109/ICDE.2007.367856.

    EMD(group, release) <= t        the earth mover's distance, see earth_mover.py

The whole is the release and not the original, since that is what a reader sees. Shares are among known values, in the
group as in the release. Monotone because the distance is convex: a merged group is no farther from the whole than the
farther of its parts.

Which distance follows from the column where none is given: numbers, dates and declared orders have one of their own,
other values that of their taxonomy, or none. A number with a taxonomy is compared by size, since the lowest level of
a tree asks which values are equal, and amounts rarely are. Where no column is known, all values are equally far apart:
no other distance is larger, so this promises no less than was meant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.kernels import TestKind, Vector
from shoal.requirements import earth_mover
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.native_test import NativeTest
from shoal.requirements.shares import SLACK, Shares
from shoal.schema.column import Kind

Distance = Literal["equal", "ordered", "hierarchical"]
DISTANCES: tuple[Distance, ...] = get_args(Distance)


@dataclass(frozen=True)
class TCloseness:
    """The sensitive values of every group are at most ``t`` away from those of the release, on a scale of 0 to 1."""

    t: float
    """Largest distance, from 0 to 1."""
    column: str
    """The sensitive column."""
    distance: Distance | None = None
    """How far two values are apart: all alike, by their order, or by their taxonomy; left out: as the column tells."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    name: Literal["t_closeness"] = "t_closeness"

    title: ClassVar[str] = "t-closeness"
    formula: ClassVar[str] = "EMD(q, p) <= t"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "t"
    weaker: ClassVar[Weaker] = "larger"
    of_records: ClassVar[bool] = False
    least_records: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if not 0 <= self.t <= 1:
            raise PolicyError.outside("t_closeness.t", 0, 1, self.t)
        if self.distance is not None and self.distance not in DISTANCES:
            raise PolicyError.unknown_choice("t_closeness.distance", self.distance, DISTANCES)

    def of_column(self, kind: Kind, *, has_order: bool, has_taxonomy: bool) -> TCloseness:
        """The same requirement with a distance: its own, else the one that follows from its column."""
        if self.distance is not None:
            return self
        is_ordered = kind in ("numeric", "date") or (kind == "ordinal" and has_order)
        return replace(self, distance="ordered" if is_ordered else "hierarchical" if has_taxonomy else "equal")

    @property
    def in_digest(self) -> TCloseness:
        """By equality as if no distance was named: what this once stood for, so that no release of old changes."""
        return replace(self, distance=None) if self.distance == "equal" else self

    @property
    def reads(self) -> Literal["counts", "order", "tree"]:
        return "order" if self.distance == "ordered" else "tree" if self.distance == "hierarchical" else "counts"

    @property
    def asked(self) -> float:
        return self.t

    @property
    def native_test(self) -> NativeTest:
        kinds = {"counts": TestKind.equal, "order": TestKind.ordered, "tree": TestKind.tree}
        return NativeTest(kinds[self.reads], self.t)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self._distance(groups) <= self.t + SLACK

    def reached(self, groups: Groups) -> float:
        return float(self._distance(groups).max())

    def _distance(self, groups: Groups) -> Vector:
        shares = Shares.of(groups)
        if self.reads == "counts":
            return earth_mover.equal(shares, groups.overall)
        if self.reads == "order":
            return earth_mover.ordered(shares, groups.overall)
        if groups.tree is None:
            raise PolicyError.no_tree("t_closeness.distance", self.column)
        return earth_mover.hierarchical(shares, groups.overall, groups.tree)
