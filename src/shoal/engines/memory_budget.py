"""Memory budget: how much memory each part may take. DuckDB's own limit is only a part of it.

    the program and its libraries        a fixed amount
    DuckDB, sorting and counting         a share, and what it takes beyond its limit
    blocks in work                       a share
    pieces in transit, samples           the rest

The amounts are bytes in use at the same time: DuckDB is idle while a release is assessed.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from shoal import operating_system
from shoal.errors import EngineError

PROGRAM_BYTES = 300 * 10**6  # bytes taken before the first record is read, and by DuckDB beyond its limit
LEAST_BYTES = 800 * 10**6
BYTES_OF_WORK = 12  # bytes that a method takes per byte of a block
DECIMAL_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
BINARY_UNITS = {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
BYTES_PER_THREAD = 64 * 10**6  # that DuckDB needs for sorting
BYTES_PER_PROCESS = 900 * 10**6  # that a worker takes with its libraries, a task of usual size and its work
CGROUP = Path("/sys/fs/cgroup")  # where a container's memory limit is given


@dataclass(frozen=True)
class Budget:
    memory: int  # bytes in total

    @classmethod
    def of(cls, memory: int | str | None) -> Self:
        """Half of the free memory, where ``memory`` is not given."""
        n_bytes = free_memory() // 2 if memory is None else to_bytes(memory)
        if memory is not None and n_bytes < LEAST_BYTES:
            raise EngineError.memory_too_small(n_bytes, LEAST_BYTES)
        return cls(max(n_bytes, LEAST_BYTES))

    @property
    def database(self) -> int:
        return (self.memory - PROGRAM_BYTES) * 2 // 5

    @property
    def blocks(self) -> int:
        """Bytes of all blocks in work, with everything that the work takes."""
        return (self.memory - PROGRAM_BYTES) * 2 // 5

    @property
    def largest_block(self) -> int:
        """Bytes of the records of a block."""
        return self.blocks // BYTES_OF_WORK

    @property
    def counts(self) -> int:
        """Bytes of a table of counts."""
        return (self.memory - PROGRAM_BYTES) // 5

    @property
    def n_processes(self) -> int:
        """That work on lots at the same time."""
        return max(1, min(os.cpu_count() or 1, (self.memory - PROGRAM_BYTES) // BYTES_PER_PROCESS))

    @property
    def n_threads(self) -> int:
        return max(1, min(os.cpu_count() or 1, self.database // BYTES_PER_THREAD))


def to_bytes(memory: int | str) -> int:
    """'2GB' is 2,000,000,000 bytes, '2GiB' is 2 x 2^30."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", str(memory), re.IGNORECASE)
    units = DECIMAL_UNITS | BINARY_UNITS
    if isinstance(memory, bool) or found is None or found[2].upper() not in units:
        raise EngineError.bad_memory(memory)
    return int(float(found[1]) * units[found[2].upper()])


def free_memory() -> int:
    """Bytes that this process could still take, limited by the machine and by its container."""
    free = [operating_system.free_memory_of_machine(), _free_in_container()]
    return min(found for found in free if found is not None)


def _free_in_container(folder: Path = CGROUP) -> int | None:
    try:
        most, taken = ((folder / name).read_text().strip() for name in ("memory.max", "memory.current"))
        return None if most == "max" else max(0, int(most) - int(taken))
    except (OSError, ValueError):
        return None
