"""The gate over one table of counts, as an engine would feed it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from shoal.release.gate import Proof, prove
from shoal.requirements import Requirement
from shoal.schema import Schema


def proof_of(counts: pa.Table, schema: Schema, requirements: Sequence[Requirement]) -> Proof:
    """``counts``: a row per combination that occurs, last its n records."""

    def by(names: Sequence[str]) -> pa.Table:
        return counts.group_by(list(names)).aggregate([("n", "sum")])

    def classes(columns: Sequence[str], sensitive: Sequence[str]) -> Iterator[pa.Table]:
        yield by([*columns, *sensitive])

    wholes = {r.column: by([r.column]) for r in requirements if r.column and r.reads != "extents"}
    return prove(classes, schema, requirements, wholes)
