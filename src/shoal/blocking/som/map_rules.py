"""Options of a self-organizing map: size, lattice, initialization and training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from shoal.errors import PolicyError

Form = Literal["hexagonal", "rectangular"]
Shape = Literal["sheet", "cylinder", "toroid"]
Start = Literal["linear", "random"]
Training = Literal["batch", "sequential"]


@dataclass(frozen=True)
class MapRules:
    """Options of a map.

    size      number of units, or [rows, columns]; default: 5 sqrt n units, sides in proportion to the principal axes
    lattice   hexagonal: six neighbors; rectangular: eight
    shape     sheet: with borders; cylinder: columns wrap around; toroid: rows and columns wrap around
    start     linear: in the plane of the first two principal axes; random: uniform in the range of the records
    training  batch: all records at once; sequential: one by one, in random order
    epochs    passes over the records, [rough, fine]; default: those of the SOM Toolbox, at least 2 and 8
    """

    size: int | tuple[int, int] | None = None
    lattice: Form = "hexagonal"
    shape: Shape = "sheet"
    start: Start = "linear"
    training: Training = "batch"
    epochs: tuple[int, int] | None = None

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    def __post_init__(self) -> None:
        choices = {"lattice": Form, "shape": Shape, "start": Start, "training": Training}
        for name, known in choices.items():
            if getattr(self, name) not in get_args(known):
                raise PolicyError.unknown_choice(f"map.{name}", getattr(self, name), get_args(known))
        sides = self.size if isinstance(self.size, tuple) else (self.size,)
        if any(side is not None and side < 1 for side in sides):
            raise PolicyError.too_small("map.size", 1, self.size, "a map needs at least one unit")
        if self.epochs is not None and (min(self.epochs) < 0 or sum(self.epochs) < 1):
            raise PolicyError.too_small("map.epochs", 1, self.epochs, "a map must be trained at least once")
        if isinstance(self.size, tuple) and self.size[0] % 2 and (self.lattice, self.shape) == ("hexagonal", "toroid"):
            raise PolicyError.odd_toroid(self.size[0])


BY_RULE = MapRules()
