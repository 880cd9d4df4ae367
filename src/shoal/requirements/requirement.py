"""Common interface of all requirements, as used by methods, plans, the gate and the report. Each answers for itself.

A requirement is a frozen dataclass with
    name           as in policy.toml
    title          its name in the literature, for reports
    columns        the quasi-identifiers that form its equivalence classes; None: all of them
    column         the column it reads: sensitive, or a quasi-identifier where it reads extents; None: it reads none
    reads          what it needs of the groups, see ``Reads``
    monotone       if a group fails, every division of it has a failing part, so that a search may prune
    measure        the parameter that ``asked`` and ``reached`` refer to
    asked          the required value of that parameter
    holds          (n_groups,) bool: which groups satisfy the requirement
    reached        the value of the weakest group, to compare with the required one
    weaker         whether the smaller or the larger of two such values protects less
    of_records     True: if it holds for distinct units, it also holds for their records, so that it can be proven of
                   the records where units are not known
    least_records  minimum number of records, or units, of a class that the policy states as its k; None: it states none
    native_test    its counterpart among the compiled tests of gensearch; None: there is none, and gensearch refuses the
                   requirement unless it reads totals alone

All requirements read counts: of records or, where a column says which records belong to one unit, of distinct units.
Weights do not enter: a record counts once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.native_test import NativeTest

Reads = Literal["totals", "counts", "order", "tree", "extents"]
"""What a requirement needs of the groups.

totals   the sizes of classes alone: at least ``least_records``
counts   the sensitive values of ``column``, besides the totals
order    and their order
tree     and their taxonomy
extents  the lengths of classes on ``column`` alone: at least ``asked``
"""


class Requirement(Protocol):
    title: ClassVar[str]
    monotone: ClassVar[bool]
    measure: ClassVar[str]
    weaker: ClassVar[Weaker]
    of_records: ClassVar[bool]

    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> tuple[str, ...] | None: ...
    @property
    def column(self) -> str | None: ...
    @property
    def reads(self) -> Reads: ...
    @property
    def asked(self) -> float: ...
    @property
    def least_records(self) -> int | None: ...
    @property
    def native_test(self) -> NativeTest | None: ...
    def holds(self, groups: Groups) -> NDArray[np.bool_]: ...
    def reached(self, groups: Groups) -> float: ...


def least_records(requirements: Iterable[Requirement]) -> int | None:
    """The largest minimum class size that any of the requirements states; None if none does."""
    return max((each.least_records for each in requirements if each.least_records is not None), default=None)


def on_columns(requirement: Requirement, columns: tuple[str, ...]) -> Requirement:
    """The same requirement on the equivalence classes of other quasi-identifiers."""
    parameters: Any = requirement
    changed: Requirement = replace(parameters, columns=columns)
    return changed
