"""Blocking keys of numbers: rounded to decimals, or cut at quantiles into blocks of equal size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.errors import LinkageError
from shoal.kernels import Labels, Vector

MOST_DECIMALS = 12
MISSING_KEY = np.iinfo(np.int64).min  # the key of missing values: a separate block


@dataclass(frozen=True)
class KeyBins:
    """Exactly one of the two: ``decimals`` of a value in [0, 1] (1: eleven blocks, the two outer ones half as wide), or
    ``n_blocks`` cut at the quantiles of both files pooled; equal values are in the same block."""

    decimals: int | None = None
    n_blocks: int | None = None

    def __post_init__(self) -> None:
        is_valid = (
            self.n_blocks is None and self.decimals is not None and 0 <= self.decimals <= MOST_DECIMALS,
            self.decimals is None and self.n_blocks is not None and self.n_blocks >= 1,
        )
        if not any(is_valid):
            raise LinkageError.bad_rounding()

    def keys(self, original: Vector, released: Vector) -> tuple[Labels, Labels]:
        """Keys of the values of both files; NaN (missing) has a separate key."""
        if self.decimals is not None:
            scale = 10.0**self.decimals
            return _mark_missing(original, np.rint(original * scale)), _mark_missing(
                released, np.rint(released * scale)
            )
        cuts = self._cuts(np.concatenate([original, released]))
        return _mark_missing(original, np.searchsorted(cuts, original, "right")), _mark_missing(
            released, np.searchsorted(cuts, released, "right")
        )

    def _cuts(self, values: Vector) -> Vector:
        known = np.sort(values[~np.isnan(values)])
        n_blocks = self.n_blocks or 1
        at = (np.arange(1, n_blocks) * len(known)) // n_blocks
        return np.unique(known[at]) if len(known) else known


def _mark_missing(values: Vector, keys: Vector | Labels) -> Labels:
    missing = np.isnan(values)
    return np.where(missing, MISSING_KEY, np.where(missing, 0, keys).astype(np.int64))
