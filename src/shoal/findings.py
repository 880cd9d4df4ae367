"""Findings: figures about a release, each with its meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from decimal import Decimal
from html import escape
from typing import Any

from shoal.errors import visible

SMALLEST_SHOWN = 1e-9
SHOWN = 10  # figures at most, where findings are printed


def four_digits(figure: float) -> str:
    """A figure with four significant digits, never as a power of ten: 0.000004, 1,235,000. What is below a billionth,
    which no table can show, is 0."""
    if abs(figure) < SMALLEST_SHOWN:
        return "0"
    return f"{Decimal(f'{figure:.4g}'):,f}"


@dataclass(frozen=True)
class Finding:
    """One figure.

    name      unique among the findings, words joined by spaces
    estimate  the figure
    interval  its 95 % confidence interval; None: it was counted, not estimated
    baseline  the figure without any effort or knowledge, to compare with
    goal      what the policy requires
    meaning   one sentence for a reader who has to decide
    unit      "%" for shares and losses, otherwise empty
    caveat    what the upper end of the interval allows for besides chance, in a few words; mostly empty
    """

    name: str
    estimate: float
    meaning: str
    interval: tuple[float, float] | None = None
    baseline: float | None = None
    goal: float | None = None
    unit: str = ""
    caveat: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "caveat" or value}

    @property
    def severity(self) -> tuple[float, float]:
        """The greater, the worse: by how much the figure is above its baseline, then the figure; of an estimate, the
        upper end of its interval."""
        figure = self.interval[1] if self.interval else self.estimate
        return figure - (self.baseline or 0.0), figure

    def shown(self, figure: float | None) -> str:
        return "" if figure is None else four_digits(figure) + (" %" if self.unit == "%" else "")


@dataclass(frozen=True)
class UnmeasuredFigure:
    """A figure that is not given, and the reason or what it would need."""

    name: str
    reason: str
    is_private: bool = False  # that it is not given says something about records that are not released

    def to_dict(self) -> dict[str, Any]:
        """As a finding without an estimate."""
        return {**Finding(self.name, 0.0, self.reason).to_dict(), "estimate": None}

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


@dataclass(frozen=True)
class Findings:
    findings: tuple[Finding, ...] = ()

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __getitem__(self, name: str) -> Finding:
        for finding in self.findings:
            if finding.name == name:
                return finding
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return any(finding.name == name for finding in self.findings)

    def __repr__(self) -> str:
        return "\n".join((f"Findings: {len(self)}", *self.lines()))

    def lines(self) -> list[str]:
        """The first figures, one indented line for each, and the number of the others."""
        lines = [f"  {visible(finding.name)}: {finding.shown(finding.estimate)}" for finding in self.findings[:SHOWN]]
        rest = len(self) - SHOWN
        return [*lines, f"  and {rest} more"] if rest > 0 else lines

    def __add__(self, other: Findings) -> Findings:
        return Findings(self.findings + other.findings)

    def to_list(self) -> list[dict[str, Any]]:
        return [finding.to_dict() for finding in self]

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{word}</th>" for word in ("finding", "estimate", "baseline", "goal", "meaning"))
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(visible(cell))}</td>" for cell in _cells(finding)) + "</tr>"
            for finding in self
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cells(finding: Finding) -> tuple[str, ...]:
    figures = (finding.estimate, finding.baseline, finding.goal)
    return (finding.name, *(finding.shown(figure) for figure in figures), finding.meaning)
