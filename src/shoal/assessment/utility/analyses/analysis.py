"""An analysis that the steward names: a regression by a formula, or the prediction of a column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from shoal.assessment.utility.analyses.formula import Formula


@dataclass(frozen=True)
class Analysis:
    """Exactly one of ``formula`` and ``target``. ``features``: what predicts the target; None: all other columns."""

    name: str
    formula: str | None = None
    target: str | None = None
    features: tuple[str, ...] | None = None

    @cached_property
    def parsed(self) -> Formula | None:
        return Formula.parse(self.formula) if self.formula is not None else None

    @property
    def predicted(self) -> str:
        """The column that is explained or predicted."""
        return self.parsed.target if self.parsed else self.target or ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it names, the predicted one first."""
        others = self.parsed.columns if self.parsed else self.features or ()
        return (self.predicted, *others)

    @property
    def needs_sklearn(self) -> bool:
        return self.formula is None
