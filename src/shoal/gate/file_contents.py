"""The gate for metadata: what a written file contains apart from its cells.

carriers of the written file, columns whose values were replaced -> lines and faults of a Proof

Allowed are column labels, labels of released values, and whatever is the same in every file. Everything else is a
fault: it may disclose what the cells no longer do. The content of a carrier is never read here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from shoal.errors import listed
from shoal.gate.gate import Proof
from shoal.sources.carriers import VALUE_LABELS, Carrier

NOTHING = "nothing"


def told_besides(proof: Proof, carriers: Sequence[Carrier], replaced: Collection[str], of: str = "") -> Proof:
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
