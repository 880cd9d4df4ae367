"""Which of two releases is better, and the interval of the difference of their risks."""

from dataclasses import replace

import numpy as np
import pytest

from shoal.assessment.comparison import ComparedPolicy, Comparison, PolicyOutcome
from shoal.assessment.pair_comparison import PairComparison
from shoal.assessment.risk.risk_difference import RiskDifference, risk_difference
from shoal.assessment.setting_labels import setting_labels
from shoal.confidence import QUANTILE, mean_interval, paired_difference, separate_difference
from shoal.errors import ComparisonError
from shoal.linkage.linkage_blocking import BlockingQuality
from shoal.linkage.linkage_risk import Linkage
from shoal.linkage.record_links import Links

CLEAR, UNCLEAR = RiskDifference(2.0, (1.1, 2.9), True), RiskDifference(0.4, (-0.5, 1.3), True)


def linkage(chances, persons=None, weights=None, households=None):
    n = len(chances)
    at = np.arange(n) if persons is None else persons
    links = Links(at, np.zeros(n), at + 1, np.asarray(chances, np.float64))
    return Linkage(at, at, links, np.ones(n) if weights is None else weights, households, n, 1, ("x",), None)


@pytest.mark.parametrize(
    ("loss", "risk", "better", "sentence"),
    [
        (-3.1, CLEAR, None, "1 loses 3.1 points less than 2 and lets 2.0 points (1.1 to 2.9) more persons be found; "
         "neither is better in both."),
        (3.1, CLEAR, 2, "2 loses 3.1 points less than 1, and 2.0 points (1.1 to 2.9) fewer persons are found in it; "
         "2 is better in both."),
        (-3.1, UNCLEAR, 1, "1 loses 3.1 points less than 2, and their risks do not differ beyond the interval "
         "(-0.5 to 1.3); 1 is better."),
        (0.0, CLEAR, 2, "1 loses as much as 2 and lets 2.0 points (1.1 to 2.9) more persons be found; 2 is better."),
        (0.0, UNCLEAR, None, "1 loses as much as 2, and their risks do not differ beyond the interval (-0.5 to 1.3); "
         "they are equally good."),
        (-1.0, None, None, "1 loses 1.0 points less than 2; how many persons are found was not measured for both."),
    ],
)  # fmt: skip
def test_one_sentence_says_it(loss, risk, better, sentence):
    pair = PairComparison((1, 2), loss, risk)
    assert (pair.better, pair.sentence) == (better, sentence)


def test_blocks_that_lose_true_pairs_make_no_release_better():
    """It is clear that fewer persons are found in the first one, but not whether that is due to its blocks."""
    one, other = linkage([0.0] * 100), linkage([1.0] * 10 + [0.0] * 90)
    free, blocked = risk_difference(one, other), risk_difference(within_blocks(one, recall=0.3), other)
    assert (free.is_clear, blocked.is_clear) == (True, False)
    assert blocked.interval == pytest.approx((free.interval[0], free.interval[1] + 70))
    assert risk_difference(other, within_blocks(one, recall=0.3)).interval[0] == pytest.approx(-blocked.interval[1])


def within_blocks(linkage, recall):
    return replace(linkage, blocking=BlockingQuality(recall, 0.9, 100, 10, 0))


def slow_interval(differences):
    """Sums written out: one more pair of opposite differences joins the variance."""
    n, mean = len(differences), sum(differences) / len(differences)
    squares = sum((each - mean) ** 2 for each in differences) + max(map(abs, differences)) ** 2
    reach = QUANTILE * (squares / (n * (n + 2))) ** 0.5
    return 100 * (mean - reach), 100 * (mean + reach)


@pytest.mark.parametrize(("b", "c", "n"), [(5, 1, 40), (12, 12, 100), (3, 0, 9)])
def test_the_interval_is_that_of_the_mean_of_paired_differences(b, c, n):
    one = [1] * b + [0.5] * c + [1] * (n - b - c)
    other = [0] * b + [1] * c + [1] * (n - b - c)
    found = risk_difference(linkage(one), linkage(other))
    assert found.is_paired
    assert found.estimate == pytest.approx(100 * (b - c / 2) / n)
    assert found.interval == pytest.approx(slow_interval([a - b for a, b in zip(one, other, strict=True)]))


