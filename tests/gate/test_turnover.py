"""What the counts of two releases tell about who left and who joined, against plain loops and by hand."""

import numpy as np
import pytest

from reference.turnover_twin import likeliest_shares
from shoal.gate.common_candidates import CommonCandidates, EarlierClasses, ReleaseClasses
from shoal.gate.turnover import Turnover


def releases(before, after):
    """From (person, class, value) of the records of both."""
    old, new = ({person: place for person, place, _ in each} for each in (before, after))
    classes, values = (np.array([record[at] for record in after]) for at in (1, 2))
    former, then = (np.array([record[at] for record in before]) for at in (1, 2))
    of_persons = np.array([old.get(person, -1) for person in new])
    return CommonCandidates(ReleaseClasses(classes, values), (EarlierClasses(former, then, of_persons),))


OLD = [("p1", 0, 1), ("p2", 0, 1), ("p3", 0, 2), ("p4", 0, 2), ("p5", 0, 3), ("p6", 0, 3)]


def departed(after, before=OLD):
    return Turnover.of_departed(releases(before, after), 0).shares.tolist()


def joined(after, before=OLD):
    return Turnover.of_joined(releases(before, after), 0).shares.tolist()


def test_one_who_leaves_a_class_that_stays_is_known():
    """All values are still there, so that comparing sets shows nothing."""
    assert departed(OLD[1:]) == [1]


def test_who_is_replaced_by_one_with_the_same_value_can_be_anybody():
    assert departed([*OLD[1:], ("p7", 0, 1)]) == pytest.approx([1 / 3])
    assert joined([*OLD[1:], ("p7", 0, 1)]) == pytest.approx([1 / 3])


def test_who_is_replaced_by_one_with_another_value_is_known_and_so_is_the_other():
    assert departed([*OLD[1:], ("p7", 0, 4)]) == [1]
    assert joined([*OLD[1:], ("p7", 0, 4)]) == [1]


def test_a_class_that_dissolves_tells_no_more_than_it_did():
    other = [("q1", 1, 1), ("q2", 1, 2)]
    assert departed(other, [*OLD, *other]) == pytest.approx([1 / 3, 0])


def test_the_rest_have_the_values_of_their_class():
    """Two left and one joined: one certainly has value 1, the other one of the class."""
    assert departed([*OLD[2:], ("p7", 0, 1)]) == pytest.approx([(1 + 1 / 3) / 2])


def test_classes_that_are_joined_are_compared_together():
    """What the second class adds hides the value of the first only from who compares one by one."""
    second = [("q1", 1, 1), ("q2", 1, 2), ("q3", 1, 3)]
    after = [(person, 0, value) for person, _, value in (*OLD[1:], *second)]
    assert departed(after, [*OLD, *second]) == [1, 0]


def test_missing_is_no_value_of_anybody():
    gaps = [*OLD, ("p8", 0, 0)]
    assert departed(OLD, gaps) == [0]
    assert departed(OLD[1:], gaps) == [1]


@pytest.mark.parametrize("seed", range(12))
def test_it_is_that_of_the_slow_twin(seed):
    rng = np.random.default_rng(seed)
    persons = rng.permutation(60)
    stay, n_classes = int(rng.integers(20, 40)), int(rng.integers(4, 20))
    value = rng.integers(0, 4, 60)

    def release(some):
        places = np.unique(rng.integers(0, n_classes, some.size), return_inverse=True)[1]
        return [(int(p), int(place), int(value[p])) for p, place in zip(some, places, strict=True)]

    before, after = release(persons[:40]), release(persons[40 - stay : 60])
    found = releases(before, after)
    for turnover, sides in (
        (Turnover.of_departed(found, 0), (before, after)),
        (Turnover.of_joined(found, 0), (after, before)),
    ):
        expected = likeliest_shares(*sides)
        assert turnover.shares.tolist() == pytest.approx([float(expected[place]) for place in sorted(expected)])
