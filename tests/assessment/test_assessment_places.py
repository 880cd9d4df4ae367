"""Every figure in its place: estimates, baselines and goals by hand, with weights, households, gaps and pieces."""

import dataclasses
from statistics import NormalDist

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.numeric_pair import numeric_pair
from shoal.assessment.risk import containment
from shoal.assessment.risk.class_sizes import ClassSizes
from shoal.assessment.risk.count_risks import count_risks
from shoal.assessment.risk.individual_risk import household_risk, individual_risk, individual_risk_findings
from shoal.assessment.risk.interval import interval_attacks
from shoal.assessment.risk.uniqueness import KeyCounts, key_counts, uniqueness_findings
from shoal.assessment.utility.coverage import coverage_findings
from shoal.assessment.utility.distributions import distribution
from shoal.assessment.utility.loss import column_loss
from shoal.assessment.utility.moments import mean_variation
from shoal.errors import TableError
from shoal.linkage.agreement import EqualityAgreement, NumericAgreement, _column_agreement
from shoal.linkage.linkage_by_rank import _rank_coordinates, doubled_ranks
from shoal.linkage.linkage_risk import Linkage
from shoal.linkage.linkage_tables import LinkageColumn
from shoal.linkage.record_links import Links


def figures(findings):
    return {found.name: (found.estimate, found.baseline, found.goal) for found in findings}


def test_risks_from_counts_before_and_after():
    found = figures(count_risks(ClassSizes.of([1, 1, 2, 6]), ClassSizes.of([2, 3, 3]), k=2))
    assert found == {
        "k reached": (2, 1, 2),
        "highest prosecutor risk": (50, 100 / 8, 50),
        "mean prosecutor risk": (100 * 3 / 8, 100 / 8, None),
        "unique records": (0, 20, 0),
    }
    same = figures(count_risks(ClassSizes.of([2]), ClassSizes.of([1, 1, 2]), k=None))
    assert same["unique records"] == (50, 0, 0)
    assert same["highest prosecutor risk"] == (100, 25, None)


def test_uniqueness_by_hand():
    """Keys of 2, 5 and 20 persons; the weights of the second sum to less than the records that bear them."""
    counts = KeyCounts.of(np.array([0, 1, 1, 2, 2, 2]), np.array([2.0, 0.5, 0.5, 5.0, 5.0, 10.0]))
    assert counts.population.tolist() == [2, 2, 2, 20, 20, 20]
    assert counts.below(2).tolist() == []
    assert counts.below(3).tolist() == [0, 1, 2]
    assert counts.below(20).tolist() == [0, 1, 2]
    found = figures(uniqueness_findings(counts, 3))
    assert found["sample uniques"][0] == pytest.approx(100 / 6)
    assert found["below 3-map"] == (50, None, 0)
    somebody = 100 / (2 + 2 + 20)
    assert found["highest journalist risk"][:2] == pytest.approx((50, somebody))
    assert found["marketer risk"][:2] == pytest.approx((100 * (3 * 0.5 + 3 * 0.05) / 6, somebody))


@pytest.mark.parametrize("unfit", [0.0, -1.0, None])
def test_a_weight_is_known_and_above_zero(unfit):
    table = pa.table({"x": ["a", "b"], "w": pa.array([1.0, unfit])})
    schema = shoal.Schema([shoal.Column("x", "quasi_identifier"), shoal.Column("w", "weight", "numeric")])
    with pytest.raises(TableError, match="w"):
        key_counts(table, schema)


def test_a_household_is_linked_with_any_of_its_members():
    assert household_risk([0.5, 0.2, 0.1, 0.4], [0, 1, 0, 0]) == pytest.approx([1 - 0.5 * 0.9 * 0.6, 0.2] + [0.73] * 2)
    counts = KeyCounts(np.array([1, 1, 2]), np.array([4.0, 8.0, 9.0]), 21.0)
    alone = individual_risk(counts.sample, counts.population)
    together = household_risk(alone, [0, 0, 1])
    found = figures(individual_risk_findings(counts, np.array([0, 0, 1])))
    assert found["expected re-identifications"][0] == pytest.approx(alone.sum())
    assert found["highest individual risk"][:2] == pytest.approx((100 * together.max(), 100 / 21))
    assert together.max() > alone.max()


