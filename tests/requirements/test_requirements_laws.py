"""Predicates over groups: against slow twins, and the laws that a search and the gate rely on."""

from dataclasses import replace
from math import inf, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import requirement_examples
import shoal
from example_numbers import examples
from reference import requirements as twin
from requirement_examples import example_of
from shoal.errors import PolicyError
from shoal.requirements.groups import Groups
from shoal.requirements.shares import SLACK

rows = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4), st.integers(-1, 3)), min_size=1, max_size=30)
TREE = np.array([[0, 0], [1, 0], [2, 1], [3, 1], [4, 1]])  # two branches under the root
PATHS = {value: (branch, "*") for value, (_, branch) in enumerate(TREE.tolist())}


def groups_of(rows):
    labels = np.unique([group for group, _, _ in rows], return_inverse=True)[1].astype(np.int64)
    n, values = (np.array([row[i] for row in rows], dtype=np.int64) for i in (1, 2))
    return labels, Groups.of(labels, n, values, TREE)


def by_hand(rows):
    """The values of every group, in the order of the groups; None is missing."""
    found = {}
    for group, n, value in rows:
        found.setdefault(group, []).extend([None if value < 0 else value] * n)
    return [found[group] for group in sorted(found)]


def of_counts(requirement):
    """Whether a requirement can be judged by the counts of groups."""
    return requirement.reads in ("totals", "counts", "order", "tree")


REQUIREMENTS = requirement_examples.parameters("laws", of_counts)
TWINS = [requirement for requirement in REQUIREMENTS if example_of(requirement).figure is not None]
OF_VALUES = [requirement for requirement in REQUIREMENTS if requirement.reads != "totals"]
EPSILON = [requirement for requirement in REQUIREMENTS if isinstance(requirement, shoal.EpsilonPrivacy)]


def one_by_one(groups):
    """Every group alone, beside the whole that it belongs to."""
    whole = np.asarray(groups.counts.sum(axis=0))
    for g in range(groups.n_groups):
        yield replace(groups.only(np.arange(groups.n_groups) == g), whole=whole)


def as_good(requirement, reached, than):
    """No worse, up to the rounding of reals."""
    noise = 1e-8 * max(abs(than), 1) if than != inf else 0
    return reached >= than - noise if example_of(requirement).at_least else reached <= than + noise


@pytest.mark.gate(
    but=(
        "KAnonymity(k=3, columns=None, name='k_anonymity')",
        "DistinctLDiversity(l=2, column='s', columns=None, tolerance=None, name='distinct_l_diversity')",
        "DistinctLDiversity(l=3, column='s', columns=None, tolerance=None, name='distinct_l_diversity')",
        "MInvariance(m=2, column='s', columns=None, name='m_invariance')",
        "TCloseness(t=0.3, column='s', distance=None, columns=None, name='t_closeness')",
    )
)
@pytest.mark.parametrize("requirement", TWINS, ids=repr)
@settings(max_examples=examples(40))
@given(rows=rows)
def test_agrees_with_its_twin(requirement, rows):
    example = example_of(requirement)
    groups, members = groups_of(rows)[1], by_hand(rows)
    whole = [value for group in members for value in group]
    expected = [example.figure(requirement, group, whole, PATHS) for group in members]
    assert [requirement.reached(one) for one in one_by_one(groups)] == pytest.approx(expected)
    assert requirement.reached(groups) == pytest.approx((min if example.at_least else max)(expected))
    for holds, value in zip(requirement.holds(groups), expected, strict=True):
        if abs(value - requirement.asked) > 1e-8:
            assert holds == ((value > requirement.asked) if example.at_least else (value < requirement.asked))
        else:
            assert holds == (not example.strictly)


def test_twins_cover_every_requirement_on_counts():
    assert {requirement.name for requirement in REQUIREMENTS} - {requirement.name for requirement in TWINS} == {
        "epsilon_privacy"  # whose twin decides and has no figure, see below
    }


