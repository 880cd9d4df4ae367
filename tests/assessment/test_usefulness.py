"""Usefulness as a whole: laws, odd tables, and what is said of samples."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from shoal.assessment.table_pair import TablePair
from shoal.assessment.utility import compared_records
from shoal.assessment.utility import usefulness as whole
from shoal.assessment.utility.compared_records import ComparedRecords
from shoal.assessment.utility.usefulness import usefulness
from shoal.schema import Column, Schema

SCHEMA = Schema(
    [
        Column("age", "quasi_identifier", "numeric"),
        Column("born", "quasi_identifier", "date"),
        Column("job", "quasi_identifier"),
        Column("income", "sensitive", "numeric"),
        Column("weight", "weight", "numeric"),
    ]
)


def people(n: int = 400, seed: int = 0) -> pa.Table:
    draw = np.random.default_rng(seed)
    age = draw.integers(18, 90, n)
    return pa.table(
        {
            "age": age,
            "born": pa.array((15_000 - 365 * age).astype(np.int32), pa.date32()),
            "job": draw.choice(list("abc"), n),
            "income": 100.0 * age + draw.normal(0, 500, n),
            "weight": draw.uniform(1, 2, n),
        }
    )


def compare(before: pa.Table, after: pa.Table, truth: Any = "same", schema: Schema = SCHEMA) -> ComparedRecords:
    pair = TablePair.of(before, after, schema)
    if truth is None:
        return ComparedRecords.of(pair)
    return ComparedRecords.of(pair.aligned(np.arange(len(before)) if isinstance(truth, str) else truth))


def zeros(found: Any) -> dict[str, float]:
    return {f.name: f.estimate for f in found.findings if f.baseline == 0}


@pytest.mark.parametrize("paired", [True, False])
def test_a_release_that_equals_its_original_changed_nothing(paired):
    found = usefulness(compare(people(), people(), "same" if paired else None))
    assert len(found.columns) == 4
    assert max(zeros(found).values()) == pytest.approx(0, abs=1e-9)
    if paired:
        assert found.findings["propensity score, pMSE ratio"].estimate < 3
    assert len(zeros(found)) == 10


def test_noise_moves_every_figure():
    draw, table = np.random.default_rng(1), people()
    noisy = table.set_column(3, "income", pa.array(table["income"].to_numpy() + draw.normal(0, 5000, 400)))
    found = usefulness(compare(table, noisy))
    assert all(figure > 0 for figure in zeros(found).values())
    changed = {column.column for column in found.columns if column.hellinger > 0}
    assert changed == {"income"}
    assert found.findings["largest Hellinger distance"].meaning.endswith("that of 'income'.")


def test_a_weight_is_no_column_of_analyses():
    assert "weight" not in {column.column for column in usefulness(compare(people(), people())).columns}


def test_figures_are_json():
    text = json.dumps(usefulness(compare(people(), people())).to_dict(), allow_nan=False)
    assert "pmse" in text


@pytest.mark.parametrize("n", [1, 2, 5, 21])
def test_small_tables_have_some_figures(n):
    found = usefulness(compare(people(n), people(n)))
    assert len(found.columns) == 4
    assert found.to_dict()


def test_an_empty_release_has_none():
    found = usefulness(compare(people(9), people(9).slice(0, 0), np.full(9, -1)))
    assert (found.columns, found.findings.findings) == ((), ())


def test_records_that_are_all_alike_have_no_relation():
    table = pa.table(
        {name: pa.concat_arrays([people()[name].chunk(0).slice(0, 1)] * 50) for name in people().column_names}
    )
    found = usefulness(compare(table, table))
    assert found.correlations is None
    assert max(zeros(found).values()) == 0


def test_missing_values_everywhere():
    draw, table = np.random.default_rng(3), people()
    gaps = pa.table(
        {n: pa.array(table[n].to_pylist(), table[n].type, mask=draw.random(400) < 0.3) for n in table.column_names}
    )
    found = usefulness(compare(gaps, gaps))
    assert max(zeros(found).values()) == pytest.approx(0, abs=1e-9)
    blank = gaps.set_column(2, "job", pa.nulls(400, pa.string()))
    assert {c.column: c.missing_after for c in usefulness(compare(gaps, blank)).columns}["job"] == 100


def test_a_column_of_another_kind_is_left_out_and_told():
    words = people().set_column(3, "income", people()["income"].cast(pa.string()))
    found = usefulness(compare(people(), words))
    assert "income" not in {column.column for column in found.columns}
    assert "income" in found.notes[0]


def test_suppressed_records_count_as_lost():
    table = people().sort_by("age")
    truth = np.where(np.arange(400) < 300, np.arange(400), -1)
    found = usefulness(compare(table, table.slice(0, 300), truth))
    assert {c.column: c.kolmogorov_smirnov for c in found.columns}["age"] == pytest.approx(25, abs=0.5)


def test_a_sample_is_told_and_its_records_belong_together(monkeypatch):
    monkeypatch.setattr(compared_records.ComparedRecords.of.__func__, "__defaults__", (100,))
    order = np.random.default_rng(5).permutation(400)
    truth = np.argsort(order)
    records = compare(people(), people().take(order), truth)
    assert len(records.before) == len(records.after) == 100
    assert records.after["age"].to_pylist() == records.before["age"].take(records.of_original).to_pylist()
    assert usefulness(records).notes[0] == (
        "Usefulness is measured on a sample: 100 of 400 original records, drawn at random."
    )
    assert max(zeros(usefulness(records)).values()) == pytest.approx(0, abs=1e-9)


def test_odd_names_of_columns_are_only_names():
    names = {"age": "a ~ b", "job": "job\n`'\"", "income": "0", "born": "born"}
    schema = Schema([Column(names.get(c.name, c.name), c.role, c.kind) for c in SCHEMA.columns])
    table = people().rename_columns([names.get(name, name) for name in people().column_names])
    assert {c.column for c in usefulness(compare(table, table, schema=schema)).columns} == set(names.values())


def test_a_wide_table_is_modeled_in_part_and_told(monkeypatch):
    monkeypatch.setattr(whole, "MOST_EFFECTS", 30)
    found = usefulness(compare(people(), people()))
    assert found.notes == ("The propensity score is of the first 3 of 4 columns.",)
    assert found.propensity.n_coefficients == 3  # born follows from age
    assert found.correlations.largest == pytest.approx(0, abs=1e-9)


SEXES = Schema([Column("sex", "quasi_identifier"), Column("height", "quasi_identifier", "numeric")])


def couples(n: int = 20_000) -> pa.Table:
    """A woman and a man in turn, of heights that hardly overlap."""
    height = np.tile([165.0, 185.0], n // 2) + np.random.default_rng(3).normal(0, 4, n)
    return pa.table({"sex": np.tile(["f", "m"], n // 2), "height": height})


def limit_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the records, and half of these for queries and tables of two columns."""
    monkeypatch.setattr(compared_records.ComparedRecords.of.__func__, "__defaults__", (10_000,))
    for limit in ("MOST_QUERIED", "FEWEST_TABLED", "MOST_TABLED"):
        monkeypatch.setattr(whole, limit, 5_000)


