"""Population uniques: estimates from samples of populations whose uniques are known, and slow twins of the formulas."""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.risk.population_uniques import (
    SampledSizes,
    _fit_pitman,
    _negative_binomial,
    _one_drawn,
    log_linear,
    zayatz,
)
from shoal.encode.codes import to_codes
from shoal.errors import ArrayError

FRACTION = 0.1


def restaurant(theta, alpha, n, chance):
    """(n,) classes of persons by Pitman's process: a new class with chance (theta + alpha c) / (theta + i)."""
    classes = np.zeros(n, dtype=np.int64)
    n_classes = 1
    for i in range(1, n):
        if chance.random() < (theta + alpha * n_classes) / (theta + i):
            classes[i] = n_classes
            n_classes += 1
            continue
        while True:  # an old class with chance (size - alpha): a random person's, rejected for alpha of the founders
            other = chance.integers(0, i)
            mine = classes[other]
            first = other == np.argmax(classes[:i] == mine)
            if not first or chance.random() < 1 - alpha:
                classes[i] = mine
                break
    return classes


def sampled(classes, chance):
    """Sizes of the classes of a Bernoulli sample, and the number of population uniques."""
    sizes = np.bincount(classes)
    drawn = chance.binomial(sizes, FRACTION)
    return drawn[drawn > 0], int((sizes == 1).sum())


def ratios(model, draw, n_draws):
    """Estimate over truth for many populations, and the standard error of its mean."""
    found = []
    for seed in range(n_draws):
        sizes, truth = draw(np.random.default_rng(seed))
        found.append(shoal.population_uniques(sizes, FRACTION)[model] / truth)
    return float(np.mean(found)), float(np.std(found) / np.sqrt(n_draws))


@pytest.mark.gate
def test_pitman_finds_the_uniques_of_populations_of_its_kind():
    mean, error = ratios("pitman", lambda chance: sampled(restaurant(200, 0.4, 6000, chance), chance), 12)
    assert abs(mean - 1) < 4 * error + 0.03


@pytest.mark.gate
def test_snb_finds_the_uniques_of_populations_of_its_kind():
    def draw(chance):
        sizes = 1 + chance.negative_binomial(0.8, 0.15, 6000)
        return sampled(np.repeat(np.arange(6000), sizes), chance)

    mean, error = ratios("snb", draw, 20)
    assert abs(mean - 1) < 4 * error + 0.03


def test_another_model_is_another_answer():
    """The models are no copies of one another: they differ on the same sample."""
    chance = np.random.default_rng(3)
    sizes, _ = sampled(np.repeat(np.arange(3000), 1 + chance.negative_binomial(0.8, 0.15, 3000)), chance)
    answers = shoal.population_uniques(sizes, FRACTION)
    assert len({round(answer) for answer in answers.values()}) == 3


def test_zayatz_agrees_with_its_twin_in_exact_numbers():
    sizes = [1] * 6 + [2] * 3 + [4]
    n = sum(sizes)
    population = 4 * n
    single = {size: Fraction(size * comb(population - size, n - 1), comb(population, n)) for size in (1, 2, 4)}
    total = 6 * single[1] + 3 * single[2] + single[4]
    expected = 6 * (6 * single[1] / total) * 4
    assert zayatz(SampledSizes.of(np.array(sizes), 0.25)) == pytest.approx(float(expected))


def test_the_fit_of_pitman_is_a_maximum_of_its_likelihood():
    """The product of the paper, term by term: nearby parameters are less likely."""
    sizes = [1] * 30 + [2] * 9 + [3] * 4 + [5, 8, 13]

    def log_likelihood(theta, alpha):
        total = sum(np.log(theta + i * alpha) for i in range(1, len(sizes)))
        total -= sum(np.log(theta + i) for i in range(1, sum(sizes)))
        return total + sum(np.log(j - alpha) for size in sizes for j in range(1, size))

    theta, alpha = _fit_pitman(SampledSizes.of(np.array(sizes), 0.5))
    best = log_likelihood(theta, alpha)
    for change in (0.97, 1.03):
        assert log_likelihood(theta * change, alpha) < best
        assert log_likelihood(theta, alpha * change) < best


@pytest.mark.gate
def test_the_whole_population_in_the_sample_limit():
    """Almost everybody is in the sample: population uniques are nearly the sample uniques."""
    sizes = [1] * 50 + [2] * 20 + [3] * 10
    assert shoal.population_uniques(sizes, 0.999)["zayatz"] == pytest.approx(50, rel=0.01)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("sizes", [[2, 2, 5], [2] * 7, [9], [10**6] * 2])
