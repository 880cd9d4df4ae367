"""The engine of lots with tasks of Spark as its carrier."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shoal.engines.lots.lots_engine import LotsEngine
from shoal.engines.lots.spark_carrier import SparkCarrier, SparkLots
from shoal.engines.lots.spark_session import SparkJobs, open_session
from shoal.engines.memory_budget import Budget
from shoal.engines.private_folder import PrivateFolder
from shoal.sources.piece_sizes import USUAL, PieceSizes


@contextmanager
def spark_engine(
    budget: Budget, folder: Path | None = None, sizes: PieceSizes = USUAL, master: str | None = None
) -> Iterator[LotsEngine[SparkLots]]:
    """``folder``: where its private folder is created, for all that is not read in place; workers on other machines
    must see it as well. ``master``: of a session of its own; None: that of the caller, if there is one."""
    private = PrivateFolder.create_in(folder or Path(tempfile.gettempdir()))
    try:
        with open_session(master, private) as session:
            jobs = SparkJobs(session)
            carrier = SparkCarrier(jobs, sizes.lot_records)
            try:
                yield LotsEngine(carrier, private, budget, jobs.n_cores, sizes)
            finally:
                carrier.close()
    finally:
        private.remove()
