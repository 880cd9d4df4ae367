"""The gate: proves from counts of the written release that every requirement holds.

classes of the written release, schema, requirements -> Proof

It shares with the code that produced the release only the predicates of ``requirements/``: it uses no partition, no
method and no original. Records are in one equivalence class if their quasi-identifiers are written alike; missing is a
value of its own. Where the units of records are given, distinct units are counted; where the release links the members
of a household, records of one class must also have households of the same composition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from math import isfinite
from typing import Any

import numpy as np
import pyarrow as pa

from shoal.errors import RequirementError, plural
from shoal.gate.extent_reader import read_extents
from shoal.gate.population import Population
from shoal.gate.sensitive_values import SensitiveDistribution, equality_notes, missing_word_notes, mixed_script_notes
from shoal.gate.written_counts import WrittenCounts
from shoal.kernels import Labels, Vector
from shoal.requirements import KAnonymity, Reads, Requirement
from shoal.requirements.groups import Groups
from shoal.requirements.requirement import ReleaseRequirement, amount_of_unit, reads_numbers, tolerance_of
from shoal.requirements.tolerance import Tolerance
from shoal.schema import Schema
from shoal.schema.helper_columns import COMPOSITION, N_UNITS, UNIT
from shoal.total import P, TotalOfClasses

SLACK = 1e-9  # rounding tolerance of figures
NO_K = "No k-anonymity is required: a class may be a single record."
Key = tuple[str | None, Reads, Tolerance | None]  # the sensitive column, what is read of it, and how near counts as one
Spreads = Mapping[Key, tuple[SensitiveDistribution, ...]]
NOTHING = (None, None, None)  # values, tree and whole of a requirement that reads no sensitive column


@dataclass(frozen=True)
class Verdict:
    """The result of checking one requirement on the written file."""

    requirement: str
    asked: float
    reached: float | None  # None: the release is empty; infinite: no value of the parameter would hold
    holds: bool
    n_classes: int
    n_classes_failing: int
    n_records_failing: int
    columns: tuple[str, ...]  # the quasi-identifiers that define the classes
    column: str | None = None  # the column that the requirement reads, if any
    besides: dict[str, Any] = field(default_factory=dict)  # other parameters of the requirement
    advice: str = field(default="", compare=False)  # what helps where it does not hold; not part of a manifest
    is_private: bool = False  # its figure says more than the release does, of amounts or a population: not published

    def __str__(self) -> str:
        outcome = "does not hold:" if not self.holds else "holds:" if self.reached is None else "holds,"
        return f"{self.required} {outcome} {self.found}"

    @property
    def required(self) -> str:
        """The requirement and its parameters, such as: distinct_l_diversity of illness = 2"""
        of = f" of {self.column}" if self.column else ""
        besides = f" ({', '.join(f'{name} = {value}' for name, value in self.besides.items())})" if self.besides else ""
        return f"{self.requirement}{of} = {self.asked:g}{besides}"

    @property
    def found(self) -> str:
        """What the classes reach, and how many of them fail."""
        classes = f"{self.n_classes:,} {plural(self.n_classes, 'class', 'classes')}"
        if self.is_private and self.holds:
            return f"met in {classes}; the figure is not published"
        if self.reached is None:
            return "there is no record"
        if self.holds:
            return f"{self.reached:g} reached in {classes}"
        if not self.n_classes_failing:
            return f"{self.reached:.4g} reached over all {classes}. {self.advice}".rstrip(". ")
        return (
            f"{self.reached:g} reached, "
            f"{self.n_classes_failing:,} of {classes} fail, "
            f"with {self.n_records_failing:,} {plural(self.n_records_failing, 'record')}"
        )


@dataclass(frozen=True)
class Proof:
    """What was proved about a release. Without requirements only its structure is checked."""

    n_records: int
    n_classes: int
    k_reached: int  # size (in records or units) of the smallest class on all quasi-identifiers; 0 without records
    verdicts: tuple[Verdict, ...]
    faults: tuple[str, ...] = ()  # of structure, such as a column that is missing or must not be there
    notes: tuple[str, ...] = field(default=(), kw_only=True)  # what could not be checked; does not fail the proof
    carriers: tuple[str, ...] = field(default=(), kw_only=True)  # what the file contains apart from its cells

    @property
    def holds(self) -> bool:
        return not self.faults and all(verdict.holds for verdict in self.verdicts)

    def __bool__(self) -> bool:
        return self.holds

    @property
    def failures(self) -> tuple[str, ...]:
        return (*self.faults, *(str(verdict) for verdict in self.verdicts if not verdict.holds))

    def to_dict(self) -> dict[str, Any]:
        """The proof for JSON, which has no infinity: ``reached`` becomes None where it is infinite or private."""
        proof = {"holds": self.holds, **asdict(self)}
        for verdict in proof["verdicts"]:
            del verdict["advice"]
            if verdict["reached"] is not None and not isfinite(verdict["reached"]):
                verdict["reached"] = None
            if verdict["is_private"]:
                verdict["reached"] = None
            else:
                del verdict["is_private"]
        return proof


def prove(
    classes: TotalOfClasses,
    schema: Schema,
    requirements: Sequence[Requirement],
    wholes: Mapping[str, pa.Table],
    unit: str | None = None,
    population: Population | None = None,
) -> Proof:
    """The proof of all requirements.

    ``classes``: totals over classes by quasi-identifiers, with sensitive columns; the columns UNIT and COMPOSITION may
    be there, too. ``wholes``: for every sensitive column that a requirement reads, a table with a row per value and
    last its number of records in the whole release; with the column UNIT between, where units are counted. ``unit``:
    the column whose distinct values are counted; None: records are counted. ``population``: where a requirement reads
    it.
    """
    whole = {name: WrittenCounts.of(counts) for name, counts in wholes.items()}
    spreads: Spreads = {
        (name, reads, near): SensitiveDistribution.forms(whole[name], schema[name], reads, near)
        for name, reads, near in map(_key, requirements)
        if name and not reads_numbers(reads)
    }
    tallies = [Tally(wanted, wanted.columns or schema.quasi_identifiers, unit) for wanted in requirements]
    everything = Tally(KAnonymity(2), schema.quasi_identifiers, unit)
    for columns in dict.fromkeys(tally.columns for tally in (everything, *tallies)):
        counted = [tally for tally in (everything, *tallies) if tally.columns == columns]
        names = sorted({name for tally in counted for name in [_sensitive(tally.requirement)] if name})
        found = classes(columns, names, partial(Tallies.of, columns, tuple(counted), spreads, schema, population))
        for tally, part in zip(counted, found.tallies, strict=True):
            tally.take(part)
    return Proof(
        n_records=everything.n_records,
        n_classes=everything.n_classes,
        k_reached=int(everything.reached or 0),
        verdicts=tuple(tally.verdict() for tally in tallies),
        notes=(
            *(
                note
                for name in dict.fromkeys(str(name) for name, *_ in spreads)
                for note in (*mixed_script_notes(whole[name], name), *missing_word_notes(whole[name], schema[name]))
            ),
            *dict.fromkeys(
                note
                for asked in requirements
                if (forms := spreads.get(_key(asked)))
                for note in equality_notes(asked, schema[str(asked.column)], forms)
            ),
        ),
    )


def prove_counts(
    counts: pa.Table, schema: Schema, requirements: Sequence[Requirement], unit: str | None = None
) -> Proof:
    """The proof from one table: a row per combination of quasi-identifiers and sensitive values, last its number of
    records."""
    written = WrittenCounts.of(counts)
    besides = [name for name in (N_UNITS, UNIT, COMPOSITION) if name in written]
    of_units = [name for name in besides if name == UNIT]

    def by(names: Sequence[str]) -> pa.Table:
        return written.by(names).to_table()

    wholes = {name: by([name, *of_units]) for requirement in requirements for name in [_sensitive(requirement)] if name}

    def classes(columns: Sequence[str], read: Sequence[str], of: Callable[[pa.Table], P]) -> P:
        return of(by([*columns, *read, *besides]))

    return prove(classes, schema, requirements, wholes, unit)


def _count(
    counts: WrittenCounts,
    columns: Sequence[str],
    tallies: Sequence[Tally],
    spreads: Spreads,
    schema: Schema,
    population: Population | None,
) -> None:
    """Counts complete classes in every tally of the same columns, in which nothing is counted yet."""
    if not counts.n_records:
        return
    n, labels = counts.n, counts.classes([*columns, *([COMPOSITION] if COMPOSITION in counts else [])])
    n_records = np.bincount(labels, weights=n).astype(np.int64)
    units = counts.codes(UNIT)[0] if UNIT in counts else None
    reads = {tally.requirement.reads for tally in tallies}
    persons = population.in_classes(counts, labels, columns) if population and "population" in reads else None
    for tally in tallies:
        name = _sensitive(tally.requirement)
        extents = _extents(counts, labels, schema, tally.requirement)
        if name and reads_numbers(tally.requirement.reads):
            amounts, of_unit = _amounts(counts, name), amount_of_unit(tally.requirement.reads)
            tally.count([Groups.of_amounts(labels, n, amounts, units, of_unit)], n_records)
            continue
        read = [spread.values(counts) for spread in spreads[_key(tally.requirement)]] if name else [NOTHING]
        forms = [Groups.of(labels, n, values, tree, whole, units) for values, tree, whole in read]
        if N_UNITS in counts:
            forms = [_with_unit_sizes(groups, labels, counts[N_UNITS].to_numpy()) for groups in forms]
        tally.count([replace(groups, extents=extents, persons=persons) for groups in forms], n_records)


def _amounts(counts: WrittenCounts, name: str) -> Vector:
    """(n_rows,) the numbers of a column as they are written, NaN where missing."""
    cells: Any = counts[name]
    numbers: Vector = cells.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return numbers


def _with_unit_sizes(groups: Groups, labels: Labels, n_units: Labels) -> Groups:
    """The groups with their numbers of units as sizes, where the units of single values are not known: sufficient for
    requirements on sizes and distinct values only."""
    of_group = np.empty(groups.n_groups, dtype=np.int64)
    of_group[labels] = n_units
    return replace(groups, totals=of_group)


def _extents(
    counts: WrittenCounts, labels: Labels, schema: Schema, requirement: Requirement
) -> dict[str, Vector] | None:
    """(n_classes,) lengths of the written extents of the quasi-identifier that the requirement is about."""
    if requirement.reads != "extents" or requirement.column is None:
        return None
    codes, texts = counts.codes(requirement.column)
    lengths = np.append(
        read_extents(texts, schema[requirement.column]).lengths, np.inf
    )  # last: missing, which discloses no value
    of_class = np.empty(int(labels.max()) + 1)
    of_class[labels] = lengths[codes]
    return {requirement.column: of_class}


def _sensitive(requirement: Requirement) -> str | None:
    """The sensitive column that it reads, if any (a requirement on extents reads a quasi-identifier)."""
    return None if requirement.reads == "extents" else requirement.column


def _key(requirement: Requirement) -> Key:
    return _sensitive(requirement), requirement.reads, tolerance_of(requirement)


@dataclass
class Tally:
    """What the verdict on one requirement needs, counted in pieces that add up."""

    requirement: Requirement
    columns: tuple[str, ...]
    unit: str | None = None  # the column whose distinct values are counted
    n_records: int = 0
    n_classes: int = 0
    n_classes_failing: int = 0
    n_records_failing: int = 0
    reached: float | None = None
    terms: tuple[float, int] = (0.0, 0)  # numerator and denominator of a figure of the whole release

    def count(self, forms: Sequence[Groups], n_records: Labels) -> None:
        """Counts the groups of a piece. ``forms``: the same groups with their sensitive values as written and as
        normalized; a group must satisfy the requirement in every form. ``n_records``: of each group.
        """
        wanted = self.requirement
        fails = ~np.logical_and.reduce([wanted.holds(groups) for groups in forms])
        self.n_records = int(n_records.sum())
        self.n_classes = len(n_records)
        self.n_classes_failing = int(fails.sum())
        self.n_records_failing = int(n_records[fails].sum())
        if isinstance(wanted, ReleaseRequirement):
            self._add_terms(wanted.terms(forms[0]))
            return
        weaker = min if wanted.weaker == "smaller" else max
        self.reached = weaker(wanted.reached(groups) for groups in forms)

    def take(self, other: Tally) -> None:
        """Adds what another tally of the same requirement has counted."""
        self.n_records += other.n_records
        self.n_classes += other.n_classes
        self.n_classes_failing += other.n_classes_failing
        self.n_records_failing += other.n_records_failing
        if isinstance(self.requirement, ReleaseRequirement):
            self._add_terms(other.terms)
        elif other.reached is not None:
            weaker = min if self.requirement.weaker == "smaller" else max
            self.reached = other.reached if self.reached is None else weaker(self.reached, other.reached)

    def _add_terms(self, terms: tuple[float, int]) -> None:
        """Adds to a figure of the whole release; rounded, so that it does not depend on the size of batches."""
        self.terms = (self.terms[0] + terms[0], self.terms[1] + terms[1])
        self.reached = float(f"{self.terms[0] / self.terms[1]:.12g}") if self.terms[1] else None

    @property
    def _holds(self) -> bool:
        if isinstance(self.requirement, ReleaseRequirement) and self.reached is not None:
            return self.reached <= self.requirement.asked + SLACK
        return not self.n_classes_failing

    def verdict(self) -> Verdict:
        """The verdict; an empty release satisfies every requirement vacuously."""
        return Verdict(
            requirement=self.requirement.name,
            asked=self.requirement.asked,
            reached=self.reached,
            holds=self._holds,
            n_classes=self.n_classes,
            n_classes_failing=self.n_classes_failing,
            n_records_failing=self.n_records_failing,
            columns=self.columns,
            column=self.requirement.column,
            advice="" if self._holds else _advice(self.requirement, self.reached),
            besides=_other_parameters(self.requirement) | ({"units": self.unit} if self.unit else {}),
            is_private=self.requirement.reads == "population",
        )


@dataclass(frozen=True)
class Tallies:
    """Tallies of the same classes."""

    tallies: tuple[Tally, ...]

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        empty: tuple[Tally, ...],
        spreads: Spreads,
        schema: Schema,
        population: Population | None,
        counts: pa.Table,
    ) -> Tallies:
        """Of the classes of one table. ``empty``: the tallies before anything is counted."""
        tallies = tuple(replace(tally) for tally in empty)
        _count(WrittenCounts.of(counts), columns, tallies, spreads, schema, population)
        return cls(tallies)

    def __add__(self, other: Tallies) -> Tallies:
        tallies = tuple(replace(tally) for tally in self.tallies)
        for tally, further in zip(tallies, other.tallies, strict=True):
            tally.take(further)
        return Tallies(tallies)


def _other_parameters(requirement: Requirement) -> dict[str, Any]:
    """The parameters other than the columns and the measured one."""
    known = {"name", "column", "columns", requirement.measure}
    parameters: Any = requirement
    found = {p.name: getattr(requirement, p.name) for p in fields(parameters) if p.name not in known}
    return {name: value for name, value in found.items() if value is not None}


def _advice(requirement: Requirement, reached: float | None) -> str:
    """What helps where a figure of the whole release is not met: a value that is met, and a size that is enough."""
    if not isinstance(requirement, ReleaseRequirement) or reached is None:
        return ""
    return RequirementError.release_advice(requirement.measure, reached, requirement.sufficient_records)
