"""An intruder who knows how categories are chosen, and all members of a group but one, or where somebody's group is."""

import numpy as np
import pytest

import shoal
from attacks.known_blocks import KnownBlock, Repeated, computed, posterior
from attacks.known_blocks import most_frequent as are_modes
from shoal.plan import Partition
from shoal.release.aggregate import aggregate
from shoal.release.controlled_categories import _dealt, _numbers
from shoal.rng import Rng

K = 5


def population(n=1500, seed=8):
    """A category of five that depends on two numbers by which records are grouped, as in a survey."""
    chance = np.random.default_rng(seed)
    points = chance.normal(size=(n, 2))
    scores = points @ chance.normal(size=(2, 5)) + np.log([0.5, 0.25, 0.15, 0.07, 0.03]) + chance.gumbel(size=(n, 5))
    return points, np.array(list("abcde"))[scores.argmax(axis=1)]


def released(points, values, controlled):
    import pyarrow as pa

    partition = shoal.mdav(points, K)
    schema = shoal.Schema([shoal.Column("c", "quasi_identifier")])
    made = aggregate(pa.table({"c": values}), schema, partition, Rng(bytes(32), 0), controlled=controlled)
    return np.array(made["c"].to_pylist()), partition


def most_frequent(values):
    names, counts = np.unique(values, return_counts=True)
    return names[counts.argmax()]


def determined(values, shown, partition: Partition, allows):
    """Share of the records whose category follows for certain for who knows all others of the group, and the rule."""
    found = 0
    for group in range(partition.n_groups):
        members = np.flatnonzero(partition.labels == group)
        for one in members:
            others = values[members[members != one]]
            possible = [v for v in "abcde" if allows(np.append(others, v), shown[one])]
            assert values[one] in possible
            found += len(possible) == 1
    return found / len(values)


@pytest.fixture(scope="module")
def both():
    points, values = population()
    return values, released(points, values, False), released(points, values, True)


def test_the_released_category_is_right_less_often_than_the_most_frequent_one(both):
    """The mode is the best guess at everybody in a group: any other category tells less about its members."""
    values, (mode, _), (controlled, _) = both
    assert (controlled == values).mean() <= (mode == values).mean()


def test_who_knows_all_members_but_one_learns_less_than_from_modes(both):
    """A mode follows from the numbers of all categories; of a controlled category only that it occurs."""
    values, (mode, partition), (controlled, _) = both
    by_mode = determined(values, mode, partition, lambda members, shown: most_frequent(members) == shown)
    by_control = determined(values, controlled, partition, lambda members, shown: shown in members)
    assert by_mode > 0.1
    assert by_control < 0.01


def test_shares_of_the_release_do_not_tell_one_record_from_another(both):
    """Who knows all records but one, and that shares are kept, would have to see one record in a total that is wrong
    by more than that: totals move in steps of whole groups."""
    values, _, (controlled, partition) = both
    totals = [(controlled == v).sum() for v in "abcde"]
    assert all(
        total == sum(partition.sizes[np.unique(partition.labels[controlled == v])])
        for total, v in zip(totals, "abcde", strict=True)
    )
    assert any(abs(total - (values == v).sum()) >= 1 for total, v in zip(totals, "abcde", strict=True))


def attacked(block: KnownBlock, likelihood, n_targets=40):
    """How many targets are rightly known for certain, and how many of the best guesses are right."""
    targets = np.random.default_rng(4).choice(block.codes.size, n_targets, replace=False)
    chances = [posterior(block, target, likelihood) for target in targets]
    are_right = [each.argmax() == block.codes[target] for each, target in zip(chances, targets, strict=True)]
    return sum(right and each.max() > 0.99 for each, right in zip(chances, are_right, strict=True)), sum(are_right)


@pytest.mark.gate
def test_who_knows_all_records_of_a_block_but_one_learns_what_modes_tell():
    """Solved without random choices, the program tells about half of the categories for certain."""
    points, values = population(750, seed=10)
    codes = np.searchsorted(list("abcde"), values)
    (modes, partition), (controlled, _) = released(points, values, False), released(points, values, True)
    first = np.unique(partition.labels, return_index=True)[1]

    def block(shown):
        return KnownBlock(partition.labels, codes, 5, np.searchsorted(list("abcde"), shown[first]))

    kinds = block(modes).kinds()
    numbers = _numbers(kinds, block(modes).shares, kinds.pairs.costs(is_ordered=False))
    weak = KnownBlock(partition.labels, codes, 5, _dealt(kinds, numbers, Rng(bytes(32), 0).for_purpose("deal")))
    by_solving, by_modes = attacked(weak, computed), attacked(block(modes), are_modes)
    by_weighing = attacked(block(controlled), Repeated.of(block(controlled)).weigh)
    assert by_solving[0] >= 14
    assert by_solving[1] >= by_modes[1] + 8
    assert by_weighing[0] <= by_modes[0]
    assert by_weighing[1] <= by_modes[1] + 4
