"""Errors of pages that may leave the house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from shoal.errors.base import ShoalError, listed


class PageError(ShoalError):
    """A page of the external edition shows what must not leave the house."""

    exit_code = 1

    @classmethod
    def leaks(cls, faults: Sequence[str]) -> Self:
        return cls(
            f"The external edition was not written, because it would show {listed(faults)}. Nothing was written. "
            "Write the internal edition, and tell us: this edition should never show such a thing."
        )
