"""The ten records of the SDC practice guide of the IHSN: counts, individual risk, SUDA and DIS-SUDA as printed."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.risk.suda import suda_of_table
from shoal.assessment.risk.uniqueness import key_counts

TABLE = pa.table(
    {
        "residence": ["urban"] * 4 + ["rural"] + ["urban"] * 5,
        "gender": ["f", "f", "f", "m", "f", "m", "f", "m", "f", "f"],
        "education": [3, 3, 1, 4, 4, 4, 2, 5, 3, 3],
        "labor": ["employed"] * 2 + ["none", "employed", "jobless", "employed", "none", "jobless", "none", "none"],
        "weight": [180, 180, 215, 76, 186, 76, 180, 215, 186, 76],
    }
)
SCHEMA = shoal.Schema(
    [
        *(shoal.Column(name, "quasi_identifier") for name in ("residence", "gender", "education", "labor")),
        shoal.Column("weight", "weight", "numeric"),
    ]
)


def test_counts_and_individual_risk():
    counts = key_counts(TABLE, SCHEMA)
    assert counts.sample.tolist() == [2, 2, 1, 2, 1, 2, 1, 1, 2, 2]
    assert counts.population.tolist() == [360, 360, 215, 152, 186, 152, 180, 215, 262, 262]
    risks = shoal.individual_risk(counts.sample, counts.population)
    assert risks.mean() == pytest.approx(0.01582, abs=5e-6)
    assert risks.max() < 0.05


def test_suda_and_dis_suda_scores():
    found = suda_of_table(TABLE, SCHEMA, max_size=3, fraction=0.01)
    assert found.scores.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    printed = [0, 0, 0.0051, 0, 0.0107, 0, 0.0051, 0.0088, 0, 0]
    assert np.round(found.dis, 4).tolist() == printed
