"""Global recoding by hand: what the policy says about one column."""

from __future__ import annotations

from itertools import pairwise
from math import isfinite
from typing import Any, Self

from pydantic import Field, model_validator

from shoal.errors import ColumnError, PolicyError
from shoal.policy.policy_part import PolicyPart
from shoal.schema import Kind
from shoal.schema.taxonomy import DatePart

BOUNDS = ("top", "bottom")  # may be given together, and next to date_part = "year"
FIRST_YEAR, LAST_YEAR = 1, 9999
FITTING: dict[str, tuple[Kind, ...]] = {  # kinds that each key can recode; any kind where a key is left out
    "intervals": ("numeric",),
    "width": ("numeric",),
    "date_part": ("date",),
    "prefix": ("nominal",),
    "merge": ("nominal", "ordinal"),
    "top": ("numeric",),
    "bottom": ("numeric",),
}


class RecodeRule(PolicyPart):
    """Global recoding by hand, before any method: exactly one of these keys; top and bottom may be given together, and
    next to date_part = "year"."""

    level: int | None = Field(default=None, ge=1)
    """Values are replaced by their node at this level of the taxonomy; 1 is the first level above the values."""
    intervals: tuple[float, ...] | None = Field(default=None, min_length=1)
    """Numbers are replaced by half-open intervals between these bounds, such as [0, 18, 30, 65]; the intervals below
    the first and from the last bound on are open: [-inf, 0) and [65, inf)."""
    width: float | None = Field(default=None, gt=0)
    """Numbers are replaced by intervals of this width, which begin at its multiples: 5 gives [30, 35)."""
    date_part: DatePart | None = None
    """Dates are replaced by their year (a number), quarter (2024-Q2), month (2024-05) or decade (2020s)."""
    prefix: int | None = Field(default=None, ge=1)
    """Codes are replaced by this number of first characters: 2 gives 04*."""
    merge: dict[str, tuple[str, ...]] | None = Field(default=None, min_length=1)
    """Categories are merged: the new name, and the list of categories that it replaces."""
    top: float | None = None
    """Top code: larger numbers, or years of dates, are replaced by it."""
    bottom: float | None = None
    """Bottom code: smaller numbers, or years of dates, are replaced by it."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        keys = self.keys
        if len(keys) != 1 and set(keys) != set(BOUNDS) and not self.bounds_years:
            raise PolicyError.one_of("recode", tuple(type(self).model_fields), keys)
        numbers = [*(self.intervals or ()), *(x for x in (self.width, self.top, self.bottom) if x is not None)]
        if not all(map(isfinite, numbers)):
            raise ColumnError.not_finite("recode")
        if any(low >= high for low, high in pairwise(self.intervals or ())):
            raise ColumnError.not_ascending("recode.intervals", self.intervals or ())
        if self.top is not None and self.bottom is not None and self.bottom >= self.top:
            raise PolicyError.not_above("recode.top", self.bottom, self.top, "it must be above recode.bottom")
        for bound in (self.bottom, self.top) if self.bounds_years else ():
            if bound is not None and not (bound.is_integer() and FIRST_YEAR <= bound <= LAST_YEAR):
                raise ColumnError.no_year("recode", bound)
        self._check_merge()
        return self

    def _check_merge(self) -> None:
        merged = [value for values in (self.merge or {}).values() for value in values]
        if len(set(merged)) < len(merged):
            raise PolicyError.repeated("recode.merge")
        for name, values in (self.merge or {}).items():
            if not values or not name:
                raise ColumnError.empty_merge(name)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that are set."""
        return tuple(name for name, value in self if value is not None)

    @property
    def bounds_years(self) -> bool:
        """Whether the years of dates get a top or bottom code."""
        return self.date_part == "year" and set(self.keys) <= {"date_part", *BOUNDS} and len(self.keys) > 1

    @property
    def keeps_numbers(self) -> bool:
        """Whether numbers stay numbers of the same meaning: top and bottom codes."""
        return set(self.keys) <= set(BOUNDS)

    @property
    def writes_extents(self) -> bool:
        """Whether recoded values are texts of the grammar of extents: intervals, or ``*`` of the highest level."""
        return self.intervals is not None or self.width is not None or self.level is not None

    def check_kind(self, kind: Kind) -> None:
        for key in ("date_part",) if self.bounds_years else self.keys:
            if kind not in FITTING.get(key, (kind,)):
                raise ColumnError.unfit_recoding(key, kind, FITTING[key])

    @property
    def categories(self) -> dict[str, str]:
        """The new name of every category that is merged."""
        return {value: name for name, values in (self.merge or {}).items() for value in values}

    def summary(self) -> dict[str, Any]:
        """The rule for the public manifest; of merged categories only the new names and how many each replaces."""
        if self.merge is not None:
            return {"merge": {name: len(values) for name, values in self.merge.items()}}
        return self.model_dump(mode="json", include=set(self.keys))
