"""m-invariance of written releases, against plain loops and the cases of the definition."""

import numpy as np
import pytest

from reference.candidates import invariance
from shoal.gate.common_candidates import CommonCandidates, EarlierClasses, ReleaseClasses
from shoal.gate.invariance import Invariance, invariance_verdicts
from shoal.requirements import MInvariance


def releases(new, earlier, places):
    """From (class, value) of the records of both, and the former record of every new person, None where new."""
    (classes, values), (former, before) = (map(np.array, zip(*each, strict=True)) for each in (new, earlier))
    of_persons = np.array([-1 if at is None else former[at] for at in places])
    return CommonCandidates(ReleaseClasses(classes, values), (EarlierClasses(former, before, of_persons),))


SAME = [(0, 1), (0, 2), (0, 3)]
TWICE = sorted([*SAME, *SAME])


def verdicts(found, m=3):
    return invariance_verdicts(found, MInvariance(m, "illness"), ("age",), ("2024.csv",))


def test_a_class_that_stays_is_invariant():
    stay, turnover = verdicts(releases(SAME, SAME, [0, 1, 2]))
    assert stay.holds
    assert stay.reached == 3
    assert stay.required == "m_invariance of illness = 3 (earlier = 2024.csv)"
    assert turnover.holds
    assert turnover.reached is None  # nobody left or joined


def test_who_leaves_a_class_that_shows_all_of_its_values_still_is_given_away():
    """The set of values is the same, and each is that of a third of the records at most; but one value is less."""
    stay, turnover = verdicts(releases(TWICE[1:], TWICE, range(1, 6)), m=2)
    assert stay.holds
    assert not turnover.holds
    assert (turnover.reached, turnover.n_classes_failing, turnover.n_records_failing) == (1, 1, 1)
    assert turnover.required == "m_invariance of illness = 2 (earlier = 2024.csv, persons = departed and new)"


def test_who_leaves_and_is_replaced_by_one_with_the_same_value_is_not():
    replaced = [*TWICE[1:], TWICE[0]]
    stay, turnover = verdicts(releases(replaced, TWICE, [*range(1, 6), None]), m=2)
    assert stay.holds
    assert turnover.holds
    assert turnover.reached == pytest.approx(3)


def test_a_value_that_is_gone_breaks_it():
    assert Invariance(releases([(0, 1), (0, 2)], SAME, [0, 1])).reached().tolist() == [0]


def test_a_new_person_who_has_the_value_restores_it():
    assert Invariance(releases(SAME, SAME, [0, 1, None])).reached().tolist() == [3, 3]


def test_a_value_that_joins_breaks_it():
    found = Invariance(releases([*SAME, (0, 4)], SAME, [0, 1, 2, None])).reached()
    assert found.tolist() == [0, 4]  # of those who stay, and of the new one, of whom nothing else is known


def test_a_value_of_most_records_bounds_m():
    assert Invariance(releases([*SAME, (0, 1)], SAME, [0, 1, 2, None])).reached().tolist() == [2, 2]


def test_missing_is_no_value():
    missing = [*SAME, (0, 0)]
    assert Invariance(releases(missing, SAME, [0, 1, 2, None])).reached().tolist() == [3, 3]
    assert Invariance(releases(missing, missing, [0, 1, 2, 3])).reached().tolist() == [3]


@pytest.mark.parametrize("seed", range(8))
def test_it_is_that_of_the_slow_twin(seed):
    rng = np.random.default_rng(seed)
    n, m = 60, 50
    former, before = rng.integers(0, 8, m), rng.integers(0, 3, m)
    places = np.where(rng.random(n) < 0.3, -1, rng.integers(0, m, n))
    of_persons = np.where(places < 0, -1, former[places])
    new = ReleaseClasses(rng.integers(0, 8, n), rng.integers(0, 3, n))
    found = CommonCandidates(new, (EarlierClasses(former, before, of_persons),))
    pairs = list(zip(new.classes.tolist(), new.values.tolist(), strict=True))
    earlier = [(list(zip(former.tolist(), before.tolist(), strict=True)), of_persons.tolist())]
    expected = [invariance(at, pairs, earlier) for at in range(n)]
    assert Invariance(found).reached()[found.joint_class].tolist() == pytest.approx(expected)
