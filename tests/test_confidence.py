"""Confidence intervals of shares and of means of chances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, hypergeom

from reference.interval_coverage import (
    HIGHEST,
    LOWEST,
    coverage,
    finite,
    has_enough_events,
    populations,
    weighted_coverage,
    weighted_populations,
)
from shoal.assessment.risk import interval as disclosure
from shoal.confidence import FEW_EVENTS, mean_interval, wilson

CHANCES = st.lists(st.sampled_from([0.0, 0.2, 1 / 3, 0.5, 1.0]), min_size=1, max_size=40)


@given(st.integers(FEW_EVENTS, 400), st.integers(FEW_EVENTS, 400))
def test_of_persons_found_or_not_it_is_wilsons(n_found, n_more):
    found = np.repeat([1.0, 0.0], [n_found, n_more])
    assert mean_interval(found) == pytest.approx(wilson(n_found / len(found), len(found)))


@given(st.integers(0, 60), st.integers(1, 60))
def test_of_few_persons_it_holds_clopper_and_pearsons_as_well(n_found, n_more):
    n, share = n_found + n_more, n_found / (n_found + n_more)
    low, high = mean_interval(np.repeat([1.0, 0.0], [n_found, n_more]))
    exact = [beta.ppf(0.025, n_found, n_more + 1) if n_found else 0, beta.ppf(0.975, n_found + 1, n_more)]
    assert low == pytest.approx(min(exact[0], wilson(share, n)[0]))
    assert high == pytest.approx(max(exact[1], wilson(share, n)[1]))


@given(st.integers(0, 8), st.integers(1, 30), st.integers(1, 40))
def test_of_few_persons_of_a_finite_number_it_holds_who_may_have_been_missed(n_found, n_more, n_rest):
    """All numbers of persons in the population who would be found and of whom so many, or fewer, are drawn with more
    than 2.5 %; and so many, or more."""
    n, n_population = n_found + n_more, n_found + n_more + n_rest
    low, high = mean_interval(np.repeat([1.0, 0.0], [n_found, n_more]), n_population=n_population)
    for n_all in range(n_found, n_found + n_rest + 1):
        drawn = hypergeom(n_population, n_all, n)
        if drawn.cdf(n_found) > 0.025 + 1e-9 and drawn.sf(n_found - 1) > 0.025 + 1e-9:
            assert low - 1e-12 <= n_all / n_population <= high + 1e-12


@given(CHANCES, st.integers(1, 100))
def test_it_holds_the_mean(chances, n_more):
    found = np.array(chances)
    for n_population in (None, len(found) + n_more):
        low, high = mean_interval(found, n_population=n_population)
        assert 0 <= low <= found.mean() + 1e-12
        assert found.mean() - 1e-12 <= high <= 1


@given(CHANCES.filter(lambda chances: len(set(chances)) > 1), st.integers(0, 100))
def test_it_shrinks_with_the_share_that_was_searched(chances, n_more):
    """Of many persons; of few, the whole numbers of persons in the population make it jump."""
    found, n = np.tile(chances, FEW_EVENTS), FEW_EVENTS * len(chances)
    endless, of_many, of_few = (
        mean_interval(found, n_population=size) for size in (None, n + 200 * n_more + 100, n + 100 * n_more + 100)
    )
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


@pytest.mark.gate
@pytest.mark.parametrize(("n", "n_population"), [(1000, 2000), pytest.param(2000, 20_000, marks=pytest.mark.long)])
def test_it_covers_at_the_stated_rate(n, n_population):
    """Of 2,500 samples without replacement, where enough of them differ."""
    chance = np.random.default_rng(17)
    for name, chances in populations(n_population, chance):
        if has_enough_events(chances, n):
            found = coverage(chances, n, chance, finite(n_population), 2500)
            assert LOWEST <= found <= HIGHEST, name


@pytest.mark.gate(but="None")
@pytest.mark.parametrize("n_population", [None, pytest.param(2000, marks=pytest.mark.long)])
def test_of_few_hits_it_covers_at_least_at_the_stated_rate(n_population):
    """Of 300 samples of 500 persons of equal and of very different weights, whoever is found: 2 are expected."""
    chance = np.random.default_rng(23)
    for name, chances, weights in weighted_populations(2000, 2 / 500, chance):
        found = weighted_coverage(chances, weights, 500, chance, mean_interval, n_population, 300)
        assert found >= LOWEST, name


@pytest.mark.long
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
