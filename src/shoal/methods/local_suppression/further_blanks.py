"""Local suppression for any requirement: cells of failing classes are blanked until they satisfy it.

Sets of columns are tried from cheap to expensive: failing records lose a set if, without it, their classes (including
records that are already released that way) satisfy the requirements. Records that never do are blanked in all columns,
together with as many other classes as needed, the cheapest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.errors import RequirementError
from shoal.kernels import Ints, Labels, Vector
from shoal.methods.local_suppression.blanked_combinations import SuppressionState
from shoal.methods.local_suppression.suppression_key_set import SuppressionKeySet
from shoal.requirements import Requirement
from shoal.requirements.groups import Groups
from shoal.requirements.judge import Key, amounts_of, domain_keys, sensitive_domains
from shoal.requirements.requirement import amount_of_unit, reads_numbers, requirement_names
from shoal.schema import Schema

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class RequirementCheck:
    """Which classes satisfy their requirements, given the sensitive values of the combinations."""

    values: Mapping[Key, tuple[Ints, Ints | None]]  # (n_combinations,) position of the value, and their tree
    amounts: Mapping[str, Vector] = field(default_factory=dict)  # column -> (n_combinations,) its numbers

    @classmethod
    def of(cls, combinations: pa.Table, schema: Schema, requirements: Sequence[Requirement]) -> Self:
        def value_counts(name: str) -> CountTable:
            return count_combinations(combinations, [name])

        found = sensitive_domains(schema, requirements, value_counts)
        added = sorted({str(each.column) for each in requirements if reads_numbers(each.reads)})
        return cls(
            {key: (domain.positions(combinations[key[0]]), domain.tree) for key, domain in found.items()},
            {name: amounts_of(name, combinations[name]) for name in added},
        )

    def __call__(self, parts: SuppressionState, classes: Labels, requirements: Sequence[Requirement]) -> Flags:
        """(n_parts,) whether the class of a part satisfies all requirements."""
        holds = np.ones(int(classes.max()) + 1, dtype=bool)
        for requirement in requirements:
            for groups in self._groups(requirement, parts, classes):
                holds &= requirement.holds(groups)
        return holds[classes]

    def _groups(self, requirement: Requirement, parts: SuppressionState, classes: Labels) -> Iterator[Groups]:
        """The classes as input of a requirement; for a sensitive column, one for each form of it."""
        found = domain_keys(requirement, self.values)
        if reads_numbers(requirement.reads):
            amounts, of_unit = self.amounts[str(requirement.column)], amount_of_unit(requirement.reads)
            yield Groups.of_amounts(classes, parts.n, amounts[parts.rows], parts.unit_of, of_unit)
        elif not found:
            yield Groups.of(classes, parts.n, units=parts.unit_of)
        for values, tree in (self.values[key] for key in found):
            yield Groups.of(classes, parts.n, values[parts.rows], tree, units=parts.unit_of)


def blank_further(parts: SuppressionState, key_set: SuppressionKeySet, check: RequirementCheck) -> SuppressionState:
    """The parts with as many additional blanks as their classes need to satisfy the requirements."""
    if not parts.n.size:  # every record was suppressed before
        return parts
    failing = ~check(parts, parts.class_numbers(key_set.names), key_set.requirements)
    for pattern in parts.to_all_columns(key_set.names, key_set.patterns):
        if not failing.any():
            return parts
        candidate = parts.add_blanks(failing[:, None] & pattern)
        resolved = failing & check(candidate, candidate.class_numbers(key_set.names), key_set.requirements)
        parts = parts.add_blanks(resolved[:, None] & pattern)
        failing &= ~resolved
    return _blank_with_cheapest(parts, failing, key_set, check) if failing.any() else parts


def _blank_with_cheapest(
    parts: SuppressionState, failing: Flags, key_set: SuppressionKeySet, check: RequirementCheck
) -> SuppressionState:
    """Blanks all columns of the failing parts and of the 1, 2, 4, ... classes for which this costs least."""
    everything = parts.to_all_columns(key_set.names, key_set.patterns[-1:])  # (1, n_columns)
    classes = parts.class_numbers(key_set.names)
    loses = parts.n * (~parts.cells[:, parts.column_indices(key_set.names)] @ key_set.weights)
    by_loss = np.argsort(np.bincount(classes, weights=loses), kind="stable")
    for n_taken in 2 ** np.arange(int(by_loss.size).bit_length() + 1):
        blank = failing | np.isin(classes, by_loss[:n_taken])
        candidate = parts.add_blanks(blank[:, None] & everything)
        if check(candidate, candidate.class_numbers(key_set.names), key_set.requirements)[blank].all():
            return candidate
    raise RequirementError.blanks_insufficient(key_set.names, requirement_names(key_set.requirements))