@pytest.mark.parametrize(
    "example", requirement_examples.REQUIREMENTS.values(), ids=list(requirement_examples.REQUIREMENTS)
)
def test_the_weaker_of_two_figures_is_the_one_that_protects_less(example):
    assert example.of_s.weaker == ("smaller" if example.at_least else "larger")


def those(condition):
    """The examples that a law is about, one parameter each."""
    return [example.of_s for example in requirement_examples.REQUIREMENTS.values() if condition(example.of_s)]


@pytest.mark.parametrize("wanted", those(lambda each: each.reads == "totals"), ids=repr)
def test_totals_are_read_for_a_least_size_alone(wanted):
    """Searches, local suppression and the gate of wildcards take it for the whole requirement."""
    sizes = np.arange(12)
    assert wanted.holds(Groups(sizes)).tolist() == (sizes >= wanted.least_records).tolist()


@pytest.mark.parametrize("wanted", those(lambda each: each.reads == "extents"), ids=repr)
def test_extents_are_read_for_a_least_length_alone(wanted):
    lengths = np.arange(12.0)
    groups = Groups(np.full(12, 5), extents={wanted.column: lengths})
    assert wanted.holds(groups).tolist() == (lengths >= wanted.asked).tolist()


@pytest.mark.parametrize("wanted", those(lambda each: each.least_records is not None), ids=repr)
def test_a_class_of_fewer_records_than_stated_fails(wanted):
    one = np.zeros(wanted.least_records - 1, dtype=np.int64)
    assert not wanted.holds(Groups.of(one, one + 1, np.arange(one.size))).any()


@pytest.mark.parametrize("requirement", EPSILON, ids=repr)
@settings(max_examples=examples(40))
@given(rows=rows)
def test_epsilon_privacy_agrees_with_its_two_rules(requirement, rows):
    groups, members = groups_of(rows)[1], by_hand(rows)
    knowledge = (requirement.sigma, requirement.b)
    assert requirement.holds(groups).tolist() == [
        twin.epsilon_holds(group, requirement.epsilon, *knowledge) for group in members
    ]
    for group, one in zip(members, one_by_one(groups), strict=True):
        least = requirement.reached(one)
        if least == inf:
            assert not twin.epsilon_holds(group, 1e6, *knowledge)
        else:
            assert twin.epsilon_holds(group, least * (1 + 1e-6), *knowledge)
            assert least < 1 + 2e-6 or not twin.epsilon_holds(group, least * (1 - 1e-6), *knowledge)


@pytest.mark.gate(
    but=(
        "KAnonymity(k=3, columns=None, name='k_anonymity')",
        "DistinctLDiversity(l=2, column='s', columns=None, tolerance=None, name='distinct_l_diversity')",
        "DistinctLDiversity(l=3, column='s', columns=None, tolerance=None, name='distinct_l_diversity')",
    )
)
@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=repr)
@settings(max_examples=examples(40))
@given(rows=rows)
def test_all_hold_exactly_where_the_weakest_reaches_what_is_asked(requirement, rows):
    groups = groups_of(rows)[1]
    strict = example_of(requirement).strictly
    reached = requirement.reached(groups)
    near = abs(reached - requirement.asked) < 1e-8
    assert requirement.holds(groups).all() == (not strict if near else as_good(requirement, reached, requirement.asked))


@pytest.mark.gate(
    but=(
        "KAnonymity(k=3, columns=None, name='k_anonymity')",
        "DistinctLDiversity(l=2, column='s', columns=None, tolerance=None, name='distinct_l_diversity')",
        "DistinctLDiversity(l=3, column='s', columns=None, tolerance=None, name='distinct_l_diversity')",
    )
)
@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=repr)
@settings(max_examples=examples(40))
@given(data=st.data())
def test_the_weakest_is_no_weaker_after_a_merger(requirement, data):
    table = data.draw(rows)
    labels, groups = groups_of(table)
    merge = np.array(data.draw(st.lists(st.integers(0, 2), min_size=groups.n_groups, max_size=groups.n_groups)))
    coarse = np.unique(merge, return_inverse=True)[1]  # (n_groups,) the merged group of every group
    merged = groups_of([(int(coarse[label]), n, value) for label, (_, n, value) in zip(labels, table, strict=True)])[1]
    assert as_good(requirement, requirement.reached(merged), requirement.reached(groups))


