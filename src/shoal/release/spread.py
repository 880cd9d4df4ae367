"""Sensitive values as the gate numbers them: in their order and with their tree, by its own reading of the policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import TableError
from shoal.kernels import Labels
from shoal.requirements import Reads, Requirement
from shoal.schema import Column


def codes_of(counts: pa.Table, name: str) -> tuple[Labels, pa.Array[Any]]:
    """A number for every value, -1 for missing, and the values. A column may bear the name of the counts, the last."""
    encoded: Any = counts.column(counts.column_names.index(name)).combine_chunks()
    if not pa.types.is_dictionary(encoded.type):
        encoded = pc.dictionary_encode(encoded)
    codes: Labels = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return codes, encoded.dictionary


@dataclass(frozen=True)
class Spread:
    """The values of a sensitive column over the whole release, numbered in their order where a requirement reads it."""

    column: str
    numbered: pa.Array[Any]  # (n_values,)
    n: Labels  # (n_values,) records of each
    tree: Labels | None  # (n_values, n_levels)

    @classmethod
    def of(cls, whole: pa.Table, column: Column, reads: Reads) -> Self:
        """``whole``: a row per value, last its n records; equal values may come twice, missing is no value."""
        known = whole.filter(pc.is_valid(whole.column(0)))
        codes, values = codes_of(known, column.name)
        n_values = max(len(values), 1)  # where no value is known there is one that nobody has
        n = np.bincount(codes, weights=known.column(1).to_numpy(), minlength=n_values).astype(np.int64)
        # Sums over the values must not depend on the order in which an engine counts.
        order = _sorted(values, column, reads)
        values, n = values.take(pa.array(order, pa.int64())), n[order] if order.size else n
        return cls(column.name, values, n, _tree(values, column) if reads == "tree" else None)

    def values(self, counts: pa.Table) -> tuple[Labels, Labels | None, Labels]:
        """(n_rows,) numbers of the values in ``counts``, -1 for missing; their tree, and the records of the whole."""
        cells: Any = counts.column(counts.column_names.index(self.column))
        if pa.types.is_dictionary(cells.type):
            cells = cells.cast(cells.type.value_type)
        found: Any = pc.index_in(cells, value_set=self.numbered)
        return found.fill_null(-1).to_numpy().astype(np.int64), self.tree, self.n


def _tree(values: pa.Array[Any], column: Column) -> Labels:
    """(n_values, n_levels) where no value is known there is no tree."""
    return column.taxonomy.nodes_above(_texts(values)) if column.taxonomy else np.zeros((1, 1), dtype=np.int64)


def domain_faults(counts: pa.Table, column: Column, requirement: Requirement) -> tuple[str, ...]:
    """Values for which the policy has no place. ``counts``: of this one column."""
    texts = _texts(counts.column(0).drop_null())
    if requirement.reads == "tree" and column.taxonomy:
        n_strange, where = column.taxonomy.n_outside(texts), "taxonomy"
    else:
        n_strange, where = len(set(texts) - set(column.order or texts)), "order"
    return (f"the column '{column.name}' holds {n_strange} values that are not in its {where}",) if n_strange else ()


def _sorted(values: pa.Array[Any], column: Column, reads: Reads) -> Labels:
    """(n_values,) which value comes first, second, ...: as the policy orders them where that is read, else by size."""
    if reads != "order" or not column.order:
        sortable = values.cast(pa.int8()) if pa.types.is_boolean(values.type) else values
        by_size: Labels = pc.array_sort_indices(sortable).to_numpy().astype(np.int64)
        return by_size
    place, texts = {text: at for at, text in enumerate(column.order)}, _texts(values)
    n_outside = sum(text not in place for text in texts)
    if n_outside:
        raise TableError.not_in_order(column.name, n_outside)
    return np.argsort([place[text] for text in texts], kind="stable")


def _texts(values: Any) -> list[str]:
    """As an order or a hierarchy file names them."""
    return [str(value) for value in values.to_pylist()]
