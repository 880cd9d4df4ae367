"""One column: what an intruder can do with it, and how its values relate to each other."""

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
MOST_DECIMALS = 15  # digits that a real number has


@dataclass(frozen=True)
class Column:
    """A column of the table, as the policy sees it.

    name      as in the table
    role      identifier: dropped, or replaced by a keyed pseudonym;
              quasi_identifier: an intruder may know it, so it is protected;
              sensitive: what must not be learned about a person;
              weight: how many persons a record stands for;
              household: records with the same value belong together, and are released under a new number;
              unit: records with the same value are of one patient, firm or household; dropped;
              other: released as it is
    kind      numeric, date: differences count; ordinal: order counts; nominal: equal or not
    taxonomy  a tree of ever coarser values, for nominal columns a measure of how alike two values are
    order     the values of an ordinal column from first to last; sorted values where it is not given
    decimals  digits after the point of released means, those of the original where the policy says none; None keeps all
    key_file  secret of the pseudonyms of an identifier; None drops the column
    own_order whether its cells are categories that have an order of their own
    step      how far apart released means lie, a multiple of the last digit; None: one unit of it; in microseconds
              where times are told
    offset    how far above multiples of the step they lie: less than one step, and multiples of the last digit, too
    level     household: all members of a household have the same value
    grid      where the ends of its intervals lie; None where they are its values
    missing   words among its cells that say that nothing is known
    as_written whether sensitive values, or units, that only look different count as different
    resolution where the numbers lie that a perturbation makes; None: they keep all digits
    """

    name: str
    role: Role = "other"
    kind: Kind = "nominal"
    taxonomy: Taxonomy | None = None
    order: tuple[str, ...] | None = None
    decimals: int | None = None
    key_file: Path | None = None
    own_order: bool = False
    step: Fraction | None = None
    offset: Fraction = Fraction(0)
    level: Level | None = None
    grid: Grid | None = None
    as_written: bool = False
    missing: tuple[str, ...] = ()
    resolution: Resolution | None = None

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
            told = "role = 'sensitive', 'unit' or 'household'"
            raise PolicyError.only_for(self._key("as_written"), told, f"role = '{self.role}'")
        if self.grid is not None:
            self._check_grid(self.grid)

    def _check_grid(self, grid: Grid) -> None:
        where = self._key("grid")
        if self.kind not in ("numeric", "date"):
            raise PolicyError.only_for(where, "kind = 'numeric' or 'date'", f"kind = '{self.kind}'")
        if self.role != "quasi_identifier":
            raise PolicyError.only_for(where, "role = 'quasi_identifier'", f"role = '{self.role}'")
        if isinstance(grid.step, str):
            if self.kind != "date":
                raise PolicyError.only_for(where, f"a number, or kind = 'date' for '{grid.step}'", "kind = 'numeric'")
        elif not 0 < grid.step < inf:
            raise PolicyError.not_above(where, 0, grid.step, "it is how far the points are apart where intervals end")

    @property
    def step_of_means(self) -> Fraction | None:
        """Also where it is one unit of the last digit; None where means have all digits. Of times, in microseconds."""
        if self.kind == "date":
            return self.step
        return None if self.decimals is None else self.step or Fraction(10) ** -self.decimals

    def _key(self, field: str) -> str:
        return f"columns.{self.name}.{field}"