def test_nobody_is_unique_where_no_record_is(sizes):
    found = shoal.population_uniques(sizes, 0.2)
    assert (found["zayatz"], found["pitman"]) == (0, 0)
    assert found["snb"] < 0.01 * sum(sizes)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("n", [1, 7, 100_000])
def test_where_all_records_are_unique_so_is_the_population(n):
    """The limit of each model: no class of the sample has a second record."""
    assert shoal.population_uniques([1] * n, 0.2) == {
        name: pytest.approx(5 * n) for name in ("zayatz", "pitman", "snb")
    }
    nearly = shoal.population_uniques([1] * n + [2], 0.2)
    assert all(0 < estimate < 5 * (n + 2) for estimate in nearly.values())


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ([], "class_sizes is empty"),
        ([0, 1, 2], "1 is not"),
        ([-1, 1.5, 2], "2 are not"),
        ([float("nan"), 1], "class_sizes has 1 NaN"),
        ([[1, 2]], "one dimension"),
        (["one"], "class_sizes must hold numbers"),
    ],
)
def test_what_is_no_size_of_a_class_is_said(sizes, told):
    with pytest.raises(ArrayError, match=told):
        shoal.population_uniques(sizes, 0.2)


def test_log_linear_finds_the_uniques_of_independent_columns():
    """Records that are unique in the sample and in a population of independent columns."""
    estimates, truths = [], []
    for seed in range(15):
        chance = np.random.default_rng(seed)
        values = {name: chance.geometric(0.15, 8000) for name in "abc"}
        keys = np.unique(np.column_stack(list(values.values())), axis=0, return_inverse=True)[1].ravel()
        in_sample = chance.random(8000) < FRACTION
        unique = np.bincount(keys)[keys] == 1
        table = pa.table({name: column[in_sample] for name, column in values.items()})
        truths.append(int((unique & in_sample).sum()))
        estimates.append(log_linear([to_codes(name, table[name]).codes for name in "abc"], FRACTION))
    error = np.std(np.array(estimates) - truths) / np.sqrt(15)
    assert abs(np.mean(estimates) - np.mean(truths)) < 4 * error + 0.05 * np.mean(truths)


def test_log_linear_by_hand():
    """Two records alike and one alone: its key is expected 3 * 1/3 * 1/3 times."""
    table = pa.table({"a": [1, 1, 2], "b": [1, 1, 2]})
    assert log_linear([to_codes(name, table[name]).codes for name in "ab"], 0.5) == pytest.approx(exp(-1 / 3))


@pytest.mark.parametrize("fraction", [0, 1, 1.5, float("nan")])
def test_without_a_sampling_fraction_nothing_is_said(fraction):
    with pytest.raises(ArrayError, match="the sampling fraction must be above 0 and below 1"):
        shoal.population_uniques([1, 2], fraction)


def columns(weight):
    return shoal.Schema([shoal.Column("age", "quasi_identifier", "numeric"), shoal.Column("w", weight, "numeric")])


def test_an_assessment_shows_them_where_weights_say_the_fraction():
    chance = np.random.default_rng(1)
    table = pa.table({"age": chance.integers(0, 400, 300), "w": np.full(300, 20.0)})
    found = shoal.assess(table, table, columns("weight"), truth="position").findings
    sizes = np.bincount(np.unique(table["age"], return_inverse=True)[1])
    for model, name in (("zayatz", "Zayatz"), ("pitman", "Pitman"), ("snb", "SNB")):
        expected = 100 * shoal.population_uniques(sizes, 1 / 20)[model] / 6000
        assert found[f"population uniques, {name}"].estimate == pytest.approx(expected)
    assert "population uniques in the file, log-linear" in [finding.name for finding in found]


def test_an_assessment_without_weights_does_not_guess_them():
    table = pa.table({"age": [1, 2, 2, 3], "w": [1.0, 1, 1, 1]})
    for role in ("other", "weight"):
        found = shoal.assess(table, table, columns(role), truth="position")
        assert not any(finding.name.startswith("population uniques") for finding in found.findings)


def test_probabilities_are_those_of_scipy():
    from scipy.stats import hypergeom, nbinom

    sizes = np.array([1, 2, 3, 10, 50, 90, 99])
    assert _one_drawn(100, sizes, 30) == pytest.approx(hypergeom.pmf(1, 100, sizes, 30), rel=1e-9, abs=1e-300)
    many = np.array([1, 2, 1000, 10**6])
    assert _one_drawn(10**9, many, 10**7) == pytest.approx(hypergeom.pmf(1, 10**9, many, 10**7), rel=1e-5)
    for r, p in ((0.3, 0.01), (1.0, 0.5), (40.0, 0.9)):
        assert _negative_binomial(sizes - 1, r, p) == pytest.approx(nbinom.pmf(sizes - 1, r, p), rel=1e-9)
