"""Households change places: sizes and regions keep their counts, and who is at risk moves."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from shoal.rng import Rng


def population(n_households, n_regions, seed):
    chance = np.random.default_rng(seed)
    households = np.repeat(np.arange(n_households), chance.integers(1, 5, n_households))
    regions = chance.integers(0, n_regions, n_households)[households]
    return regions, households, chance.integers(0, 8, len(households)), chance.integers(0, 3, n_households)[households]


def profiles(regions, households):
    """How many households of every size a region has."""
    size = Counter(households.tolist())
    where = dict(zip(households.tolist(), regions.tolist(), strict=True))
    return Counter((where[household], n) for household, n in size.items())


@settings(max_examples=examples(60))
@given(st.integers(2, 80), st.integers(1, 5), st.integers(1, 6), st.floats(0, 1), st.integers(0, 2**32))
def test_sizes_and_regions_are_kept(n_households, n_regions, k, rate, seed):
    regions, households, age, tenure = population(n_households, n_regions, seed)
    swaps = shoal.record_swap(regions, households, [age], similar=[tenure], k=k, rate=rate, seed=seed)
    after = regions[swaps.source]
    assert profiles(regions, households) == profiles(after, households)
    moved = swaps.source != np.arange(len(regions))
    assert (regions[moved] != after[moved]).all()
    for household in np.unique(households):
        assert len(set(after[households == household])) == 1


def test_all_at_risk_are_swapped_where_a_partner_exists():
    regions, households, age, tenure = population(3000, 6, 1)
    rare = age * 400 + tenure * 7 + households % 5  # few share all of it
    swaps = shoal.record_swap(regions, households, [rare], k=2, seed=0)
    counts = Counter(zip(regions.tolist(), rare.tolist(), strict=True))
    alone = {h for r, key, h in zip(regions, rare, households, strict=True) if counts[r, key] < 2}
    assert set(households[swaps.at_risk]) == alone
    moved = set(households[regions != regions[swaps.source]])
    assert len(alone - moved) == swaps.n_unpaired
    assert swaps.n_unpaired <= 2


def test_partners_are_similar_where_they_can_be():
    regions, households, age, tenure = population(4000, 4, 2)
    swaps = shoal.record_swap(regions, households, [age], similar=[tenure], k=1, rate=0.2, seed=0)
    moved = swaps.source != np.arange(len(regions))
    assert (tenure[moved] == tenure[swaps.source[moved]]).all()
    n_moved = len(np.unique(households[moved]))
    assert n_moved == pytest.approx(0.2 * 4000, abs=2)


def test_a_policy_moves_finer_places_with_their_region():
    regions, households, age, _ = population(300, 3, 3)
    town = regions * 100 + households % 4
    table = pa.table({"region": regions, "town": town, "household": households, "age": age})
    schema = shoal.Schema(
        [
            shoal.Column("region", "quasi_identifier"),
            shoal.Column("town", "quasi_identifier"),
            shoal.Column("household", "household"),
            shoal.Column("age", "quasi_identifier", "numeric"),
        ]
    )
    rule = shoal.RecordSwap(region="region", columns=("region", "town"), k=3, rate=0.3)
    released = rule.perturb(table, schema, Rng(b"", 0))
    assert (released["town"].to_numpy() // 100 == released["region"].to_numpy()).all()
    assert released["age"].equals(table["age"])
    assert not released["region"].equals(table["region"])
    assert Counter(released["town"].to_pylist()) == Counter(table["town"].to_pylist())


def test_a_missing_region_takes_no_part():
    regions, households, age, _ = population(200, 3, 4)
    regions = np.where(households < 20, -1, regions)
    after = regions[shoal.record_swap(regions, households, [age], rate=1.0).source]
    assert ((after < 0) == (regions < 0)).all()


def test_bad_input():
    with pytest.raises(shoal.ShoalError, match="1 households have members"):
        shoal.record_swap([0, 1, 1], [0, 0, 1], [[0, 0, 0]])
    with pytest.raises(shoal.ShoalError, match="region"):
        shoal.RecordSwap()
    with pytest.raises(shoal.ShoalError, match="rate"):
        shoal.RecordSwap(region="r", rate=2)
    with pytest.raises(shoal.ShoalError, match=r"record_swap\.k"):
        shoal.RecordSwap(region="r", k=0)
    with pytest.raises(shoal.ShoalError, match="same number of records"):
        shoal.record_swap([0, 1], [0], [])
