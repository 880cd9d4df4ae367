"""The gate's rule for what a file holds besides its cells.

carriers of the written file, columns whose values were replaced -> lines and faults of a Proof

Labels of columns may stay, labels of values that the release holds, and what is the same in every file. All else is a
fault: it may tell what no cell tells any more. The rule never sees what a carrier says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from shoal.errors import listed
from shoal.release.gate import Proof
from shoal.sources.carriers import VALUE_LABELS, Carrier

NOTHING = "nothing"


def told_besides(proof: Proof, carriers: Sequence[Carrier], replaced: Collection[str], of: str = "") -> Proof:
    """The proof with all carriers of one file, and a fault for each that must not be there. ``of``: which file."""
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
