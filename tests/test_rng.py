"""Chance: key, seed, purpose and place decide all of it; what comes out is pinned, so that no library changes it."""

import hashlib
import hmac

import numpy as np
import pytest
from scipy import stats

from shoal.rng import Rng, public_draws, sampled_places

KEY = bytes(range(32))


def test_bits_are_those_of_the_standards():
    """HMAC-SHA-256, then SHAKE-256, by hand: whoever holds the key can draw again with any language."""
    start = hmac.new(KEY, b"7/block 3/step 1/order of records", hashlib.sha256).digest()
    wanted = np.frombuffer(hashlib.shake_256(start + bytes(8)).digest(24), dtype="<u8") >> np.uint64(11)
    drawn = Rng(KEY, 7).of_block(3).of_step(1).for_purpose("order of records").random(3)
    assert drawn.tolist() == (wanted.astype(float) / 2**53).tolist()


def test_draws_are_pinned():
    draws = Rng(KEY, 0).for_purpose("anything")
    assert draws.permutation(6).tolist() == [3, 4, 0, 1, 2, 5]
    assert draws.integer() == 6317869463875049320
    assert draws.normal((2,)) == pytest.approx(
        [1.0016269965384326, 0.7538934624515986], rel=1e-14
    )  # machines differ there


def test_every_call_draws_something_new():
    draws = Rng(KEY, 0).for_purpose("anything")
    found = [*draws.random(3), *draws.random(3), draws.integer(), draws.integer()]
    assert len(set(found)) == len(found)


def test_every_key_seed_place_and_purpose_has_draws_of_its_own():
    plain = Rng(KEY, 0)
    others = [
        Rng(bytes(32), 0), Rng(KEY, 1), plain.of_block(1), plain.of_block(2), plain.of_step(1),
        plain.of_values("1"), plain.of_block(1).of_step(2), plain.of_block(1).of_block(2), plain.of_block(12),
    ]  # fmt: skip
    found = [each.for_purpose(purpose).integer() for each in (plain, *others) for purpose in ("one", "other")]
    assert len(set(found)) == len(found)


def test_the_key_is_not_shown():
    assert str(KEY) not in repr(Rng(KEY, 0))


@pytest.mark.parametrize("n", [0, 1, 1000])
def test_a_permutation_has_every_number_once(n):
    assert sorted(Rng(KEY, 0).for_purpose("p").permutation(n).tolist()) == list(range(n))


def test_all_permutations_are_equally_likely():
    draws = Rng(KEY, 0).for_purpose("p")
    found = [tuple(draws.permutation(3).tolist()) for _ in range(6000)]
    assert stats.chisquare(np.unique(found, axis=0, return_counts=True)[1]).pvalue > 0.001


def test_uniform_and_normal_numbers_are_what_they_are_called():
    draws = Rng(KEY, 0).for_purpose("p")
    assert stats.kstest(draws.random(20_000), "uniform").pvalue > 0.001
    assert stats.kstest(draws.normal((20_000,)), "norm").pvalue > 0.001
    assert draws.normal((3, 2)).shape == (3, 2)


@pytest.mark.parametrize(("n", "most"), [(0, 3), (1, 1), (5, 0), (5, 4), (100, 50), (100, 51), (1000, 7), (10, 10)])
def test_a_sample_has_different_places_ascending(n, most):
    places = sampled_places(n, most, "anything")
    assert len(places) == min(n, most)
    assert (np.diff(places) > 0).all()
    assert ((places >= 0) & (places < n)).all()


def test_a_sample_is_pinned():
    assert sampled_places(1000, 5, "anything").tolist() == [64, 220, 546, 691, 918]


@pytest.mark.parametrize("size", [3, 5, 8])
def test_every_place_is_as_likely_as_any_other(size):
    """Those left out are drawn where they are fewer: both ways, chi-squared of 2000 samples."""
    draws, n = public_draws("anything"), 10
    counts = np.bincount(np.concatenate([draws.sample(n, size) for _ in range(2000)]), minlength=n)
    assert stats.chisquare(counts).pvalue > 0.01


@pytest.mark.parametrize("period", [2, 3, 7, 100])
@pytest.mark.parametrize("share", [0.01, 0.1, 0.3, 0.5, 0.9])
def test_a_sample_sees_no_period_of_the_file(period, share):
    """Every record of a period is drawn equally often, within five standard deviations."""
    n = 100_000
    counts = np.bincount(sampled_places(n, int(share * n), "anything") % period, minlength=period)
    expected = share * n / period
    assert np.abs(counts - expected).max() < 5 * np.sqrt(expected)