def numeric(*names):
    return shoal.Schema([shoal.Column(name, "quasi_identifier", "numeric") for name in names])


def test_interval_disclosure_of_a_table_with_gaps():
    """Ten values that stay inside and chance that seldom does; what is missing before or after is left out."""
    values = [float(value) for value in range(100)]
    before, after = pa.table({"a": [*values, None, 7.0]}), pa.table({"a": [*values, 7.0, None]})
    found, whole = (
        interval_attacks(*tables, numeric("a"))[0].figure
        for tables in ((before, after), (before.slice(0, 100), after.slice(0, 100)))
    )
    assert (found.estimate, found.baseline) == (whole.estimate, whole.baseline)
    assert found.estimate == 100
    assert found.baseline < 15


PERSONS = pa.table({"age": [20.0, 30.0, 40.0, None, 35.0]})
TOLD = pa.table({"age": [None, "[20, 30)", "[20, 30)", "[30, 40]"]})


@pytest.mark.parametrize("at_a_time", [1, 4, 10_000_000])
def test_a_class_holds_whom_its_ends_say(monkeypatch, at_a_time):
    """20 is in the first class of two, 30 and 40 in the second; two persons are not released."""
    monkeypatch.setattr(containment, "BATCH_SIZE", at_a_time)
    truth = np.array([1, 3, -1, 0, -1])
    links = containment.containment_linkage(PERSONS, TOLD, numeric("age"), truth)
    assert links.n_ties.tolist() == [2, 1, 1, 1, 1]
    assert links.records.tolist() == [1, 3, 3, 0, 3]
    assert links.chances.tolist() == [0.5, 1, 0, 1, 0]


def test_gaps_that_were_filled_or_blanked_may_be_anything():
    persons, truth = pa.table({"age": [20.0, None, 30.0]}), np.array([0, 1, 2])
    filled = containment.containment_linkage(
        persons, pa.table({"age": ["[20, 25)", "[20, 25)", "[30, 35)"]}), numeric("age"), truth
    )
    assert filled.n_ties.tolist() == [2, 3, 1]
    assert filled.chances == pytest.approx([1 / 2, 1 / 3, 1])
    blanked = containment.containment_linkage(
        persons, pa.table({"age": ["[20, 25)", None, None]}), numeric("age"), truth
    )
    assert blanked.n_ties.tolist() == [1, 3, 2]  # blank records could be anybody, so they are drawn from last


def test_records_that_could_be_anybody_are_drawn_from_last():
    """Two classes of two, a record that is partly * and three that are all *; of the last person no class is left."""
    ages = ["[20, 30)", "[20, 30)", "[30, 40)", "[30, 40)", "*", "*", "*", "*"]
    rents = ["[0, 5)", "[0, 5)", "[0, 5)", "[0, 5)", "[0, 5)", "*", "*", "*"]
    persons = pa.table({"age": [20.0, 21, 30, 31, 32, 22, 50, 50], "rent": [1.0, 1, 1, 1, 1, 1, 1, 9]})
    links = containment.containment_linkage(
        persons, pa.table({"age": ages, "rent": rents}), numeric("age", "rent"), np.arange(8)
    )
    assert links.n_ties.tolist() == [3, 3, 3, 3, 3, 3, 1, 3]
    assert links.chances == pytest.approx([1 / 3] * 5 + [0, 0, 1 / 3])


def linkage(chances, truth, weights=None, households=None, k=1, n_released=10):
    n = len(chances)
    links = Links(np.zeros(n, dtype=np.int64), np.zeros(n), np.ones(n, dtype=np.int64), np.array(chances))
    weights = np.ones(n) if weights is None else np.array(weights)
    return Linkage(np.arange(n), np.array(truth), links, weights, households, n_released, k, ("age",), None)


