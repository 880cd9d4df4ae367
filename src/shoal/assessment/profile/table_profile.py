"""The profile of an original: its columns, and what an intruder who knows the keys could do with it.

It shows small counts, so it is internal; it shows no value of the data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from shoal import notebook
from shoal.assessment.profile.column_summary import ColumnSummary
from shoal.assessment.profile.key_cost import KeyCost, key_costs
from shoal.assessment.profile.key_table import KeyTable
from shoal.assessment.profile.risk_figures import RiskFigures, risk_figures
from shoal.assessment.profile.special_uniques import SpecialUniques, special_uniques
from shoal.assessment.profile.unique_sets import FEW_KEYS, UniqueSet, unique_sets
from shoal.assessment.profile.violations import Violation, violations
from shoal.errors import listed, plural, visible
from shoal.kernels import Ints


@dataclass(frozen=True)
class KeyRoles:
    """The columns that a profile is about.

    keys      columns that the intruder is assumed to know
    guessed   whether nobody chose them: they follow from names and values of the columns
    weight    the column of weights, if there is one
    unit      the column of households or units, if there is one
    """

    keys: tuple[str, ...]
    guessed: bool
    weight: str | None = None
    unit: str | None = None


@dataclass(frozen=True)
class Profile:
    """The disclosure risk of an original, before anything is decided. For internal use.

    roles        keys, weight and unit
    n_records    records of the table
    n_classes    equivalence classes on the keys
    columns      a summary of every column
    violations   of 2-, 3- and 5-anonymity
    risk         individual risk of the records
    unit_risk    the same of their households or units; None without them
    special      special uniques and what each key contributes to them
    unique_sets  sets of up to three keys, those that single out most records first
    key_costs    violations without each key
    notes        what was left out, and why
    """

    roles: KeyRoles
    n_records: int
    n_classes: int
    columns: tuple[ColumnSummary, ...]
    violations: tuple[Violation, ...]
    risk: RiskFigures
    unit_risk: RiskFigures | None
    special: SpecialUniques
    unique_sets: tuple[UniqueSet, ...]
    key_costs: tuple[KeyCost, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        table: KeyTable,
        roles: KeyRoles,
        columns: Sequence[ColumnSummary],
        coarser: Mapping[str, Ints],
        notes: Sequence[str] = (),
    ) -> Self:
        """``coarser``: codes of the next level of the taxonomy of a key, by its codes."""
        classes, sets = table.classes(), unique_sets(table)
        return cls(
            roles,
            table.n_records,
            int(classes.n.size),
            tuple(columns),
            violations(classes, has_units=table.has_units, has_weights=table.persons is not None),
            *risk_figures(table, classes),
            special_uniques(table, classes, sets),
            tuple(each for each in sets.sets if len(each.keys) <= FEW_KEYS),
            key_costs(table, coarser),
            (*notes, *_limit_notes(len(sets.combined), len(table.names), sets.largest)),
        )

    def percent(self, n_records: int) -> float:
        return 100 * n_records / self.n_records

    def to_dict(self) -> dict[str, Any]:
        """As JSON; see docs/profile.md."""
        return {"internal": True, **asdict(self)}

    def __repr__(self) -> str:
        """Counts, never a value."""
        lines = [
            f"Profile: {self.n_records:,} {plural(self.n_records, 'record')}, {len(self.columns)} columns (internal)",
            f"  keys{' (guessed)' if self.roles.guessed else ''}: {listed(map(visible, self.roles.keys))}",
            *(f"  violate {v.k}-anonymity: {v.counted:,} ({self.percent(v.counted):.4g} %)" for v in self.violations),
            f"  expected re-identifications: {self.risk.expected_text}",
            f"  special uniques: {self.special.n_records:,}",
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str | None:
        return notebook.fragment(self)


def _limit_notes(n_combined: int, n_keys: int, largest: int) -> tuple[str, ...]:
    if largest == n_keys:
        return ()
    if n_combined == n_keys:
        return (
            f"Special uniques were searched for among sets of up to {largest} of the {n_keys} keys, to limit the work; "
            "choose fewer keys to search sets of every size.",
        )
    return (
        f"Pairs, triples and special uniques were counted for {n_combined} of the {n_keys} keys, those with the most "
        "values, to limit the work; choose fewer keys to count all of their sets.",
    )
