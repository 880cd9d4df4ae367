"""Confidence intervals of shares and of means of chances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.interval_coverage import HIGHEST, LOWEST, coverage, finite, has_enough_events, populations
from shoal.assessment.risk import interval as disclosure
from shoal.confidence import mean_interval, wilson

CHANCES = st.lists(st.sampled_from([0.0, 0.2, 1 / 3, 0.5, 1.0]), min_size=1, max_size=40)


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=60))
def test_of_persons_found_or_not_it_is_wilsons(found):
    share = float(np.mean(found))
    assert mean_interval(np.array(found)) == pytest.approx(wilson(share, len(found)))


@given(CHANCES, st.integers(0, 100))
def test_it_holds_the_mean_and_shrinks_with_the_share_that_was_searched(chances, n_more):
    found, n = np.array(chances), len(chances)
    endless, of_many, of_few = (
        mean_interval(found, n_population=size) for size in (None, n + 2 * n_more + 1, n + n_more + 1)
    )
    for low, high in (endless, of_many, of_few):
        assert 0 <= low <= found.mean() + 1e-12
        assert found.mean() - 1e-12 <= high <= 1
    assert endless[0] <= of_many[0] + 1e-12 <= of_few[0] + 2e-12
    assert endless[1] >= of_many[1] - 1e-12 >= of_few[1] - 2e-12


@given(CHANCES)
def test_of_everybody_nothing_is_left_to_estimate(chances):
    found = np.array(chances)
    assert mean_interval(found, n_population=len(found)) == pytest.approx((found.mean(), found.mean()))


@given(CHANCES, st.integers(2, 5))
def test_a_weight_of_one_each_is_none_and_scale_does_not_matter(chances, weight):
    found = np.array(chances)
    assert mean_interval(found, np.full(len(found), float(weight))) == pytest.approx(mean_interval(found))


def test_chances_that_are_shared_vary_less_than_persons_who_are_found_or_not():
    shared, found = np.full(400, 0.25), np.repeat([0.0, 1.0], [300, 100])
    shared[:20] = 0.5
    low, high = mean_interval(shared)
    assert high - low < (wilson(found.mean(), 400)[1] - wilson(found.mean(), 400)[0]) / 5


@pytest.mark.slow
@pytest.mark.parametrize(("n", "n_population"), [(1000, 2000), (2000, 20_000)])
def test_it_covers_at_the_stated_rate(n, n_population):
    """Of 5,000 samples without replacement, where enough of them differ."""
    chance = np.random.default_rng(17)
    for name, chances in populations(n_population, chance):
        if has_enough_events(chances, n):
            found = coverage(chances, n, chance, finite(n_population), 5000)
            assert LOWEST <= found <= HIGHEST, name


@pytest.mark.slow
def test_interval_disclosure_of_a_sample_covers_at_the_stated_rate(monkeypatch):
    """Of 2,000 tables, against the figure of all persons."""
    import pyarrow as pa

    import shoal

    chance, n_covered, n_tables = np.random.default_rng(3), 0, 2000
    schema = shoal.Schema([shoal.Column("pay", "quasi_identifier", "numeric")])
    for _ in range(n_tables):
        pay = chance.lognormal(0, 1, 600)
        tables = pa.table({"pay": pay}), pa.table({"pay": pay * chance.lognormal(0, 0.2, 600)})
        figures = []
        for most in (600, 200):
            monkeypatch.setattr(disclosure, "MOST_PERSONS", most)
            figures.append(disclosure.interval_attacks(*tables, schema)[0].figure)
        whole, sampled = figures
        n_covered += sampled.interval[0] <= whole.estimate <= sampled.interval[1]
    assert whole.interval is None
    assert LOWEST <= 100 * n_covered / n_tables <= HIGHEST
