"""Risk and loss of many releases."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from shoal.assessment.comparison import ComparedPolicy, Comparison, PolicyOutcome
from shoal.assessment.score import Score

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


def test_the_loss_is_the_bounded_one_and_the_risk_that_of_the_score_where_all_have_one():
    scored = replace(tried(1, 2), outcome=replace(PLAIN, score=Score(114_036, 40, 20, 20), bounded_loss=5))
    better = replace(tried(1, 2), outcome=replace(PLAIN, score=Score(200_000, 40, 20, 20), bounded_loss=1))
    all_scored = Comparison((scored, ComparedPolicy("far", {}, None, "too far"), better))
    assert [(point.index, point.loss, point.risk) for point in all_scored.points] == [(0, 5, 30), (2, 1, 30)]
    assert all_scored.best is better  # though its published score is higher
    assert all_scored.to_list()[2]["release"]["bounded_score"] == 15.5
    assert all_scored.to_list()[2]["release"]["score"]["information_loss"] == 200_000
    mixed = Comparison((scored, tried(1, 2)))
    assert [(point.loss, point.risk) for point in mixed.points] == [(10, 20), (1, 2)]
    assert Comparison((ComparedPolicy("far", {}, None, "too far"),)).best is None


def test_the_list_says_what_was_not_met():
    line = Comparison((ComparedPolicy("far", {"method.k": 9}, None, "too far"),)).to_list()[0]
    assert (line["reason"], line["release"], line["on_frontier"]) == ("too far", None, False)