def test_linked_persons_by_hand():
    found = linkage([1.0, 0.5, 0.0, 0.25], [0, 1, -1, 2], weights=[1.0, 2.0, 4.0, 3.0], k=3)
    assert found.risk == pytest.approx((1 + 1 + 0.75) / 10)
    assert found.baseline == pytest.approx(0.3 * 0.6)  # three guesses among ten, and four persons are not there
    told = figures(found.findings)
    assert told["linked persons"][:2] == pytest.approx((27.5, 18))
    assert told["persons at high risk"][:2] == pytest.approx((30, 0))  # a chance of just one half is high
    assert found.at_risk().tolist() == [0, 1]
    assert found.at_risk(0.2).tolist() == [0, 1, 3]
    assert found.to_dict()["risk"] == found.risk
    assert found.to_dict()["baseline"] == found.baseline


def test_a_household_weighs_as_its_members_do_on_average():
    found = linkage([1.0, 0.0, 0.5], [0, 1, 2], weights=[2.0, 4.0, 6.0], households=np.array([0, 0, 1]))
    assert found.household_risk == pytest.approx((3 * 1 + 6 * 0.5) / 9)


def test_k_guesses_among_ties():
    links = Links.of(np.array([[0, 1, 0, 4], [0, 1, 1, 4], [0, 1, 5, 1], [-1, 0, 0, 0]]), np.zeros(4), 2)
    assert links.chances.tolist() == [0.5, 0.25, 0, 0]


def field(values, kind="numeric", codes=None, texts=()):
    gaps = np.array([value is None for value in values])
    known = np.array([0.0 if value is None else float(value) for value in values])
    return LinkageColumn("x", kind, known, gaps, codes, texts)


def test_ranks_share_their_mean_and_gaps_sit_in_the_middle():
    values = np.array([5.0, 1.0, 5.0, 9.0])
    assert doubled_ranks(values, values, np.ones(4, dtype=np.int64)).tolist() == [4, 1, 4, 7]  # of 8
    assert doubled_ranks(values, np.array([5.0, 1.0, 9.0]), np.array([2, 1, 1])).tolist() == [4, 1, 4, 7]
    column = field([5.0, None, 1.0])
    places, _ = _rank_coordinates(*[(column, column, np.ones(3, dtype=np.int64))] * 2)
    assert places.tolist() == [[3, 0], [2, 1], [1, 0]] * 2  # of 4, and whether it is missing


def test_a_gap_on_either_side_says_nothing():
    one, other = field([1.0, None, 1.0, None]), field([1.0, 1.0, None, None])
    for agreement in (
        NumericAgreement(one, other, np.array([0.5])),
        EqualityAgreement(
            dataclasses.replace(one, codes=np.array([1, -1, 1, -1])),
            dataclasses.replace(other, codes=np.array([1, 1, -1, -1])),
        ),
    ):
        records = np.arange(4)
        assert agreement.levels(records, records).tolist() == [agreement.n_levels - 1, -1, -1, -1]


def test_numbers_are_near_by_the_deviation_of_the_known():
    one, other = field([100.0, 102.0, None, None]), field([104.0, 106.0, None, None])
    assert _column_agreement(one, other, np.ones(4, dtype=np.int64)).widths == pytest.approx(
        np.std([100, 102, 104, 106]) * np.array([0.1, 0.5])
    )


def test_neighbors_in_an_order_agree_halfway():
    codes = np.array([0, 1, 2, 3])
    column = field([0, 1 / 3, 2 / 3, 1], "ordinal", codes, tuple("abcd"))
    levels = _column_agreement(column, column, np.ones(4, dtype=np.int64)).levels(np.zeros(4, dtype=np.int64), codes)
    assert levels.tolist() == [2, 1, 0, 0]


def test_pairs_are_complete_before_and_after():
    before = pa.table({"a": [1.0, None, 3.0, 4.0], "b": [5.0, 6.0, 7.0, 8.0]})
    after = pa.table({"a": [1.5, 2.5, None, 4.5], "b": [5.5, 6.5, 7.5, 8.5]})
    pair = numeric_pair(before, after, numeric("a", "b"))
    assert pair.original.tolist() == [[1, 5], [4, 8]]
    assert pair.released.tolist() == [[1.5, 5.5], [4.5, 8.5]]


