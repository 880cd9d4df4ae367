"""Groups that give away nobody who left or joined, against plain loops."""

import numpy as np
import pytest

from reference.turnover_twin import _connected, likeliest_shares
from shoal.methods.microaggregation.cohorts import counts_of_classes
from shoal.methods.microaggregation.departures import Departures, ValueCounts

M = 2


def two_releases(seed):
    """(person, class, value) before and after; a value of 0 is missing. Groups mostly continue classes."""
    rng = np.random.default_rng(seed)
    persons, value = rng.permutation(70), rng.integers(0, 5, 70)
    former = {int(p): int(at) // 5 for at, p in enumerate(persons[:50])}
    stay = [p for p in former if rng.random() < 0.85]
    group = {p: former[p] // 2 if rng.random() < 0.95 else int(rng.integers(0, 5)) for p in stay}
    joined = {int(p): int(rng.integers(0, 6)) for p in persons[50:] if rng.random() < 0.6}
    before = [(p, place, int(value[p])) for p, place in former.items()]
    return before, [(p, place, int(value[p])) for p, place in {**group, **joined}.items()]


def hold(before, after):
    places, numbers = {p: place for p, place, _ in before}, sorted({place for _, place, _ in after})
    classes, labels = np.array([r[1] for r in before]), np.array([numbers.index(r[1]) for r in after])
    then, now = (np.array([r[2] for r in each]) - 1 for each in (before, after))
    former = ValueCounts(counts_of_classes(classes, then, 4), np.bincount(classes))
    groups = ValueCounts(counts_of_classes(labels, now, 4), np.bincount(labels))
    at = np.array([places.get(p, -1) for p, _, _ in after])
    return dict(zip(numbers, Departures(former, groups, at, labels).hold(M).tolist(), strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_groups_hold_where_no_share_of_a_connected_class_is_above_one_in_m(seed):
    before, after = two_releases(seed)
    held, now = hold(before, after), {p: place for p, place, _ in after}
    left, joined = likeliest_shares(before, after), likeliest_shares(after, before)
    links = {c: {now[p] for p, own, _ in before if own == c and p in now} for _, c, _ in before}
    for group, holds in held.items():
        of_group = [c for c in links if group in links[c]]
        connected = [_connected(c, links) for c in of_group] or [(set(), {group})]
        if holds:
            assert joined[group] <= 1 / M
            assert all(left[c] <= 1 / M for c in of_group)
        else:
            assert any(left[c] > 1 / M for old, _ in connected for c in old if links[c]) or any(
                joined[each] > 1 / M for _, new in connected for each in new
            )


def test_both_outcomes_occur():
    found = [holds for seed in range(20) for holds in hold(*two_releases(seed)).values()]
    assert 10 < sum(found) < len(found) - 10
