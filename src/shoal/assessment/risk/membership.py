"""Membership: is a person in the file? Presence by delta-presence, against the population that the persons are from.

a release, a population -> presence of every person of the population

The intruder holds the quasi-identifiers of everybody in the population, finds the class that a person would be in, and
compares it: if n of the N persons who fit a class are in the file, each of them is with probability n / N. A release is
(delta_min, delta_max)-present if these probabilities lie between the two (Nergiz, Atzori & Clifton 2007,
doi:10.1145/1247480.1247554). Where classes overlap, the expected number of records is added over the classes that a
person fits. The baseline is the share of the population that is in the file.

The same counts give the risk of the journalist, who does not know whether a person is in the file, and is right with
probability 1 / N (El Emam & Dankar 2008, doi:10.1197/jamia.M2716).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from math import fsum

import numpy as np
import pyarrow as pa

from shoal.assessment.risk.attack import Attack, AttackSubject
from shoal.assessment.risk.population_match import PopulationMatch, n_table_cells
from shoal.assessment.risk.release_counts import ReleaseCounts
from shoal.encode.count_table import CountTable
from shoal.encode.units import count_units, n_units_of
from shoal.errors import TableError, listed
from shoal.findings import Finding, UnmeasuredFigure, four_digits
from shoal.kernels import Vector

HIGHEST, LIKELY, NEARLY_SURE = "highest presence", "presence above 50 %", "presence above 90 %"
JOURNALIST = "highest journalist risk, population"
NEEDS_POPULATION = "not measured: needs --population"
SEVERAL_CLASSES = "not measured: records of one person are in several classes, and a population has one row a person"
TOO_MANY = "not measured: classes overlap, and there are too many of them to compare each with the population"
MOST_COMPARED = 1_000_000_000  # combinations of the population times classes, where classes overlap
MOST_CELLS = 100_000_000  # values of the population times extents, of one column
N_DIGITS = 12  # of chances: they add up over classes in another order on every engine
MOST_UNFIT = 0.5  # share of the persons in classes with more persons than the population has
REGISTER = "a holder of a population register"
HELD = "the quasi-identifiers of everybody in the population"


@dataclass(frozen=True, eq=False)
class Presence:
    released: Vector  # (n_classes,) persons in the file
    fitting: Vector  # (n_classes,) persons of the population who fit each class
    n_population: Vector  # (n_combinations,) persons
    chances: Vector  # (n_combinations,) probability of each of these persons to be in the file

    @classmethod
    def of(cls, match: PopulationMatch, released: Vector) -> Presence:
        fitting = match.persons_of_classes()
        sums = match.sums_over_classes(released / np.maximum(fitting, released))
        chances: Vector = np.minimum(sums, 1.0).round(N_DIGITS)
        return cls(released, fitting, match.n_population, chances)

    @property
    def baseline(self) -> float:
        return float(self.released.sum() / self.n_population.sum())

    @property
    def unfit(self) -> float:
        """Share of the persons in the file who are in classes with fewer persons of the population."""
        return float(self.released[self.fitting < self.released].sum() / self.released.sum())

    def above(self, chance: float) -> float:
        """Share of the persons in the file whose presence is inferred with more than this probability. Those whom the
        population lacks count as certainly present."""
        expected, lacking = self.n_population * self.chances, fsum(np.maximum(self.released - self.fitting, 0.0))
        total = fsum(expected) + lacking
        return (fsum(expected[self.chances > chance]) + lacking) / total if total else 0.0


def membership_attacks(
    release: ReleaseCounts,
    population: CountTable | None,
    by_extents: Collection[str] = (),
    blanked: Collection[str] = (),
    without_cells: Collection[str] = (),
) -> tuple[Attack, ...]:
    """``population``: persons by the quasi-identifiers, in values of the original after recoding. ``by_extents``:
    columns released as extents; ``blanked``: columns in which a missing cell may be any value; ``without_cells``:
    columns whose released values are no values of their persons."""
    if not release.n_records:
        return ()
    if population is None:
        return _unmeasured(NEEDS_POPULATION)
    if without_cells:
        return _unmeasured(f"not measured: {listed(without_cells)}: released values are not those of the persons")
    classes = _classes(release)
    if classes is None:
        return _unmeasured(SEVERAL_CLASSES)
    if population.n_records < classes.n_records:
        raise TableError.population_too_small(population.n_records, classes.n_records)
    if n_table_cells(population, classes, by_extents) > MOST_CELLS:
        return _unmeasured(TOO_MANY)
    match = PopulationMatch.of(population, classes, release.schema, by_extents, blanked)
    if match.n_compared > MOST_COMPARED:
        return _unmeasured(TOO_MANY)
    presence = Presence.of(match, classes.n.astype(np.float64))
    if presence.unfit > MOST_UNFIT:
        share = four_digits(100 * presence.unfit)
        return _unmeasured(
            f"not measured: {share} % of the records are in classes with fewer persons in the population"
        )
    return _attacks(presence)


def _classes(release: ReleaseCounts) -> CountTable | None:
    """Persons of every class by all quasi-identifiers, in memory as the population is, which has more persons; None
    where records of one person are in several classes."""
    names, unit, records = release.schema.quasi_identifiers, release.unit, release.records
    if unit is None or not release.units_are_persons:
        return CountTable.of(records.group_counts(names))
    classes = records.class_total(names, [unit], partial(_persons_of_classes, unit))
    n_persons = records.class_total([unit], [], partial(n_units_of, unit))
    return classes if classes.n_records == n_persons else None


def _persons_of_classes(unit: str, counts: pa.Table) -> CountTable:
    return count_units(CountTable.of(counts), unit)


def _unmeasured(reason: str) -> tuple[Attack, ...]:
    return (
        _attack("identity", UnmeasuredFigure(JOURNALIST, reason)),
        _attack("membership", UnmeasuredFigure(HIGHEST, reason)),
    )


def _attack(subject: AttackSubject, figure: Finding | UnmeasuredFigure) -> Attack:
    return Attack(subject, REGISTER, HELD, figure)


def _attacks(presence: Presence) -> tuple[Attack, ...]:
    n = f"{int(presence.n_population.sum()):,}"
    least, most = 100 * float(presence.chances.min()), 100 * float(presence.chances.max())
    unfit = ""
    if presence.unfit:
        share = four_digits(100 * presence.unfit)
        unfit = f" {share} % are in classes with fewer persons in the population, who count as certainly present."
    baseline = 100 * presence.baseline
    certain = 1 / np.maximum(presence.fitting, presence.released)
    return (
        _attack(
            "identity",
            Finding(
                JOURNALIST,
                100 * float(certain.max()),
                f"The highest chance of a correct link if it is only known that a person is one of {n} in the "
                f"population; {four_digits(100 * float(presence.released @ certain / presence.released.sum()))} % on "
                "average over the records.",
                baseline=100 / float(presence.n_population.sum()),
                unit="%",
            ),
        ),
        _attack(
            "membership",
            Finding(
                HIGHEST,
                most,
                f"The highest probability, inferred from a class, that a person of the population is in the file; the "
                f"lowest is {four_digits(least)} %, and the baseline is the share of the {n} persons who are.{unfit}",
                baseline=baseline,
                unit="%",
            ),
        ),
        *(
            _attack("membership", _above(name, 100 * presence.above(chance), chance, presence.baseline))
            for name, chance in ((LIKELY, 0.5), (NEARLY_SURE, 0.9))
        ),
    )


def _above(name: str, share: float, chance: float, baseline: float) -> Finding:
    meaning = (
        f"Share of the persons in the file whose presence is inferred with a probability above {100 * chance:g} %."
    )
    return Finding(name, share, meaning, baseline=100.0 if baseline > chance else 0.0, unit="%")
