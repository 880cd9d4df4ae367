"""Strata whose totals matter: the industry or region of firms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.schema.suggest import name_patterns
from shoal.schema.suggest.column_evidence import ColumnEvidence
from shoal.schema.suggest.single_roles import is_of_firms
from shoal.schema.suggest.suggestion import Suggestion


@dataclass(frozen=True)
class StratumColumn:
    """A column whose totals matter, and whether all of its values have k records."""

    name: str
    what: str
    n_small: int  # values of fewer than k records

    @property
    def is_possible(self) -> bool:
        return self.n_small == 0


def stratum_column(found: Sequence[Suggestion], evidence: Mapping[str, ColumnEvidence], k: int) -> StratumColumn | None:
    """The industry, or else the region, of a table of firms with amounts; None for other tables."""
    if not is_of_firms(evidence):
        return None
    candidates = [each for each in found if each.role == "quasi_identifier" and each.kind == "nominal"]
    for what, hints in (("industry", name_patterns.INDUSTRY), ("region", name_patterns.REGION)):
        for each in candidates:
            if evidence[each.name].says(hints):
                return StratumColumn(each.name, what, _n_small(evidence[each.name], k))
    return None


def amounts_of_firms(found: Sequence[Suggestion], evidence: Mapping[str, ColumnEvidence]) -> tuple[str, ...]:
    """The released amounts of a table of firms; none for other tables."""
    if not is_of_firms(evidence):
        return ()
    released = [each for each in found if each.role in ("quasi_identifier", "sensitive") and each.kind == "numeric"]
    return tuple(each.name for each in released if evidence[each.name].says(name_patterns.FIRM_AMOUNTS))


def _n_small(column: ColumnEvidence, k: int) -> int:
    """Values of fewer than k records; missing is a value, too."""
    n_missing = column.cells.null_count
    assert column.counts is not None
    small: Any = pc.less(column.counts[1], pa.scalar(k))
    return int(pc.sum(small).as_py() or 0) + (0 < n_missing < k)
