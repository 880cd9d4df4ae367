"""Every requirement in the whole pipeline: met by merging, proved on the written file, missed after tampering."""

import copy
import re

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import requirement_examples
import shoal
from example_numbers import examples
from reference import requirements as twin
from shoal import datasets
from shoal.encode.combination_counts import count_combinations
from shoal.errors import PolicyError, ShoalError
from shoal.methods.generalization.certificate import check
from shoal.policy.load import dump, load, load_text
from shoal.requirements.groups import Groups
from shoal.schema import Column, Schema
from shoal.sources import write_table
from survey_example import GRADES, desk, of_records, shell, survey, survey_policy, write_csv, write_policy

TREE = "flu;infection;*\ncold;infection;*\nnone;healthy;*\n"
JUDGED = ("disease", "amount", "rank")
REQUIREMENTS = [entry for example in requirement_examples.REQUIREMENTS.values() for entry in example.survey]
EQUAL, BY_TREE, BY_AMOUNT, BY_RANK = requirement_examples.REQUIREMENTS["t_closeness"].survey
BETA = requirement_examples.REQUIREMENTS["beta_likeness"].survey[0]


def table():
    """The survey with an ordinal sensitive column, and gaps in the diseases."""
    people = survey(160)
    ranks = pa.array([GRADES[(i * 7) % 11 % 3] for i in range(len(people))])
    gaps = pa.array([None if i % 13 == 0 else value for i, value in enumerate(people["disease"].to_pylist())])
    return people.append_column("rank", ranks).set_column(people.column_names.index("disease"), "disease", gaps)


def policy_of(folder, *requirements, **more):
    policy = of_records(survey_policy(requirements=[{"name": "k_anonymity", "k": 3}, *requirements], **more))
    policy["columns"]["amount"] = {"role": "sensitive", "kind": "numeric"}
    policy["columns"]["rank"] = {"role": "sensitive", "kind": "ordinal", "order": GRADES.copy()}
    policy["columns"]["disease"]["taxonomy"] = "diseases.csv"
    (folder / "diseases.csv").write_text(TREE)
    return write_policy(policy, folder / "policy.toml")


def label(requirement):
    return "-".join(str(requirement[key]) for key in ("name", "column", "distance", "enhanced") if key in requirement)


def one_value_for_the_first_class(release, name):
    """The records that are alike with the first get its sensitive value, and the smallest of all if that is not it."""
    keys = ("zip", "age", "grade", "born")
    records = release.to_pylist()
    alike = [all(record[key] == records[0][key] for key in keys) for record in records]
    lowest = min(record[name] for record in records if record[name] is not None)
    values = [lowest if same else record[name] for same, record in zip(alike, records, strict=True)]
    return release.set_column(release.column_names.index(name), name, pa.array(values))


@pytest.mark.gate(but=("entropy_l_diversity-disease-.csv", "recursive_l_diversity-disease-.csv"))
@pytest.mark.parametrize("suffix", [".csv", pytest.param(".parquet", marks=pytest.mark.long)])
@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=label)
def test_met_proved_and_missed(tmp_path, requirement, suffix):
    policy, release = policy_of(tmp_path, requirement), tmp_path / f"release{suffix}"
    made = shoal.protect(table(), policy, output=release)
    assert made.manifest.counts["n_suppressed"] == 0
    assert made.manifest.counts["n_groups"] > 1
    verdict = made.manifest.proof["verdicts"][1]
    assert (verdict["requirement"], verdict["holds"], verdict["n_classes_failing"]) == (requirement["name"], True, 0)
    assert verdict["besides"].items() <= requirement.items() | {("distance", "equal"), ("enhanced", False)}
    assert shell("verify", release, "-p", policy).code == 0
    write_table(one_value_for_the_first_class(made.records, requirement["column"]), release)
    said = shell("verify", release, "-p", policy)
    assert said.code == 1
    assert f"FAILS  {requirement['name']} of {requirement['column']} = " in said.out
    assert "holds  k_anonymity" in said.out
    as_json = shell("verify", release, "-p", policy, "--json")
    assert as_json.code == 1
    assert "Infinity" not in as_json.out
    assert "NaN" not in as_json.out


