"""Numbers of members within their household, such as 1, 2, 3: released only together with the number of the household.

Of a record without the number of its household, they would say that the household has at least so many members, and
numbers that run over the whole file would put its members together again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.encode.codes import is_countable
from shoal.engines.protocol import NO_RECORD, F
from shoal.kernels import Labels
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

    numbers = {name: engine.class_total(released, [unit.name], [name], partial(_numbered, linked)) for name in names}
    return tuple(name for name, found in numbers.items() if any(map(_is_numbering, found)))


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


def _numbered(linked: pa.Array[Any] | None, counts: pa.Table) -> Labels:
    """(2, 3) As `_numbers`: of all units, and of the linked ones."""
    named = counts.rename_columns(["unit", "value", "n"])
    of_linked = named.filter(pc.is_in(named["unit"], value_set=linked)) if linked is not None else named.slice(0, 0)
    return np.array([_numbers(named), _numbers(of_linked)], dtype=np.int64)


def _numbers(counts: pa.Table) -> list[int]:
    """Units with several records, those of them with whole numbers without a gap, each once, and whether some cells are
    not whole numbers."""
    known = counts.filter(pc.and_(pc.is_valid(counts["unit"]), pc.is_valid(counts["value"])))
    numbers = _whole_numbers(known["value"])
    if numbers is None:
        return [0, 0, 1]
    table = pa.table({"unit": known["unit"], "number": numbers, "n": known["n"]})
    units = table.group_by("unit").aggregate([("number", "min"), ("number", "max"), ([], "count_all"), ("n", "sum")])
    low, high, n_values, n = (units[name].to_numpy() for name in ("number_min", "number_max", "count_all", "n_sum"))
    is_numbered = (n > 1) & (n_values == n) & (high - low + 1 == n)
    return [int((n > 1).sum()), int(is_numbered.sum()), 0]


def _is_numbering(found: Labels) -> bool:
    """Whether most units with several records are numbered. ``found``: as `_numbers`."""
    n_several, n_numbered, n_unfit = found.tolist()
    return not n_unfit and n_several > 0 and n_numbered >= MOST * n_several


def _whole_numbers(cells: Any) -> Any:
    """(n_cells,) the numbers; None where cells are not whole numbers."""
    plain = cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
    try:
        numbers = plain.cast(pa.float64()).to_numpy()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    return numbers if np.array_equal(numbers, np.round(numbers)) else None
