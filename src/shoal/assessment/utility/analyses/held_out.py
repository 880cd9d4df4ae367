"""Which original records are held out of both fits, and which released records belong to the others.

A third of the persons, drawn from a fixed seed, is held out: their original records are in no fit, and neither are
their released ones, as far as these are known by pairing. Records of one unit are held out together. A released mean or
interval of a group may still contain a held-out person: a release cannot be made twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.kernels import Labels

SHARE = 1 / 3
SEED = 2006


@dataclass(frozen=True, eq=False)
class HeldOutSplit:
    training: Labels  # original records
    released: Labels  # released records of the persons in training
    held_out: Labels  # original records

    @classmethod
    def of(cls, n_records: int, of_original: Labels, units: Labels | None, most: int) -> HeldOutSplit:
        """``most``: records in all, of a random part of larger tables."""
        persons = np.arange(n_records) if units is None else _persons(units)
        n_persons = int(persons.max()) + 1 if n_records else 0
        order = np.random.default_rng(SEED).permutation(n_persons)
        used = order[: max(1, round(n_persons * min(1.0, most / max(n_records, 1))))]
        is_held_out, is_used = np.zeros(n_persons, dtype=bool), np.zeros(n_persons, dtype=bool)
        is_used[used], is_held_out[used[: round(SHARE * len(used))]] = True, True
        in_training = (is_used & ~is_held_out)[persons]
        return cls(
            np.flatnonzero(in_training),
            np.flatnonzero(in_training[of_original]),
            np.flatnonzero(is_held_out[persons]),
        )


def _persons(units: Labels) -> Labels:
    """(n_records,) the number of the unit; a record without a unit is one of its own."""
    alone = units < 0
    numbers = np.where(alone, units.max(initial=-1) + 1 + np.cumsum(alone), units)
    found: Labels = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    return found
