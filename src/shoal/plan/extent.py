"""What a release tells of a group on one quasi-identifier: an interval, a node of a taxonomy, some values, ...

An extent is data: how it is written is decided where values change, and read again by the gate.
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.kernels import Labels


@dataclass(frozen=True)
class Interval:
    """Numbers from ``low`` on and below ``high``; a date counts as its number of days. None: no end on this side."""

    low: float | None
    high: float | None
    closed: bool = False  # ``high`` itself is in it, too

    @property
    def length(self) -> float:
        return float("inf") if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True)
class Span:
    """Values of an ordinal column that follow each other, from the first to the last."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class Values:
    """Some values of a nominal column, in their order."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class Node:
    """A node of a taxonomy; level 0 is a value as it is."""

    label: str
    level: int


@dataclass(frozen=True)
class Missing:
    """No value is known."""


@dataclass(frozen=True)
class Anything:
    """Every value, and a missing one too."""


Extent = Interval | Span | Values | Node | Missing | Anything


@dataclass(frozen=True, eq=False)
class Extents:
    """The extent of every group on one quasi-identifier; groups share equal ones."""

    distinct: tuple[Extent, ...]
    of_group: Labels  # (n_groups,) which of ``distinct``
