"""The replaying intruder by hand: three groups of three, of which the first failed and took the second."""

import numpy as np
import pytest

from shoal.assessment.risk import minimality
from shoal.assessment.risk.minimality import MINIMALITY, NOBODY, SUPPRESSED, Accusations, Replay
from shoal.findings import Finding, UnmeasuredFigure

PARTS = np.repeat([0, 1, 2], 3)
MERGED = np.repeat([0, 0, 1], 3)
ILLNESS = np.array([0, 0, 0, 0, 0, 1, 0, 1, 1])


def alike(values):
    """Groups whose known values are one fail."""

    def fails(records, parts):
        known = values[records] >= 0
        return np.array([len(set(values[records][known & (parts == part)])) < 2 for part in range(parts.max() + 1)])

    return fails


def sums(found):
    return int(found.n_correct.sum()), int(found.n_records.sum()), found.baseline, found.n_records.size


def replay(values=ILLNESS, groups=MERGED, choices=(1, 2, 1)):
    where = None if choices is None else lambda parts: np.array(choices)[parts]
    return Replay(PARTS, groups, where, alike(values), {"illness": values})


def test_who_chose_whom_tells_who_failed():
    """The second would have gone to the third, which was left alone: so the first failed, and all of it has the flu."""
    assert sums(replay().accusations("illness", 0)) == (3, 3, 5 / 6, 1)


def test_a_missing_value_is_no_target():
    values = np.where(np.arange(9) == 0, -1, ILLNESS)
    found = replay(values).accusations("illness", 0)
    assert sums(found)[:3] == (2, 2, 4 / 5)


def test_where_nothing_was_merged_nobody_is_accused():
    assert replay(groups=PARTS).accusations("illness", 0) is NOBODY


def test_who_is_gone_has_what_failing_groups_have():
    """Two of three released values are 1, so that a group of one value is one of 1."""
    values = np.array([1, 1, 1, 1, 0, 1, 1, 0, 1])
    found = replay(values, groups=np.repeat([-1, 0, 1], 3)).accusations_of_suppressed("illness", 0)
    assert sums(found) == (3, 3, pytest.approx(2 / 3), 1)


def test_nobody_gone_is_nobody_accused():
    assert replay().accusations_of_suppressed("illness", 0) is NOBODY


@pytest.mark.parametrize(("limit", "value"), [("MOST_RECORDS", 5), ("MOST_CELLS", 3)])
def test_where_groups_are_too_large_nothing_is_said_rather_than_nobody(monkeypatch, limit, value):
    monkeypatch.setattr(minimality, limit, value)
    assert replay().accusations("illness", 0) is None


def test_a_large_group_does_not_hide_the_small_ones(monkeypatch):
    """The first group is too large, the second is not."""
    monkeypatch.setattr(minimality, "MOST_RECORDS", 6)
    parts, groups = np.repeat(np.arange(5), 3), np.repeat([0, 0, 0, 1, 1], 3)
    values = np.array([0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1])
    found = Replay(parts, groups, None, alike(values), {"illness": values}).accusations("illness", 0)
    assert found is not None
    members = Replay(parts, groups, None, alike(values), {"illness": values}).merged_members
    assert members.tolist() == [9, 10, 11, 12, 13, 14]


def accusations(n_correct, n_records):
    return Accusations(np.asarray(n_records), np.asarray(n_correct), 0.6)


@pytest.mark.parametrize("what", [MINIMALITY, SUPPRESSED])
def test_of_few_parts_no_share_is_told(what):
    """A share of all, or of none, of a few would name the values of each of them."""
    few = accusations([3] * 29, [3] * 29).finding(what, "illness")
    assert isinstance(few, UnmeasuredFigure)
    assert "fewer than 30" in few.reason
    assert "87" not in str(few)
    assert isinstance(accusations([3] * 29 + [0], [3] * 30).finding(what, "illness"), Finding)


def test_the_finding_says_how_many_and_how_sure():
    found = accusations([3] * 30 + [0] * 10, [3] * 40).finding(MINIMALITY, "illness")
    assert (found.name, found.estimate, found.baseline) == ("minimality, illness", 75.0, 60.0)
    low, high = found.interval
    assert 54 < low < 62  # that of forty cases and not of 120
    assert 85 < high < 91
    assert "the 120 records" in found.meaning
    assert "Nobody can be accused" in NOBODY.finding(SUPPRESSED, "illness").meaning


def test_the_interval_knows_that_parts_are_unequal():
    """A tenth of the parts are large, and named more often: by records, the share is nearly theirs, and uncertain."""
    generator, n_covered = np.random.default_rng(1), 0
    truth = 100 * (0.1 * 1000 * 0.7 + 0.9 * 3 * 0.3) / (0.1 * 1000 + 0.9 * 3)
    for _ in range(300):
        is_large = generator.random(100) < 0.1
        sizes, is_named = np.where(is_large, 1000, 3), generator.random(100) < np.where(is_large, 0.7, 0.3)
        low, high = accusations(sizes * is_named, sizes).finding(MINIMALITY, "illness").interval
        n_covered += low <= truth <= high
    assert n_covered >= 0.93 * 300


@pytest.mark.parametrize(("limit", "value"), [("MOST_GROUPS", 100), ("MOST_RECORDS", 400)])
def test_groups_are_examined_wherever_they_are(monkeypatch, limit, value):
    """Neither every so many-th group nor the first ones: 1000 groups of two parts of two records."""
    monkeypatch.setattr(minimality, limit, value)
    parts = np.repeat(np.arange(2000), 2)
    groups, values = parts // 2, np.zeros(4000, dtype=np.int64)
    found = np.unique(groups[Replay(parts, groups, None, alike(values), {"illness": values}).merged_members])
    assert len(found) == 100
    assert len(np.unique(np.diff(found))) > 1
    assert found.min() < 100
    assert found.max() > 900
