"""Sensitive values as the gate numbers them: in their order and with their tree, by its own reading of the policy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.kernels import Labels
from shoal.requirements import Requirement
from shoal.schema import Column


def codes_of(counts: pa.Table, name: str) -> tuple[Labels, pa.Array[Any]]:
    """A number for every value, -1 for missing, and the values. A column may bear the name of the counts, the last."""
    encoded: Any = counts.column(counts.column_names.index(name)).combine_chunks()
    if not pa.types.is_dictionary(encoded.type):
        encoded = pc.dictionary_encode(encoded)
    codes: Labels = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return codes, encoded.dictionary


def sensitive(counts: pa.Table, column: Column, requirement: Requirement) -> tuple[Labels, Labels | None]:
    """(n_rows,) values of a sensitive column, and (n_values, n_levels) their tree where the requirement reads one."""
    codes, values = codes_of(counts, column.name)
    if requirement.reads == "order":
        rank = np.empty(len(values) + 1, dtype=np.int64)
        rank[_sorted(values, column)], rank[-1] = np.arange(len(values)), -1  # the last is found by code -1
        return rank[codes], None
    if requirement.reads == "tree":
        nothing = np.zeros((1, 1), dtype=np.int64)  # where no value is known there is no tree
        return codes, column.taxonomy.nodes_above(_texts(values)) if column.taxonomy else nothing
    return codes, None


def domain_faults(counts: pa.Table, column: Column, requirement: Requirement) -> tuple[str, ...]:
    """Values for which the policy has no place. ``counts``: of this one column."""
    texts = _texts(counts.column(0).drop_null())
    if requirement.reads == "tree" and column.taxonomy:
        n_strange, where = column.taxonomy.n_outside(texts), "taxonomy"
    else:
        n_strange, where = len(set(texts) - set(column.order or texts)), "order"
    return (f"the column '{column.name}' holds {n_strange} values that are not in its {where}",) if n_strange else ()


def _sorted(values: pa.Array[Any], column: Column) -> Labels:
    """(n_values,) which value comes first, second, ..."""
    if not column.order:
        by_size: Labels = pc.array_sort_indices(values).to_numpy().astype(np.int64)
        return by_size
    place = {text: at for at, text in enumerate(column.order)}
    return np.argsort([place[text] for text in _texts(values)], kind="stable")


def _texts(values: Any) -> list[str]:
    """As an order or a hierarchy file names them."""
    return [str(value) for value in values.to_pylist()]
