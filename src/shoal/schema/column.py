"""Metadata of one column: its role in disclosure control, its kind, and how its values are released."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Literal, get_args

from shoal.errors import PolicyError
from shoal.schema.grid import Grid
from shoal.schema.resolution import Resolution
from shoal.schema.taxonomy import Taxonomy

Role = Literal["identifier", "quasi_identifier", "sensitive", "weight", "household", "unit", "other"]
Kind = Literal["numeric", "ordinal", "nominal", "date"]
Level = Literal["household"]

UNTOUCHED: tuple[Role, ...] = ("sensitive", "weight", "other")  # roles that no method changes
MOST_DECIMALS = 15  # significant digits of a float64


@dataclass(frozen=True)
class Column:
    """A column of the table, with what the policy declares about it.

    name      as in the table
    role      identifier: dropped, or replaced by a keyed pseudonym;
              quasi_identifier: an intruder may know it, so it is protected;
              sensitive: what must not be learned about a person;
              weight: how many persons a record stands for;
              household: records with the same value are of one household, which is released under a new number;
              unit: records with the same value are of one patient, firm or household; dropped;
              other: released unchanged
    kind      numeric, date: distances between values are meaningful; ordinal: only their order; nominal: only equality
    taxonomy  a tree of ever coarser values; for nominal columns it also measures how similar two values are
    order     the values of an ordinal column from first to last; left out: the sorted values
    decimals  decimal places of released means; where the policy declares none, those of the original; None: all digits
    key_file  secret key of the pseudonyms of an identifier; None: the column is dropped
    own_order whether its cells are categories with an order of their own (an ordered Arrow dictionary)
    level     household: all members of a household have the same value
    members   of a household or unit: the columns by which its records are ordered
    grid      where its intervals may end; None: they end at values of the column
    missing   words in its cells that mean "missing"
    as_written whether sensitive values, or units, that differ only in spelling count as different
    mean_resolution the points on which released means lie: steps of one or several units of the last decimal, with an
              offset of less than a step; None: every unit of the last decimal
    in_grammar whether its values are texts of the grammar of extents already: recoded intervals, or ``*``
    resolution the points on which numbers produced by a perturbation lie; None: they keep all digits
    n_values  number of different values in the whole table, where extents could name all of them; None: not counted
    min_level lowest level of the taxonomy that a release may show: 1 is never the value itself
    max_level highest level of the taxonomy that a release may show; None: the root, too
    weight    importance of a quasi-identifier in distances and searches, 0 for none; not the role "weight", by which a
              record stands for several persons
    """

    name: str
    role: Role = "other"
    kind: Kind = "nominal"
    taxonomy: Taxonomy | None = None
    order: tuple[str, ...] | None = None
    decimals: int | None = None
    key_file: Path | None = None
    own_order: bool = False
    level: Level | None = None
    grid: Grid | None = None
    as_written: bool = False
    missing: tuple[str, ...] = ()
    mean_resolution: Resolution | None = None
    resolution: Resolution | None = None
    in_grammar: bool = False
    members: tuple[str, ...] | None = None
    weight: float = 1.0
    n_values: int | None = None
    min_level: int = 0
    max_level: int | None = None

    def __post_init__(self) -> None:
        if self.role not in get_args(Role):
            raise PolicyError.unknown_choice(self._key("role"), self.role, get_args(Role))
        if self.kind not in get_args(Kind):
            raise PolicyError.unknown_choice(self._key("kind"), self.kind, get_args(Kind))
        if self.order is not None and self.kind != "ordinal":
            raise PolicyError.only_for(self._key("order"), "kind = 'ordinal'", f"kind = '{self.kind}'")
        if self.order is not None and len(set(self.order)) < len(self.order):
            raise PolicyError.repeated(self._key("order"))
        if self.decimals is not None and self.kind != "numeric":
            raise PolicyError.only_for(self._key("decimals"), "kind = 'numeric'", f"kind = '{self.kind}'")
        if self.decimals is not None and abs(self.decimals) > MOST_DECIMALS:
            raise PolicyError.outside(self._key("decimals"), -MOST_DECIMALS, MOST_DECIMALS, self.decimals)
        if self.decimals is not None and self.role != "quasi_identifier":
            raise PolicyError.only_for(self._key("decimals"), "role = 'quasi_identifier'", f"role = '{self.role}'")
        if self.key_file is not None and self.role != "identifier":
            raise PolicyError.only_for(self._key("pseudonym"), "role = 'identifier'", f"role = '{self.role}'")
        if self.as_written and self.role not in ("sensitive", "unit", "household"):
            allowed = "role = 'sensitive', 'unit' or 'household'"
            raise PolicyError.only_for(self._key("as_written"), allowed, f"role = '{self.role}'")
        if self.members is not None and self.role not in ("household", "unit"):
            raise PolicyError.only_for(self._key("members"), "role = 'household' or 'unit'", f"role = '{self.role}'")
        if self.members is not None and len(set(self.members)) < len(self.members):
            raise PolicyError.repeated(self._key("members"))
        if self.grid is not None:
            self._check_grid(self.grid)
        if self.weight != 1:
            self._check_weight()

    def _check_grid(self, grid: Grid) -> None:
        where = self._key("grid")
        if self.kind not in ("numeric", "date"):
            raise PolicyError.only_for(where, "kind = 'numeric' or 'date'", f"kind = '{self.kind}'")
        if self.role != "quasi_identifier":
            raise PolicyError.only_for(where, "role = 'quasi_identifier'", f"role = '{self.role}'")
        if isinstance(grid.step, str):
            if self.kind != "date":
                raise PolicyError.only_for(f"{where} = '{grid.step}'", "kind = 'date'", "kind = 'numeric'")
        elif not 0 < grid.step < inf:
            raise PolicyError.not_above(where, 0, grid.step, "it is the distance of points where intervals may end")

    def _check_weight(self) -> None:
        where = self._key("weight")
        if not 0 <= self.weight < inf:
            raise PolicyError.too_small(where, 0, self.weight, "it is the importance of the column")
        if self.role != "quasi_identifier":
            raise PolicyError.only_for(where, "role = 'quasi_identifier'", f"role = '{self.role}'")

    @property
    def step_of_means(self) -> Fraction | None:
        """Distance between neighboring released means, the default of one unit of the last decimal included.

        None where means keep all digits; in microseconds for times.
        """
        step = self.mean_resolution.step if self.mean_resolution else None
        if self.kind == "date":
            return step
        return None if self.decimals is None else step or Fraction(10) ** -self.decimals

    @property
    def offset_of_means(self) -> Fraction:
        """What released means exceed multiples of their step by."""
        return self.mean_resolution.offset if self.mean_resolution else Fraction(0)

    def _key(self, field: str) -> str:
        return f"columns.{self.name}.{field}"
