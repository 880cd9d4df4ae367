"""Blanks for any requirement: classes that fail one go on to be blanked until they hold.

Sets of columns are tried from cheap to expensive: records of failing classes that hold together without a set, and
with those who are released so already, lose it. What never holds becomes blank in all columns, together with as many
other classes as it takes, the cheapest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from shoal.encode.count_table import CountTable
from shoal.encode.counts import count_combinations
from shoal.errors import RequirementError
from shoal.kernels import Labels
from shoal.methods.generalization.blanked_parts import Parts
from shoal.methods.generalization.key_set import KeySet
from shoal.requirements import Groups, Requirement
from shoal.requirements.judge import Key, domains, read_by
from shoal.schema import Schema

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Holding:
    """Which classes hold what is asked of them, by the sensitive values of the combinations."""

    values: Mapping[Key, tuple[Labels, Labels | None]]  # (n_combinations,) in their order, and their tree

    @classmethod
    def of(cls, combinations: pa.Table, schema: Schema, requirements: Sequence[Requirement]) -> Self:
        def value_counts(name: str) -> CountTable:
            return count_combinations(combinations, [name])

        found = domains(schema, requirements, value_counts)
        return cls({key: (domain.positions(combinations[key[0]]), domain.tree) for key, domain in found.items()})

    def __call__(self, parts: Parts, classes: Labels, requirements: Sequence[Requirement]) -> Flags:
        """(n_parts,) whether the class of a part holds them all."""
        held = np.ones(int(classes.max()) + 1, dtype=bool)
        for requirement in requirements:
            for groups in self._groups(requirement, parts, classes):
                held &= requirement.holds(groups)
        return held[classes]

    def _groups(self, requirement: Requirement, parts: Parts, classes: Labels) -> Iterator[Groups]:
        """The classes as the requirement must hold of them: of a sensitive column, in every form."""
        found = read_by(requirement, self.values)
        if not found:
            yield Groups.of(classes, parts.n)
        for values, tree in (self.values[key] for key in found):
            yield Groups.of(classes, parts.n, values[parts.rows], tree)


def blank_further(parts: Parts, key_set: KeySet, holding: Holding) -> Parts:
    """The parts with as many more blanks as their classes need to hold."""
    failing = ~holding(parts, parts.classes(key_set.names), key_set.requirements)
    for pattern in parts.widened(key_set.names, key_set.patterns):
        if not failing.any():
            return parts
        tried = parts.with_more(failing[:, None] & pattern)
        settled = failing & holding(tried, tried.classes(key_set.names), key_set.requirements)
        parts = parts.with_more(settled[:, None] & pattern)
        failing &= ~settled
    return _with_company(parts, failing, key_set, holding) if failing.any() else parts


def _with_company(parts: Parts, failing: Flags, key_set: KeySet, holding: Holding) -> Parts:
    """All is blank for the failing ones and for the 1, 2, 4, ... classes that lose least by it."""
    everything = parts.widened(key_set.names, key_set.patterns[-1:])  # (1, n_columns)
    classes = parts.classes(key_set.names)
    loses = parts.n * (~parts.cells[:, parts.places(key_set.names)] @ key_set.weights)
    by_loss = np.argsort(np.bincount(classes, weights=loses), kind="stable")
    for taken in 2 ** np.arange(int(by_loss.size).bit_length() + 1):
        blank = failing | np.isin(classes, by_loss[:taken])
        tried = parts.with_more(blank[:, None] & everything)
        if holding(tried, tried.classes(key_set.names), key_set.requirements)[blank].all():
            return tried
    raise RequirementError.not_even_blank(key_set.names)