NAMES_COUNT = ("ordered", "hierarchical")


@pytest.mark.gate
@settings(max_examples=examples(30))
@given(rows, st.permutations(range(5)))
def test_neither_the_order_of_rows_nor_the_names_of_values_count(rows, names):
    renamed = [(group, n, names[value] if value >= 0 else -1) for group, n, value in rows]
    for requirement in REQUIREMENTS:
        expected = requirement.holds(groups_of(rows)[1]).tolist()
        assert requirement.holds(groups_of(rows[::-1])[1]).tolist() == expected
        if getattr(requirement, "distance", None) not in NAMES_COUNT:
            assert requirement.holds(groups_of(renamed)[1]).tolist() == expected


@settings(max_examples=examples(30))
@given(rows)
def test_a_row_of_n_is_n_rows_of_one(rows):
    single = [(group, 1, value) for group, n, value in rows for _ in range(n)]
    for requirement in REQUIREMENTS:
        assert requirement.holds(groups_of(rows)[1]).tolist() == requirement.holds(groups_of(single)[1]).tolist()


@settings(max_examples=examples(30))
@given(rows)
def test_one_group_of_all_is_the_whole(rows):
    """What compares with the whole holds when everything is merged, if anything is known at all."""
    groups = groups_of([(0, n, value) for _, n, value in rows])[1]
    known = any(value >= 0 for _, _, value in rows)
    for requirement in REQUIREMENTS:
        if isinstance(requirement, shoal.TCloseness | shoal.DeltaDisclosure | shoal.BetaLikeness):
            assert requirement.holds(groups).all() == known


@pytest.mark.parametrize("requirement", OF_VALUES, ids=repr)
def test_missing_values_make_nothing_better(requirement):
    """Records with a missing value are no different from none, but for k; and a group of nothing else fails."""
    rows = [(0, 3, 0), (0, 2, 1), (0, 2, 2), (1, 4, 0), (1, 4, 3), (1, 1, 1)]
    gaps = [(0, 5, -1), (1, 50, -1)]
    plain, gappy = groups_of(rows)[1], groups_of(rows + gaps)[1]
    assert requirement.reached(gappy) == requirement.reached(plain)
    assert requirement.holds(groups_of([*rows, (2, 9, -1)])[1]).tolist() == [*requirement.holds(plain), False]


REFUSED = [
    (lambda: shoal.KAnonymity(1), r"k_anonymity\.k must be 2 or more, got 1"),
    (lambda: shoal.DistinctLDiversity(1, "s"), r"distinct_l_diversity\.l must be 2 or more, got 1: one value tells"),
    (lambda: shoal.EntropyLDiversity(1, "s"), r"entropy_l_diversity\.l must be a number above 1, got 1"),
    (lambda: shoal.EntropyLDiversity(float("nan"), "s"), r"above 1, got nan"),
    (lambda: shoal.RecursiveLDiversity(0, 2, "s"), r"recursive_l_diversity\.c must be a number above 0"),
    (lambda: shoal.RecursiveLDiversity(2, 1, "s"), r"recursive_l_diversity\.l must be 2 or more"),
    (lambda: shoal.AlphaKAnonymity(1, 3, "s"), r"alpha_k_anonymity\.alpha must be above 0 and below 1, got 1"),
    (lambda: shoal.AlphaKAnonymity(0.5, 1, "s"), r"alpha_k_anonymity\.k must be 2 or more"),
    (lambda: shoal.TCloseness(1.1, "s"), r"t_closeness\.t must be from 0 to 1, got 1\.1"),
    (lambda: shoal.TCloseness(0.1, "s", "order"), r"distance is 'order'\. Did you mean 'ordered'"),
    (lambda: shoal.DeltaDisclosure(0, "s"), r"delta_disclosure\.delta must be a number above 0"),
    (lambda: shoal.BetaLikeness(float("inf"), "s"), r"beta_likeness\.beta must be a number above 0, got inf"),
    (lambda: shoal.EpsilonPrivacy(1, 10, 0, "s"), r"epsilon_privacy\.epsilon must be a number above 1"),
    (lambda: shoal.EpsilonPrivacy(2, 0, 0, "s"), r"epsilon_privacy\.sigma must be 1 or more"),
    (lambda: shoal.EpsilonPrivacy(2, 10, -1, "s"), r"epsilon_privacy\.b must be 0 or more"),
    (lambda: shoal.MInvariance(1, "s"), r"m_invariance\.m must be 2 or more, got 1: one value tells"),
    (lambda: shoal.MinimumLength(0, "a"), r"minimum_length\.width must be a number above 0"),
]


