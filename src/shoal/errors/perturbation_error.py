"""Errors of perturbation and imputation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from shoal.errors.base import ShoalError, listed, policy_key


class PerturbationError(ShoalError, ValueError):
    """A perturbative method cannot be applied to these values, or with these parameters."""

    @classmethod
    def outside(cls, what: str, rule: str, got: object) -> Self:
        return cls(f"{what} must be {rule}, got {got!r}.")

    @classmethod
    def no_window(cls, where: str, p: float, n: int) -> Self:
        return cls(
            f"{where}: p = {p:g} % of {n} ranks is less than one rank, so no value can be swapped. "
            f"Set p to {100 / max(n, 1):.3g} or more, or to twice that for a centered window."
        )

    @classmethod
    def unfit_kind(cls, method: str, column: str, kind: str, fit: Sequence[str]) -> Self:
        return cls(
            f"method {method} applies to columns of kind {listed(fit)}; '{column}' is {kind}. List the columns to "
            f"change under columns of the perturbation; all others stay unchanged."
        )

    @classmethod
    def no_spread(cls, where: str) -> Self:
        return cls(
            f"{where}: all values are equal, so the variance that determines the noise is 0. Leave the column out."
        )

    @classmethod
    def too_few(cls, where: str, least: int, got: int) -> Self:
        return cls(f"{where} needs at least {least} records with known values, but there are {got}.")

    @classmethod
    def no_format(cls, image: str) -> Self:
        return cls(
            f"lossy_image: the installed Pillow cannot write {image}. Use image = 'jpeg', or install a Pillow that can."
        )

    @classmethod
    def not_a_transition(cls, reason: str) -> Self:
        return cls(f"matrix must contain the transition probabilities of every value, one row each: {reason}.")

    @classmethod
    def unfit_codes(cls, name: str, reason: str) -> Self:
        return cls(f"{name} must be one integer per record, 0, 1, ... for values and -1 for missing: {reason}.")

    @classmethod
    def other_lengths(cls, first: str, n_first: int, second: str, n_second: int) -> Self:
        return cls(f"{first} and {second} must have the same number of records, got {n_first} and {n_second}.")

    @classmethod
    def two_regions(cls, n_households: int) -> Self:
        return cls(
            f"{n_households} households have members in more than one region. Correct the region of their members."
        )

    @classmethod
    def no_taxonomy(cls, method: str, column: str, level: int) -> Self:
        return cls(
            f"method {method}: level = {level} restricts changes to values below one node of a taxonomy, but "
            f"'{column}' has no taxonomy of that height. Declare one as "
            f"{policy_key('columns', column, 'taxonomy')}, or leave level out."
        )

    @classmethod
    def nothing_to_do(cls, method: str, names: Sequence[str]) -> Self:
        return cls(f"method {method} needs at least one of {listed(names)}: without them it changes nothing.")

    @classmethod
    def calendar_pattern(cls, column: str, calendar: str, share: float, n_days: float) -> Self:
        remedy = (
            "Set step = 7 in the rule, which preserves days of the week, and days so large that enough shifts remain"
            if calendar == "week"
            else f"Recode it: {policy_key('columns', column, 'recode')} = {{ date_part = 'month' }}, and leave it out "
            "of the rule"
        )
        return cls(
            f"method date_shift: {share:.0%} of the dates of '{column}' lie on one day of the {calendar}, where "
            f"{1 / n_days:.0%} would without a pattern. Whoever knows the pattern sees by how many days a date was "
            f"shifted, and with it all dates of the unit. {remedy}."
        )

    @classmethod
    def step_beyond_days(cls, columns: Sequence[str], step: int, days: int) -> Self:
        return cls(
            f"method date_shift: the dates of {listed(columns)} can only be shifted by multiples of {step} days "
            f"together, but days = {days} allows none. Set days to a multiple of {step}, or shift columns of other "
            f"steps by a rule of their own."
        )
