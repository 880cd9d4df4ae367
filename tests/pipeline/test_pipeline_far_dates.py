"""Dates far from today: sentinels such as 9999-12-31 are dates as all others."""

from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal

DATES = [date(1500 + 50 * at, 1, 1) for at in range(12)] + [date(9999, 12, 31)] * 3


@pytest.mark.gate(but=("memory-mdav", "memory-mondrian"))
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_date_may_be_far_away(tmp_path, engine, method):
    pq.write_table(pa.table({"seen": DATES}), tmp_path / "seen.parquet")
    policy = {
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "method": {"name": method},
        "columns": {"seen": {"role": "quasi_identifier", "kind": "date"}},
    }
    release = shoal.protect(tmp_path / "seen.parquet", policy, output=tmp_path / "release.parquet", engine=engine)
    assert release.manifest.k_reached >= 3
