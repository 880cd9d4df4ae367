"""Common interface of all requirements, as used by methods, plans, the gate and the report. Each answers for itself.

A requirement is a frozen dataclass with
    name           as in policy.toml
    title          its name in the literature, for reports
    formula        the condition as docs/requirements.md writes it
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
    tolerance      how near values of the column may be to count as one; a requirement without this field compares them
                   by equality, or by a distance of its own
    native_test    its counterpart among the compiled tests of gensearch; None: there is none, and gensearch refuses the
                   requirement unless it reads totals alone

A requirement with a parameter that follows its column (``RequirementOfColumn``) has, besides,
    of_column   the same requirement with that parameter; ``has_order``: the order of the values is declared
    in_digest   the same requirement as it enters the digest of a policy

A requirement on the whole release (``ReleaseRequirement``) has, besides,
    terms               numerator and denominator of the figure that it limits, to be added over all classes; ``holds``
                        is True for every class, since none fails on its own
    sufficient_records  records, or units, of every class that are always sufficient; None: no size is
    sufficient_risk     a journalist risk of every class that is always sufficient

A requirement that compares the classes of a person in several releases (``RepeatRequirement``) has, besides,
    of_all_releases     True
    m                   the values that all of these classes show at least

All requirements read counts: of records or, where a column says which records belong to one unit, of distinct units.
Weights enter only where a requirement reads them: otherwise a record counts once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError, rounded_away
from shoal.requirements.contributions import OfUnit
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.native_test import NativeTest
from shoal.requirements.tolerance import Tolerance
from shoal.schema import Role, Schema
from shoal.schema.column import Kind
from shoal.user_rule import UserRule

Reads = Literal["totals", "counts", "order", "tree", "extents", "amounts", "weights", "sizes", "population"]
"""What a requirement needs of the groups.

totals   the sizes of classes alone: at least ``least_records``
counts   the sensitive values of ``column``, besides the totals
order    and their order
tree     and their taxonomy
extents  the lengths of classes on ``column`` alone: at least ``asked``
amounts  what every record, or unit, contributes to the total of ``column``, besides the totals
weights  the weights of the records, besides the totals; a unit has the smallest weight of its records
sizes    the sizes of all classes together, of the whole release
population  the persons of a table of the population whose values the class contains, besides the totals
"""

ROLES: dict[Reads, tuple[Role, ...]] = {
    "extents": ("quasi_identifier",),
    "amounts": ("sensitive", "quasi_identifier"),
    "weights": ("weight",),
}


def roles_of_column(requirement: Requirement) -> tuple[Role, ...]:
    """The roles that the column of a requirement may have."""
    return ROLES.get(requirement.reads, ("sensitive",))


def tolerance_of(requirement: Requirement) -> Tolerance | None:
    """How far apart values may be and still count as one; None: only equal values do. What a user calls so is the
    user's own."""
    found: Tolerance | None = None if isinstance(requirement, UserRule) else getattr(requirement, "tolerance", None)
    return found


def reads_numbers(reads: Reads) -> bool:
    """Whether the values of the column are added up."""
    return reads in ("amounts", "weights")


def amount_of_unit(reads: Reads) -> OfUnit:
    """What the numbers of the records of a unit count as: its amounts are added; a weight is not counted twice."""
    return "least" if reads == "weights" else "sum"


class Requirement(Protocol):
    title: ClassVar[str]
    formula: ClassVar[str]
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


@runtime_checkable
class ReleaseRequirement(Protocol):
    """A requirement on the whole release: a ratio of sums over all classes."""

    @property
    def sufficient_records(self) -> int | None: ...
    @property
    def sufficient_risk(self) -> float: ...
    def terms(self, groups: Groups) -> tuple[float, int]: ...


@runtime_checkable
class RepeatRequirement(Requirement, Protocol):
    """A requirement that also compares the classes of a person in all releases."""

    @property
    def m(self) -> int: ...
    @property
    def column(self) -> str: ...
    @property
    def of_all_releases(self) -> Literal[True]: ...


@runtime_checkable
class RequirementOfColumn(Requirement, Protocol):
    """A requirement with a parameter that follows its column where it is left out."""

    @property
    def in_digest(self) -> Requirement: ...
    def of_column(self, kind: Kind, *, has_order: bool, has_taxonomy: bool) -> Requirement: ...


def of_schema(requirements: Iterable[Requirement], schema: Schema) -> tuple[Requirement, ...]:
    """The requirements, with parameters that follow their columns."""

    def of_column(asked: Requirement) -> Requirement:
        if not isinstance(asked, RequirementOfColumn) or asked.column not in schema:
            return asked
        column = schema[str(asked.column)]
        return asked.of_column(
            column.kind, has_order=column.order is not None, has_taxonomy=column.taxonomy is not None
        )

    return tuple(map(of_column, requirements))


def group_size(requirements: Iterable[Requirement]) -> int | None:
    """The size of groups with which all requirements on sizes hold; None if none states a size."""
    wanted = tuple(requirements)
    sufficient = [each.sufficient_records for each in wanted if isinstance(each, ReleaseRequirement)]
    return max((size for size in (least_records(wanted), *sufficient) if size is not None), default=None)


def least_records(requirements: Iterable[Requirement]) -> int | None:
    """The largest minimum class size that any of the requirements states; None if none does."""
    return max((each.least_records for each in requirements if each.least_records is not None), default=None)


def largest_stated_k(requirements: Iterable[Requirement]) -> int | None:
    """The largest k that requirements state under this name; None if none has a key k, as a risk threshold has none."""
    return max((k for each in requirements if (k := getattr(each, "k", None)) is not None), default=None)


def nearest_met(requirement: Requirement, reached: float) -> str | None:
    """The strictest parameter that is met where ``reached`` is, rounded so that it is; None where the requirement
    allows no such value."""
    text = rounded_away(reached, up=requirement.weaker == "larger")
    parameters: Any = requirement
    number = int(float(text)) if isinstance(requirement.asked, int) else float(text)
    try:
        replace(parameters, **{requirement.measure: number})
    except PolicyError:
        return None
    return f"{number:g}" if isinstance(number, int) else text


def on_columns(requirement: Requirement, columns: tuple[str, ...]) -> Requirement:
    """The same requirement on the equivalence classes of other quasi-identifiers."""
    parameters: Any = requirement
    changed: Requirement = replace(parameters, columns=columns)
    return changed


def on_column(requirement: Requirement, column: str) -> Requirement:
    """The same requirement on the values of another column."""
    parameters: Any = requirement
    changed: Requirement = replace(parameters, column=column)
    return changed


def requirement_names(requirements: Iterable[Requirement]) -> list[str]:
    """The requirements as messages name them, with their columns; class sizes only where nothing else is required."""
    wanted = tuple(requirements)
    named = [each for each in wanted if each.column] or wanted
    return [f"{each.name} of '{each.column}'" if each.column else each.name for each in named]
