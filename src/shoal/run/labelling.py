"""Which labels of an original may be told of its release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from shoal.policy import ReleasePlan
from shoal.sources.origin import Labels

T = TypeVar("T")


def labels_told(labels: Labels, plan: ReleasePlan) -> Labels:
    """Of the columns that the policy names; and none of values where others stand in their place.

    Households and persons get new names, extents are texts: a label would be of somebody else, or of nobody.
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
