"""What is left of classes when releases are compared, against plain loops and its laws."""

import numpy as np
import pytest

from reference.candidates import records_left, values_left
from shoal.gate import common_candidates
from shoal.gate.common_candidates import CommonCandidates, EarlierClasses, ReleaseClasses, candidates_verdict


def random_releases(seed, n_earlier=1, n=40, n_classes=6, n_values=5):
    """A release and earlier ones; some of its persons are in none."""
    rng = np.random.default_rng(seed)
    new = ReleaseClasses(rng.integers(0, n_classes, n), rng.integers(0, n_values, n))
    earlier = []
    for _ in range(n_earlier):
        m = int(rng.integers(20, 50))
        classes = rng.integers(0, n_classes, m)
        places = np.where(rng.random(n) < 0.3, -1, rng.integers(0, m, n))
        earlier.append(EarlierClasses(classes, rng.integers(0, n_values, m), np.where(places < 0, -1, classes[places])))
    return CommonCandidates(new, tuple(earlier))


def plain(found):
    def pairs(release):
        return list(zip(release.classes.tolist(), release.values.tolist(), strict=True))

    return pairs(found.new), [(pairs(each), each.of_persons.tolist()) for each in found.earlier]


@pytest.mark.parametrize("n_earlier", [1, 2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_records_left_are_those_of_the_slow_twin(seed, n_earlier):
    found = random_releases(seed, n_earlier)
    assert found.left[found.joint_class].tolist() == records_left(*plain(found))


@pytest.mark.parametrize("seed", range(4))
def test_sensitive_values_left_are_those_of_the_slow_twin(seed):
    found = random_releases(seed, 2)
    codes = np.random.default_rng(seed + 100).integers(-1, 4, found.new.classes.size)
    new, earlier = plain(found)
    expected = [len(values_left(at, new, earlier, codes.tolist())) for at in range(len(new))]
    assert found.n_sensitive(codes)[found.joint_class].tolist() == expected


def test_pieces_of_any_size_leave_the_same(monkeypatch):
    whole = random_releases(3, 2)
    codes = whole.new.values
    expected = whole.left, whole.n_sensitive(codes)
    monkeypatch.setattr(common_candidates, "AT_ONCE", 7)
    found = random_releases(3, 2)
    assert np.array_equal(found.left, expected[0])
    assert np.array_equal(found.n_sensitive(codes), expected[1])


def test_the_same_release_twice_leaves_its_classes():
    rng = np.random.default_rng(5)
    classes, values = rng.integers(0, 9, 80), rng.integers(0, 4, 80)
    found = CommonCandidates(ReleaseClasses(classes, values), (EarlierClasses(classes, values, classes),))
    assert np.array_equal(found.left[found.joint_class], np.bincount(classes)[classes])
    assert np.array_equal(found.joint_sizes[found.joint_class], np.bincount(classes)[classes])


def test_of_new_persons_alone_the_classes_are_left():
    rng = np.random.default_rng(6)
    classes, values = rng.integers(0, 9, 80), rng.integers(0, 4, 80)
    none = np.full(80, -1)
    found = CommonCandidates(ReleaseClasses(classes, values), (EarlierClasses(classes, values, none),))
    assert found.is_new.all()
    assert np.array_equal(found.left[found.joint_class], np.bincount(classes)[classes])


def test_without_values_to_compare_nothing_is_excluded():
    found = random_releases(2)
    blind = CommonCandidates(
        ReleaseClasses(found.new.classes, np.zeros_like(found.new.values)),
        tuple(EarlierClasses(e.classes, np.zeros_like(e.values), e.of_persons) for e in found.earlier),
    )
    sizes, former = np.bincount(found.new.classes), np.bincount(found.earlier[0].classes)
    places = found.earlier[0].of_persons
    expected = np.where(places < 0, sizes[found.new.classes], np.minimum(sizes[found.new.classes], former[places]))
    assert np.array_equal(blind.left[blind.joint_class], expected)


def test_values_unlike_those_of_any_other_leave_the_persons_of_both_classes():
    """As a pseudonym under the same key does."""
    before, now = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 0])
    found = CommonCandidates(ReleaseClasses(now, np.arange(6)), (EarlierClasses(before, np.arange(6), before),))
    assert found.left[found.joint_class].tolist() == [2, 2, 1, 2, 2, 1]
    assert np.array_equal(found.left, found.joint_sizes)


def test_the_verdict_names_the_releases_and_counts_who_fails():
    before, now = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 0])
    found = CommonCandidates(ReleaseClasses(now, np.arange(6)), (EarlierClasses(before, np.arange(6), before),))
    verdict = candidates_verdict(found, 2, ("age",), ("2024.csv",), ("illness",))
    assert not verdict.holds
    assert (verdict.reached, verdict.n_classes, verdict.n_classes_failing, verdict.n_records_failing) == (1, 4, 2, 2)
    assert verdict.required == "k_anonymity = 2 (earlier = 2024.csv, stable = illness)"
    assert candidates_verdict(found, 1, ("age",), ("2024.csv",), ()).holds


def test_an_empty_release_holds():
    none = np.zeros(0, dtype=np.int64)
    found = CommonCandidates(ReleaseClasses(none, none), (EarlierClasses(none, none, none),))
    assert candidates_verdict(found, 2, ("age",), ("2024.csv",), ("illness",)).holds