def test_variations_are_shares_of_what_was_before():
    found = mean_variation(np.array([[1.0], [0.0], [0.0], [4.0]]), np.array([[2.0], [3.0], [0.0], [4.0]]))
    assert found.data == pytest.approx((1 + 1 + 0 + 0) / 4)
    assert found.means == pytest.approx((9 - 5) / 5)


def test_a_record_is_parted_from_one_of_its_nearest():
    """Six records on a line, three by three, and a border that cuts one off from its two nearest."""
    X = np.array([[0.0], [1.0], [2.1], [10.0], [11.0], [12.1]])
    blocks = shoal.Partition(np.array([0, 0, 1, 1, 1, 1]))
    found = coverage_findings(X, shoal.Partition(np.array([0, 0, 0, 1, 1, 1])), blocks, 3)["parted by blocks"]
    assert (found.estimate, found.baseline) == (50, 0)


def shares(before, after, k=3, kind="nominal"):
    found = distribution(shoal.Column("x", kind=kind), pa.chunked_array([before]), pa.chunked_array([after]), k)
    return dict(zip(found.bins, zip(found.original, found.released, strict=True), strict=True))


def test_shares_before_and_after_and_nobody_is_shown():
    assert shares(["a"] * 6 + ["b"] * 4, ["a"] * 9 + ["b"]) == {"a": (60, 90), "b": (40, 10)}
    few = shares(["a"] * 9 + ["b"] * 3 + ["c"] * 2, ["a"] * 9 + ["b"] * 3 + ["c"] * 2)
    assert few == {"a": (75, 75), "b": (25, 25)}  # two persons are too few to be shown, before as after
    known = shares([1.0, 2.0] + [None] * 8, [1.0, 2.0] + [None] * 8, kind="numeric")
    assert known == {"all": (0, 0), "missing": (100, 100)}


def test_what_was_filled_in_of_a_nominal_column_is_not_counted():
    column = shoal.Column("x", "quasi_identifier")
    before, after = pa.chunked_array([["a", "b", "b", None, None]]), pa.chunked_array([["b", "b", "b", "a", "b"]])
    assert column_loss(column, before, after) == 100


@pytest.mark.parametrize(
    ("d", "largest", "counted"), [(4, 2, [3 * 2, 2]), (4, 3, [6, 2, 1]), (3, 3, [2, 1, 1]), (5, 1, [4])]
)
def test_a_special_unique_counts_by_its_size(d, largest, counted):
    codes = np.random.default_rng(d).integers(0, 4, (12, d))
    found = shoal.suda(codes, max_size=largest)
    assert found.unique_sets.shape == (12, largest)
    assert (found.unique_sets.sum(axis=0) > 0).any()
    assert found.scores.tolist() == (found.unique_sets @ np.array(counted)).tolist()


def test_a_number_that_was_blanked_counts_as_the_mean():
    column = shoal.Column("x", "quasi_identifier", "numeric")
    before, after = pa.chunked_array([[10.0, 14.0, 12.0]]), pa.chunked_array([pa.array([None, 14.0, 12.0])])
    assert column_loss(column, before, after) == pytest.approx(50)


def test_quantiles_of_the_release_are_judged_in_the_original():
    """A release of fives alone, and an original of which two thirds lie below five: the shares are its own."""
    before, after = np.array([1.0] * 40 + [5.0] * 5 + [9.0] * 15), np.full(60, 5.0)
    apart = [max(40 / 60 - p / 100, p / 100 - 45 / 60, 0) for p in range(5, 100, 5)]
    deviations = [np.sqrt(p / 100 * (1 - p / 100) / 60) for p in range(5, 100, 5)]
    losses = [2 * NormalDist().cdf(far / by) - 1 for far, by in zip(apart, deviations, strict=True)]
    found = shoal.probabilistic_loss(before[:, None], after[:, None])
    assert found.quantiles == pytest.approx(100 * np.mean(losses))
