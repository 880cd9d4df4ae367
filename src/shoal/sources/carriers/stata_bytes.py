"""The characteristics of a Stata file, which include its notes: the library shows few of them."""

from __future__ import annotations

import struct
from pathlib import Path

MAP, END = b"<map>", b"</stata_dta>"
N_POSITIONS, CHARACTERISTICS, NEXT = 14, 8, 9  # positions in the map of the file
BEFORE = 4096  # bytes within which the map begins
EMPTY = b"<characteristics></characteristics>"


def n_characteristics(path: Path) -> int:
    """Number of characteristics; 1 also where the file is too old to have a map, and one more where something follows
    its end."""
    with path.open("rb") as file:
        head = file.read(BEFORE)
        at = head.find(MAP)
        if not head.startswith(b"<stata_dta>") or at < 0:
            return 1
        if len(head) < at + len(MAP) + N_POSITIONS * 8:
            return 1
        order = ">" if b"<byteorder>MSF</byteorder>" in head[:at] else "<"
        positions = struct.unpack(f"{order}{N_POSITIONS}Q", head[at + len(MAP) : at + len(MAP) + N_POSITIONS * 8])
        file.seek(positions[CHARACTERISTICS])
        found = file.read(max(positions[NEXT] - positions[CHARACTERISTICS], 0))
        file.seek(-len(END), 2)
        return (0 if found == EMPTY else max(found.count(b"<ch>"), 1)) + (file.read() != END)