@pytest.mark.gate
def test_all_at_once(tmp_path):
    policy = policy_of(tmp_path, *REQUIREMENTS)
    release = shoal.protect(table(), policy)
    assert release.manifest.counts["n_groups"] >= 2
    assert all(verdict.holds for verdict in shoal.verify(release.table, policy).verdicts)
    page = release.report()
    for words in ("recursive (c, l)-diversity of", "l = 2, c = 2", "t-closeness of", "distance = hierarchical"):
        assert words in page


@pytest.mark.parametrize("seed", range(3))
def test_what_refers_to_the_whole_survives_suppression(tmp_path, seed):
    """Each group that is dropped changes the whole: what is left must hold of what is left, or the gate would close."""
    asked = [EQUAL | {"t": 0.2}, BY_AMOUNT | {"t": 0.2}, BETA | {"beta": 0.9}]
    method = {"merge": False, "k": 8, "split_households": True}
    policy = policy_of(tmp_path, *asked, method=method, suppression={"limit": 1.0})
    people = survey(400, seed=seed).append_column("rank", pa.array(["low"] * 400))
    release = shoal.protect(people, policy)
    assert 0 < release.manifest.counts["n_suppressed"] < 400
    assert shoal.verify(release.table, policy)


number = st.sampled_from([None, 2, 10, 1, 33, 100])
grade = st.sampled_from([None, *GRADES])
disease = st.sampled_from([None, "flu", "cold", "none"])
PATHS = {"flu": ("infection", "*"), "cold": ("infection", "*"), "none": ("healthy", "*")}


@pytest.mark.gate
@settings(max_examples=examples(25), deadline=None)
@given(records=st.lists(st.tuples(st.sampled_from("xyz"), number, grade, disease), min_size=1, max_size=30))
def test_the_gate_knows_order_and_tree(tmp_path_factory, records):
    """Numbers by size (2 before 10), grades by the policy (low before high), diseases by the file; also from a CSV."""
    folder = tmp_path_factory.mktemp("gate")
    (folder / "tree.csv").write_text(TREE)
    columns = {
        "a": {"role": "quasi_identifier"},
        "n": {"role": "sensitive", "kind": "numeric"},
        "g": {"role": "sensitive", "kind": "ordinal", "order": GRADES},
        "d": {"role": "sensitive", "taxonomy": "tree.csv"},
    }
    asked = [{"column": "n", "distance": "ordered"}, {"column": "g", "distance": "ordered"}]
    asked.append({"column": "d", "distance": "hierarchical"})
    requirements = [{"name": "t_closeness", "t": 0.3} | one for one in asked]
    policy = write_policy({"columns": columns, "requirements": requirements}, folder / "policy.toml")
    types = (pa.string(), pa.int64(), pa.string(), pa.string())
    cells = [pa.array(values, kind) for values, kind in zip(zip(*records, strict=True), types, strict=True)]
    release = pa.table(cells, names=list("angd"))

    def figures(at, figure, as_number=lambda value: value):
        whole = [as_number(record[at]) for record in records]
        classes = {record[0]: [as_number(r[at]) for r in records if r[0] == record[0]] for record in records}
        return max(figure(members, whole) for members in classes.values())

    expected = [
        figures(1, twin.t_ordered),
        figures(2, twin.t_ordered, lambda value: None if value is None else GRADES.index(value)),
        figures(3, lambda group, whole: twin.t_hierarchical(group, whole, PATHS)),
    ]
    for source in (release, write_csv(release, folder / "r.csv")):
        assert [verdict.reached for verdict in shoal.verify(source, policy).verdicts] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "value", "requirement", "words"),
    [
        ("rank", "huge", BY_RANK, "the column 'rank' holds 1 values that are not in its order"),
        ("disease", "pox", BY_TREE, "the column 'disease' holds 1 values that are not in its taxonomy"),
    ],
)
def test_a_value_without_a_place_is_refused(tmp_path, name, value, requirement, words):
    policy = policy_of(tmp_path, requirement)
    made = shoal.protect(table(), policy)
    values = pa.array([value, *made.records[name].to_pylist()[1:]])
    proof = shoal.verify(made.records.set_column(made.records.column_names.index(name), name, values), policy)
    assert not proof
    assert proof.failures == (words,)
    strange = table().set_column(table().column_names.index(name), name, pa.array([value] * 160))
    with pytest.raises(ShoalError, match="1 values of the column, in 160 records, are not in"):
        shoal.protect(strange, policy)


