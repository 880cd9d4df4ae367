"""Amounts that are released as weighted means: what a record contributes is its amount times its weight.

A weighted mean times the weights of its class is the weighted total, which the release therefore shows. Requirements
on contributors read these products, in helper columns next to the amounts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import pyarrow as pa

from shoal.kernels import Vector
from shoal.policy import ReleasePlan
from shoal.policy.keys import KeySet
from shoal.requirements import Requirement
from shoal.requirements.judge import amounts_of
from shoal.requirements.requirement import on_column, reads_numbers
from shoal.schema import Schema
from shoal.schema.helper_columns import amount_column


@dataclass(frozen=True)
class WeightedAmounts:
    """The columns of such amounts, and the weights."""

    names: tuple[str, ...]  # quasi-identifiers with requirements on contributors, released as weighted means
    weight: str  # the column of weights

    @classmethod
    def of(cls, plan: ReleasePlan, schema: Schema) -> Self:
        """None of the columns where the table has no weight."""
        weights = [column.name for column in schema.with_role("weight")]
        means = tuple(name for name in plan.amounts_before if plan.columns[name].as_mean)
        return cls(means, weights[0]) if weights else cls((), "")

    def columns_for(self, name: str) -> list[str]:
        """The columns that ``contributions`` reads."""
        return [name, self.weight] if name in self.names else [name]

    def contributions(self, name: str, piece: pa.Table) -> Vector:
        """(n_records,) what each record adds to the totals of a column, NaN where missing."""
        amounts = amounts_of(name, piece[name])
        return amounts * amounts_of(self.weight, piece[self.weight]) if name in self.names else amounts

    def added_to(self, piece: pa.Table) -> pa.Table:
        """The records with their contributions in helper columns."""
        for name in self.names:
            piece = piece.append_column(
                amount_column(name), pa.array(self.contributions(name, piece), from_pandas=True)
            )
        return piece

    def read_by(self, key: KeySet) -> KeySet:
        """The key set with requirements that read the helper columns."""
        return replace(key, requirements=tuple(map(self._on_contributions, key.requirements)))

    def _on_contributions(self, requirement: Requirement) -> Requirement:
        is_weighted = reads_numbers(requirement.reads) and requirement.column in self.names
        return on_column(requirement, amount_column(str(requirement.column))) if is_weighted else requirement
