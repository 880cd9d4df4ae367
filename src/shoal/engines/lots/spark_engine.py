"""The engine of lots with tasks of Spark as its carrier."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.engines.catalog_table import CatalogTable
from shoal.engines.lots.lots_engine import LotsEngine, LotsFrame
from shoal.engines.lots.spark_carrier import SparkCarrier, SparkLots
from shoal.engines.lots.spark_session import SparkJobs, is_spark_dataframe, open_session
from shoal.engines.memory_budget import Budget
from shoal.engines.private_folder import PrivateFolder
from shoal.sources import Kinds, ReadOptions
from shoal.sources.origin import Native
from shoal.sources.piece_sizes import USUAL, PieceSizes

UNENCRYPTED = (
    "This Spark session does not encrypt the records that it writes to the disks of its workers: set "
    "spark.io.encryption.enabled when it is started."
)


class SparkEngine(LotsEngine[SparkLots]):
    """The sources of every engine of lots, and dataframes of Spark."""

    def __init__(self, jobs: SparkJobs, folder: PrivateFolder, budget: Budget, sizes: PieceSizes) -> None:
        super().__init__(SparkCarrier(jobs, sizes.lot_records), folder, budget, jobs.n_sharing, sizes)
        self._jobs = jobs

    def read(
        self, source: Any, options: ReadOptions, *, columns: Sequence[str] | None = None, kinds: Kinds = None
    ) -> LotsFrame[SparkLots]:
        """A dataframe is written down first: it may be computed anew, in another order, whenever it is used."""
        source = self._jobs.table(source.name) if isinstance(source, CatalogTable) else source
        is_dataframe = is_spark_dataframe(source)
        path = self._written_down(source) if is_dataframe else source
        frame = super().read(path, options, columns=columns, kinds=kinds)
        origin = replace(frame.origin, notes=(*frame.origin.notes, *self._notes()))
        own = replace(origin, format="dataframe", native=Native("pyspark")) if is_dataframe else origin
        return replace(frame, origin=own)

    def _written_down(self, dataframe: Any) -> Path:
        path = self.folder.new_name(".dataframe")
        self._jobs.write_down(dataframe, path)
        return path

    def _notes(self) -> Iterator[str]:
        if not self._jobs.is_encrypted:
            yield UNENCRYPTED


@contextmanager
def spark_engine(
    budget: Budget,
    folder: Path | None = None,
    sizes: PieceSizes = USUAL,
    master: str | None = None,
    session: Any = None,
) -> Iterator[SparkEngine]:
    """``folder``: where its private folder is created, for all that is not read in place; workers on other machines
    must see it as well. ``master``: of a session of its own; None: that of the caller, if there is one. ``session``:
    that of the dataframe to be read."""
    private = PrivateFolder.create_in(folder or Path(tempfile.gettempdir()))
    try:
        with open_session(master, private, session) as opened:
            engine = SparkEngine(SparkJobs(opened), private, budget, sizes)
            try:
                yield engine
            finally:
                engine.carrier.close()
    finally:
        private.remove()
