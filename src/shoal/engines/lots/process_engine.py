"""The engine of lots with processes of this machine as its carrier."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shoal.engines.lots.lots_engine import LotsEngine
from shoal.engines.lots.processes import Processes, ProcessLots
from shoal.engines.memory_budget import Budget
from shoal.engines.private_folder import PrivateFolder
from shoal.sources.piece_sizes import USUAL, PieceSizes


@contextmanager
def process_engine(
    budget: Budget, folder: Path | None = None, sizes: PieceSizes = USUAL, n_workers: int | None = None
) -> Iterator[LotsEngine[ProcessLots]]:
    """``folder``: where its private folder is created; both it and the workers are gone afterwards."""
    workers = n_workers or budget.n_processes
    private = PrivateFolder.create_in(folder or Path(tempfile.gettempdir()))
    carrier = Processes(private, workers, sizes.lot_records)
    try:
        yield LotsEngine(carrier, private, budget, workers, sizes)
    finally:
        carrier.close()
        private.remove()
