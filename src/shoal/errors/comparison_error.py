"""Errors in the comparison of policies."""

from __future__ import annotations

from typing import Self

from shoal.errors.base import ShoalError


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
