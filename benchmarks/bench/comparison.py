"""Two measurements of a workload as ratios, and which of them are regressions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bench.history import Entry

# The ratio above which a figure counts as a regression. Noise of a shared machine moves CPU seconds in units of the
# sort by a tenth or two, memory by a few MB; quality of the same seed does not move at all.
LIMITS = {"CPU": 1.25, "memory": 1.15, "quality": 1.01}


@dataclass(frozen=True)
class Comparison:
    """Ratios of now to before, by figure."""

    now: Entry
    before: Entry
    ratios: dict[str, float]

    @classmethod
    def of(cls, now: Entry, before: Entry) -> Comparison:
        new, old = now.measurement, before.measurement
        ratios = {
            "CPU": ratio(new.sorts, old.sorts),
            "memory": ratio(new.memory, old.memory),
            "quality": ratio(new.quality, old.quality),
        }
        return cls(now, before, ratios)

    @property
    def regressions(self) -> tuple[str, ...]:
        return tuple(figure for figure, found in self.ratios.items() if found > LIMITS[figure])


def ratio(new: float, old: float) -> float:
    if new == old:
        return 1.0  # also of two figures that are 0
    return new / old if old else float("inf")


def table(comparisons: Iterable[Comparison]) -> str:
    """As text; regressions are marked."""
    lines = [f"{'workload':28}{''.join(f'{figure:>12}' for figure in LIMITS)}  regressions above {_limits()}"]
    for one in comparisons:
        figures = "".join(f"{found:>12.3f}" for found in one.ratios.values())
        lines.append(f"{one.now.workload:28}{figures}  {', '.join(one.regressions)}".rstrip())
    return "\n".join(lines)


def _limits() -> str:
    return ", ".join(f"{limit:g} ({figure})" for figure, limit in LIMITS.items())
