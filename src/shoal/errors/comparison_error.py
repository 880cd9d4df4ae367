"""Errors in the comparison of policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from shoal.errors.base import ShoalError, listed


class ComparisonError(ShoalError, ValueError):
    """There is no policy to compare, or the grid of settings does not fit the policy."""

    @classmethod
    def no_policy(cls) -> Self:
        return cls("there is no policy to compare. Give at least one policy.")

    @classmethod
    def no_values(cls, key: str) -> Self:
        return cls(f"grid, {key}: give a list of values with at least one value; in the shell: {key}=3,5,10.")

    @classmethod
    def no_such_table(cls, key: str) -> Self:
        return cls(
            f"grid, {key}: the policy has no table at this place. Join the names of tables by dots, and count the "
            f"tables of a list from 0: method.k, requirements.0.k, perturbations.0.p."
        )

    @classmethod
    def no_pair(cls, one: int, other: int, numbers: Sequence[int]) -> Self:
        return cls(
            f"{one} and {other} are not two releases of the comparison. Name two different ones by the numbers of the "
            f"table: {listed([str(number) for number in numbers]) or 'there is none'}."
        )
