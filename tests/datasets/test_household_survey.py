"""The household survey: the same for a seed, and laws that every made-up household obeys."""

from collections import Counter, defaultdict

import pyarrow as pa
import pytest

from shoal import datasets
from shoal.datasets.household_survey import ACTIVITIES, RELATIONS
from shoal.datasets.random_draws import CHUNK


@pytest.fixture(scope="module")
def survey() -> pa.Table:
    return datasets.household_survey(6000, seed=3)


def test_a_seed_gives_one_table_whatever_the_batches(survey: pa.Table) -> None:
    batches = datasets.household_survey_batches(6000, seed=3, batch_size=700)
    assert pa.Table.from_batches(batches).equals(survey)
    assert not datasets.household_survey(6000, seed=4)["age"].equals(survey["age"])


def test_persons_are_numbered_from_one_within_their_household(survey: pa.Table) -> None:
    numbers = defaultdict(list)
    for household, person in zip(survey["hid"].to_pylist(), survey["pid"].to_pylist(), strict=True):
        numbers[household].append(person)
    assert all(each == list(range(1, len(each) + 1)) for each in numbers.values())


def test_members_share_their_region_and_have_one_reference_person(survey: pa.Table) -> None:
    regions, references = defaultdict(set), Counter()
    for household, region, relation in zip(
        *(survey[name].to_pylist() for name in ("hid", "region", "relation")), strict=True
    ):
        regions[household].add(region)
        references[household] += relation == RELATIONS[0]
    assert all(len(each) == 1 for each in regions.values())
    assert set(references.values()) == {1}


def test_some_sizes_are_rare_and_every_activity_occurs(survey: pa.Table) -> None:
    sizes = Counter(Counter(survey["hid"].to_pylist()).values())
    assert sizes[1] > 100
    assert any(n < 5 for n in sizes.values())
    assert set(survey["activity"].to_pylist()) == set(ACTIVITIES)


def test_no_household_is_in_two_chunks() -> None:
    """Nobody beyond the first chunk has the number of a household in it."""
    numbers = datasets.household_survey(CHUNK + 50)["hid"].to_numpy()
    assert numbers[:CHUNK].max() < numbers[CHUNK:].min()