@pytest.mark.parametrize(("make", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_protects_nobody_is_refused(make, words):
    with pytest.raises(PolicyError, match=words):
        make()


@pytest.mark.parametrize("requirement", OF_VALUES, ids=repr)
def test_diversity_needs_the_counts_of_its_column(requirement):
    with pytest.raises(TypeError, match="needs groups with counts"):
        requirement.holds(Groups.of(np.zeros(2, dtype=np.int64), np.ones(2, dtype=np.int64)))


def test_a_hierarchical_distance_needs_the_tree():
    one = np.zeros(2, dtype=np.int64)
    with pytest.raises(PolicyError, match=r"t_closeness\.distance = 'hierarchical' needs a taxonomy of column 's'"):
        shoal.TCloseness(0.1, "s", "hierarchical").holds(Groups.of(one, one + 1, one))


def test_length_is_that_of_intervals_and_nodes():
    groups = Groups(np.array([5, 5, 5]), extents={"age": np.array([5.0, 10.0, 0.0]), "job": np.array([1.0, 2.0, 0.0])})
    assert shoal.MinimumLength(5, "age").holds(groups).tolist() == [True, True, False]
    assert shoal.MinimumLength(2, "job").holds(groups).tolist() == [False, True, False]
    assert shoal.MinimumLength(5, "age").reached(groups.only(np.array([True, True, False]))) == 5
    for without in (groups, Groups(np.array([5]))):
        with pytest.raises(PolicyError, match=r"minimum_length of 'zip': the release shows points"):
            shoal.MinimumLength(5, "zip").holds(without)


def test_delta_disclosure_is_less_than_delta_and_not_equal():
    """The first group has one value twice as often as the whole: a difference of ln 2, which must be less."""
    groups = groups_of([(0, 1, 0), (0, 1, 1), (1, 1, 0), (1, 5, 1)])[1]
    asked = shoal.DeltaDisclosure(log(2), "s")
    assert asked.reached(groups) == pytest.approx(log(2), abs=1e-15)
    assert asked.holds(groups).tolist() == [False, True]
    assert shoal.DeltaDisclosure(log(2) + 1e-6, "s").holds(groups).all()
    assert shoal.DeltaDisclosure(log(2) + SLACK / 2, "s").holds(groups).tolist() == [False, True]  # equal on paper


def test_alpha_k_counts_all_records_for_k_and_known_ones_for_alpha():
    """Two different values and one that is missing: three records, half of the known ones alike."""
    groups = groups_of([(0, 1, 0), (0, 1, 1), (0, 1, -1)])[1]
    assert shoal.AlphaKAnonymity(0.5, 3, "s").holds(groups).tolist() == [True]
    assert shoal.AlphaKAnonymity(0.5, 3, "s").reached(groups) == twin.alpha_k([0, 1, None], 3) == 0.5
    assert shoal.AlphaKAnonymity(0.5, 4, "s").holds(groups).tolist() == [False]
    assert shoal.AlphaKAnonymity(0.4, 3, "s").holds(groups).tolist() == [False]
