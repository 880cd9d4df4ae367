"""What the file must be like apart from its classes: its columns, and what single cells may say.

the cells, what the policy asks -> faults
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from shoal.verifier.counting import Counter
from shoal.verifier.notation import (
    Grammar,
    Interval,
    Tree,
    is_grid_point,
    is_recoded,
    level_range,
    recoded_parts,
)
from shoal.verifier.policy import Asked, Column

PSEUDONYM = re.compile(r"[0-9a-f]{32}")
DIGITS = re.compile(r"[+-]?(\d*)(?:[.,](\d*))?(?:[eE]([+-]?\d{1,9}))?", re.ASCII)
OF_A_WEIGHT = 2  # significant digits of a rounded weight


def column_faults(names: tuple[str, ...], asked: Asked, expected: tuple[str, ...], of: str = "") -> Iterator[str]:
    """Columns that are missing, or must not be there. Unknown names are not shown where they may be a record."""
    lost, strange = [each for each in expected if each not in names], [each for each in names if each not in expected]
    hidden = [each for each in strange if each in asked.columns]
    unknown = [each for each in strange if each not in asked.columns]
    yield from (f"{of}the column {each!r} is not in the release" for each in lost)
    yield from (f"{of}the {asked.columns[each].role} column {each!r} is in the release" for each in hidden)
    if unknown and 2 * len(lost) > len(expected):
        yield f"{of}{len(unknown)} columns are not in the policy; is the first line a record?"
    else:
        yield from (f"{of}the column {each!r} is in the release but not in the policy" for each in unknown)
    yield from (f"{of}the column {each!r} is there twice" for each in dict.fromkeys(names) if names.count(each) > 1)


def cell_faults(counter: Counter, asked: Asked, trees: Mapping[str, Tree | None]) -> Iterator[str]:
    """Cells that the policy does not allow."""
    for name, column in asked.columns.items():
        if name not in counter.cells:
            continue
        if column.is_pseudonym:
            yield from _pseudonym_faults(counter, name, is_required=bool(asked.rules or asked.own_rules))
        if column.is_extent or column.recode or column.min_level or column.max_level is not None:
            yield from _value_faults(counter, column, trees.get(name))
        if column.ends and all(end in counter.cells for end in column.ends):
            yield from _end_faults(counter, column, trees.get(name))
        if column.role == "weight" and asked.rounds_weights:
            n = sum((significant(text) or 99) > OF_A_WEIGHT for text in counter.texts(name))
            if n:
                yield f"the column {name!r} has {n} weights of more than two digits"


def _pseudonym_faults(counter: Counter, name: str, *, is_required: bool) -> Iterator[str]:
    n = sum(not PSEUDONYM.fullmatch(text) for text in counter.texts(name))
    if n:
        yield f"the identifier column {name!r} holds {n} values that are not pseudonyms"
    cell = counter.cells.at(name)
    [(repeated,)] = counter.rows(
        f"SELECT count(*) FROM (SELECT {cell} FROM {counter.cells.table} WHERE {cell} IS NOT NULL GROUP BY {cell} "
        "HAVING count(*) > 1)"
    )
    if repeated and is_required:
        yield f"the identifier column {name!r} holds {repeated} pseudonyms that link several records"


def _value_faults(counter: Counter, column: Column, tree: Tree | None) -> Iterator[str]:
    texts, grammar = counter.texts(column.name), Grammar(column, tree)
    extents = {text: grammar.read(text) if column.is_extent else None for text in texts}
    if column.is_extent and (tree or not column.tree):
        n = sum(extent is None for extent in extents.values())
        if n:
            yield f"the column {column.name!r} holds {n} values that are not extents of its kind"
    if column.recode and not (column.is_extent and _gives_numbers(column)):
        named = {
            part for text in texts for part in (recoded_parts(text, extents[text]) if column.is_extent else [text])
        }
        n = sum(not is_recoded(part, column, tree) for part in named)
        if n:
            yield f"the column {column.name!r} holds {n} values that are not of its recoding, or finer"
    if column.tree and (column.min_level or column.max_level is not None):
        highest = float("inf") if column.max_level is None else column.max_level
        n = sum(low > highest or high < column.min_level for low, high in (level_range(t, column, tree) for t in texts))
        if n:
            yield f"the column {column.name!r} holds {n} values of a level that the policy does not allow"


def _gives_numbers(column: Column) -> bool:
    rule = column.recode or {}
    return rule.get("date_part") == "year" or "top" in rule or "bottom" in rule


def _end_faults(counter: Counter, column: Column, tree: Tree | None) -> Iterator[str]:
    """Columns of ends that say something else than the intervals."""
    grammar, cells = Grammar(column, tree), [counter.cells.at(name) for name in (column.name, *column.ends)]
    n = 0
    for text, *ends in counter.rows(f"SELECT DISTINCT {', '.join(cells)} FROM {counter.cells.table}"):
        extent = None if text is None else grammar.read(str(text))
        expected = (extent.low, extent.high) if isinstance(extent, Interval) else (None, None)
        n += any(
            (end is None) != (at is None) or (end is not None and not _is_near(grammar.point(str(end)), at))
            for end, at in zip(ends, expected, strict=True)
        )
    if n:
        yield f"the column {column.name!r} has {n} intervals whose ends differ from those in the columns of ends"


def _is_near(found: Fraction | None, wanted: Fraction | None) -> bool:
    return found is not None and wanted is not None and float(found) == float(wanted)


def grid_faults(
    counter: Counter, column: Column, grid: tuple[Fraction | str, Fraction | None, Fraction | None]
) -> Iterator[str]:
    """Ends of intervals off the grid, or where few records are beyond them."""
    step, low, high = grid
    read = [Grammar(column, None).interval(text) for text in counter.texts(column.name)]
    intervals = [each for each in read if each is not None]
    ends = [[end for end in (each.low, each.high) if end is not None] for each in intervals]
    slack = step / 10**6 if isinstance(step, Fraction) else Fraction(0)
    off = sum(any(not is_grid_point(end, step) for end in each) for each in ends)
    far = sum(
        any(
            (low is not None and float(end) < float(low - slack))
            or (high is not None and float(end) > float(high + slack))
            for end in each
        )
        for each in ends
    )
    closed = sum(each.is_closed for each in intervals)
    shown = step if isinstance(step, str) else f"{float(step):g}"
    for n, what in (
        (off, f"with an end off the grid of {shown}"),
        (far, "with an end beyond the limits of the grid, where few records are"),
        (closed, "that are closed by a value"),
    ):
        if n:
            yield f"the column {column.name!r} has {n} intervals {what}"


def places(text: str) -> int | None:
    """Decimal places up to the last digit that is not 0, negative before the point; None where it is no number."""
    found = DIGITS.fullmatch(text)
    if not found or not (found[1] or found[2]):
        return None
    whole, part, power = found[1], (found[2] or "").rstrip("0"), int(found[3] or 0)
    if not (whole + part).strip("0"):
        return -(10**6)
    return (len(part) if part else len(whole.rstrip("0")) - len(whole)) - power


def significant(text: str) -> int | None:
    """Significant digits, without zeros before and after them; None where it is no number."""
    found = DIGITS.fullmatch(text)
    return len((found[1] + (found[2] or "")).strip("0")) if found and (found[1] or found[2]) else None
