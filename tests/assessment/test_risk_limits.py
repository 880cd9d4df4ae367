"""Risk limits of a policy: which figure each bounds, and when it is met."""

from dataclasses import replace

import numpy as np
import pytest

from shoal.assessment.assessment import Assessment
from shoal.assessment.mend.risk_figure import RiskFigure
from shoal.assessment.risk.attack import Attack
from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.assessment.risk_limits import FIGURES, check_limits, strictest
from shoal.findings import Finding, Findings, UnmeasuredFigure
from shoal.linkage.linkage_blocking import BlockingQuality
from shoal.linkage.linkage_risk import NOT_COMPARED, Linkage
from shoal.linkage.record_links import Links
from shoal.policy import load
from shoal.policy.parts import RiskLimits
from shoal.report.limit_table import limit_sentence
from survey_example import survey_policy

SIZES = ClassSizes.of(np.array([2, 2]))
FOUND = Findings((Finding("highest prosecutor risk", 20.0, ""), Finding("suppressed records", 3.0, "")))
PLAIN = Assessment(FOUND, {}, (), SIZES, SIZES)


def linkage(chances):
    n = len(chances)
    at = np.arange(n)
    return Linkage(at, at, Links(at, np.zeros(n), at + 1, np.asarray(chances)), np.ones(n), None, n, 1, ("x",), None)


def attribute(estimate, baseline, interval=None):
    figure = Finding(f"guess {estimate}", estimate, "", interval=interval, baseline=baseline, unit="%")
    return Attack("attribute", "an acquaintance", "the class", figure)


def test_the_keys_of_the_policy_are_the_figures():
    assert set(RiskLimits.model_fields) == set(FIGURES)


def test_counted_figures_meet_a_limit_up_to_it():
    for most, is_met in ((0.2, True), (0.19, False)):
        (check,) = check_limits({"prosecutor_risk": most}, PLAIN)
        assert (check.is_met, check.is_open) == (is_met, False)
    assert check_limits({"suppressed": 0.03}, PLAIN)[0].is_met


def test_rounding_errors_exceed_no_limit():
    """Classes of ten records: everybody is found with a chance of a tenth, whatever the weights that add up to it."""
    weights = np.random.default_rng(0).uniform(1, 30, (200, 600)).round(1)
    tenths = (replace(linkage([0.1] * 600), weights=one, n_population=600) for one in weights)
    tried = [replace(PLAIN, linkages={"distance": one}) for one in tenths]
    figures = [check_limits({"linked_persons": 0.1}, one)[0] for one in tried]
    assert max(check.reached for check in figures) > 10
    assert all(check.is_met for check in figures)
    assert not any(RiskFigure("limit", check.reached, check.most).is_above for check in figures)
    assert not any(check_limits({"linked_persons": 0.0999999}, one)[0].is_met for one in tried)


def test_estimates_meet_a_limit_if_the_upper_end_does():
    """Of the strongest linkage: 10 % of 200 persons, up to 15 %."""
    weak, strong = linkage([0.0] * 200), linkage([1.0] * 20 + [0.0] * 180)
    tried = replace(PLAIN, linkages={"rank": weak, "distance": strong})
    (wide,), (narrow,), (none,) = (check_limits({"linked_persons": most}, tried) for most in (0.16, 0.12, 0.09))
    assert wide.figure.estimate == pytest.approx(10)
    assert (wide.is_met, narrow.is_met, none.is_met) == (True, False, False)
    assert (narrow.is_open, none.is_open) == (True, False)


def test_the_limit_is_for_the_attack_that_may_find_the_most():
    """4 % of 50 persons, up to 14 %, although another attack found 5 % of 20,000."""
    few, many = linkage([1.0] * 2 + [0.0] * 48), linkage([1.0] * 1000 + [0.0] * 19_000)
    (check,) = check_limits({"linked_persons": 0.06}, replace(PLAIN, linkages={"distance": many, "rank": few}))
    assert (check.figure.estimate, check.is_met) == (pytest.approx(4), False)


def blocked(recall):
    """1 % of 200 persons found, of whom all were searched for, within blocks."""
    quality = BlockingQuality(recall, 0.9, 100, 10, 0)
    return replace(linkage([1.0] * 2 + [0.0] * 198), n_population=200, blocking=quality)


def test_blocks_that_lose_true_pairs_meet_no_limit_by_that():
    lossy, lossless = (replace(PLAIN, linkages={"distance": blocked(recall)}) for recall in (0.3, 1.0))
    (check,), (other,) = (check_limits({"linked_persons": 0.02}, one) for one in (lossy, lossless))
    assert (check.figure.estimate, check.reached) == (pytest.approx(1), pytest.approx(71))
    assert (check.is_met, check.is_open) == (False, True)
    assert NOT_COMPARED in limit_sentence(check)
    assert check.figure.to_dict()["caveat"] == NOT_COMPARED
    assert (other.figure.interval, other.is_met) == (None, True)
    assert "caveat" not in other.figure.to_dict()
    assert blocked(0.0).highest_risk == 1.0


def test_a_linkage_within_blocks_counts_before_a_stronger_one_of_all_pairs():
    """Which finds 5 %, where the other might find 71 %."""
    strong = replace(linkage([1.0] * 10 + [0.0] * 190), n_population=200)
    tried = replace(PLAIN, linkages={"informed": strong, "distance": blocked(0.3)})
    assert check_limits({"linked_persons": 0.1}, tried)[0].reached == pytest.approx(71)


def test_what_is_learned_is_the_gain_over_the_baseline():
    attacked = PLAIN.with_attacks((attribute(95.0, 94.0), attribute(40.0, 20.0, (35.0, 46.0))))
    (check,) = check_limits({"attribute_disclosure": 0.2}, attacked)
    assert (check.figure.estimate, check.reached, check.is_met, check.is_open) == (20.0, 26.0, False, True)
    assert check_limits({"attribute_disclosure": 0.26}, attacked)[0].is_met


def test_what_was_not_measured_meets_no_limit():
    unmeasured = Attack("attribute", "x", "y", UnmeasuredFigure("guess", "not measured"))
    for assessment in (PLAIN, PLAIN.with_attacks((attribute(1.0, 1.0), unmeasured))):
        (check,) = check_limits({"attribute_disclosure": 1.0}, assessment)
        assert (check.figure, check.is_met) == (None, False)
    assert not check_limits({"linked_persons": 1.0}, PLAIN)[0].is_met


def test_the_strictest_limits_of_all_policies_count():
    limits = strictest(({"suppressed": 0.1}, {}, {"suppressed": 0.05, "linked_persons": 0.2}))
    assert limits == {"linked_persons": 0.2, "suppressed": 0.05}


def test_limits_change_no_digest_and_are_in_the_manifest_only_if_set():
    plain, limited = load(survey_policy()), load(survey_policy(limits={"linked_persons": 0.05}))
    assert plain.digest() == limited.digest()
    assert plain.digest_of_values() == limited.digest_of_values()
    assert "limits" not in plain.summary()
    assert limited.summary()["limits"] == {"linked_persons": 0.05}