def test_no_difference_at_all_still_has_an_interval():
    """Of 30 persons, some of a share of 5 % that differ may not be among them."""
    found = risk_difference(linkage([1.0] * 30), linkage([1.0] * 30))
    assert found.interval[1] == -found.interval[0] > 5
    assert not found.is_clear


def test_households_count_as_one_case():
    """Two persons of each household with equal chances are no more evidence than one."""
    draw = np.random.default_rng(1)
    one, other = draw.random((2, 50))
    single = risk_difference(linkage(one), linkage(other))
    doubled = (linkage(np.repeat(chances, 2), households=np.repeat(np.arange(50), 2)) for chances in (one, other))
    assert risk_difference(*doubled).interval == pytest.approx(single.interval)


def test_other_persons_give_the_wider_interval_of_two_separate_risks():
    draw = np.random.default_rng(2)
    shared = draw.random(300)
    one, other = (np.clip(shared + shift, 0, 1) for shift in (0.05, 0.0))
    paired = risk_difference(linkage(one), linkage(other))
    apart = risk_difference(linkage(one), linkage(other, persons=np.arange(300) + 7))
    assert (paired.is_paired, apart.is_paired) == (True, False)
    assert paired.estimate == apart.estimate
    assert np.ptp(paired.interval) < np.ptp(apart.interval) / 3
    shares = [float(chances.mean()) for chances in (one, other)]
    of_each = [mean_interval(chances) for chances in (one, other)]
    expected = separate_difference(shares[0], of_each[0], shares[1], of_each[1])
    assert apart.interval == pytest.approx([100 * end for end in expected])


@pytest.mark.parametrize(
    ("values", "shares"),
    [
        ((1, -1, 0), (0.1, 0.05, 0.85)),
        ((1, 0), (0.9, 0.1)),
        ((1 / 3 - 1 / 5, 1 / 5), (0.7, 0.3)),
        ((1 / 3, -1 / 3, 0, 1), (0.3, 0.1, 0.55, 0.05)),
    ],
    ids=["found or not", "nearly all", "chances of classes", "ties"],
)
def test_the_interval_covers_the_true_difference_as_often_as_it_says(values, shares):
    """1,000 samples of 400 persons."""
    drawn = np.random.default_rng(17).choice(values, (1000, 400), p=shares)
    true = float(np.dot(values, shares))
    covered = sum(low <= true <= high for low, high in (paired_difference(row, np.ones(400)) for row in drawn))
    assert 936 <= covered <= 964


def outcome(chances):
    made = PolicyOutcome(3, True, 0.0, 10.0, 100 * float(np.mean(chances)), None, None, 0.1, linkage=linkage(chances))
    return ComparedPolicy("p", {"requirements.0.k": 3}, made)


def test_two_releases_of_a_comparison_are_chosen_by_their_numbers():
    compared = Comparison((outcome([1.0] * 50), ComparedPolicy("far", {}, None, "too far"), outcome([0.2] * 50)))
    assert compared.pair(1, 3).risk.estimate == pytest.approx(80)
    assert compared.pair(3, 1).better == 3
    for numbers in ((1, 2), (1, 1), (0, 1), (1, 9)):
        with pytest.raises(ComparisonError, match="are not two releases of the comparison"):
            compared.pair(*numbers)


def test_settings_have_plain_names_as_long_as_needed():
    assert setting_labels(["requirements.0.k", "method.name"]) == {"requirements.0.k": "k", "method.name": "method"}
    assert setting_labels(["requirements.0.k", "method.k"]) == {
        "requirements.0.k": "requirement.k",
        "method.k": "method.k",
    }
    assert setting_labels(["columns.age.weight", "columns.zip.weight"]) == {
        "columns.age.weight": "age.weight",
        "columns.zip.weight": "zip.weight",
    }
    twice = ["perturbations.0.p", "perturbations.1.p"]
    assert setting_labels(twice) == dict(zip(twice, twice, strict=True))
    assert setting_labels(["perturbations.0.name", "seed"]) == {"perturbations.0.name": "perturbation", "seed": "seed"}
