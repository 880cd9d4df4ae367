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
    found = suda_of_table(TABLE, SCHEMA, fraction=0.01)
    assert found.scores.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    printed = [0, 0, 0.0051, 0, 0.0107, 0, 0.0051, 0.0088, 0, 0]
    assert np.round(found.dis, 4).tolist() == printed


def test_the_example_of_the_book_on_sdc_micro():
    """Scores and contributions that the tests of sdcMicro expect of suda2, with its default scores."""
    ages, sexes = ["20s"] * 7 + ["60s"], ["male"] * 4 + ["female"] * 3 + ["male"]
    incomes = ["50k+"] * 2 + ["50k-"] * 6
    schools = ["high"] * 4 + ["university", "high", "middle", "university"]
    codes = [np.unique(column, return_inverse=True)[1] for column in (ages, sexes, incomes, schools)]
    assert shoal.suda(np.column_stack(codes)).scores[4:].tolist() == [4, 2, 6, 8]
    assert shoal.suda([[2, 0, 0], [1, 3, 6], [1, 0, 0]]).contributions.tolist() == [50, 37.5, 37.5]


@pytest.mark.gate
def test_special_uniques_of_adult_are_all_of_its_uniques(reference_data):
    """As many as suda2 of sdcMicro finds, which looks at sets of every size, and as are alone on all eight columns."""
    adult = shoal.datasets.adult().drop_columns("salary-class")
    codes = np.column_stack([column.combine_chunks().dictionary_encode().indices for column in adult.columns])
    found = shoal.suda(codes)
    assert int((found.scores > 0).sum()) == found.n_unique == 14_021
    few = shoal.suda(codes, max_size=3)
    assert int((few.scores > 0).sum()) == 6_132
