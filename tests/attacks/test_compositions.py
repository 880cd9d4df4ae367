"""A household is not known by how it is composed: k households are composed alike, or nobody can tell its members."""

from collections import defaultdict

import pytest

import shoal
from attacks import compositions
from attacks.members import publish_in_order
from attacks.tables import NAME, SURVEY, survey

pytestmark = pytest.mark.slow

K = 5


def attacked(folder, role: str, protect=shoal.protect, **more):
    table = survey(3000)
    columns = SURVEY | {"household_id": {"role": role}, "municipality": {"role": "other"}, "region": NAME}
    policy = {"requirements": [{"name": "k_anonymity", "k": K}], "columns": columns, **more}
    published, original_of = publish_in_order(table, policy, folder, protect=protect)
    households, numbers = table["household_id"].to_pylist(), published.records["household_id"].to_pylist()
    true_numbers = defaultdict(set)
    for place, number in zip(original_of.tolist(), numbers, strict=True):
        true_numbers[households[place]] |= {number} if number else set()
    guessed = compositions.guesses(published, table, "household_id", ["age"], ["sex", "education", "region"])
    return compositions.rate(guessed, true_numbers, sorted(set(households)))


def test_numbers_as_they_are_tell_households_apart(tmp_path):
    assert attacked(tmp_path, "other").succeeds(1 / K)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"method": {"name": "vmdav"}},
        {"method": {"name": "mdav", "split_households": True}},
        {"method": {"name": "mondrian"}, "output": {"representation": "centroids"}},
        {"local_suppression": {}, "suppression": {"limit": 0.3}},
    ],
    ids=["mdav", "vmdav", "split", "mondrian", "blanked"],
)
def test_households_are_composed_like_k_others(tmp_path, more):
    assert attacked(tmp_path, "household", **more).fails(1 / K)
