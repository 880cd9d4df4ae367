"""Risk and loss of many releases."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from shoal.assessment.comparison import ComparedPolicy, Comparison, PolicyOutcome
from shoal.assessment.risk_limits import LimitCheck
from shoal.assessment.score import Score
from shoal.findings import Finding

PLAIN = PolicyOutcome(3, True, 0.0, 10.0, 20.0, None, None, 0.1)


def tried(loss, risk):
    return ComparedPolicy("p", {}, replace(PLAIN, information_loss=loss, linked_persons=risk))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12))
def test_the_frontier_beats_all_others_and_nobody_beats_it(figures):
    compared = Comparison(tuple(tried(*pair) for pair in figures))
    frontier = compared.frontier
    assert not any(one.dominates(other) for one in compared.points for other in frontier)
    beaten = set(compared.points) - set(frontier)
    assert all(any(one.dominates(other) for one in frontier) for other in beaten)
    losses = [point.loss for point in frontier]
    assert losses == sorted(losses)


def scored(loss, *, bounded, **more):
    return replace(
        tried(loss, 20), outcome=replace(PLAIN, score=Score(200_000, 40, 20, 20), bounded_loss=bounded, **more)
    )


def test_the_loss_is_the_bounded_one_where_it_covers_all_columns_or_is_the_only_one_of_all_forms():
    """And the risk is always that of the strongest linkage, which is no mean of several."""
    two = (scored(1, bounded=5), ComparedPolicy("far", {}, None, "too far"), scored(1, bounded=1))
    assert [(point.index, point.loss, point.risk) for point in Comparison(two).points] == [(0, 5, 20), (2, 1, 20)]
    assert Comparison(two).to_list()[2]["release"]["bounded_score"] == 15.5
    mixed = (scored(1, bounded=5), tried(1, 2))  # one without a score
    assert [point.loss for point in Comparison(mixed).points] == [10, 1]
    words = tuple(scored(1, bounded=5, numeric_only=False, form=form) for form in ("centroids", "centroids"))
    assert [point.loss for point in Comparison(words).points] == [10, 10]
    forms = tuple(scored(1, bounded=5, numeric_only=False, form=form) for form in ("centroids", "extents"))
    assert [point.loss for point in Comparison(forms).points] == [5, 5]


def checked(loss, risk, upper):
    figure = Finding("linked persons", risk, "", interval=(0.0, upper), unit="%")
    outcome = replace(PLAIN, information_loss=loss, linked_persons=risk)
    return ComparedPolicy("p", {}, replace(outcome, limit_checks=(LimitCheck("linked_persons", 5.0, figure),)))


def test_least_loss_within_the_limits_is_recommended():
    """The upper end of an interval counts; the lowest score, the frontier and the order do not."""
    policies = (checked(1, 20, 21), checked(4, 4, 6), checked(8, 3, 5), checked(8, 2, 4), checked(9, 0, 1))
    assert Comparison(policies, {"linked_persons": 0.05}).recommended == 3
    assert Comparison(policies[:2], {"linked_persons": 0.05}).recommended is None
    assert Comparison(policies).recommended is None  # without limits
    assert Comparison((ComparedPolicy("far", {}, None, "too far"),), {"linked_persons": 1.0}).recommended is None


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=9), st.integers(0, 9))
def test_no_release_within_the_limits_loses_less_than_the_recommended_one(figures, most):
    policies = tuple(
        replace(checked(loss, risk, risk), outcome=replace(checked(loss, risk, risk).outcome, limit_checks=(
            LimitCheck("linked_persons", most, Finding("linked persons", risk, "")),)))
        for loss, risk in figures
    )  # fmt: skip
    compared, within = Comparison(policies, {"linked_persons": most / 100}), [f for f in figures if f[1] <= most]
    if not within:
        assert compared.recommended is None
    else:
        assert figures[compared.recommended] == min(within)


def test_the_list_says_what_was_not_met():
    line = Comparison((ComparedPolicy("far", {"method.k": 9}, None, "too far"),)).to_list()[0]
    assert (line["reason"], line["release"], line["on_frontier"]) == ("too far", None, False)


def test_a_release_on_which_no_linkage_could_be_tried_is_not_the_safest():
    """Of it the risk is not known: it beats nothing and is not recommended."""
    met = replace(PLAIN, information_loss=1.0, linked_persons=None)
    policies = (ComparedPolicy("p", {}, met), tried(5, 10))
    comparison = Comparison(policies, {"prosecutor_risk": 0.2})
    assert [point.index for point in comparison.frontier] == [1]
    assert comparison.recommended == 1
    assert comparison.n_releases == 2
    assert comparison.to_list()[0]["release"]["linked"] is None
