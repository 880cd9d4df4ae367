"""Labels of the original that may be written to its release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from shoal.policy import ReleasePlan
from shoal.sources.origin import Labels

T = TypeVar("T")


def labels_told(labels: Labels, plan: ReleasePlan) -> Labels:
    """Labels of the columns in the policy, without value labels of columns whose values are replaced.

    Households and identifiers get new values, and extents are texts: their old value labels would be wrong.
    """
    columns = list(plan.columns)
    replaced = {name for name, column in plan.columns.items() if column.role in ("household", "identifier")}
    replaced |= set(plan.extents)
    kept = [name for name in columns if name not in replaced]
    return Labels(
        columns=_of(labels.columns, columns),
        values=_of(labels.values, kept),
        formats=_of(labels.formats, columns),
        measures=_of(labels.measures, columns),
    )


def _of(told: Mapping[str, T], names: list[str]) -> dict[str, T]:
    kept = set(names)
    return {name: what for name, what in told.items() if name in kept}
