"""A table that does not fit: it really goes to disk, and comes out as the same release, whatever its shape.

``make spill`` runs this with 5,000,000 records, and 3,000,000 of each shape.
"""

import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shapes
import shoal
from shoal.datasets import uniform_batches
from shoal.engines.duckdb import DuckdbEngine
from shoal.engines.memory_budget import LEAST_BYTES, PROGRAM_BYTES, Budget
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.policy import load

N_RECORDS = int(float(os.environ.get("SHOAL_SPILL_RECORDS", "800000")))
N_SHAPED = int(float(os.environ.get("SHOAL_SPILL_SHAPED", "60000")))
SHAPES = ("sorted", "clustered", "skewed")
POLICY = {
    "columns": {f"x{at}": {"role": "quasi_identifier" if at < 4 else "other", "kind": "numeric"} for at in range(1, 7)},
    "requirements": [{"name": "k_anonymity", "k": 5}],
}


@pytest.mark.long
def test_a_table_that_does_not_fit_goes_to_disk_and_comes_out_the_same(tmp_path):
    source = tmp_path / "table.parquet"
    batches = uniform_batches(N_RECORDS, 6)
    first = next(batches)
    with pq.ParquetWriter(source, first.schema) as file:
        for batch in (first, *batches):
            file.write_batch(batch)
    n_bytes = N_RECORDS * (6 + 2) * 8  # with their ids and blocks
    tight = Budget(PROGRAM_BYTES + n_bytes * 5 // 4)  # two fifths of it for DuckDB
    assert tight.database <= n_bytes / 2
    with DuckdbEngine(tight, tmp_path) as engine:
        large = protect_by(
            engine, source, load(POLICY), Targets.of(tmp_path / "large.parquet", None, None), None, force=False
        )
        assert engine.database.most_spilled > n_bytes / 10
    plain = shoal.protect(source, POLICY, output=tmp_path / "plain.parquet", engine="memory")
    assert (tmp_path / "large.parquet").read_bytes() == (tmp_path / "plain.parquet").read_bytes()
    assert large.private.findings == plain.private.findings
    assert large.manifest.proof == plain.manifest.proof
    assert large.manifest.notes == plain.manifest.notes


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES)
def test_tables_as_they_come_are_the_same_out_of_core(tmp_path, shape):
    source, names = tmp_path / "table.parquet", [f"x{at}" for at in range(1, 7)]
    pq.write_table(pa.table(dict(zip(names, shapes.points(shape, N_SHAPED, 6).T, strict=True))), source)
    policy = POLICY | {"blocking": {"method": "twod_tree"}}
    tight = Budget(max(LEAST_BYTES, PROGRAM_BYTES + N_SHAPED * (6 + 2) * 8 * 5 // 4))
    with DuckdbEngine(tight, tmp_path) as engine:
        protect_by(engine, source, load(policy), Targets.of(tmp_path / "large.parquet", None, None), None, force=False)
    shoal.protect(source, policy, output=tmp_path / "plain.parquet", engine="memory")
    assert (tmp_path / "large.parquet").read_bytes() == (tmp_path / "plain.parquet").read_bytes()