def test_categories_of_numbers_are_numbers(tmp_path):
    """The order of a category type is not that of the policy: a verifier of the file would not know it."""
    pandas = pytest.importorskip("pandas")
    policy = policy_of(tmp_path, BY_AMOUNT)
    frame = table().to_pandas()
    sizes = sorted(set(frame["amount"].astype(int)), reverse=True)
    frame["amount"] = pandas.Categorical(frame["amount"].astype(int), categories=sizes, ordered=True)
    release = shoal.protect(frame, policy, output=tmp_path / "r.csv")
    reached = [shoal.verify(source, policy).verdicts[1].reached for source in (release.table, tmp_path / "r.csv")]
    assert reached == pytest.approx([release.manifest.proof["verdicts"][1]["reached"]] * 2)


@pytest.mark.parametrize("requirement", [BY_TREE, BY_AMOUNT, BY_RANK], ids=label)
def test_where_nothing_is_known_nothing_is_proved(tmp_path, requirement):
    policy = policy_of(tmp_path, requirement)
    release = shoal.protect(table(), policy).records
    at = release.column_names.index(requirement["column"])
    gone = release.set_column(at, requirement["column"], pa.nulls(len(release), release.column(at).type))
    verdict = shoal.verify(gone, policy).verdicts[1]
    assert (verdict.holds, verdict.reached) == (False, 1)


def test_by_date(tmp_path):
    people = table().select(["age", "born"]).drop_null()
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "born": {"role": "sensitive", "kind": "date"}}
    asked = [{"name": "k_anonymity", "k": 3}, BY_AMOUNT | {"column": "born"}]
    place = desk(tmp_path, people, {"columns": columns, "requirements": asked})
    assert shell("protect", place.data, "-p", place.policy, "-o", place.release).code == 0
    assert shell("verify", place.release, "-p", place.policy).code == 0


def test_a_release_of_centroids_has_no_length(tmp_path):
    policy = policy_of(tmp_path, {"name": "minimum_length", "width": 5, "column": "age"})
    with pytest.raises(PolicyError, match="minimum_length of 'age': the release shows points, not intervals"):
        shoal.protect(table(), policy)
    release = shoal.protect(table(), policy_of(tmp_path)).table
    proof = shoal.verify(release, policy_of(tmp_path, {"name": "minimum_length", "width": 5, "column": "age"}))
    assert (proof.holds, proof.verdicts[-1].reached) == (False, 0)


WRONG = [
    (BY_AMOUNT | {"column": "disease"}, "requirements[2].distance = 'ordered' needs values with an order; column"),
    (
        BY_TREE | {"column": "rank"},
        "requirements[2].distance = 'hierarchical' needs a taxonomy of column 'rank'",
    ),
    ({"name": "minimum_length", "width": 5, "column": "rank"}, "column 'rank' must have role 'quasi_identifier'"),
    (EQUAL | {"distance": "far"}, "requirements[2].distance must be 'equal', 'ordered' or"),
]


@pytest.mark.parametrize(("requirement", "words"), WRONG, ids=[words for _, words in WRONG])
def test_a_policy_that_does_not_fit(tmp_path, requirement, words):
    with pytest.raises(PolicyError) as complaint:
        shoal.protect(table(), policy_of(tmp_path, requirement))
    assert words in str(complaint.value)


def test_an_ordinal_column_must_bring_its_order(tmp_path):
    policy = copy.deepcopy(shoal.policy.load(policy_of(tmp_path)).model_dump())
    policy["columns"]["rank"]["order"] = None
    policy["requirements"] = [BY_RANK]
    with pytest.raises(PolicyError, match="column 'rank' is ordinal without an order"):
        shoal.policy.load(policy)


def test_k_of_alpha_k_is_a_k(tmp_path):
    policy = of_records(
        survey_policy(requirements=[{"name": "alpha_k_anonymity", "alpha": 0.9, "k": 6, "column": "disease"}])
    )
    assert shoal.protect(survey(), policy).manifest.k_reached >= 6
    with pytest.raises(PolicyError, match=r"method\.k must be 6 or more, got 4: alpha_k_anonymity requires k = 6"):
        shoal.protect(survey(), policy | {"method": {"k": 4}})


