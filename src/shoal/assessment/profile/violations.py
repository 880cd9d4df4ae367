"""Violations of k-anonymity in the original: records whose class on the keys is smaller than k.

The size of a class is counted in records (the sample frequency of sdcMicro), in units where the table has some, and in
persons of the population where it has weights (k-map, Sweeney 2001, "Computational disclosure control").
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.assessment.profile.key_table import KeyClasses
from shoal.kernels import Ints, Vector

SIZES = (2, 3, 5)  # the k that are shown


@dataclass(frozen=True)
class Violation:
    """Records that violate k-anonymity.

    k           the smallest class that would be allowed
    n_records   records in classes of fewer than k records
    by_units    records in classes of fewer than k units; None without units
    below_map   records whose keys fewer than k persons of the population share; None without weights
    """

    k: int
    n_records: int
    by_units: int | None
    below_map: int | None

    @property
    def counted(self) -> int:
        """Records in classes that are too small, in units where there are some: records of a unit hide nobody."""
        return self.n_records if self.by_units is None else self.by_units


def violations(classes: KeyClasses, *, has_units: bool, has_weights: bool) -> tuple[Violation, ...]:
    """For k = 2, 3 and 5."""
    return tuple(
        Violation(
            k,
            records_below(k, classes.n, classes.n),
            records_below(k, classes.n_units, classes.n) if has_units else None,
            records_below(k, classes.persons, classes.n) if has_weights else None,
        )
        for k in SIZES
    )


def records_below(k: int, sizes: Ints | Vector, n: Ints) -> int:
    """Records in classes whose size is below k; ``n``: the records of every class."""
    return int(n[sizes < k].sum())
