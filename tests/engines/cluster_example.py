"""A release on a cluster of its own, on this machine, one block of which waits until its worker is killed.

    python -c 'from engines.cluster_example import main; main()' SOURCE POLICY OUTPUT FOLDER FUNCTION

FUNCTION is the class that stands before the function of blocks; FOLDER is where its workers say that they wait.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

import shoal
from shoal.engines.lots import LotsEngine

MASTER = "local-cluster[2,1,1024]"
WAITING = "waiting"  # a file that holds the process that waits


@dataclass(frozen=True)
class WaitsOnce:
    """The first worker that comes here computes until it is killed; all others go on."""

    fn: Callable[[int, pa.Table], pa.Table]
    folder: Path

    def __call__(self, block_id: int, block: pa.Table) -> pa.Table:
        draft = self.folder / f"{os.getpid()}"
        draft.write_text(str(os.getpid()))
        try:
            (self.folder / WAITING).hardlink_to(draft)
        except FileExistsError:
            return self.fn(block_id, block)
        while True:
            np.arange(1_000_000).sum()


@dataclass(frozen=True)
class Swollen:
    """The first block becomes larger than what the Java machine of an executor holds."""

    fn: Callable[[int, pa.Table], pa.Table]
    folder: Path

    def __call__(self, block_id: int, block: pa.Table) -> pa.Table:
        made = self.fn(block_id, block)
        n_bytes = 0 if block_id else 600 * 2**20
        noise = [np.random.default_rng(0).bytes(n_bytes), *[b""] * (len(made) - 1)]
        return made.append_column("swollen", pa.array(noise, pa.large_binary()))


def main() -> None:
    source, policy, output, folder, name = sys.argv[1:]
    before, map_blocks = {each.__name__: each for each in (WaitsOnce, Swollen)}[name], LotsEngine.map_blocks
    LotsEngine.map_blocks = lambda self, frame, fn: map_blocks(self, frame, before(fn, Path(folder)))
    shoal.protect(source, policy, output=output, engine="spark", master=MASTER, key=bytes(range(32)))