FOLLOWED = {
    "numeric": ({"kind": "numeric"}, "ordered"),
    "numeric with a taxonomy": ({"kind": "numeric", "taxonomy": {"intervals": [10, 50]}}, "ordered"),
    "date": ({"kind": "date"}, "ordered"),
    "ordinal": ({"kind": "ordinal", "order": ["low", "high"]}, "ordered"),
    "ordinal without an order": ({"kind": "ordinal"}, "equal"),
    "nominal": ({"kind": "nominal"}, "equal"),
    "nominal with a taxonomy": ({"kind": "nominal", "taxonomy": {"prefixes": [1]}}, "hierarchical"),
    "number recoded to ranges": ({"kind": "numeric", "recode": {"intervals": [0, 10, 20]}}, "ordered"),
}


@pytest.mark.parametrize(("rule", "distance"), FOLLOWED.values(), ids=FOLLOWED)
def test_the_distance_follows_the_column_unless_the_policy_names_one(rule, distance):
    columns = {"a": {"role": "quasi_identifier"}, "s": {"role": "sensitive", **rule}}
    asked = {"name": "t_closeness", "t": 0.5, "column": "s"}
    for written in (asked, shoal.TCloseness(0.5, "s")):
        found = load({"columns": columns, "requirements": [written]})
        assert found.required[0].distance == distance
        assert found.summary()["requirements"][0]["distance"] == distance
    named = load({"columns": columns, "requirements": [asked | {"distance": "equal"}]})
    assert named.required[0].distance == "equal"
    assert (named.digest() == found.digest()) is (distance == "equal")  # a digest says what is promised
    assert load_text(dump(found)) == found


def test_a_release_and_its_proof_state_the_distance(tmp_path):
    policy = policy_of(tmp_path, {"name": "t_closeness", "t": 0.3, "column": "amount"})
    release = shoal.protect(table(), policy, output=tmp_path / "r.csv")
    (stated,) = (each["besides"] for each in release.manifest.proof["verdicts"] if each["column"] == "amount")
    assert stated == {"distance": "ordered"}
    assert "distance = ordered" in release.report()
    assert "(distance = ordered)" in shell("verify", tmp_path / "r.csv", "-p", policy).out


CUTS = {
    "mondrian": lambda *asked: shoal.mondrian(*asked).to_json(),
    "relaxed_mondrian": lambda *asked: shoal.relaxed_mondrian(*asked).labels.tolist(),
    "global_recoding": lambda *asked: shoal.global_recoding(*asked).to_json(),
    "gensearch": lambda *asked: shoal.gensearch(*asked, nodes=50).tree.to_json(),
    "enumerate_partitions": lambda *asked: shoal.enumerate_partitions(*asked, nodes=50).tree.to_json(),
}


@pytest.mark.gate(but="mondrian")
@pytest.mark.parametrize("name", CUTS)
def test_functions_of_arrays_take_the_distance_from_the_schema(name):
    chance = np.random.default_rng(4)
    records = pa.table({"a": chance.integers(0, 40, 120), "s": chance.integers(0, 20, 120)})

    def cut(kind, distance):
        schema = Schema([Column("a", "quasi_identifier", "numeric"), Column("s", "sensitive", kind)])
        return CUTS[name](records, schema, [shoal.KAnonymity(2), shoal.TCloseness(0.25, "s", distance)])

    assert cut("numeric", None) == cut("numeric", "ordered") != cut("numeric", "equal")
    assert cut("nominal", None) == cut("nominal", "equal")


def test_a_certificate_states_the_distance():
    records = count_combinations(pa.table({"a": [1, 1, 2, 2] * 5, "s": [1, 5, 2, 4] * 5}), ["a", "s"])
    schema = Schema([Column("a", "quasi_identifier", "numeric"), Column("s", "sensitive", "numeric")])
    asked = [shoal.KAnonymity(2), shoal.TCloseness(0.3, "s")]
    found = shoal.gensearch(pa.table({"a": [1, 1, 2, 2] * 5, "s": [1, 5, 2, 4] * 5}), schema, asked).certificate
    assert "distance='ordered'" in found.requirements[1]
    assert check(found, records, schema, asked).holds


