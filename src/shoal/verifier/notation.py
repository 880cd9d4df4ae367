"""What the cells of a generalized column say: intervals, nodes of a taxonomy, spans of an order, sets.

a text, the column -> Interval, Node, Listed, Anything; None: it is not written as the grammar asks

[30, 35)  [2020-01-01, 2020-04-01)  [-inf, 20)  047**  [primary .. upper]  {baker, cook}  *
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from shoal.verifier.policy import Asked, Column, column_of_numbers
from shoal.verifier.refused import RefusedError

NUMBER = re.compile(r"-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)([T ](\d\d):(\d\d)(:(\d\d)(\.\d{1,6})?)?)?", re.ASCII)
INTERVAL = re.compile(r"\[([^\[\],]+), ([^\[\],]+)([\])])")
WORD = r'"(?:[^"]|"")*"|[^"{},\s](?:[^"{},]*[^"{},\s])?'  # in quotes, or without blanks around it
SPAN = re.compile(rf"\[({WORD}) \.\. ({WORD})\]")
SET = re.compile(rf"\{{((?:{WORD})(?:, (?:{WORD}))+)\}}")
PARTS = {
    "month": re.compile(r"\d{4}-(0[1-9]|1[0-2])"),
    "quarter": re.compile(r"\d{4}-Q[1-4]"),
    "year": re.compile(r"\d{1,4}"),
    "decade": re.compile(r"(\d{1,3})?0s"),
}
EPOCH = datetime(1970, 1, 1)
LAST_YEAR = 9999
ALMOST = 1 - Fraction(1, 10**9)  # ends are floating-point numbers


@dataclass(frozen=True)
class Interval:
    low: Fraction | None  # None: open
    high: Fraction | None
    is_closed: bool = False  # whether it holds its upper end

    @property
    def length(self) -> Fraction | None:
        return None if self.low is None or self.high is None else self.high - self.low

    def holds(self, other: Interval) -> bool:
        low = self.low is None or (other.low is not None and self.low <= other.low)
        return low and (self.high is None or (other.high is not None and other.high <= self.high))


@dataclass(frozen=True)
class Node:
    label: str
    level: int  # the lowest at which it occurs

    @property
    def length(self) -> Fraction:
        return Fraction(self.level)


@dataclass(frozen=True)
class Listed:
    """Values: those of a span, in their order, or of a set."""

    values: tuple[str, ...]

    @property
    def length(self) -> Fraction:
        return Fraction(len(self.values) - 1)


@dataclass(frozen=True)
class Anything:
    length: Fraction | None = None  # longer than everything, except where it is the root of a taxonomy


Extent = Interval | Node | Listed | Anything


@dataclass(frozen=True)
class Tree:
    """A taxonomy from a file: value;parent;...;* in every line."""

    paths: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, path: Path, above: int = 0) -> Tree:
        """``above``: without the levels below this one."""
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            raise RefusedError(f"the taxonomy {path.name} cannot be read") from None
        delimiter = ";" if ";" in text.partition("\n")[0] else ","
        lines = [tuple(cell.strip() for cell in line) for line in csv.reader(text.splitlines(), delimiter=delimiter)]
        paths = tuple(dict.fromkeys(line[above:] for line in lines if line))
        if not paths or len({len(path) for path in paths}) > 1 or len({path[0] for path in paths}) < len(paths):
            raise RefusedError(f"the taxonomy {path.name} is not one path for every value, all of one length")
        for level in range(len(paths[0]) - 1):
            if len({path[level] for path in paths}) < len({path[level : level + 2] for path in paths}):
                raise RefusedError(f"the taxonomy {path.name} is no tree: a node has two parents")
        return cls(paths)

    @property
    def height(self) -> int:
        return len(self.paths[0]) - 1

    @cached_property
    def path_of(self) -> Mapping[str, tuple[str, ...]]:
        return {path[0]: path for path in self.paths}

    @cached_property
    def levels(self) -> Mapping[str, tuple[int, int]]:
        """The lowest and the highest level of every label."""
        found: dict[str, tuple[int, int]] = {}
        for path in self.paths:
            for level, label in enumerate(path):
                low, high = found.get(label, (level, level))
                found[label] = min(low, level), max(high, level)
        return found


def tree_of(column: Column, asked: Asked) -> Tree | None:
    """The taxonomy of a column that is read from a file."""
    if column.tree_file is None:
        return None
    level = (column.recode or {}).get("level", 0)
    found = Tree.read(asked.folder / column.tree_file)
    return found if not level else Tree.read(asked.folder / column.tree_file, level) if level < found.height else None


@dataclass(frozen=True)
class Grammar:
    """How the cells of one column are written."""

    column: Column
    tree: Tree | None

    def read(self, text: str) -> Extent | None:
        column, labels = self.column, self.tree.levels if self.tree else {}
        if text == "*" and labels.get(text, (self._top,))[0] >= self._top:
            return Anything(Fraction(self._top) if self.tree and column.kind == "nominal" else None)
        if self.tree and column.kind == "nominal":
            return self._node(text)
        if column.kind in ("numeric", "date"):
            found: Extent | None = self.interval(text)
        elif column.kind == "ordinal":
            found = self._neighbors(text) if self._holds_intervals else self._span(text)
        else:
            found = self._set(text)
        return self._node(text) if found is None else found

    @property
    def _top(self) -> int:
        return self.tree.height if self.tree else 0

    @property
    def _holds_intervals(self) -> bool:
        return bool({"intervals", "width", "level"} & set(self.column.recode or {}))

    def _node(self, text: str) -> Node | None:
        known = self.tree.levels if self.tree else {}
        return Node(text, known[text][0]) if text in known else None

    def interval(self, text: str) -> Interval | None:
        point = self.point(text)
        if point is not None:
            return Interval(point, point, is_closed=True)
        found = INTERVAL.fullmatch(text)
        if found is None:
            return None
        low, high, closed = self.point(found[1]), self.point(found[2]), found[3] == "]"
        if (low is None and found[1] != "-inf") or (high is None and (found[2] != "inf" or closed)):
            return None
        return None if low is not None and high is not None and low >= high else Interval(low, high, closed)

    def point(self, text: str) -> Fraction | None:
        """A number; a date or time in days since 1970."""
        if self.column.kind == "date":
            return days(text)
        return Fraction(text) if NUMBER.fullmatch(text) else None

    def _neighbors(self, text: str) -> Listed | None:
        """Neighboring intervals of a recoded column, written as one."""
        found = _NUMBERS.interval(text)
        if found is None or found.is_closed:
            return None
        if self.column.order is None:
            return Listed((text,))
        inside = [label for label in self.column.order if (part := _NUMBERS.interval(label)) and found.holds(part)]
        first, last = (_NUMBERS.interval(inside[0]), _NUMBERS.interval(inside[-1])) if inside else (None, None)
        fits = first and last and (first.low, last.high) == (found.low, found.high)
        return Listed(tuple(inside)) if fits else None

    def _span(self, text: str) -> Listed | None:
        found, order = SPAN.fullmatch(text), self.column.order
        ends = [_word(found[1]), _word(found[2])] if found else [_word(text)]
        if None in ends or (len(ends) == 2 and ends[0] == ends[1]):
            return None
        if order is None:
            return Listed(tuple(map(str, ends)))
        if not set(ends) <= set(order):
            return None
        first, last = order.index(str(ends[0])), order.index(str(ends[-1]))
        return Listed(order[first : last + 1]) if first < last or len(ends) == 1 else None

    def _set(self, text: str) -> Listed | None:
        found = SET.fullmatch(text)
        words = [_word(part) for part in re.findall(WORD, found[1])] if found else [_word(text)]
        if None in words or len(set(words)) < len(words):
            return None
        return Listed(tuple(map(str, words)))


_NUMBERS = Grammar(column_of_numbers(), None)


def _word(text: str) -> str | None:
    if not re.fullmatch(WORD, text):
        return None
    if text.startswith('"'):
        return text[1:-1].replace('""', '"')
    return None if text == "*" or text.startswith("[") or " .. " in f" {text} " else text


def days(text: str) -> Fraction | None:
    """A date or time in days since 1970, exact; None where the text is neither."""
    found = DAY.fullmatch(text)
    if not found:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    apart = at - EPOCH
    return apart.days + Fraction(apart.seconds * 10**6 + apart.microseconds, 86_400 * 10**6)


def is_grid_point(point: Fraction, step: Fraction | str) -> bool:
    """Whether an interval may end here. A step of numbers is a decimal; ends are its multiples as floats."""
    if isinstance(step, Fraction):
        nearest = round(point / step) * step
        return point == nearest or float(point) == float(nearest) or abs(point - nearest) <= abs(nearest) / 10**15
    if step == "hour":
        return (point * 24).denominator == 1 or float(point) == round(float(point) * 24) / 24
    if point.denominator != 1:
        return False
    if step == "day":
        return True
    try:
        day = date.fromordinal(int(point) + date(1970, 1, 1).toordinal())
    except (ValueError, OverflowError):
        return False
    if step == "week":
        return day.isoweekday() == 1
    months = {"month": 1, "quarter": 3, "year": 12, "decade": 120}[step]
    return day.day == 1 and (12 * day.year + day.month - 1) % months == 0


def is_recoded(text: str, column: Column, tree: Tree | None) -> bool:
    """Whether a value is one that the recoding by hand can give, and none finer."""
    rule = dict(column.recode or {})
    if "prefix" in rule:
        return text == "*" or (text.endswith("*") and len(text) <= rule["prefix"] + 1)
    if "level" in rule:
        known = {label for path in tree.paths for label in (path if column.is_extent else path[:1])} if tree else {"*"}
        return text in known
    if "merge" in rule:
        return text not in {value for values in rule["merge"].values() for value in values} - set(rule["merge"])
    if "intervals" in rule or "width" in rule:
        return _is_recoded_interval(text, column)
    part = rule.get("date_part")
    if part in ("month", "quarter", "decade"):
        return PARTS[part].fullmatch(text) is not None
    plain = text.replace(",", ".")
    if not NUMBER.fullmatch(plain):
        return False
    if column.is_replaced:
        return True
    number = Fraction(plain)
    if part == "year" and not (number.denominator == 1 and 0 < number <= LAST_YEAR):
        return False
    low, high = rule.get("bottom"), rule.get("top")
    return (low is None or Fraction(low) <= number) and (high is None or number <= Fraction(high))


def _is_recoded_interval(text: str, column: Column) -> bool:
    rule, found = dict(column.recode or {}), _NUMBERS.interval(text)
    if found is None or found.is_closed:
        return False
    if "intervals" in rule:
        return text in (column.order or ())
    if found.low is None or found.high is None:
        return False
    step = Fraction(rule["width"])
    first, last = round(found.low / step), round(found.high / step)
    are_multiples = (float(first * step), float(last * step)) == (float(found.low), float(found.high))
    return are_multiples and (last - first == 1 or (column.is_extent and last > first))


def recoded_parts(text: str, extent: Extent | None) -> Sequence[str]:
    """The recoded values that an extent names; a text that is none, itself."""
    match extent:
        case Listed(values):
            return values
        case Node(label):
            return (label,)
        case Anything():
            return ()
        case _:
            return (text,)


def level_range(text: str, column: Column, tree: Tree | None) -> tuple[float, float]:
    """The lowest and the highest level of the taxonomy at which a text may be a label; (inf, -inf): at none."""
    nowhere = (float("inf"), float("-inf"))
    if tree:
        return tree.levels.get(text, nowhere)
    rule: Mapping[str, Any] = column.tree or {}
    key, steps = next((key, rule[key]) for key in ("prefixes", "intervals", "date_parts") if key in rule)
    if text == "*":
        return len(steps) + 1, len(steps) + 1
    if key == "prefixes":
        kept = len(text.rstrip("*"))
        fitting = [level for level, length in enumerate(steps, 1) if kept <= length]
        if not text.endswith("*"):
            return 0, max(fitting, default=0)
        exact = [level for level, length in enumerate(steps, 1) if kept == length]
        return (min(exact), max(exact)) if exact else (0, 0)
    if key == "date_parts":
        level = next((level for level, part in enumerate(steps, 1) if PARTS[part].fullmatch(text)), 0)
        return level, level
    found = _NUMBERS.interval(text)
    width = found.length if found and found.length else Fraction(0)
    level = sum(width >= Fraction(each) * ALMOST for each in steps)
    return level, level
