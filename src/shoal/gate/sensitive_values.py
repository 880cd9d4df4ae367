"""The gate's encoding of sensitive values: numbered in their order and with their taxonomy, as the policy declares.

Values are numbered both as written and after normalization (``schema/spelling.py``): a requirement must hold for both.
With a tolerance they are numbered by its cells, in both readings (``requirements/tolerance.py``).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import TableError, plural
from shoal.gate.written_counts import WrittenCounts
from shoal.kernels import Labels
from shoal.requirements import Reads, Requirement
from shoal.requirements.groups import Groups, first_of_units
from shoal.requirements.requirement import tolerance_of
from shoal.requirements.tolerance import Tolerance, cells_of
from shoal.schema import Column
from shoal.schema.helper_columns import UNIT
from shoal.schema.spelling import blank_missing_words, n_mixed_scripts, normalized_values, undeclared_missing_words
from shoal.user_rule import UserRule

# When the values of a column are nearly all different:
MANY = 100  # there are at least as many
RARE = 4  # records of a value, on average, are fewer
MOST_FREQUENT = 10  # the most frequent value has a smaller share than one of as many
PROMISES_LITTLE = "nearly any class satisfies it, so that it promises little"


@dataclass(frozen=True)
class SensitiveDistribution:
    """The distribution of a sensitive column over the whole release, its values numbered in order."""

    column: str
    written: pa.Array[Any]  # (n_written,) distinct values as written
    numbers: Labels  # (n_written,) the number of each value; -1: it normalizes to a word for missing
    n: Labels  # (n_values,) records of each
    tree: Labels | None  # (n_values, n_levels)

    @classmethod
    def forms(
        cls, whole: WrittenCounts, column: Column, reads: Reads, tolerance: Tolerance | None = None
    ) -> tuple[Self, ...]:
        """The values as written and, where normalization makes some of them equal, also as normalized; with a
        tolerance, the cells of its two readings instead.

        ``whole``: a row per value; a value may occur twice, missing is not counted. With the column UNIT a row per
        value and unit: distinct units are counted, each once per normalized value.
        """
        known_cells: Any = blank_missing_words(_plain(whole.values), column)
        known = replace(whole, combinations=whole.combinations.set_column(0, column.name, known_cells)).known
        codes, values = known.codes(column.name)
        # Sorted, so that sums over the values do not depend on the order in which an engine counts.
        order = _sorted(values, column, reads)
        values, places = values.take(pa.array(order, pa.int64())), np.argsort(order)[codes]
        if tolerance is None:
            numberings = [np.arange(len(values)), *_normalized_numbers(values, column)]
        else:
            numberings = [*cells_of(values, column, tolerance)]
        return tuple(
            cls(
                column.name,
                values,
                numbers,
                _value_counts(numbers[places], known),
                _tree(values, numbers, column) if reads == "tree" else None,
            )
            for numbers in numberings
        )

    def values(self, counts: WrittenCounts) -> tuple[Labels, Labels | None, Labels]:
        """(n_rows,) numbers of the values in ``counts``, -1 for missing; their tree; and their counts in the whole."""
        found: Any = pc.index_in(_plain(counts[self.column]), value_set=self.written)
        places: Labels = found.fill_null(len(self.written)).to_numpy().astype(np.int64)
        return np.append(self.numbers, -1)[places], self.tree, self.n


def _value_counts(numbers: Labels, rows: WrittenCounts) -> Labels:
    """(n_values,) records, or distinct units, of every value; a single 0 where no value is known.

    ``numbers``: (n_rows,) the number of the value of every row, -1: missing.
    """
    n, known = rows.n, numbers >= 0
    if UNIT in rows:
        n = first_of_units(np.where(known, numbers, numbers.max(initial=0) + 1), n, rows.codes(UNIT)[0])
    return np.bincount(numbers[known], weights=n[known], minlength=1).astype(np.int64)


def _plain(cells: Any) -> Any:
    return cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells


def _normalized_numbers(values: pa.Array[Any], column: Column) -> list[Labels]:
    """(n_written,) the same number for values that normalize alike, in their order; an empty list where all differ."""
    normalized, seen = normalized_values(values, column) or (), dict[Hashable, int]()
    numbers = np.array([-1 if key is None else seen.setdefault(key, len(seen)) for key in normalized], dtype=np.int64)
    return [numbers] if len(seen) < len(normalized) else []


def _tree(values: pa.Array[Any], numbers: Labels, column: Column) -> Labels:
    """(n_values, n_levels) ancestors of every value; one written in several ways has those of its first text."""
    texts = _texts(values)
    first_text = {int(numbers[at]): at for at in sorted(range(len(texts)), key=texts.__getitem__, reverse=True)}
    chosen = [first_text[number] for number in sorted(first_text) if number >= 0]
    if column.taxonomy is None or not chosen:
        return np.zeros((1, 1), dtype=np.int64)  # placeholder: there is no taxonomy, or no known value
    return column.taxonomy.nodes_above(texts)[chosen]


def mixed_script_notes(whole: WrittenCounts, name: str) -> tuple[str, ...]:
    """The note on values with letters of mixed scripts, which may look like other values. ``whole``: of this column."""
    values: Any = _plain(whole.values)
    n = n_mixed_scripts(values.drop_null().unique().to_pylist()) if pa.types.is_string(values.type) else 0
    what = (
        f"{name}: {n} {plural(n, 'value has a word that mixes', 'values have words that mix')} Latin, Cyrillic or Greek"
    )
    return (f"{what} letters: a value that looks like another one counts as a different value.",) if n else ()


def missing_word_notes(whole: WrittenCounts, column: Column) -> tuple[str, ...]:
    """The note on undeclared words that usually mean "missing" and count as values. ``whole``: of this column."""
    values: Any = _plain(whole.values)
    words = undeclared_missing_words(values.drop_null().unique(), column)
    shown = ", ".join(f"'{word}'" for word in words)
    what = f"{column.name}: {shown} {plural(len(words), 'counts as a value', 'count as values')} of diversity"
    line = f"source.missing = {['', *words]}".replace("'", '"')
    return (f"{what}. If it means a missing value, declare it as it is written: {line}.",) if words else ()


def equality_notes(asked: Requirement, column: Column, forms: Sequence[SensitiveDistribution]) -> tuple[str, ...]:
    """The note on a requirement that compares amounts or dates by equality though they are nearly all different: it
    holds of nearly any class, or of nearly none. ``forms``: the column in every form that the requirement compares.

    It rests on nothing that the released column does not show, and says no figure of it.
    """
    n = min((form.n for form in forms), key=len)
    are_different = len(n) >= MANY and n.sum() < RARE * len(n) and n.max() * MOST_FREQUENT < n.sum()
    is_of_user = isinstance(asked, UserRule)  # what its author means by a value, only the author knows
    if column.kind not in ("numeric", "date") or asked.reads != "counts" or is_of_user or not are_different:
        return ()
    tenth, quarter = (_of_different_values(n, each) for each in (10, 4))
    if asked.holds(tenth).all():
        outcome = PROMISES_LITTLE
    elif not asked.holds(quarter).any():
        outcome = "hardly any class satisfies it, except one of most records"
    else:
        return ()
    tolerance, is_number = tolerance_of(asked), column.kind == "numeric"
    what = "nearly all values are different" if tolerance is None else f"tolerance = {tolerance} joins few values"
    nearer = "" if not is_number or not hasattr(asked, "tolerance") else ", or set tolerance"
    return (
        f"{column.name}: {what}, and {asked.name} tells near ones apart like far ones: {outcome}. Ask for t_closeness "
        f"with distance = 'ordered'{' or for p_percent' if is_number else ''}"
        f"{nearer if tolerance is None else ', or set a larger tolerance'} instead.",
    )


def promises_little(notes: Sequence[str], column: str, requirement: str) -> bool:
    """Whether ``equality_notes`` says so of a requirement, by its name."""
    return any(
        note.startswith(f"{column}: ") and f" and {requirement} tells " in note and PROMISES_LITTLE in note
        for note in notes
    )


def _of_different_values(n: Labels, each: int) -> Groups:
    """A class of as many different values: every tenth, every fourth of those in the release."""
    values = np.arange(0, len(n), each)
    return Groups.of(np.zeros_like(values), np.ones_like(values), values, whole=n)


def domain_faults(counts: pa.Table, column: Column, requirement: Requirement) -> tuple[str, ...]:
    """Faults of values that are not in the declared taxonomy or order. ``counts``: of this one column."""
    texts = _texts(blank_missing_words(_plain(WrittenCounts.of(counts).values), column).drop_null())
    if requirement.reads == "tree" and column.taxonomy:
        n_strange, where = column.taxonomy.n_outside(texts), "taxonomy"
    else:
        n_strange, where = len(set(texts) - set(column.order or texts)), "order"
    return (f"the column '{column.name}' holds {n_strange} values that are not in its {where}",) if n_strange else ()


def _sorted(values: pa.Array[Any], column: Column, reads: Reads) -> Labels:
    """(n_values,) indices that sort the values: by the declared order where the requirement reads it, else by size."""
    if reads != "order" or not column.order:
        sortable = values.cast(pa.int8()) if pa.types.is_boolean(values.type) else values
        by_size: Labels = pc.array_sort_indices(sortable).to_numpy().astype(np.int64)
        return by_size
    place, texts = {text: at for at, text in enumerate(column.order)}, _texts(values)
    n_outside = sum(text not in place for text in texts)
    if n_outside:
        raise TableError.not_in_order(column.name, n_outside)
    return np.argsort([place[text] for text in texts], kind="stable")


def _texts(values: Any) -> list[str]:
    """The values as texts, as an order or a hierarchy file names them."""
    return [str(value) for value in values.to_pylist()]