def test_without_a_schema_no_distance_is_larger():
    groups = Groups.of(np.repeat([0, 1], 30), np.ones(60, dtype=np.int64), np.random.default_rng(5).integers(0, 9, 60))
    alone = shoal.TCloseness(0.3, "s")
    assert alone.reached(groups) == shoal.TCloseness(0.3, "s", "equal").reached(groups)
    assert alone.reached(groups) >= shoal.TCloseness(0.3, "s", "ordered").reached(groups)


@pytest.mark.gate
@pytest.mark.usefixtures("reference_data")
@pytest.mark.parametrize("name", ["FEDTAX", "FICA", "INTVAL"])
def test_amounts_of_the_census_are_not_all_one_class(name):
    """By equality each of them was one class of all records, at any t."""
    amounts = datasets.census().select(["AFNLWGT", "AGI", name])
    columns = {each: {"role": "quasi_identifier", "kind": "numeric"} for each in ("AFNLWGT", "AGI")}
    asked = [{"name": "k_anonymity", "k": 3}, {"name": "t_closeness", "t": 0.25, "column": name}]
    policy = {"columns": {**columns, name: {"role": "sensitive", "kind": "numeric"}}, "requirements": asked}
    assert shoal.protect(amounts, policy).manifest.counts["n_classes"] > 20
    asked[1]["distance"] = "equal"
    release = shoal.protect(amounts, policy)
    assert release.manifest.counts["n_classes"] == 1
    assert any(note.startswith(f"{name}: nearly all values are different") for note in release.manifest.notes)


def amounts(n=240, n_values=None):
    """Records with an amount each: as many values as records, unless ``n_values`` says how many."""
    chance = np.random.default_rng(6)
    pay = np.exp(chance.normal(7, 1, n)).round(2) if n_values is None else 1000 + np.arange(n) % n_values
    return pa.table({"a": chance.normal(0, 1, n).round(2), "b": chance.normal(0, 1, n).round(2), "s": pay})


def equality_notes(records, kind="numeric", **requirement):
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in "ab"}
    asked = [{"name": "k_anonymity", "k": 3}, {"column": "s", **requirement}]
    policy = {"columns": {**columns, "s": {"role": "sensitive", "kind": kind}}, "requirements": asked}
    release = shoal.protect(records, policy)
    proof = shoal.verify(release.table, policy)
    found = [note for note in release.manifest.notes if note.startswith("s: ")]
    assert found == [note for note in proof.notes if note.startswith("s: ")]
    return found


LITTLE, HARDLY = "nearly any class satisfies it, so that it promises little", "hardly any class satisfies it"
BY_EQUALITY = {
    "distinct_l_diversity": ({"l": 3}, LITTLE),
    "entropy_l_diversity": ({"l": 2}, LITTLE),
    "recursive_l_diversity": ({"c": 2, "l": 2}, LITTLE),
    "alpha_k_anonymity": ({"alpha": 0.5, "k": 3}, LITTLE),
    "beta_likeness": ({"beta": 1}, HARDLY),
    "delta_disclosure": ({"delta": 1}, HARDLY),
    "t_closeness": ({"t": 0.2, "distance": "equal"}, HARDLY),
}


@pytest.mark.gate(but=("distinct_l_diversity", "beta_likeness"))
@pytest.mark.parametrize("name", BY_EQUALITY)
def test_a_note_says_that_equality_of_amounts_promises_little_or_cannot_be_met(name):
    keys, outcome = BY_EQUALITY[name]
    (note,) = equality_notes(amounts(), name=name, **keys)
    assert outcome in note
    assert "t_closeness with distance = 'ordered' or for p_percent" in note
    assert ("or set tolerance" in note) is (name != "t_closeness")
    cells = {str(value) for value in amounts()["s"].to_pylist()}
    assert not cells & set(re.findall(r"[\d.]*\d", note))  # no value, and no count
    assert not equality_notes(amounts(n_values=40), name=name, **keys)


def test_a_tolerance_that_joins_few_amounts_is_said_to():
    (note,) = equality_notes(amounts(), name="distinct_l_diversity", l=2, tolerance=0.02)
    assert "tolerance = 0.02 joins few values" in note
    assert "or set a larger tolerance" in note
    assert not equality_notes(amounts(), name="distinct_l_diversity", l=2, tolerance="20%")
    assert not equality_notes(amounts(), name="t_closeness", t=0.3)
    assert not equality_notes(amounts(), kind="nominal", name="distinct_l_diversity", l=2)
