"""Sensitive values change places inside of their group: nobody's value can be told, every group keeps all of its own.

table, schema, Partition -> table

Every group shows the same sensitive values as before, each as often as before, and so does the table; what goes is the
tie between a record and its value. Each sensitive column changes places by itself, so that ties between sensitive
columns go as well; with ``together`` the sensitive values of a record stay together.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from shoal.chance import Chance, Draws
from shoal.errors import ArrayError
from shoal.kernels import Labels
from shoal.plan import Partition
from shoal.schema import Schema


def permute(
    table: pa.Table, schema: Schema, partition: Partition, chance: Chance, *, together: bool = False
) -> pa.Table:
    """The table with its sensitive columns permuted at random inside of the groups."""
    if len(table) != partition.n_records:
        raise ArrayError.other_length(partition.n_records, len(table))
    for name in schema.sensitive:
        purpose = "permutation" if together else f"permutation of {name}"
        places = _inside_groups(partition, chance.for_purpose(purpose))
        table = table.set_column(table.column_names.index(name), name, table[name].take(places))
    return table


def _inside_groups(partition: Partition, draws: Draws) -> Labels:
    """(n_records,) whose value every record gets: somebody's of the same group, all orders equally likely."""
    shuffled = draws.permutation(partition.n_records)
    givers = shuffled[np.argsort(partition.labels[shuffled], kind="stable")]  # group after group, at random inside
    places = np.empty_like(givers)
    places[np.argsort(partition.labels, kind="stable")] = givers
    return places
