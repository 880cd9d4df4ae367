"""Records that figures are computed from, where there are too many: a period of the file does not show in them."""

import numpy as np
import pyarrow as pa
import pytest

from shoal.assessment import pairing_check, table_pair
from shoal.assessment.risk.informed import likelihood
from shoal.assessment.risk.informed.likelihood import SearchWindow
from shoal.assessment.table_pair import TablePair
from shoal.linkage.probabilistic_linkage import _record_spans
from shoal.pipeline.protect import own_assessment
from shoal.schema import Column, Schema

N = 10_000
SEX = Schema([Column("sex", "quasi_identifier", "numeric")])


def couples():
    table = pa.table({"sex": np.tile([0.0, 1.0], N // 2)})
    return TablePair.of(table, table, SEX).aligned(np.arange(N))


def test_pairs_of_records_are_of_both_kinds(monkeypatch):
    monkeypatch.setattr(table_pair, "MOST_RECORDS", 1000)
    compared = couples().compared_records
    assert len(compared) == 1000
    assert (compared % 2).mean() == pytest.approx(0.5, abs=0.1)


def test_so_are_those_that_a_pairing_is_checked_by(monkeypatch):
    monkeypatch.setattr(pairing_check, "MOST_PAIRS", 1000)
    ((before, after),) = pairing_check.compared_columns(couples(), ["sex"])
    assert before.tolist() == after.tolist()
    assert (before > before.min()).mean() == pytest.approx(0.5, abs=0.1)


def test_the_nearest_record_is_searched_for_records_of_both_kinds():
    """The release lacks the values of every other record."""
    before = np.tile([0.0, 1.0], N // 2)
    assert pairing_check.nearest_distances([(before, np.zeros(N))]).mean() == pytest.approx(0.5, abs=0.2)


def test_weights_of_agreement_are_learned_from_records_of_both_kinds():
    assert _record_spans(N, 1) == [(0, N)]
    first, last = np.array(_record_spans(N, 10)).T
    assert len(first) == N // 10
    assert (last - first == 1).all()
    assert (first % 2).mean() == pytest.approx(0.5, abs=0.1)


def test_windows_are_measured_for_persons_of_both_kinds(monkeypatch):
    """Those of every other person hold all records, the others none."""
    monkeypatch.setattr(likelihood, "N_SIZES", 1000)
    lowest, highest = np.tile([0.0, 9.0], N // 2), np.tile([1.0, 8.0], N // 2)
    window = SearchWindow(np.arange(100), np.zeros(100), np.ones(100), lowest, highest)
    assert window.mean_size == pytest.approx(50, abs=10)


def test_losses_of_a_release_are_of_records_of_both_kinds(monkeypatch):
    monkeypatch.setattr(own_assessment, "MOST_RECORDS", 1000)
    places = own_assessment.assessed_places(N, 3)
    assert len(places) == 1000
    assert (places % 2).mean() == pytest.approx(0.5, abs=0.1)
