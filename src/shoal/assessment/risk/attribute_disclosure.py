"""Attribute disclosure: what an intruder who finds the class of a person learns about a sensitive value.

totals over classes, by value -> AttributeDisclosure

The intruder names the most frequent value of the class, or of a number the best interval (`sensitive_distribution.py`).
Somebody without the release names the most frequent value of the whole table; that is the baseline. The attacks of the
literature are read from the same counts:

homogeneity  all known values of a class are equal (Machanavajjhala et al. 2007, doi:10.1145/1217299.1217302)
background   at most two values occur in a class: who can exclude one knows the other (the same paper)
skewness     the class makes a value much likelier than the whole table (Li et al. 2007, doi:10.1109/ICDE.2007.367856);
             of numbers an interval, as narrow as makes the gain greatest
similarity   the values of a class differ but are alike: within a tenth of the ranks, or below one node of the taxonomy

Sums over classes and maxima of classes add up over parts of any classes. Where several records are of one person, such
as the stays of a patient, a person counts once in each class, the records in equal parts, for the baseline as well;
parts are whole numbers, whose sums do not depend on an order. These are the true persons and households, also where the
release shows no number of them: the guess of a class that is right for most of them bounds what anybody achieves who
sees only what is shown. Persons whose value is missing have none that could be learned: they are in the classes that
share a value, and in no other figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import lcm
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.assessment.risk.range_maximum import highest_places
from shoal.assessment.risk.sensitive_distribution import SensitiveValues
from shoal.encode.class_numbers import value_numbers
from shoal.encode.count_table import CountTable
from shoal.kernels import Ints, Labels, Vector
from shoal.kernels.combinations import number_combinations
from shoal.total import TotalOfClasses

N_DIGITS = 12  # of shares, so that equal gains of belief are equal
PARTS = lcm(*range(1, 21))  # of a person: exact for up to 20 records in a class, to 2e-9 of a person for more


@dataclass(frozen=True, order=True)
class Belief:
    """How certain a class makes a guess. The greater one is that with the greater gain."""

    gain: float = 0.0
    after: float = 0.0  # share of the class
    before: float = 0.0  # share of the whole table

    @property
    def factor(self) -> float:
        return self.after / self.before if self.before else 1.0


@dataclass(frozen=True)
class AttributeDisclosure:
    """Persons are counted in parts of them (``PARTS``) where there are units."""

    n_records: int = 0
    n_homogeneous: int = 0  # records in classes with exactly one known value
    n_known: int = 0  # persons with a known value
    n_right: int = 0  # whose value is guessed from their class
    n_of_two: int = 0  # whose class has at most two values
    n_similar: int = 0  # whose class has values that are all alike
    prior: float = 0.0  # the highest share of the whole table that a guess holds
    surest: float = 0.0  # the highest share of a class that a guess holds
    narrowest: float = 1.0  # share of the ranks that the values of a class span, at least
    belief: Belief = Belief()

    def __add__(self, other: AttributeDisclosure) -> AttributeDisclosure:
        return AttributeDisclosure(
            self.n_records + other.n_records,
            self.n_homogeneous + other.n_homogeneous,
            self.n_known + other.n_known,
            self.n_right + other.n_right,
            self.n_of_two + other.n_of_two,
            self.n_similar + other.n_similar,
            max(self.prior, other.prior),
            max(self.surest, other.surest),
            min(self.narrowest, other.narrowest),
            max(self.belief, other.belief),
        )

    @property
    def right(self) -> float:
        return self._share(self.n_right)

    @property
    def homogeneous(self) -> float:
        return self.n_homogeneous / self.n_records if self.n_records else 0.0

    @property
    def of_two(self) -> float:
        return self._share(self.n_of_two)

    @property
    def similar(self) -> float:
        return self._share(self.n_similar)

    def _share(self, n: int) -> float:
        return round(n / self.n_known, N_DIGITS) if self.n_known else 0.0


def attribute_disclosure(
    classes: TotalOfClasses, columns: Sequence[str], values: SensitiveValues, unit: str | None = None
) -> AttributeDisclosure:
    """Of the classes by ``columns``. ``values``: with persons (`in_persons`), where there are units."""
    read = [values.column.name, *([unit] if unit else [])]
    return classes(columns, read, partial(disclosure_of_counts, values, unit))


def in_persons(classes: TotalOfClasses, columns: Sequence[str], values: SensitiveValues, unit: str) -> SensitiveValues:
    """The values with the persons of all classes in place of records, for guesses about the whole table."""
    return replace(values, n=classes(columns, [values.column.name, unit], partial(persons_of_counts, values, unit)))


def disclosure_of_counts(values: SensitiveValues, unit: str | None, table: pa.Table) -> AttributeDisclosure:
    """Of the classes of one table: their columns, the sensitive one and, if there is one, that of the unit."""
    counts = CountTable.of(table)
    classes = _classes(counts, values, unit)
    codes = values.codes_of(counts[values.column.name])
    persons = _persons(counts, classes, unit)
    known = codes >= 0
    found = ClassValues.of(classes[known], codes[known], persons[known], values)
    n_in_class = np.bincount(classes, counts.n, minlength=int(classes.max(initial=-1)) + 1)
    n_homogeneous = int(n_in_class[found.homogeneous_classes].sum())
    return found.disclosure(counts.n_records, n_homogeneous)


def persons_of_counts(values: SensitiveValues, unit: str, table: pa.Table) -> Ints:
    """(n_values,) persons with each value, in parts."""
    counts = CountTable.of(table)
    codes = values.codes_of(counts[values.column.name])
    known, persons = codes >= 0, np.zeros(values.n_values, dtype=np.int64)
    np.add.at(persons, codes[known], _persons(counts, _classes(counts, values, unit), unit)[known])
    return persons


def _classes(counts: CountTable, values: SensitiveValues, unit: str | None) -> Labels:
    return counts.class_numbers([name for name in counts.names if name not in (values.column.name, unit)])


def _persons(counts: CountTable, classes: Labels, unit: str | None) -> Ints:
    """(n_rows,) the persons of each row: its records, or parts of units. A unit is one person of a class, divided among
    its records there."""
    if unit is None:
        return counts.n
    units = value_numbers(counts[unit])
    of_unit = number_combinations([classes, units], len(counts))
    n_of_unit = np.bincount(of_unit, counts.n).astype(np.int64)[of_unit]
    return np.where(units >= 0, (PARTS * counts.n + n_of_unit // 2) // n_of_unit, PARTS * counts.n)


@dataclass(frozen=True, eq=False)
class ClassValues:
    """Persons by class and value, sorted by both."""

    values: SensitiveValues
    keys: Labels  # (n_rows,) class times the number of values, plus value
    n: Ints | Vector  # (n_rows,) persons, in parts; or chances

    @classmethod
    def of(cls, classes: Labels, codes: Labels, persons: Ints | Vector, values: SensitiveValues) -> ClassValues:
        keys, rows = np.unique(classes * values.n_values + codes, return_inverse=True)
        n: Any = np.zeros(len(keys), dtype=persons.dtype)
        np.add.at(n, rows, persons)
        return cls(values, keys.astype(np.int64), n)

    def disclosure(self, n_records: int, n_homogeneous: int) -> AttributeDisclosure:
        if not len(self.keys):
            return AttributeDisclosure(n_records, n_homogeneous)
        best = np.maximum.reduceat(self._guessed, self._starts)
        ends = self.values.ends
        spans = (ends[self._codes[self._lasts] + 1] - ends[self._codes[self._starts]]) / ends[-1]
        return AttributeDisclosure(
            n_records,
            n_homogeneous,
            int(self._totals.sum()),
            int(best.sum()),
            int(self._totals[self._lasts - self._starts <= 1].sum()),
            int(self._totals[self._are_similar(best)].sum()),
            round(float(self.values.prior.max()), N_DIGITS),
            round(float((best / self._totals).max()), N_DIGITS),
            round(float(spans.min()), N_DIGITS),
            self._belief,
        )

    @property
    def homogeneous_classes(self) -> Labels:
        """Classes with exactly one known value."""
        classes, n_values = np.unique(self.keys // max(1, self.values.n_values), return_counts=True)
        of_one: Labels = classes[n_values == 1]
        return of_one

    @cached_property
    def _codes(self) -> Labels:
        return self.keys % self.values.n_values

    @cached_property
    def _starts(self) -> Labels:
        """(n_classes,) the first row of every class."""
        classes = self.keys // self.values.n_values
        return np.flatnonzero(np.concatenate([[True], classes[1:] != classes[:-1]]))

    @property
    def _lasts(self) -> Labels:
        return np.append(self._starts[1:], len(self.keys)) - 1

    @cached_property
    def _totals(self) -> Ints | Vector:
        """(n_classes,) persons."""
        return np.add.reduceat(self.n, self._starts)

    @cached_property
    def _sums(self) -> Ints | Vector:
        """(n_rows + 1,) persons of the rows before each."""
        return np.concatenate([np.zeros(1, dtype=self.n.dtype), np.cumsum(self.n)])

    @cached_property
    def _lasts_of_guess(self) -> Labels:
        """(n_rows,) the last row of the class in the guess that begins with the value of the row."""
        last = self.keys - self._codes + self.values.last_of_guess[self._codes]
        return np.searchsorted(self.keys, last, side="right") - 1

    @cached_property
    def _guessed(self) -> Ints | Vector:
        """(n_rows,) persons of the class whose value is in the guess that begins with the value of the row."""
        guessed: Ints | Vector = self._sums[self._lasts_of_guess + 1] - self._sums[:-1]
        return guessed

    @property
    def best_guesses(self) -> tuple[Labels, Labels]:
        """(n_classes,) the classes, and the first value of the guess that holds most of each; the lowest of several."""
        if not len(self.keys):
            return self.keys, self.keys
        best = np.repeat(np.maximum.reduceat(self._guessed, self._starts), self._lasts - self._starts + 1)
        at = np.flatnonzero(self._guessed == best)  # in ascending order of class and value
        first = at[np.searchsorted(at, self._starts)]
        return self.keys[first] // self.values.n_values, self._codes[first]

    def _are_similar(self, best: Ints | Vector) -> Labels:
        """Classes whose values are all alike."""
        parents = self.values.parents
        if parents is None:
            return np.flatnonzero(best > self._totals * (1 - 1e-9))
        of_rows = parents[self._codes]
        least, greatest = (ends.reduceat(of_rows, self._starts) for ends in (np.minimum, np.maximum))
        return np.flatnonzero(least == greatest)

    @property
    def _belief(self) -> Belief:
        """The guess whose share a class raises most; of equal ones, that with the highest share afterwards. Of numbers,
        intervals of every width up to a guess are compared, each with its own share of the whole table."""
        lasts = highest_places(self._excess, self._lasts_of_guess)
        totals = np.repeat(self._totals, self._lasts - self._starts + 1)
        after = np.round((self._sums[lasts + 1] - self._sums[:-1]) / totals, N_DIGITS)
        ends = self.values.ends
        before = np.round((ends[self._codes[lasts] + 1] - ends[self._codes]) / ends[-1], N_DIGITS)
        gain = np.round(after - before, N_DIGITS)
        at = np.lexsort((before, after, gain))[-1]
        return Belief(float(gain[at]), float(after[at]), float(before[at]))

    @property
    def _excess(self) -> Vector:
        """(n_rows,) share of the class up to each row, less the share of the whole table up to its value."""
        n_rows, ends = self._lasts - self._starts + 1, self.values.ends
        up_to = (self._sums[1:] - np.repeat(self._sums[self._starts], n_rows)) / np.repeat(self._totals, n_rows)
        excess: Vector = np.round(up_to - ends[self._codes + 1] / ends[-1], N_DIGITS)
        return excess
