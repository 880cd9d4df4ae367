"""As many pairs as fit: the least likely are dropped, and what is left is used by the intruder who holds everybody."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import shoal
from informed_example import all_ratios, attack_on
from reference import informed as reference
from shoal.assessment.linkage_attacks import linkage_attacks
from shoal.assessment.risk.informed import candidate_pairs, informed_linkage
from shoal.assessment.risk.informed.candidate_pairs import CandidatePairs
from shoal.assessment.risk.informed.likely_pairs import likely_pairs
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.linkage.intruder import Intruder

PRAM = shoal.Pram(stay=0.7)


def dense_pairs(log_ratios):
    n, m = log_ratios.shape
    return CandidatePairs(np.repeat(np.arange(n), m), np.tile(np.arange(m), n), log_ratios.ravel(), n)


def batches(log_ratios, size):
    return [dense_pairs(log_ratios[start : start + size]) for start in range(0, len(log_ratios), size)]


@pytest.mark.parametrize("size", [1, 7, 40])
@pytest.mark.parametrize("most", [1600, 1599, 700, 300, 130, 60])
def test_the_widest_margin_that_fits_is_taken_however_the_pairs_come(size, most):
    log_ratios = -10 * np.random.default_rng(0).random((40, 40))
    differences = log_ratios.max(axis=1, keepdims=True) - log_ratios
    margins = [30.0, *np.arange(20, 2.9, -0.5)]
    widest = next((margin for margin in margins if (differences <= margin).sum() <= most), None)
    found = likely_pairs(batches(log_ratios, size), most, 30.0)
    if widest is None:
        assert found is None
    else:
        is_kept = np.zeros((40, 40), dtype=bool)
        is_kept[found.persons, found.records] = True
        assert (is_kept == (differences <= widest)).all()


def words(n):
    rng = np.random.default_rng(0)
    return pa.table({name: rng.choice(list("abcde"), n) for name in "nopqrstuvw"})


@pytest.fixture(scope="module")
def attacked():
    """PRAM excludes no pair: there are 90,000, and 30,000 more likely ones fit."""
    attack, aligned = attack_on(words(300), PRAM, "nominal")
    return attack, aligned, all_ratios(attack, 300)


def test_where_pairs_do_not_fit_a_record_still_belongs_to_one_person(attacked, monkeypatch):
    monkeypatch.setattr(informed_linkage, "MOST_KEPT", 30_000)
    monkeypatch.setattr(candidate_pairs, "BATCH_SIZE", 12_000)
    (attack, aligned, ratios), everybody = attacked, np.arange(300)
    with np.errstate(divide="ignore"):
        together = np.log(reference.joint_posteriors(ratios, suppressed=False))
    twin, alone = (np.mean(reference.chances_found(each, aligned.truth)) for each in (together, ratios))
    found = replace(attack)  # nothing is remembered
    assert found.links(everybody).chances.mean() == pytest.approx(twin, abs=0.01)
    assert twin > alone + 0.02
    assert len(found.everybody.persons) <= 30_000
    assert found.link_notes(everybody) == ()


@pytest.mark.parametrize(("name", "limit"), [("MOST_KEPT", 500), ("MOST_COMPARED", 89_999)])
def test_persons_are_searched_for_one_by_one_where_this_is_too_much(attacked, monkeypatch, name, limit):
    """Too many pairs are likely, or all pairs would have to be compared for those that are."""
    monkeypatch.setattr(informed_linkage, "MOST_KEPT", 30_000)
    monkeypatch.setattr(informed_linkage, name, limit)
    attack, aligned, ratios = attacked
    found, everybody = replace(attack), np.arange(300)
    assert found.everybody is None
    np.testing.assert_allclose(found.links(everybody).chances, reference.chances_found(ratios, aligned.truth))
    assert found.link_notes(everybody) == (informed_linkage.ONE_BY_ONE,)
    assert found.link_notes(everybody[:9]) == ()


@pytest.mark.parametrize(("most", "notes"), [(30_000, ()), (500, (informed_linkage.ONE_BY_ONE,))])
def test_the_assessment_says_so(attacked, monkeypatch, most, notes):
    monkeypatch.setattr(informed_linkage, "MOST_KEPT", most)
    aligned = attacked[1]
    names = aligned.original.column_names
    found = linkage_attacks(aligned, Intruder(), names, ("informed",), published=PublishedMethods((PRAM,)))
    assert found.notes == notes
