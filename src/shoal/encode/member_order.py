"""The order of the members of a household: by the columns that the policy declares, else by the quasi-identifiers.

table, schema, unit of every record -> order of the records

Quasi-identifiers with an order (numbers, dates, ordinal values) come first, then the nominal ones; columns that all
members share cannot tell them apart. Members who are equal in all of them are equal to an intruder, too, and stay in
the order of the table.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from shoal.encode.codes import to_codes
from shoal.kernels import Ints, Labels
from shoal.schema import Schema


def member_order(table: pa.Table, schema: Schema, units: Labels) -> Ints:
    """(n_records,) all records, unit by unit, members in ascending order; missing values come first."""
    keys = [to_codes(name, table[name], schema[name].order).codes for name in ordering_columns(schema)]
    return np.lexsort((*reversed(keys), units)).astype(np.int64)


def ordering_columns(schema: Schema) -> tuple[str, ...]:
    """The columns that order the members, the most important first."""
    declared = (schema.unit.members if schema.unit else None) or ()
    own = [column for column in schema.with_role("quasi_identifier") if column.level is None]
    ordered = [column.name for column in own if column.kind != "nominal"]
    return tuple(dict.fromkeys((*declared, *ordered, *(column.name for column in own))))
