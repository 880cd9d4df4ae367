"""A household is not known by how it is composed: k households are composed alike, or nobody can tell its members."""

from collections import defaultdict

import numpy as np
import pytest
from scipy.spatial import KDTree

import shoal
from attacks import compositions
from attacks.members import points, publish_in_order
from attacks.rates import Rate
from attacks.tables import NAME, SURVEY, survey

K = 5
TWO_SETS = [
    {"name": "k_anonymity", "k": K, "columns": ["age", "region"]},
    {"name": "k_anonymity", "k": K, "columns": ["sex", "education"]},
]


def attacked(folder, role: str, protect=shoal.protect, names=("sex", "education", "region"), measured=("age",), **more):
    table = survey(3000)
    columns = SURVEY | {"household_id": {"role": role}, "municipality": {"role": "other"}, "region": NAME}
    policy = {"requirements": [{"name": "k_anonymity", "k": K}], "columns": columns, **more}
    published, original_of = publish_in_order(table, policy, folder, protect=protect)
    households, numbers = table["household_id"].to_pylist(), published.records["household_id"].to_pylist()
    true_numbers = defaultdict(set)
    for place, number in zip(original_of.tolist(), numbers, strict=True):
        true_numbers[households[place]] |= {number} if number else set()
    guessed = compositions.guesses(published, table, "household_id", measured, names)
    return compositions.rate(guessed, true_numbers, sorted(set(households)))


def test_numbers_as_they_are_tell_households_apart(tmp_path):
    assert attacked(tmp_path, "other").succeeds(1 / K)


@pytest.mark.gate(but="mdav")
@pytest.mark.parametrize(
    "more",
    [
        {},
        pytest.param({"method": {"name": "vmdav"}}, marks=pytest.mark.long),
        pytest.param({"method": {"name": "mdav", "split_households": True}}, marks=pytest.mark.long),
        {"method": {"name": "mondrian"}, "output": {"representation": "centroids"}},
        {"local_suppression": {}, "suppression": {"limit": 0.3}},
        pytest.param({"requirements": TWO_SETS, "names": ["region"]}, marks=pytest.mark.long),
        {"requirements": TWO_SETS, "names": ["sex", "education"], "measured": []},
    ],
    ids=["mdav", "vmdav", "split", "mondrian", "blanked", "first set", "second set"],
)
def test_households_are_composed_like_k_others(tmp_path, more):
    assert attacked(tmp_path, "household", **more).fails(1 / K)


def test_members_of_an_unlinked_household_are_found_no_more_often_than_once_in_k(tmp_path):
    """The intruder takes any record of the class that is nearest to a member; nothing says which records are of one
    household."""
    table = survey(1500)
    columns = SURVEY | {"municipality": {"role": "other"}, "region": NAME}
    policy = {"requirements": [{"name": "k_anonymity", "k": K}], "columns": columns}
    published, original_of = publish_in_order(table, policy | {"output": {"household": "unlinked"}}, tmp_path)
    here, there = points(table, published.records, ["age"], ["sex", "education", "region"])
    classes, class_of = np.unique(there.round(9), axis=0, return_inverse=True)
    nearest, draw = KDTree(classes).query(here)[1], np.random.default_rng(0)
    members = [np.flatnonzero(class_of.ravel() == at) for at in range(len(classes))]
    taken = np.array([original_of[draw.choice(members[at])] for at in nearest])
    assert Rate(int((taken == np.arange(len(table))).sum()), len(table)).fails(1 / K)
    households = np.array(table["household_id"].to_pylist())[original_of]
    assert min(len(set(households[each])) for each in members) >= K
