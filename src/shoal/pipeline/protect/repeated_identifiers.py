"""Identifiers that occur in several records, so that counting records counts a person more than once.

A repeated pseudonym shows which records belong to one person, and the sequence of their classes may identify the
person. This is an error. A repeated identifier that is dropped links no records, but a class may hold fewer than k
persons; this is noted of columns whose names say that they number persons, firms or households.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from shoal.encode.codes import is_countable
from shoal.encode.count_table import CountTable
from shoal.engines.protocol import NO_RECORD, F
from shoal.errors import TableError, plural, policy_key
from shoal.kernels import Labels
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.schema.suggest.name_patterns import numbers_persons


def repeated_identifiers(original: FittedTable[F]) -> tuple[str, ...]:
    """Notes on repeated identifiers; none if the policy has no requirements, since nothing is then promised."""
    if not original.plan.requirements:
        return ()
    return tuple(note for column in original.schema.with_role("identifier") for note in _notes(original, column.name))


def _notes(original: FittedTable[F], name: str) -> tuple[str, ...]:
    has_pseudonym = original.schema[name].key_file is not None
    if not has_pseudonym and (original.schema.unit is not None or not numbers_persons(name)):
        return ()
    n_values, n_records = _repeated(original, name)
    if n_values and has_pseudonym:
        raise TableError.repeated_pseudonym(name, n_values, n_records)
    return (_note(name, n_values, n_records),) if n_values else ()


def _repeated(original: FittedTable[F], name: str) -> tuple[int, int]:
    """Number of values that occur in several records, and number of these records."""
    if not is_countable(original.engine.sample(original.frame, NO_RECORD)[name].type):
        return 0, 0
    n_values, n_records = original.engine.class_total(original.frame, [name], (), _n_repeated).tolist()
    return n_values, n_records


def _n_repeated(counts: pa.Table) -> Labels:
    n = CountTable.of(counts).known.n
    return np.array([np.count_nonzero(n > 1), n[n > 1].sum()], dtype=np.int64)


def _note(name: str, n_values: int, n_records: int) -> str:
    return (
        f"{name}: {n_values} {plural(n_values, 'value stands', 'values stand')} in several records, {n_records} in "
        f"all, and records were counted. If they name persons or firms, a class may hold fewer than k of them: "
        f"with {policy_key('columns', name, 'role')} = 'unit' these are counted."
    )
