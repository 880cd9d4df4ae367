"""Proof that a column shows no level of its taxonomy below or above the limits of the policy, from the written texts.

A text may be a label of several levels; it is allowed if one of them is. Labels of a taxonomy file are looked up.
Labels that a rule generates are recognized by their form: 047** keeps three characters, [30, 35) is five wide, 2024-05
is a month. A missing value has no level, and ``*`` is the root.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

FORMS = {"month": r"-?\d+-\d\d", "quarter": r"-?\d+-Q[1-4]", "year": r"-?\d+", "decade": r"-?\d+0s"}
INTERVAL = re.compile(r"\[(?P<low>[^,]+), (?P<high>[^)]+)\)")
SLACK = 1e-9  # of widths, which are differences of decimal numbers


@dataclass(frozen=True)
class LevelLimits:
    """The levels that a column may show, and where they come from: labels of a file, or one of three rules."""

    lowest: int
    highest: int | None  # None: the root
    paths: Sequence[Sequence[str]] = ()
    prefixes: Sequence[int] = ()
    intervals: Sequence[float] = ()
    date_parts: Sequence[str] = ()

    def faults(self, name: str, texts: Iterable[str | None]) -> tuple[str, ...]:
        """``texts``: the distinct cells."""
        n_outside = sum(text is not None and not self._allows(text) for text in texts)
        upper = "" if self.highest is None else f" or above max_level = {self.highest}"
        what = f"the column '{name}' holds {n_outside} values of a level below min_level = {self.lowest}{upper}"
        coarser = "raise max_level, weaken the requirements, or use global_recoding with suppression"
        return (f"{what}; {coarser if upper else 'the release was changed'}",) if n_outside else ()

    def _allows(self, text: str) -> bool:
        low, high = self._levels(text)
        return high >= self.lowest and (self.highest is None or low <= self.highest)

    def _levels(self, text: str) -> tuple[float, float]:
        """The lowest and the highest level at which the text may be a label."""
        if self.paths:
            found = [level for path in self.paths for level, label in enumerate(path) if label == text]
            return (min(found), max(found)) if found else (inf, -inf)
        if text == "*":
            height = 1 + len(self.prefixes or self.intervals or self.date_parts)
            return height, height
        if self.prefixes:
            return self._of_prefix(text)
        return (self._of_interval(text),) * 2 if self.intervals else (self._of_date(text),) * 2

    def _of_prefix(self, text: str) -> tuple[float, float]:
        kept = len(text.rstrip("*"))
        fitting = [level for level, length in enumerate(self.prefixes, 1) if kept <= length]
        if not text.endswith("*"):
            return 0, max(fitting, default=0)  # a code shorter than the prefix is its own label
        exact = [level for level, length in enumerate(self.prefixes, 1) if kept == length]
        return (min(exact), max(exact)) if exact else (0, 0)

    def _of_interval(self, text: str) -> float:
        found = INTERVAL.fullmatch(text)
        width = float(found["high"]) - float(found["low"]) if found else 0.0
        return sum(width >= each * (1 - SLACK) for each in self.intervals)

    def _of_date(self, text: str) -> float:
        for level, part in enumerate(self.date_parts, 1):
            if re.fullmatch(FORMS[part], text):
                return level
        return 0
