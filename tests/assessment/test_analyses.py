"""The steward's analyses: laws, and what is said where one cannot be run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from shoal.assessment.table_pair import TablePair
from shoal.assessment.utility.analyses.analysis import Analysis
from shoal.assessment.utility.analyses.analysis_result import AnalysisResult, interval_overlap
from shoal.assessment.utility.analyses.analysis_run import run_analyses
from shoal.assessment.utility.analyses.held_out import HeldOutSplit
from shoal.assessment.utility.analyses.held_out_score import accuracy, explained_variance
from shoal.assessment.utility.compared_records import ComparedRecords
from shoal.assessment.utility.regression_fit import least_squares
from shoal.findings import UnmeasuredFigure
from shoal.schema import Column, Schema

N = 600
SCHEMA = Schema(
    [
        Column("age", "quasi_identifier", "numeric"),
        Column("sex", "quasi_identifier"),
        Column("job", "quasi_identifier"),
        Column("income", "sensitive", "numeric"),
        Column("ill", "sensitive"),
    ]
)
REGRESSION = Analysis("the regression", formula="income ~ age + sex + job")
LOGISTIC = Analysis("the odds", formula="ill ~ age + sex")


def people(n: int = N, seed: int = 4) -> pa.Table:
    draw = np.random.default_rng(seed)
    age, sex, job = draw.integers(18, 80, n), draw.choice(["f", "m"], n), draw.choice(["a", "b", "c"], n)
    income = 900 + 30 * age + 400 * (sex == "m") + 700 * (job == "c") + draw.normal(0, 300, n)
    ill = np.where(draw.random(n) < 1 / (1 + np.exp(-(age - 50) / 8)), "yes", "no")
    return pa.table({"age": age, "sex": sex, "job": job, "income": income, "ill": ill})


def with_column(table: pa.Table, name: str, values: Any) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, pa.array(values))


def compare(released: pa.Table, original: pa.Table | None = None, truth: Any = None) -> ComparedRecords:
    before = people() if original is None else original
    places = np.arange(len(before)) if truth is None else truth
    return ComparedRecords.of(TablePair.of(before, released, SCHEMA).aligned(places))


def run(records: ComparedRecords, analysis: Analysis, k: int = 3) -> Any:
    (found,) = run_analyses(records, [analysis], k, None)
    return found


def test_a_release_that_equals_its_original_gives_the_same_answer():
    for analysis in (REGRESSION, LOGISTIC):
        found = run(compare(people()), analysis)
        assert found.overlap == pytest.approx(100)
        assert found.score.before == found.score.after > found.score.baseline
        assert "gives the same answer: overlap 100 %" in found.verdict


def test_the_coefficients_are_those_of_the_records_that_were_not_held_out():
    table, found = people(), run(compare(people()), REGRESSION)
    split = HeldOutSplit.of(N, np.arange(N), None, N)
    rows = table.take(split.training)
    dummies = [rows[name].to_numpy() == value for name, value in (("sex", "f"), ("job", "b"), ("job", "c"))]
    names = ["intercept", "age", "sex = f", "job = b", "job = c"]
    frequent = {name: max(set(rows[name].to_pylist()), key=rows[name].to_pylist().count) for name in ("sex", "job")}
    assert {pair.name for pair in found.coefficients}.isdisjoint({f"{n} = {v}" for n, v in frequent.items()})
    twin = least_squares(
        np.column_stack([np.ones(len(rows)), rows["age"].to_numpy(), *dummies]), rows["income"].to_numpy()
    )
    by_name = {pair.name: pair for pair in found.coefficients}
    assert by_name["age"].before == pytest.approx(twin.coefficients[names.index("age")])
    assert by_name["age"].error_before == pytest.approx(twin.errors[names.index("age")])
    assert found.n_before == found.n_after == len(split.training)
    assert found.n_held_out == len(split.held_out)


def test_more_noise_leaves_less_overlap_and_a_worse_score():
    draw, found = np.random.default_rng(1), []
    noise = draw.normal(0, 1, N)
    for size in (0, 10, 60):
        age = people()["age"].to_numpy() + size * noise
        found.append(run(compare(with_column(people(), "age", age)), REGRESSION))
    assert found[0].overlap > found[1].overlap > found[2].overlap
    assert found[0].score.after > found[1].score.after > found[2].score.after
    assert "another answer" in found[2].verdict


def test_the_release_may_be_in_any_order_and_lack_records():
    table, draw = people(), np.random.default_rng(2)
    order = draw.permutation(N)[: N - 100]
    truth = np.full(N, -1)
    truth[order] = np.arange(len(order))
    found = run(compare(table.take(order), truth=truth), REGRESSION)
    split = HeldOutSplit.of(N, np.arange(N), None, N)
    assert found.n_after == np.isin(order, split.training).sum() < found.n_before
    ages = [pair for pair in found.coefficients if pair.name == "age"]
    assert ages[0].after == pytest.approx(ages[0].before, rel=0.1)


def test_nobody_is_held_out_and_learned_from():
    units = np.repeat(np.arange(200), 3)
    units[::50] = -1
    split = HeldOutSplit.of(600, np.arange(600)[::-1].copy(), units, 600)
    learned = {*split.training.tolist(), *(599 - split.released).tolist()}
    assert learned.isdisjoint(split.held_out.tolist())
    known = [set(units[list(each)][units[list(each)] >= 0]) for each in (learned, split.held_out.tolist())]
    assert known[0].isdisjoint(known[1])
    assert len(split.training) + len(split.held_out) == 600
    assert len(split.held_out) == pytest.approx(200, abs=10)
    small = HeldOutSplit.of(600, np.arange(600), None, 90)
    assert (len(small.training), len(small.held_out)) == (60, 30)


def test_records_with_missing_values_are_left_out_and_counted():
    age = [None if at % 10 == 0 else value for at, value in enumerate(people()["age"].to_pylist())]
    found = run(compare(with_column(people(), "age", age)), REGRESSION)
    (note,) = found.notes
    assert "0 original and" in note
    assert found.n_after < found.n_before
    assert found.overlap > 80


def test_a_category_that_the_release_lost_has_no_coefficient_and_no_overlap():
    jobs = ["a" if job == "c" else job for job in people()["job"].to_pylist()]
    found = run(compare(with_column(people(), "job", jobs)), REGRESSION)
    lost = {pair.name: pair for pair in found.coefficients}
    gone = [pair for pair in lost.values() if pair.after is None]
    assert len(gone) <= 1
    assert all(pair.overlap == 0 for pair in gone)
    assert found.overlap < 100


def test_nodes_and_sets_count_in_parts_and_intervals_by_their_middles():
    jobs = [job if job == "a" else "{b, c}" for job in people()["job"].to_pylist()]
    ages = [f"[{age // 2 * 2}, {age // 2 * 2 + 2})" for age in people()["age"].to_pylist()]
    records = compare(with_column(with_column(people(), "job", jobs), "age", ages))
    assert set(records.by_extents) == {"age", "job"}
    found = run(records, REGRESSION)
    pairs = {pair.name: pair for pair in found.coefficients}
    assert found.n_after == found.n_before
    assert pairs["age"].after == pytest.approx(pairs["age"].before, rel=0.1)


def test_a_blurred_target_is_refused_and_one_of_intervals_explained():
    found = run(compare(with_column(people(), "job", ["{a, b}"] * N)), Analysis("x", target="job"))
    assert isinstance(found, UnmeasuredFigure)
    assert "100 % of its released cells are no single value" in found.reason
    incomes = [
        f"[{int(value) // 100 * 100}, {int(value) // 100 * 100 + 100})" for value in people()["income"].to_pylist()
    ]
    schema = Schema(
        [*(c for c in SCHEMA.columns if c.name != "income"), Column("income", "quasi_identifier", "numeric")]
    )
    pair = TablePair.of(people(), with_column(people(), "income", incomes), schema).aligned(np.arange(N))
    explained = run(ComparedRecords.of(pair), REGRESSION)
    assert "released as intervals" in explained.notes[0]
    assert explained.overlap > 90


def test_means_of_a_target_of_two_numbers_are_refused():
    table = with_column(people(), "income", np.arange(N) % 2)
    same = run(compare(table, table), REGRESSION)
    assert same.model == "logistic regression"
    found = run(
        compare(with_column(people(), "income", np.where(np.arange(N) < 60, 0.5, np.arange(N) % 2)), table), REGRESSION
    )
    assert isinstance(found, UnmeasuredFigure)
    assert "10 % of its released cells" in found.reason


@pytest.mark.parametrize(
    ("name", "values", "formula", "said"),
    [
        ("income", [5.0] * N, "income ~ age", "all records of the release"),
        ("ill", ["yes"] * N, "ill ~ age", "all records of the release"),
        ("age", [None] * (N - 5) + [30] * 5, "income ~ age", "fewer than 10 records"),
        ("ill", people()["ill"].to_pylist(), "job ~ age", "has 3 values"),
        ("ill", people()["ill"].to_pylist(), "income ~ nothing", "the release has no such column"),
        (
            "age",
            [20 + 50 * (v == "yes") for v in people()["ill"].to_pylist()],
            "ill ~ age",
            "tell its two values apart",
        ),
    ],
)
def test_what_cannot_be_fitted_is_told(name, values, formula, said):
    found = run(compare(with_column(people(), name, pa.array(values))), Analysis("it", formula=formula))
    assert isinstance(found, UnmeasuredFigure)
    assert found.reason.startswith("not measured: ")
    assert said in found.reason


def test_a_constant_column_of_the_release_has_no_coefficient():
    found = run(compare(with_column(people(), "age", [40] * N)), REGRESSION)
    (age,) = [pair for pair in found.coefficients if pair.name == "age"]
    assert (age.after, age.overlap) == (None, 0)


def test_without_pairs_nobody_can_be_held_out():
    records = ComparedRecords.of(TablePair.of(people(), people(), SCHEMA))
    found = run(records, REGRESSION)
    assert isinstance(found, UnmeasuredFigure)
    assert "--policy" in found.reason


@pytest.mark.gate
def test_a_classifier_and_a_regressor_of_all_other_columns():
    found = run(compare(people()), Analysis("jobs", target="sex"))
    assert (found.model, found.coefficients, found.overlap) == ("classifier", (), None)
    assert found.score.before == found.score.after
    numbers = run(compare(people()), Analysis("incomes", target="income", features=("age", "job")))
    assert numbers.model == "regressor"
    assert 30 < numbers.score.after < 100
    shuffled = with_column(people(), "income", np.random.default_rng(0).permutation(people()["income"].to_numpy()))
    assert run(compare(shuffled), Analysis("incomes", target="income")).score.after < 10


def test_a_feature_without_a_known_value_predicts_nothing():
    blank = with_column(people(), "age", pa.nulls(N, pa.float64()))
    assert run(compare(blank), Analysis("ills", target="ill", features=("age", "sex"))).score.after < 65
    found = run(compare(blank), Analysis("ills", target="ill", features=("age",)))
    assert isinstance(found, UnmeasuredFigure)
    assert "no column that predicts" in found.reason


def test_rare_categories_are_not_named():
    jobs = people()["job"].to_pylist()
    jobs[:2] = ["president", "president"]
    table = with_column(people(), "job", jobs)
    found = run(compare(table, table), REGRESSION, k=5)
    assert "president" not in str(found.to_dict())


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [((0, 10), (0, 10), 1), ((0, 10), (5, 15), 0.5), ((0, 10), (0, 5), 0.75), ((0, 1), (2, 3), 0), ((1, 1), (1, 1), 1)],
)
def test_the_overlap_of_karr_and_others_by_hand(one, other, overlap):
    assert interval_overlap(one, other) == pytest.approx(overlap)


def test_scores_by_hand():
    truth = np.array([0.0, 1, 1, 1])
    found = accuracy(truth, np.array([1.0, 1, 0]), np.array([0, 1, 1, 0]), np.array([1, 1, 0, 0]))
    assert (found.before, found.after, found.baseline) == (75, 25, 75)
    numbers = explained_variance(np.array([1.0, 3]), np.array([2.0, 2]), np.array([1.0, 3]), np.array([2.0, 2]))
    assert (numbers.before, numbers.after, numbers.baseline) == (100, 0, 0)


def test_the_interval_of_the_explained_variance_covers_the_truth():
    """Held-out records are drawn anew; what the model explains of all records is known."""
    draw, n_covered, n_held_out = np.random.default_rng(11), 0, 400
    slope, center = 0.8, 0.1  # of the fitted model, and the mean of its training records; the truth is 1 and 0
    error, around = 1 + (1 - slope) ** 2, 2 + center**2
    for _ in range(1000):
        x = draw.normal(size=n_held_out)
        y = x + draw.normal(size=n_held_out)
        low, high = explained_variance(y, np.full(3, center), y, slope * x).interval
        n_covered += low <= 100 * (1 - error / around) <= high
    assert 936 <= n_covered <= 964


def test_the_result_says_who_was_held_out():
    found: AnalysisResult = run(compare(people()), LOGISTIC)
    first, second = found.findings()
    assert "held out of it" in first.meaning
    assert first.interval is not None
    assert first.interval[0] < first.estimate < first.interval[1]
    assert second.name == "the odds, overlap of confidence intervals"
    assert found.event == "yes"


@pytest.mark.parametrize(
    ("formula", "names"),
    [
        ("income ~ sex + age:sex", ["age:sex = f", "age:sex = m"]),
        ("income ~ age + sex + age:sex", ["age"]),
    ],
)
def test_an_interaction_gives_every_category_a_slope(formula, names):
    """Both formulas fit a line to each sex: without the term age no sex is left without a slope."""
    table, found = people(), run(compare(people()), Analysis("slopes", formula=formula))
    rows = table.take(HeldOutSplit.of(N, np.arange(N), None, N).training)
    slopes = {pair.name: pair.before for pair in found.coefficients if pair.name.startswith("age")}
    assert set(names) <= set(slopes)
    assert len(slopes) == 2
    own = {}
    for sex in ("f", "m"):
        chosen = rows.filter(pc.equal(rows["sex"], sex))
        own[sex] = np.polyfit(chosen["age"].to_numpy(), chosen["income"].to_numpy(), 1)[0]
    if "age" in slopes:
        ((name, more),) = [(name, slope) for name, slope in slopes.items() if name != "age"]
        sex = name[-1]
        assert slopes["age"] + more == pytest.approx(own[sex])
        assert slopes["age"] == pytest.approx(own["f" if sex == "m" else "m"])
    else:
        assert slopes == pytest.approx({f"age:sex = {sex}": slope for sex, slope in own.items()})
