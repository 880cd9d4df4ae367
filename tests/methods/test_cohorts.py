"""Groups that keep the classes of earlier releases: what they leave, against plain loops and its laws."""

import numpy as np
import pytest

from reference.candidates import invariance, records_left
from shoal.methods.microaggregation.cohorts import Cohorts, InvariantColumn, cohort_groups, counts_of_classes
from shoal.methods.microaggregation.joiners import joined_cohorts
from shoal.methods.microaggregation.mdav import mdav
from shoal.plan import Partition

K = 4


def plan(X, k):
    return mdav(X, k)


def example(seed, n_earlier=1, n_former=120, n_values=4, m=None):
    """Former classes of four to six; one in eight persons left, and as many joined. Values do not change."""
    rng = np.random.default_rng(seed)
    n_persons = n_former + 20
    value = rng.integers(0, n_values, n_persons)
    stay = np.flatnonzero(rng.random(n_persons) > 0.12)
    releases, places = [], []
    for _ in range(n_earlier):
        persons = rng.permutation(n_former)
        classes = np.minimum(np.arange(n_former) // 5, n_former // 5 - 1)
        of_person = np.full(n_persons, -1)
        of_person[persons] = classes
        releases.append((classes, value[persons]))
        places.append(of_person[stay])
    counts = tuple(counts_of_classes(*each, n_values) for each in releases)
    invariant = () if m is None else (InvariantColumn(m, value[stay], counts),)
    X = np.column_stack([np.where(places[-1] < 0, rng.random(stay.size) * 24, places[-1]), rng.random(stay.size)])
    return X, Cohorts(tuple(places), value[stay], counts, invariant), releases


def twin(cohorts, releases, labels, rows):
    """For the records ``rows`` of the partition, (class, value) of these, and of all earlier releases."""
    new = list(zip(labels[rows].tolist(), cohorts.values[rows].tolist(), strict=True))
    earlier = [
        (list(zip(classes.tolist(), values.tolist(), strict=True)), place[rows].tolist())
        for (classes, values), place in zip(releases, cohorts.classes, strict=True)
    ]
    return new, earlier


@pytest.mark.parametrize("n_earlier", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_what_groups_leave_is_that_of_the_slow_twin(seed, n_earlier):
    _, cohorts, releases = example(seed, n_earlier)
    labels = np.random.default_rng(seed + 50).integers(0, 15, cohorts.values.size)
    groups = Partition(np.unique(labels, return_inverse=True)[1])
    left = np.array(records_left(*twin(cohorts, releases, groups.labels, np.arange(labels.size))))
    expected = [left[groups.labels == group].min() for group in range(groups.n_groups)]
    assert cohorts.left(groups).tolist() == expected


@pytest.mark.parametrize("n_earlier", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_groups_that_hold_leave_k_records_for_everybody(seed, n_earlier):
    X, cohorts, releases = example(seed, n_earlier)
    groups = cohort_groups(X, cohorts, cohorts.labels, K, plan, joins=True)
    kept = np.flatnonzero(cohorts.holds(K)(groups)[groups.labels])
    assert kept.size > 0.5 * groups.n_records if n_earlier == 1 else True
    assert min(records_left(*twin(cohorts, releases, groups.labels, kept)), default=K) >= K


@pytest.mark.parametrize("seed", range(3))
def test_a_former_class_of_k_or_more_stays_together_unless_it_can_be_two(seed):
    X, cohorts, _ = example(seed)
    groups = cohort_groups(X, cohorts, cohorts.labels, K, plan, joins=True)
    for cohort in np.unique(cohorts.labels[~cohorts.is_new]):
        members = groups.labels[cohorts.labels == cohort]
        if members.size < 2 * K:
            assert np.unique(members).size == 1


@pytest.mark.parametrize("seed", range(3))
def test_k_new_persons_or_more_have_groups_of_their_own(seed):
    X, cohorts, _ = example(seed)
    groups = cohort_groups(X, cohorts, cohorts.labels, K, plan, joins=True)
    new = groups.labels[cohorts.is_new]
    assert not np.isin(groups.labels[~cohorts.is_new], new).any()
    assert np.bincount(new)[np.unique(new)].min() >= K


def test_fewer_new_persons_join_a_group():
    X, cohorts, _ = example(1)
    few = np.sort([*np.flatnonzero(~cohorts.is_new), *np.flatnonzero(cohorts.is_new)[: K - 1]])
    some = cohorts.take(few)
    groups = cohort_groups(X[few], some, some.labels, K, plan, joins=True)
    assert cohorts.take(few).holds(K)(groups)[groups.labels[some.is_new]].all()


def test_nothing_is_joined_where_the_policy_does_not_merge():
    X, cohorts, _ = example(2)
    groups = cohort_groups(X, cohorts, cohorts.labels, K, plan, joins=False)
    assert groups.n_groups >= np.unique(cohorts.labels).size
    assert all(np.unique(cohorts.labels[groups.labels == group]).size == 1 for group in range(groups.n_groups))


@pytest.mark.parametrize("seed", range(4))
def test_joining_whole_groups_never_leaves_fewer_records(seed):
    _, cohorts, _ = example(seed, 2)
    parts = Partition(
        np.unique(np.random.default_rng(seed).integers(0, 20, cohorts.values.size), return_inverse=True)[1]
    )
    joined = Partition(parts.labels // 2)
    fewest = np.full(joined.n_groups, 10**9)
    np.minimum.at(fewest, np.arange(parts.n_groups) // 2, cohorts.left(parts))
    assert (cohorts.left(joined) >= fewest).all()


@pytest.mark.gate(but="0")
@pytest.mark.parametrize("seed", range(4))
def test_groups_that_hold_are_invariant(seed):
    X, cohorts, releases = example(seed, n_values=6, m=2)
    labels = joined_cohorts(X, cohorts, K)
    groups = cohort_groups(X, cohorts, labels, K, plan, joins=True)
    kept = np.flatnonzero(cohorts.holds(K)(groups)[groups.labels])
    new, earlier = twin(cohorts, releases, groups.labels, kept)
    shifted = [[(place, value + 1) for place, value in records] for records in (new, earlier[0][0])]
    reached = [invariance(at, shifted[0], [(shifted[1], earlier[0][1])]) for at in range(kept.size)]
    assert kept.size > 0.5 * groups.n_records
    assert min(reached) >= 2


def test_new_persons_complete_the_values_of_former_classes():
    X, cohorts, _ = example(0, n_values=6, m=2)
    without = cohorts.holds(K)(Partition(cohorts.labels))[cohorts.labels]
    labels = joined_cohorts(X, cohorts, K)
    with_them = cohorts.holds(K)(Partition(labels))[labels]
    assert with_them[~cohorts.is_new].sum() > without[~cohorts.is_new].sum()


def test_without_an_invariant_column_nobody_joins():
    X, cohorts, _ = example(0)
    assert np.array_equal(joined_cohorts(X, cohorts, K), cohorts.labels)


def test_a_former_class_that_cannot_be_joined_takes_no_other_with_it():
    """Values of the first class occur nowhere else: it stays alone, and the second one is as it was."""
    former, values = np.repeat([0, 1], [5, 5]), np.array([0, 1, 2, 3, 4, 5, 5, 5, 5, 5])
    stay = np.array([0, 1, 5, 6, 7, 8, 9])
    cohorts = Cohorts((former[stay],), values[stay], (counts_of_classes(former, values, 6),))
    X = np.arange(7, dtype=float)[:, None]
    groups = cohort_groups(X, cohorts, cohorts.labels, 5, plan, joins=True)
    assert cohorts.holds(5)(groups)[groups.labels].tolist() == [False] * 2 + [True] * 5
    assert np.unique(groups.labels[:2]).size == np.unique(groups.labels[2:]).size == 1


def test_a_class_whose_values_were_completed_is_kept_together():
    """The last two joined the class in the second release: of other cohorts, but of its values."""
    first, second = np.array([0, 0, 0, -1, -1, 1]), np.array([2, 2, 2, 2, 2, -1])
    values = np.array([0, 1, 2, 0, 1, 2])
    counts = tuple(counts_of_classes(each[each >= 0], values[each >= 0], 3) for each in (first, second))
    plain = Cohorts((first, second), values, counts)
    assert plain.together.tolist() == plain.labels.tolist()
    together = Cohorts((first, second), values, counts, (InvariantColumn(2, values, counts),)).together
    assert np.unique(together[:5]).size == 1
    assert together[5] != together[0]


def test_everybody_who_left_is_replaced_by_one_with_the_same_value():
    """One of two with value 0 is gone: a new person with it joins, though the set of values is complete without."""
    former, values = np.zeros(6, dtype=np.int64), np.array([0, 0, 1, 1, 2, 2])
    counts = (counts_of_classes(former, values, 3),)
    now = np.array([0, 1, 1, 2, 2, 2, 0, 1])  # the last three are new
    places = np.array([0, 0, 0, 0, 0, -1, -1, -1])
    cohorts = Cohorts((places,), now, counts, (InvariantColumn(2, now, counts),))
    labels = joined_cohorts(np.arange(8, dtype=float)[:, None], cohorts, K)
    assert (labels == labels[0]).tolist() == [True] * 5 + [False, True, False]
    assert cohorts.holds(K)(Partition(labels))[labels[0]]
    assert not cohorts.holds(K)(Partition(np.unique(np.where(places < 0, 1, 0), return_inverse=True)[1]))[0]
