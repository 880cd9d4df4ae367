"""The solver of means beside its slow twin, which tries every vector."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.assessment.risk import solutions
from shoal.assessment.risk.solutions import Equation, MeanBounds, SolutionCounts, count_without_weights


def twin(weights: list[Fraction], between: MeanBounds, most: int) -> tuple[int, int] | None:
    """Determined and open records, by all vectors; None where none fits."""

    def fits(values: tuple[int, ...]) -> bool:
        mean = sum(w * b for w, b in zip(weights, values, strict=True)) / sum(weights)
        away = abs(mean - between.mean)
        return away < between.error if between.is_strict else away <= between.error

    found = [values for values in product(range(most + 1), repeat=len(weights)) if fits(values)]
    if not found:
        return None
    n_determined = sum(len({values[at] for values in found}) == 1 for at in range(len(weights)))
    return n_determined, len(weights) - n_determined


def solved(weights: list[Fraction], between: MeanBounds, most: int) -> SolutionCounts:
    different, n = np.unique([float(weight) for weight in weights], return_counts=True)
    return Equation.of(different, n.astype(np.int64), between, most).count_solutions()


@st.composite
def classes(draw: Any) -> tuple[list[Fraction], MeanBounds, int]:
    """A few records with values of a short range, weights of some decimals, some of them equal, and their mean."""
    n, most = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    scale = draw(st.sampled_from([1, 10, 1000]))
    pool = [Fraction(each, scale) for each in draw(st.lists(st.integers(1, 40), min_size=1, max_size=5))]
    weights = [draw(st.sampled_from(pool)) for _ in range(n)]
    values = [draw(st.integers(0, most)) for _ in range(n)]
    mean = sum((w * b for w, b in zip(weights, values, strict=True)), Fraction(0)) / sum(weights)
    off = draw(st.sampled_from([Fraction(0), Fraction(1, 1000), Fraction(1, 20), Fraction(1, 2), Fraction(1)]))
    away = draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(-9, 10)]))
    return weights, MeanBounds(mean + off * away, off, bool(off) and draw(st.booleans())), most


@given(classes())
def test_the_solver_agrees_with_trying_every_vector(given_: tuple[list[Fraction], MeanBounds, int]) -> None:
    weights, between, most = given_
    found, expected = solved(weights, between, most), twin(weights, between, most)
    assert expected is not None
    assert (found.n_determined, found.n_undecided) == (expected[0], 0)


@given(classes(), st.sampled_from([(1, 3), (3, 3), (9, 4), (30, 27)]))
def test_what_is_too_much_work_is_not_decided_and_never_wrong(
    given_: tuple[list[Fraction], MeanBounds, int], limits: tuple[int, int]
) -> None:
    weights, between, most = given_
    expected = twin(weights, between, most)
    assert expected is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solutions, "MOST_SUMS", limits[0])
        patch.setattr(solutions, "MOST_PARTIAL_SUMS", limits[1])
        found = solved(weights, between, most)
    assert found.n_determined <= expected[0] <= found.n_determined + found.n_undecided


@given(classes(), st.sampled_from([Fraction(1, 7), Fraction(3), Fraction(-2)]))
def test_a_mean_that_nothing_has_decides_nothing(
    given_: tuple[list[Fraction], MeanBounds, int], away: Fraction
) -> None:
    weights, between, most = given_
    strange = MeanBounds(between.mean + away, between.error, between.is_strict)
    found, expected = solved(weights, strange, most), twin(weights, strange, most)
    if expected is None:
        assert (found.n_determined, found.n_undecided) == (0, len(weights))
    else:
        assert (found.n_determined, found.n_undecided) == (expected[0], 0)


def exact(weights: list[float], values: list[int]) -> MeanBounds:
    return MeanBounds(Fraction(float(np.dot(weights, values) / np.sum(weights))), Fraction(max(values), 2**50), False)


@given(
    n=st.integers(1, 6),
    most=st.sampled_from([1, 3, 73, 2**62]),
    mean=st.fractions(-1, 4, max_denominator=12),
    error=st.sampled_from([Fraction(0), Fraction(1, 100), Fraction(1, 3), Fraction(2)]),
    is_strict=st.booleans(),
)
def test_without_weights_the_sum_alone_decides_as_in_the_equation(
    n: int, most: int, mean: Fraction, error: Fraction, is_strict: bool
) -> None:
    between = MeanBounds(mean, error, is_strict)
    of_equation = Equation.of(np.ones(1), np.array([n]), between, most).count_solutions()
    assert count_without_weights(n, between, most) == of_equation


def test_weights_of_four_decimals_and_all_digits_give_five_ages_back() -> None:
    weights = [10123.4591, 5748.2133, 21099.1127, 8817.7713, 14304.0319]
    between = exact(weights, [17, 44, 61, 23, 70])
    different = np.sort(weights)
    assert Equation.of(different, np.ones(5, dtype=np.int64), between, 73).count_solutions().n_determined == 5


def test_weights_with_more_digits_than_fit_are_solved_too() -> None:
    draw = np.random.default_rng(3)
    weights = np.sort(draw.uniform(0.5, 2, 5))
    values = draw.integers(0, 74, 5)
    found = Equation.of(
        weights, np.ones(5, dtype=np.int64), exact(weights.tolist(), values.tolist()), 73
    ).count_solutions()
    assert (found.n_determined, found.n_undecided) == (5, 0)


@pytest.mark.parametrize(("n", "most"), [(12, 73), (3, 100_000), (60, 90), (9, 5)])
def test_many_or_fine_values_are_shown_to_be_open(n: int, most: int) -> None:
    """Far too many vectors to try: two that differ are enough."""
    draw = np.random.default_rng(n)
    weights = np.sort(np.round(draw.uniform(20, 90, n), 2))
    values = draw.integers(0, most + 1, n)
    found = Equation.of(
        weights, np.ones(n, dtype=np.int64), exact(weights.tolist(), values.tolist()), most
    ).count_solutions()
    assert found.n_determined == 0
    assert found.n_undecided == 0
    assert found.work < 2**22


def test_rounded_to_the_step_only_a_single_record_is_determined() -> None:
    rounded = MeanBounds(Fraction(0), Fraction(1), True)
    for n in (2, 3, 7):
        assert Equation.of(np.ones(1), np.array([n]), rounded, 73).count_solutions() == SolutionCounts(0, 0)
    assert Equation.of(np.ones(1), np.array([1]), rounded, 73).count_solutions() == SolutionCounts(1, 0)


def test_a_mean_at_the_end_of_the_range_determines_all() -> None:
    for end in (0, 73):
        assert Equation.of(
            np.ones(1), np.array([6]), MeanBounds(Fraction(end), Fraction(0), False), 73
        ).count_solutions() == SolutionCounts(6, 0)
    inside = MeanBounds(Fraction(30), Fraction(0), False)
    assert Equation.of(np.ones(1), np.array([6]), inside, 73).count_solutions() == SolutionCounts(0, 0)


def test_sums_between_which_there_are_gaps_are_looked_at_one_by_one() -> None:
    """The smallest weight is no finer than the window, but 130 is no sum of the others: 131 is."""
    weights, ones = np.array([1, 60, 71, 130]), np.ones(4, dtype=np.int64)
    assert Equation(weights, ones, 1, 130, 130).count_solutions().n_determined == 4
    assert Equation(weights, ones, 1, 131, 131).count_solutions().n_determined == 0


def test_one_solution_near_the_mean_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    weights, ones = np.array([1, 60, 71, 130]), np.ones(4, dtype=np.int64)
    monkeypatch.setattr(solutions, "MOST_SUMS", 3)
    one, two = (Equation(weights, ones, 1, total, total).count_solutions() for total in (130, 131))
    assert (one.n_determined, one.n_undecided) == (0, 4)
    assert (two.n_determined, two.n_undecided) == (0, 0)


def test_weights_of_any_size_are_solved_alike() -> None:
    weights, n = np.array([1.0, 3.0, 7.0]), np.array([1, 1, 1])
    solved = [
        Equation.of(weights * scale, n, MeanBounds(Fraction(2), Fraction(1, 9), False), 9).count_solutions()
        for scale in (1.0, 2.0**-1060)
    ]
    assert solved[0] == solved[1]
