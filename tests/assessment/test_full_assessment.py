"""A release held beside its original."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from reference import containment
from shoal.assessment import linkage_attacks
from shoal.assessment.risk.containment import containment_linkage
from shoal.assessment.table_pair import TablePair
from shoal.assessment.utility.extent_values import single_values
from shoal.errors import LinkageError
from shoal.linkage.intruder import Intruder
from shoal.schema import Column, Schema, Taxonomy
from survey_example import of_records, survey, survey_policy

LINKAGES = ("distance", "probabilistic", "rank")
AGE_AND_RENT = Schema(Column(name, "quasi_identifier", "numeric") for name in ("age", "rent"))


def numbers(n=40, seed=0):
    chance = np.random.default_rng(seed)
    return pa.table({"age": chance.permutation(n) + 18.0, "rent": chance.permutation(n) * 10 + 300.0})


def assess(original, released, schema=None, **more):
    """Record i is record i."""
    return shoal.assess(original, released, schema, truth="position", **more)


def test_the_untouched_file_loses_nothing_and_hides_nobody():
    table = numbers()
    found = assess(table, table, AGE_AND_RENT)
    assert found.losses == {"age": 0, "rent": 0}
    assert found.findings["IL1s"].estimate == 0
    assert found.findings["probabilistic loss (PIL)"].estimate == 0
    assert {by: linkage.risk for by, linkage in found.linkages.items()} == dict.fromkeys(LINKAGES, 1.0)
    assert found.score.to_dict() == {
        "score": 50, "disclosure_risk": 100, "bounded_risk": 100, "information_loss": 0, "interval_disclosure": 100,
        "distance_linkage": 100, "probabilistic_linkage": 100, "other_linkage": 100, "strongest_linkage": 100,
    }  # fmt: skip


def test_duplicates_of_the_untouched_file_share_their_chance():
    table = pa.concat_tables([numbers(), numbers()])
    found = assess(table, table, AGE_AND_RENT)
    assert found.linkages["distance"].risk == 0.5
    assert found.findings["mean prosecutor risk"].estimate == 50


def test_a_constant_file_leaves_the_baseline():
    table = numbers()
    constant = pa.table({name: np.full(len(table), 40.0) for name in table.column_names})
    found = assess(table, constant, AGE_AND_RENT)
    for by in LINKAGES:
        finding = found.findings[f"linked persons, {by}"]
        assert finding.estimate == pytest.approx(finding.baseline)
        assert finding.baseline == 100 / len(table)


def test_the_score_by_hand():
    """Of 1, 2, 3, 4 the last two were swapped: half of them stand where they stood."""
    one = Schema([Column("x", "quasi_identifier", "numeric")])
    found = assess(pa.table({"x": [1.0, 2, 3, 4]}), pa.table({"x": [1.0, 2, 4, 3]}), one)
    score = found.score
    parts = (score.interval_disclosure, score.distance_linkage, score.probabilistic_linkage)
    assert parts == (50, 50, 50)
    loss = 100 * ((1 / 3 + 1 / 4) / 4) / 4  # only the data vary: not means, covariances or variances
    assert score.information_loss == pytest.approx(loss)
    assert score.value == pytest.approx(0.5 * loss + 0.5 * 50)
    assert found.findings["score"].estimate == score.value


def test_records_may_be_told_by_an_id_and_the_suppressed_count():
    table = numbers().append_column("pid", pa.array([f"p{i}" for i in range(40)]))
    released = table.take(np.random.default_rng(1).permutation(30))
    found = shoal.assess(table, released, AGE_AND_RENT, id="pid")
    assert found.findings["suppressed records"].estimate == 25
    assert found.linkages["distance"].risk == 0.75
    assert found.losses == {"age": 0, "rent": 0}
    with pytest.raises(LinkageError, match="which records belong together"):
        assess(table, released, AGE_AND_RENT)


@pytest.mark.gate(but="centroids")
@pytest.mark.parametrize(
    "more",
    [
        {"method": {"name": "mdav"}},
        {"method": {"name": "mondrian"}},
        {"method": {"name": "mdav"}, "output": {"representation": "extents"}},
        {"local_suppression": {}},
        {"local_suppression": {"blanks": "wildcard"}},
        {"perturbations": [{"name": "rank_swap", "p": 10, "columns": ["age", "born"]}], "requirements": []},
        {"method": {"name": "mdav"}, "output": {"representation": "anatomy"}},
    ],
    ids=["centroids", "generalized", "extents", "suppressed", "wildcards", "perturbed", "anatomy"],
)
def test_every_kind_of_release_can_be_assessed(more):
    table, policy = survey(), survey_policy(suppression={"limit": 0.5}, **more)
    if "wildcard" in str(more):
        policy = of_records(policy)
    release = shoal.protect(table, policy)
    found = shoal.assess(table, release.table, policy)
    for name, loss in release.assessment.losses.items():
        assert found.losses[name] == pytest.approx(loss)
    assert found.findings["k reached"].estimate == release.findings["k reached"].estimate
    assert found.score or any("no score" in note for note in found.notes)
    assert all(0 <= linkage.risk <= 1 for linkage in found.linkages.values())


def test_patients_are_counted_where_the_release_does_not_show_them():
    """By who is who: what a release without units reached in records would flatter it."""
    table = pa.table({"age": [30] * 6 + [60] * 4, "patient": list("aaabbbcdef")})
    roles = Schema([Column("age", "quasi_identifier", "numeric"), Column("patient", "unit")])
    found = shoal.assess(table, table.select(["age"]), roles, truth="position")
    assert found.findings["k reached"].estimate == 2


@pytest.mark.gate
def test_weights_tell_the_population():
    table = survey()
    found = assess(table, table, survey_policy())
    assert found.findings["below 3-map"].unit == "%"
    assert found.findings["linked households, distance"].estimate == 100
    unweighted = assess(numbers(), numbers(), AGE_AND_RENT)
    assert any("weights" in note for note in unweighted.notes)


def test_of_disjoint_classes_linkage_by_extents_is_the_prosecutors():
    table = numbers(60)
    policy = {
        "columns": {name: {"role": "quasi_identifier", "kind": "numeric"} for name in table.column_names},
        "requirements": [{"name": "k_anonymity", "k": 4}],
        "method": {"name": "mondrian"},
    }
    release = shoal.protect(table, policy)
    found = shoal.assess(table, release.table, policy)
    assert 100 * found.linkages["extents"].risk == pytest.approx(found.findings["mean prosecutor risk"].estimate)
    assert found.score.distance_linkage >= 100 * found.linkages["extents"].risk
    who = found.linkages["extents"].truth
    guessed = shoal.assess(table, release.table, truth=who)  # that the release tells extents can be seen
    assert guessed.linkages["extents"].risk == found.linkages["extents"].risk


boxes = st.none() | st.tuples(st.integers(0, 5), st.integers(1, 4)).map(lambda ends: (ends[0], ends[0] + ends[1]))
values = st.none() | st.integers(0, 8)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.tuples(values, values, boxes, boxes), min_size=1, max_size=12), st.booleans())
def test_linkage_by_extents_agrees_with_its_twin(drawn, gaps_stay):
    persons, told = [row[:2] for row in drawn], [row[2:] for row in drawn]
    if gaps_stay:
        told = [[None if row[j] is None else row[j + 2] or (0, 9) for j in (0, 1)] for row in drawn]

    def column(cells):
        return pa.array([None if box is None else f"[{box[0]}, {box[1]})" for box in cells], pa.string())

    original = pa.table(
        {name: pa.array([p[j] for p in persons], pa.float64()) for j, name in enumerate(("age", "rent"))}
    )
    released = pa.table({name: column([box[j] for box in told]) for j, name in enumerate(("age", "rent"))})
    truth = np.arange(len(drawn))
    links = containment_linkage(original, released, AGE_AND_RENT, truth)
    assert links.chances.tolist() == pytest.approx(containment.chances(persons, told))


def test_one_value_for_an_extent():
    grades = pa.chunked_array([["low", "middle", "high"]])
    ordinal = Column("grade", "quasi_identifier", "ordinal", order=("low", "middle", "high"))
    assert single_values(ordinal, grades, pa.chunked_array([["[low .. high]", "high", "*", None]])).to_pylist() == [
        "middle", "high", "middle", None,
    ]  # fmt: skip
    tree = Taxonomy.from_prefixes(["A1", "A2", "B1"], [1])
    zips = Column("zip", "quasi_identifier", "nominal", taxonomy=tree)
    told = pa.chunked_array([["A1", tree.paths[0][1], tree.paths[2][1], None]])
    assert single_values(zips, pa.chunked_array([["A1", "A2", "B1"]]), told).to_pylist() == ["A1", None, "B1", None]
    age = Column("age", "quasi_identifier", "numeric")
    ages = pa.chunked_array([[20.0, 60.0]])
    assert single_values(age, ages, pa.chunked_array([["[30, 40)", "[50, inf)", "35", "*", None]])).to_pylist() == [
        35,
        55,
        35,
        40,
        None,
    ]


def test_an_unknown_word_tells_nothing():
    job = Schema([Column("job", "quasi_identifier", "nominal")])
    table = pa.table({"job": ["clerk", "nurse", "cook", "nurse"]})
    found = assess(table, pa.table({"job": ["somebody"] * 4}), job)
    assert found.losses == {"job": 100}
    assert found.score is None
    assert any("no score" in note for note in found.notes)


def test_of_many_categories_fewer_persons_are_searched_for(monkeypatch):
    """Each of 40 towns is a coordinate, so that ten persons are within the limit; by numbers, everybody is."""
    monkeypatch.setattr(linkage_attacks, "MOST_COORDINATES", 41 * 40 * 10)
    monkeypatch.setattr(linkage_attacks, "FEWEST_PERSONS", 5)
    towns = numbers().select(["age"]).append_column("town", pa.array([f"town {place}" for place in range(40)]))
    schema = Schema([AGE_AND_RENT["age"], Column("town", "quasi_identifier", "nominal")])
    found = assess(towns, towns, schema)
    assert {by: len(found.linkages[by].persons) for by in ("distance", "rank")} == {"distance": 10, "rank": 40}
    assert found.linkages["distance"].n_population == 40
    assert any(note.startswith("Distance linkage was tried for 10 persons drawn at random") for note in found.notes)
    assert len(assess(numbers(), numbers(), AGE_AND_RENT).linkages["distance"].persons) == 40


def test_large_tables_are_attacked_by_a_declared_sample(monkeypatch):
    monkeypatch.setattr(linkage_attacks, "MOST_PAIRS", 400)
    monkeypatch.setattr(linkage_attacks, "FEWEST_PERSONS", 5)
    table = numbers()
    found = assess(table, table, AGE_AND_RENT)
    assert len(found.linkages["probabilistic"].persons) == 10
    assert len(found.linkages["distance"].persons) == 40
    assert any("drawn at random" in note for note in found.notes)
    monkeypatch.setattr(linkage_attacks, "MOST_PAIRS", 4)
    left_out = assess(table, table, AGE_AND_RENT)
    assert "probabilistic" not in left_out.linkages
    assert left_out.score is None


def test_what_the_intruder_knows_decides_the_linkage_not_the_score():
    table = numbers().append_column("town", pa.array(["Ash", "Oak"] * 20))
    found = assess(table, table, intruder=shoal.Intruder(columns=["town"], persons=0.5))
    assert found.linkages["distance"].columns == ("town",)
    assert found.linkages["distance"].risk == pytest.approx(1 / 20)
    assert found.score.distance_linkage == 100
    with pytest.raises(LinkageError, match="'county'"):
        assess(table, table, intruder=shoal.Intruder(columns=["county"]))


def test_columns_that_are_not_there_or_tell_nothing_are_said():
    table = numbers().append_column("sex", pa.array(["f"] * 40))
    schema = Schema([*AGE_AND_RENT.columns, Column("sex", "quasi_identifier", "nominal")])
    found = assess(table, table.drop_columns("rent"), schema)
    assert any(note.startswith("rent: not in the release") for note in found.notes)
    assert any(note.startswith("sex: does not distinguish persons") for note in found.notes)
    with pytest.raises(LinkageError, match="no column in common"):
        assess(table, pa.table({"x": [1.0] * 40}), schema)
    empty = table.set_column(0, "age", pa.nulls(40, pa.float64()))
    with pytest.raises(LinkageError, match="every value of the original is missing"):
        assess(empty, table, schema)


def test_gaps_may_turn_codes_into_reals():
    grade = Schema([Column("grade", "quasi_identifier", "nominal")])
    table = pa.table({"grade": [1, 2, 3, 2]})
    found = assess(table, pa.table({"grade": pa.array([1.0, 2.0, None, 2.0])}), grade)
    assert found.losses["grade"] == pytest.approx(50)  # one of the two that differ from the most frequent


def test_persons_of_a_sample_are_ranked_among_everybody():
    """Whoever knows 4,000 persons ranks them all, though only 400 are searched for: their links are the same."""
    draw = np.random.default_rng(0)
    original = {name: draw.normal(size=4000) for name in "abc"}
    schema = shoal.Schema([shoal.Column(name, "quasi_identifier", "numeric") for name in "abc"])
    released = pa.table({name: values + 0.1 * draw.normal(size=4000) for name, values in original.items()})
    aligned = TablePair.of(pa.table(original), released, schema, ()).aligned(np.arange(4000))
    all_found, found = (
        linkage_attacks.linkage_attacks(aligned, Intruder(), list("abc"), ("rank",), most).linkages["rank"]
        for most in (4000, 400)
    )
    assert len(found.persons) == 400
    assert found.links.records.tolist() == all_found.links.records[found.persons].tolist()
