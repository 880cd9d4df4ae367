"""Numbers of members within their household, such as 1, 2, 3: released only together with the number of the household.

Of a record without the number of its household, they would say that the household has at least so many members, and
numbers that run over the whole file would put its members together again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.codes import is_countable
from shoal.engines.protocol import NO_RECORD, F
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.grouped_rows import released_rows

MOST = 0.9  # share of the units with several records that a column must number without a gap


def member_numbers(original: FittedTable[F], protected: F, linked: pa.Array[Any] | None) -> tuple[str, ...]:
    """Columns that number the released records of units: of all units, or of those that are released under a number
    (``linked``)."""
    engine, plan, unit = original.engine, original.plan, original.schema.unit
    if unit is None or not (plan.hides_units or plan.links_households):
        return ()
    types = engine.sample(protected, NO_RECORD)
    others = [name for name in plan.unchanged if plan.columns[name].role == "other"]
    names = [name for name in others if is_countable(types[name].type)]
    released = engine.map_rows(protected, released_rows)

    def is_numbering(name: str) -> bool:
        pieces = [
            piece.rename_columns(["unit", "value", "n"]) for piece in engine.class_counts(released, [unit.name], [name])
        ]
        of_linked = [piece.filter(pc.is_in(piece["unit"], value_set=linked)) for piece in pieces if linked is not None]
        return _numbers_members(pieces) or _numbers_members(of_linked)

    return tuple(name for name in names if is_numbering(name))


def blank_member_numbers(names: Sequence[str], unit: str, linked: pa.Array[Any] | None, piece: pa.Table) -> pa.Table:
    """The records; those without the number of a household are without the number of the member, too."""
    is_linked = (
        pa.array(np.zeros(len(piece), dtype=bool)) if linked is None else pc.is_in(piece[unit], value_set=linked)
    )
    for name in names:
        cells = pc.if_else(is_linked, piece[name], pa.scalar(None, piece[name].type))
        piece = piece.set_column(piece.column_names.index(name), name, cells)
    return piece


def numbering_notes(names: tuple[str, ...], unit: str) -> tuple[str, ...]:
    return tuple(
        f"{name} numbers the records of a unit of {unit}: it is released only where the number of the unit is, since "
        f"it would show how many records the unit has. Where it is something else, make it a quasi-identifier."
        for name in names
    )


def _numbers_members(pieces: Iterable[pa.Table]) -> bool:
    """Whether most units with several records have whole numbers without a gap, each once. ``pieces``: unit, value and
    number of records; no unit is in two pieces."""
    n_several = n_numbered = 0
    for piece in pieces:
        known = piece.filter(pc.and_(pc.is_valid(piece["unit"]), pc.is_valid(piece["value"])))
        numbers = _whole_numbers(known["value"])
        if numbers is None:
            return False
        table = pa.table({"unit": known["unit"], "number": numbers, "n": known["n"]})
        units = table.group_by("unit").aggregate(
            [("number", "min"), ("number", "max"), ([], "count_all"), ("n", "sum")]
        )
        low, high, n_values, n = (units[name].to_numpy() for name in ("number_min", "number_max", "count_all", "n_sum"))
        n_several += int((n > 1).sum())
        n_numbered += int(((n > 1) & (n_values == n) & (high - low + 1 == n)).sum())
    return n_several > 0 and n_numbered >= MOST * n_several


def _whole_numbers(cells: Any) -> Any:
    """(n_cells,) the numbers; None where cells are not whole numbers."""
    plain = cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
    try:
        numbers = plain.cast(pa.float64()).to_numpy()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    return numbers if np.array_equal(numbers, np.round(numbers)) else None
