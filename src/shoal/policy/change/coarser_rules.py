"""Coarser values of one column: the smallest steps that a policy can declare.

One taxonomy level up, wider intervals, a coarser grid, a shorter prefix, a larger part of the calendar, a top or bottom
code, rare categories merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import floor, log10
from typing import Any, get_args

from shoal.policy.change.value_facts import ValueFacts
from shoal.policy.column_rule import ColumnRule
from shoal.policy.release_plan import ReleasePlan
from shoal.schema.taxonomy import DatePart

DATE_PARTS: tuple[DatePart, ...] = get_args(DatePart)
FEW_INTERVALS, SOME_INTERVALS = 5, 20
MERGED = "other values"


@dataclass(frozen=True)
class CoarserRule:
    """What is done to the values, in words, and the keys of the column that are set."""

    words: str
    content: Mapping[str, Any]


def coarser_rules(plan: ReleasePlan, name: str, rule: ColumnRule, facts: ValueFacts) -> tuple[CoarserRule, ...]:
    """The next coarser rules of a column, the finest first; none where the policy has none."""
    if rule.taxonomy is not None:
        by_levels = tuple(_next_level(plan, name, rule))
        return (*by_levels, *(_bounds(rule, facts) if rule.taxonomy.file is None else ()))
    if plan.columns[name].on_grid:
        return tuple(_coarser_grid(rule, facts))
    return tuple(_by_kind(rule, facts))


def _next_level(plan: ReleasePlan, name: str, rule: ColumnRule) -> Iterator[CoarserRule]:
    column, n_levels = plan.columns[name], rule.taxonomy.n_levels if rule.taxonomy else None
    if column.as_extent and rule.recode is None and plan.method.uses_taxonomy(column.kind):
        level = (rule.min_level or 0) + 1
        if n_levels is None or level < n_levels:
            yield CoarserRule(f"at least level {level} of its taxonomy", {"min_level": level})
    elif rule.recode is None or rule.recode.level is not None:
        level = ((rule.recode.level or 0) if rule.recode else 0) + 1
        if n_levels is None or level < n_levels:
            yield CoarserRule(f"at level {level} of its taxonomy", {"recode": {"level": level}})


def _coarser_grid(rule: ColumnRule, facts: ValueFacts) -> Iterator[CoarserRule]:
    """Of numbers the next wider steps, of dates the next larger part of the calendar."""
    if rule.kind == "date":
        for part in _next_parts(rule.grid if isinstance(rule.grid, str) else None):
            yield CoarserRule(f"on a grid of {part}s", {"grid": part})
    else:
        for step in _next_widths(rule.grid if isinstance(rule.grid, int | float) else None, facts):
            yield CoarserRule(f"on a grid of {_number(step)}", {"grid": _number(step)})


def _by_kind(rule: ColumnRule, facts: ValueFacts) -> Iterator[CoarserRule]:
    before = rule.recode
    if rule.kind == "numeric" and (before is None or before.width or before.keeps_numbers):
        for width in _next_widths(before.width if before else None, facts):
            yield CoarserRule(f"in intervals of {_number(width)}", {"recode": {"width": _number(width)}})
        yield from _bounds(rule, facts)
    elif rule.kind == "date" and (before is None or (before.date_part and not before.bounds_years)):
        for part in _next_parts(before.date_part if before else None):
            yield CoarserRule(f"by {part}", {"recode": {"date_part": part}})
    elif rule.kind == "nominal":
        yield from _shorter_codes(rule, facts)
        if before is None and facts.rare:
            yield CoarserRule("with its rare values merged", {"recode": {"merge": {MERGED: list(facts.rare)}}})


def _bounds(rule: ColumnRule, facts: ValueFacts) -> Iterator[CoarserRule]:
    if rule.kind != "numeric" or rule.recode is not None:
        return
    if facts.top is not None:
        yield CoarserRule(f"top-coded at {_number(facts.top)}", {"recode": {"top": _number(facts.top)}})
    if facts.bottom is not None:
        yield CoarserRule(f"bottom-coded at {_number(facts.bottom)}", {"recode": {"bottom": _number(facts.bottom)}})


def _shorter_codes(rule: ColumnRule, facts: ValueFacts) -> Iterator[CoarserRule]:
    if rule.recode is not None and rule.recode.prefix is None:
        return
    length = rule.recode.prefix if rule.recode and rule.recode.prefix else facts.code_length
    for shorter in dict.fromkeys((length - 1, length // 2)) if length else ():
        if shorter >= 1:
            yield CoarserRule(f"by its first {shorter} characters", {"recode": {"prefix": shorter}})


def _next_parts(before: str | None) -> tuple[DatePart, ...]:
    """The next part of the calendar and the one after; of dates as they are, month and year."""
    if before not in DATE_PARTS:
        return ("month", "year")
    return DATE_PARTS[DATE_PARTS.index(before) + 1 :][:2]


def _next_widths(before: float | None, facts: ValueFacts) -> tuple[float, ...]:
    """Round widths: some twenty intervals, and some five; after a width, the next two round ones."""
    if facts.low is None or facts.high is None or facts.low == facts.high:
        return ()
    spread = facts.high - facts.low
    if before:
        first = _round_step_above(before)
        found = (first, _round_step_above(first))
    else:
        found = (_round_step_above(spread / SOME_INTERVALS), _round_step_above(spread / FEW_INTERVALS))
    least = 1 if facts.is_whole else 0
    return tuple(dict.fromkeys(width for width in found if least < width <= spread))


def _round_step_above(number: float) -> float:
    """The least of ..., 0.5, 1, 2, 5, 10, ... above a number."""
    exponent = floor(log10(number))
    steps = (float(Decimal(digit).scaleb(exponent + further)) for further in (0, 1) for digit in (1, 2, 5))
    return next(step for step in steps if step > number)


def _number(number: float) -> float | int:
    """A whole number as an integer, so that it is written without a decimal point."""
    return int(number) if float(number).is_integer() else number
