"""Extents: what a release shows of a group on one quasi-identifier: an interval, a taxonomy node, a set of values, ...

An extent is plain data: it becomes text where values are changed, and the gate parses that text again.
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.kernels import Labels


@dataclass(frozen=True)
class Interval:
    """Numbers from ``low`` (included) to ``high`` (excluded); dates in days since 1970. None: unbounded."""

    low: float | None
    high: float | None
    closed: bool = False  # ``high`` is included

    @property
    def length(self) -> float:
        return float("inf") if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True)
class Span:
    """Consecutive values of an ordinal column, from the first to the last."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class Values:
    """Some values of a nominal column, in code order."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class TaxonomyNode:
    """A taxonomy node; level 0 is an original value."""

    label: str
    level: int


@dataclass(frozen=True)
class MissingExtent:
    """The missing value."""


@dataclass(frozen=True)
class AnyExtent:
    """Every value of the column, including the missing one."""


Extent = Interval | Span | Values | TaxonomyNode | MissingExtent | AnyExtent


@dataclass(frozen=True, eq=False)
class Extents:
    """The extent of every group on one quasi-identifier; groups with equal extents share one."""

    distinct: tuple[Extent, ...]
    of_group: Labels  # (n_groups,) index into ``distinct``
