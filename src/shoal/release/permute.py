"""Random permutation of sensitive values within groups.

table, schema, Partition -> table

Every group, and so the table, keeps the distribution of its sensitive values; the link between a record and its value
is lost. Each sensitive column is permuted independently, so that associations between sensitive columns within a group
are lost as well; with ``together`` the sensitive values of a record stay together.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from shoal.errors import ArrayError
from shoal.kernels import Labels
from shoal.plan import Partition
from shoal.rng import RandomStream, Rng
from shoal.schema import Schema


def permute(table: pa.Table, schema: Schema, partition: Partition, rng: Rng, *, together: bool = False) -> pa.Table:
    """The table with its sensitive columns permuted at random within the groups."""
    if len(table) != partition.n_records:
        raise ArrayError.other_length(partition.n_records, len(table))
    for name in schema.sensitive:
        purpose = "permutation" if together else f"permutation of {name}"
        places = _inside_groups(partition, rng.for_purpose(purpose))
        table = table.set_column(table.column_names.index(name), name, table[name].take(places))
    return table


def _inside_groups(partition: Partition, draws: RandomStream) -> Labels:
    """(n_records,) the record whose value each record gets: a uniformly random permutation within each group."""
    shuffled = draws.permutation(partition.n_records)
    givers = shuffled[np.argsort(partition.labels[shuffled], kind="stable")]  # by group, in random order within
    places = np.empty_like(givers)
    places[np.argsort(partition.labels, kind="stable")] = givers
    return places
