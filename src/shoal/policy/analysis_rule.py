"""An analysis that the policy names, to be compared on original and release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

from shoal.assessment.utility.analyses.analysis import Analysis
from shoal.assessment.utility.analyses.formula import Formula
from shoal.errors import PolicyError
from shoal.policy.key_path import key_path
from shoal.policy.policy_part import PolicyPart

if TYPE_CHECKING:
    from shoal.policy.policy import Policy

NOT_RELEASED = ("identifier", "household", "unit", "weight")  # roles of columns without analyses


class AnalysisRule(PolicyPart):
    """A regression by a formula, or the prediction of a column: fitted on original and release, scored on held-out
    original records. It does not change the release."""

    name: str | None = Field(default=None, min_length=1)
    """What the report calls it. Default: the formula, or "prediction of" the target."""
    formula: str | None = None
    """A regression, e.g. "income ~ age + sex + age:sex": linear for a number, logistic for one of two values."""
    target: str | None = None
    """A column to be predicted from others by a classifier or regressor of scikit-learn (shoal[analyses])."""
    features: tuple[str, ...] | None = Field(default=None, min_length=1)
    """The columns that predict the target. Default: all other released columns."""

    @model_validator(mode="after")
    def _check_one_model(self) -> Self:
        given = [key for key in ("formula", "target") if getattr(self, key) is not None]
        if len(given) != 1:
            raise PolicyError.one_of("an analysis", ("formula", "target"), given)
        if self.formula is not None:
            Formula.parse(self.formula)
            if self.features is not None:
                raise PolicyError.only_for("features", "a target", "a formula, which names its columns")
        elif self.target in (self.features or ()):
            raise PolicyError.repeated("target and features")
        return self

    @property
    def analysis(self) -> Analysis:
        name = self.name or self.formula or f"prediction of {self.target}"
        return Analysis(name, self.formula, self.target, self.features)


def check_analyses(policy: Policy) -> None:
    """Raises PolicyError where an analysis names a column that is not there or not released, or two have one name."""
    seen = set[str]()
    for place, rule in enumerate(policy.analyses):
        for key, name in _columns(rule):
            where = key_path(("analyses", place, key))
            if name not in policy.columns:
                raise PolicyError.unlisted_in_policy(where, name, tuple(policy.columns))
            if policy.columns[name].role in NOT_RELEASED:
                raise PolicyError.not_released(where, name, policy.columns[name].role)
        name = rule.analysis.name
        if name in seen:
            raise PolicyError.named_twice(key_path(("analyses", place, "name")), name)
        seen.add(name)


def _columns(rule: AnalysisRule) -> Iterator[tuple[str, str]]:
    """The key and the name of every column."""
    if rule.formula is not None:
        yield from (("formula", name) for name in rule.analysis.columns)
    elif rule.target is not None:
        yield "target", rule.target
        yield from (("features", name) for name in rule.features or ())
