"""The gate for the contents of a file: its columns, its pseudonyms, and what it contains apart from its cells.

names of columns, counts of pseudonyms -> faults
carriers of the written file, columns whose values were replaced -> lines and faults of a Proof

Apart from cells, allowed are column labels, labels of released values, and whatever is the same in every file.
Everything else is a fault: it may disclose what the cells no longer do. The content of a carrier is never read here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import listed
from shoal.gate.gate import Proof
from shoal.gate.written_counts import WrittenCounts
from shoal.schema import Schema
from shoal.sources.carriers import VALUE_LABELS, Carrier

NOTHING = "nothing"
PSEUDONYM = "^[0-9a-f]{32}$"


def structure_faults(names: Sequence[str], schema: Schema) -> tuple[str, ...]:
    """Faults in the columns: identifiers and units must be dropped unless pseudonymized, all others must be there."""
    there, known = set(names), set(schema.names)
    dropped = [c.name for c in schema.columns if c.role in ("identifier", "unit") and c.key_file is None]
    gone = [name for name in dropped if name in there]
    kept = [name for name in schema.names if name not in dropped]
    lost = [name for name in kept if name not in there]
    strange = [name for name in names if name not in known]
    return (
        *(f"the {schema[name].role} column '{name}' is in the release" for name in gone),
        *(f"the column '{name}' is not in the release" for name in lost),
        *_strange_faults(strange, may_be_cells=2 * len(lost) > len(kept)),
    )


def _strange_faults(names: Sequence[str], *, may_be_cells: bool) -> tuple[str, ...]:
    """Faults of unknown columns. Their names are withheld where the first line of the file may be a record."""
    if names and may_be_cells:
        return (f"{len(names)} columns are in the release but not in the policy; is its first line a record?",)
    return tuple(f"the column '{name}' is in the release but not in the policy" for name in names)


def pseudonym_faults(name: str, counts: pa.Table) -> tuple[str, ...]:
    """Faults of values that are not pseudonyms in a pseudonymized column. ``counts``: of the one column ``name``."""
    values = WrittenCounts.of(counts).values.cast(pa.string())
    n_strange = len(values.filter(pc.invert(pc.match_substring_regex(values, PSEUDONYM))))
    return (f"the identifier column '{name}' holds {n_strange} values that are not pseudonyms",) if n_strange else ()


def repeated_pseudonym_faults(name: str, counts: pa.Table) -> tuple[str, ...]:
    """Faults of pseudonyms shared by several records: they link these records, which class sizes do not account for."""
    n_repeated = int(np.count_nonzero(WrittenCounts.of(counts).known.n > 1))
    return (
        (f"the identifier column '{name}' holds {n_repeated} pseudonyms that link several records",)
        if n_repeated
        else ()
    )


def add_contents(proof: Proof, carriers: Sequence[Carrier], replaced: Collection[str], of: str = "") -> Proof:
    """The proof with the carriers of one file added, and a fault for each that is not allowed. ``of``: prefix that
    names the file."""
    lines = [str(carrier) for carrier in carriers] or [NOTHING]
    return replace(
        proof,
        carriers=(*proof.carriers, *(of + line for line in lines)),
        faults=(*proof.faults, *(of + fault for fault in _faults(carriers, replaced))),
    )


def _faults(carriers: Sequence[Carrier], replaced: Collection[str]) -> Iterator[str]:
    for carrier in carriers:
        if not carrier.may_stay:
            yield carrier.fault
        elif carrier.what == VALUE_LABELS and (names := [repr(name) for name in carrier.columns if name in replaced]):
            yield f"besides its cells the file holds value labels in {listed(names)}, whose values are new: drop them"
