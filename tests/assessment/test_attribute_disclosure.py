"""Attribute disclosure: the textbook attacks, and a slow twin."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from reference.attribute import attribute_twin
from shoal.assessment.exposure import HOMOGENEOUS
from shoal.assessment.risk.attribute_attacks import BELIEF, OF_TWO, RIGHT, SIMILAR, attribute_attacks
from shoal.assessment.risk.attribute_disclosure import PARTS, disclosure_of_counts
from shoal.assessment.risk.range_maximum import highest_places
from shoal.assessment.risk.release_counts import RecordsInMemory, ReleaseCounts
from shoal.assessment.risk.sensitive_distribution import SensitiveValues
from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.findings import UnmeasuredFigure


def release_of(table, *sensitive, **more):
    columns = [shoal.Column(name, "quasi_identifier") for name in ("town", "age") if name in table.column_names]
    schema = shoal.Schema([*columns, *sensitive])
    return ReleaseCounts(RecordsInMemory(table), schema, (schema.quasi_identifiers,), len(table), **more)


def figures(release):
    return {attack.figure.name: attack.figure for attack in attribute_attacks(release).attacks}


# Twelve patients in three classes of four, as in the paper on l-diversity: in the last all have the same illness, in
# the first there are two.
PATIENTS = pa.table(
    {
        "town": ["north"] * 4 + ["south"] * 4 + ["east"] * 4,
        "age": ["below 30"] * 4 + ["40 or more"] * 4 + ["30 to 39"] * 4,
        "illness": ["heart"] * 2 + ["virus"] * 2 + ["cancer", "heart", "virus", "virus"] + ["cancer"] * 4,
    }
)


def test_the_homogeneity_attack_on_four_anonymous_patients():
    """Who is known to be 35 and from the east has cancer, though four records match."""
    found = figures(release_of(PATIENTS, shoal.Column("illness", "sensitive"), k=4))
    assert found[f"{HOMOGENEOUS}, illness"].estimate == pytest.approx(100 * 4 / 12)
    belief = found[f"{BELIEF} illness"]
    assert belief.estimate == 100
    assert belief.baseline == pytest.approx(100 * 5 / 12)


def test_the_background_knowledge_attack_on_four_anonymous_patients():
    """Who can exclude a heart disease knows that a person of the first class has a virus."""
    found = figures(release_of(PATIENTS, shoal.Column("illness", "sensitive"), k=4))
    assert found[f"{OF_TWO} illness"].estimate == pytest.approx(100 * 8 / 12)
    right = found[f"{RIGHT} illness"]
    assert right.estimate == pytest.approx(100 * (2 + 2 + 4) / 12)
    assert right.baseline == pytest.approx(100 * 5 / 12)


@pytest.mark.parametrize(("n_positive", "n_negative", "belief"), [(25, 25, 50), (49, 1, 98)])
def test_the_skewness_attack_on_a_rare_virus(n_positive, n_negative, belief):
    """One percent of 10,000 persons has the virus; both classes are 2-diverse, and one of them nearly tells."""
    others = 10_000 - n_positive - n_negative
    test = ["positive"] * n_positive + ["negative"] * n_negative
    test += ["positive"] * (100 - n_positive) + ["negative"] * (others - 100 + n_positive)
    table = pa.table({"town": ["a"] * (n_positive + n_negative) + ["b"] * others, "test": test})
    found = figures(release_of(table, shoal.Column("test", "sensitive"), k=50))
    assert found[f"{BELIEF} test"].estimate == pytest.approx(belief)
    assert found[f"{BELIEF} test"].baseline == pytest.approx(1)
    assert f"{belief} times" in found[f"{BELIEF} test"].meaning
    assert found[f"{HOMOGENEOUS}, test"].estimate == 0


ILLNESSES = shoal.Taxonomy(
    (
        ("ulcer", "stomach", "any"),
        ("gastritis", "stomach", "any"),
        ("stomach cancer", "stomach", "any"),
        ("flu", "lungs", "any"),
        ("bronchitis", "lungs", "any"),
        ("pneumonia", "lungs", "any"),
    )
)
# Nine persons in three 3-diverse classes, as in the paper on t-closeness: the first class earns least, and all of its
# persons are ill of the stomach.
EARNERS = pa.table(
    {
        "town": ["x"] * 3 + ["y"] * 3 + ["z"] * 3,
        "salary": [3000, 4000, 5000, 6000, 11000, 8000, 7000, 9000, 10000],
        "illness": [
            "ulcer",
            "gastritis",
            "stomach cancer",
            "gastritis",
            "flu",
            "bronchitis",
            "bronchitis",
            "pneumonia",
            "stomach cancer",
        ],
    }
)


def test_the_similarity_attack_on_illnesses_of_one_organ():
    found = figures(release_of(EARNERS, shoal.Column("illness", "sensitive", "nominal", ILLNESSES), k=3))
    assert found[f"{HOMOGENEOUS}, illness"].estimate == 0
    assert found[f"{SIMILAR} illness"].estimate == pytest.approx(100 / 3)


def test_the_similarity_attack_on_low_salaries():
    """Three different salaries, all of them in the lowest third."""
    found = figures(release_of(EARNERS, shoal.Column("salary", "sensitive", "numeric"), k=3))
    assert found[f"{HOMOGENEOUS}, salary"].estimate == 0
    assert "the narrowest class span 33.33 % of the ranks" in found[f"{SIMILAR} salary"].meaning


@pytest.mark.parametrize("kind", ["nominal", "numeric"])
@pytest.mark.parametrize("seed", range(12))
def test_it_agrees_with_its_twin_in_any_pieces(seed, kind):
    chance = np.random.default_rng(seed)
    n, n_values = int(chance.integers(1, 60)) if seed < 8 else 300, int(chance.integers(2, 60))
    classes, values = chance.integers(0, 6, n), chance.integers(0, n_values, n)
    values = np.where(chance.random(n) < seed / 50, classes * 5 % n_values, values)  # some values are those of a class
    table = pa.table({"town": classes, "pay": values if kind == "numeric" else [f"v{value}" for value in values]})
    whole = SensitiveValues.of(shoal.Column("pay", "sensitive", kind), count_combinations(table, ["pay"]))
    counts = count_combinations(table, ["town", "pay"])
    even, odd = (counts.only(counts["town"].to_numpy() % 2 == at).to_table() for at in (0, 1))
    found = disclosure_of_counts(whole, None, even) + disclosure_of_counts(whole, None, odd)
    twin = attribute_twin(list(zip(classes.tolist(), values.tolist(), strict=True)), ordered=kind == "numeric")
    assert whole.prior.max() == pytest.approx(twin["baseline"])
    for name in ("right", "surest", "homogeneous", "of_two", "similar", "narrowest"):
        if name != "narrowest" or kind == "numeric":
            assert getattr(found, name) == pytest.approx(twin[name]), name
    assert (found.belief.gain, found.belief.after) == pytest.approx((twin["gain"], twin["belief"]))
    assert disclosure_of_counts(whole, None, counts.to_table()) == found


def test_the_belief_in_a_number_is_compared_with_its_own_share():
    """Four of a thousand earn 500, all in one class: it makes that 250 times as likely, not ten times."""
    pay = [*range(1000), 500, 500, 500]
    table = pa.table({"town": ["a" if each == 500 else "b" for each in pay], "pay": pay})
    found = figures(release_of(table, shoal.Column("pay", "sensitive", "numeric")))[f"{BELIEF} pay"]
    assert (found.estimate, found.baseline) == pytest.approx((100, 100 * 4 / 1003))
    assert "250.8 times" in found.meaning


@pytest.mark.parametrize("seed", range(5))
def test_the_highest_place_of_ranges_is_that_of_a_slow_twin(seed):
    chance = np.random.default_rng(seed)
    n = int(chance.integers(0, 200))
    numbers = chance.integers(0, 9, n).astype(float)
    lasts = np.minimum(np.arange(n) + chance.integers(0, n + 1, n), n - 1)
    expected = [max(range(at, last + 1), key=lambda i: (numbers[i], i)) for at, last in enumerate(lasts)]
    assert highest_places(numbers, lasts).tolist() == expected


def test_a_unit_counts_once_in_a_class():
    """Ninety stays of one patient are no more than the one stay of another."""
    table = pa.table({"town": ["a"] * 92, "ill": ["flu"] * 90 + ["gout"] * 2, "who": ["x"] * 90 + ["y", "z"]})
    whole = SensitiveValues.of(shoal.Column("ill", "sensitive"), count_combinations(table, ["ill"]))
    found = disclosure_of_counts(whole, "who", count_combinations(table, ["town", "ill", "who"]).to_table())
    assert (found.n_known, found.right) == (3 * PARTS, pytest.approx(2 / 3))


@pytest.mark.parametrize("are_persons", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_a_guess_with_the_release_is_right_as_often_as_one_without_it(seed, are_persons):
    """Also where records are of units, of very different numbers of records: both count persons."""
    chance = np.random.default_rng(seed)
    who = chance.integers(0, 12, 80)
    who[:50] = 0
    ill = np.where(who == 0, 0, chance.integers(0, 3, 80))
    table = pa.table({"town": chance.integers(0, 2, 80), "ill": ill, "who": who})
    release = release_of(table, shoal.Column("ill", "sensitive"), unit="who", units_are_persons=are_persons)
    found = figures(release)[f"{RIGHT} ill"]
    assert found.baseline <= found.estimate + 1e-9


def test_records_without_a_unit_count_one_by_one():
    table = pa.table({"town": ["a"] * 4, "ill": ["flu", "flu", "gout", "gout"], "who": ["x", "x", None, None]})
    whole = SensitiveValues.of(shoal.Column("ill", "sensitive"), count_combinations(table, ["ill"]))
    found = disclosure_of_counts(whole, "who", count_combinations(table, ["town", "ill", "who"]).to_table())
    assert (found.n_known, found.right) == (3 * PARTS, pytest.approx(2 / 3))


SPELLINGS = pa.table({"town": ["a"] * 3 + ["b"] * 3, "ill": ["HIV", "hiv", " hiv ", "flu", "gout", "cold"]})


@pytest.mark.parametrize("wildcards", [False, True])
def test_spellings_of_one_value_make_a_class_homogeneous(wildcards):
    found = figures(release_of(SPELLINGS, shoal.Column("ill", "sensitive"), wildcards=wildcards))
    assert found[f"{HOMOGENEOUS}, ill"].estimate == 50


def test_spellings_of_one_value_are_one_guess():
    found = figures(release_of(SPELLINGS, shoal.Column("ill", "sensitive")))
    assert found[f"{RIGHT} ill"].estimate == pytest.approx(100 * 4 / 6)


def test_a_missing_value_is_none_that_could_be_learned():
    table = pa.table({"town": ["a"] * 4 + ["b"] * 2, "ill": ["flu", "flu", "gout", None, None, None]})
    found = figures(release_of(table, shoal.Column("ill", "sensitive")))
    assert found[f"{RIGHT} ill"].estimate == pytest.approx(100 * 2 / 3)
    assert found[f"{HOMOGENEOUS}, ill"].estimate == 0


@pytest.mark.parametrize("values", [["flu"] * 4, [None] * 4])
def test_one_value_is_no_secret(values):
    assert not figures(
        release_of(pa.table({"town": ["a", "a", "b", "b"], "ill": values}), shoal.Column("ill", "sensitive"))
    )


def test_of_no_records_nothing_is_told():
    assert not figures(release_of(PATIENTS.slice(0, 0), shoal.Column("illness", "sensitive")))


def test_of_several_key_sets_the_worst_is_told():
    table = pa.table({"town": [*"aabb"], "age": [1, 2, 1, 2], "ill": ["flu", "flu", "gout", "gout"]})
    release = release_of(table, shoal.Column("ill", "sensitive"))
    one = ReleaseCounts(release.records, release.schema, (("age",),), 4)
    both = ReleaseCounts(release.records, release.schema, (("age",), ("town",)), 4)
    assert [figures(each)[f"{RIGHT} ill"].estimate for each in (one, both)] == [50, 100]


@pytest.mark.parametrize("more", [{"wildcards": True}, {"perturbed": {"town"}}])
def test_where_classes_overlap_or_are_none_it_is_not_measured(more):
    found = figures(release_of(PATIENTS, shoal.Column("illness", "sensitive"), **more))
    assert isinstance(found[f"{RIGHT} illness"], UnmeasuredFigure)
    assert found[f"{HOMOGENEOUS}, illness"].estimate == pytest.approx(100 * 4 / 12)


def test_a_guess_of_numbers_spans_a_tenth_of_the_ranks_or_is_one_value():
    counts = CountTable(pa.table({"pay": [1, 2, 3, 4, 1_000_000]}), np.array([5, 4, 60, 21, 10]))
    whole = SensitiveValues.of(shoal.Column("pay", "sensitive", "numeric"), counts)
    assert whole.last_of_guess.tolist() == [1, 1, 2, 3, 4]
    assert whole.prior == pytest.approx([0.09, 0.04, 0.6, 0.21, 0.1])