@pytest.mark.parametrize("order", ["reversed", "shuffled", "women first"])
def test_without_pairs_the_order_of_a_release_changes_nothing(monkeypatch, order):
    """Nothing beyond the noise of two samples, though records of a kind are at regular steps of the original."""
    limit_samples(monkeypatch)
    places = {
        "reversed": np.arange(20_000)[::-1],
        "shuffled": np.random.default_rng(0).permutation(20_000),
        "women first": np.argsort(np.arange(20_000) % 2, kind="stable"),
    }[order]
    found = usefulness(compare(couples(), couples().take(places), None, SEXES))
    assert max(zeros(found).values()) < 8
    assert found.findings["largest Kolmogorov-Smirnov distance"].estimate < 3


@pytest.mark.parametrize("changed", [0, 1])
def test_a_change_of_every_other_record_shows_whichever_these_are(monkeypatch, changed):
    """All are released as women, or all as men."""
    limit_samples(monkeypatch)
    alike = couples().set_column(0, "sex", pa.array(["mf"[changed]] * 20_000))
    found = usefulness(compare(couples(), alike, schema=SEXES))
    assert found.findings["largest earth mover's distance"].estimate == pytest.approx(50, abs=2)
    assert found.findings["largest total variation of two columns"].estimate == pytest.approx(50, abs=3)


def test_a_release_of_other_size_is_scaled_to_its_original(monkeypatch):
    """Without pairs, a release of the first 8,000 records lost three fifths of every count."""
    limit_samples(monkeypatch)
    found = usefulness(compare(couples(), couples().slice(0, 8_000), None, SEXES))
    assert found.findings["count queries on the release"].estimate == pytest.approx(60, abs=4)


def test_without_pairs_the_propensity_score_is_not_measured(monkeypatch):
    """The same persons on both sides would look alike more than two samples do."""
    monkeypatch.setattr(whole, "MOST_EFFECTS", 30)
    found = usefulness(compare(people(), people(), None))
    (unmeasured,) = found.not_measured
    assert "needs --policy" in str(unmeasured)
    assert unmeasured.name not in {finding.name for finding in found.findings}
    assert unmeasured.name in json.dumps(found.to_dict()["findings"])
    assert found.to_dict()["propensity"] is None
    assert found.notes == ()


def test_queries_and_tables_of_pairs_compare_the_same_persons(monkeypatch):
    """A permutation with known pairs changes nothing at all, in whatever samples."""
    limit_samples(monkeypatch)
    order = np.random.default_rng(1).permutation(20_000)
    found = usefulness(compare(couples(), couples().take(order), np.argsort(order), SEXES))
    assert max(zeros(found).values()) == pytest.approx(0, abs=1e-9)
