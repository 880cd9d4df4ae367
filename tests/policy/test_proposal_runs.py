"""Whatever a table holds, protect runs what is proposed for it, and all that is open is asked at once."""

import datetime
import tomllib

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import shoal
from example_numbers import examples
from shoal.errors import PolicyError, RequirementError, TableError
from shoal.policy import load

N = 30
KEY = bytes(32)
ODD_COLUMNS = {
    "empty": pa.array([None] * N, pa.string()),
    "empty numbers": pa.array([None] * N, pa.float64()),
    "constant": pa.array(["x"] * N),
    "one value or none": pa.array(["x", None] * (N // 2)),
    "distinct texts": pa.array([f"t{i}" for i in range(N)]),
    "distinct numbers": pa.array([7 * i * i for i in range(N)]),
    "record numbers": pa.array(range(1, N + 1)),
    "infinite": pa.array([float("inf"), 1.5, 2.5] * (N // 3)),
    "huge": pa.array([1e200 * (1 + i) for i in range(N)]),
    "large integers": pa.array([2**60 + i % 7 for i in range(N)]),
    "times": pa.array([datetime.time(i % 24, 30) for i in range(N)]),
    "spans": pa.array([datetime.timedelta(days=i % 5) for i in range(N)]),
    "lists": pa.array([[i] for i in range(N)]),
    "far dates": pa.array([10**7 + i for i in range(N)], pa.int32()).cast(pa.date32()),
    "dates": pa.array([datetime.date(1980, 1, 1) + datetime.timedelta(400 * (i % 9)) for i in range(N)]),
    "sizes": pa.array(["1-9", "10-49", "50-249"] * (N // 3)),
    "weight": pa.array([1.5, 0.0, 2.0] * (N // 3)),
    "hh_weight": pa.array([1.5, 2.5, 2.0] * (N // 3)),
    "household": pa.array([i // 3 for i in range(N)]),
    "patient_id": pa.array([f"P{i // 2}" for i in range(N)]),
    "zip": pa.array([f"{i % 4}4{i % 10}03" for i in range(N)]),
    "salary": pa.array([1000.5 * i for i in range(N)]),
    "flag": pa.array([True, False, None] * (N // 3)),
    "decimals": pa.array([i / 4 for i in range(N)]).cast(pa.decimal128(9, 2)),
    "categories": pa.array(["a", "b", "c"] * (N // 3)).dictionary_encode(),
}


def released(table):
    return shoal.protect(table, shoal.propose(table), key=KEY)


@pytest.mark.gate(but=("empty", "empty numbers", "constant"))
@pytest.mark.parametrize("name", ODD_COLUMNS)
def test_a_column_of_any_kind_next_to_an_age(name):
    table = pa.table({"age": [20 + i % 13 for i in range(N)], name: ODD_COLUMNS[name]})
    assert released(table).manifest.counts["n_released"] == N


@pytest.mark.gate
@settings(max_examples=examples(25), deadline=None)
@example({"patient_id"}, 2)  # two stays of one patient
@given(st.sets(st.sampled_from(sorted(ODD_COLUMNS)), min_size=1, max_size=6), st.integers(2, N))
def test_any_columns_and_any_number_of_records(names, n):
    table = pa.table({"age": [20 + i % 13 for i in range(N)], **{name: ODD_COLUMNS[name] for name in names}})[:n]
    if any("k = 5 needs 5 " in question for question in shoal.propose(table).questions):
        assert n < 5 or names & {"patient_id", "household"}
        with pytest.raises((RequirementError, TableError), match="k = 5 "):
            released(table)
    else:
        assert released(table).manifest.counts["n_released"] == n


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        ({"age": [30, 41], "town": ["a", "b"]}, "k = 5 needs 5 records, and the table has 2, so protect refuses: "),
        ({"age": [30]}, "k = 5 needs 5 records, and the table has 1, so protect refuses: "),
        (
            {"age": [20 + i for i in range(N)], "patient_id": [f"P{i // 10}" for i in range(N)]},
            "k = 5 needs 5 units in 'patient_id', and the table has 3, so protect refuses: if it numbers no units, ",
        ),
    ],
)
def test_a_k_that_the_table_does_not_allow_is_asked_and_never_lowered(table, asked):
    found = shoal.propose(table)
    assert found.k == 5
    assert found.questions[0].startswith(asked)
    assert f"# please decide: {asked}" in found.text
    with pytest.raises((RequirementError, TableError), match="k = 5 "):
        released(table)


def test_an_l_that_a_column_does_not_allow_is_asked_and_never_lowered():
    table = {"age": [20 + i % 13 for i in range(N)], "disease": ["asthma"] * N}
    found = shoal.propose(table, scenario="public-use")
    assert [each.l for each in found.requirements if each.name == "distinct_l_diversity"] == [2]
    assert found.questions[0].startswith("l = 2 needs 2 different values of 'disease', and the table has 1, ")
    with pytest.raises(RequirementError, match="l = 2 cannot be met"):
        shoal.protect(table, found, key=KEY)


@pytest.mark.parametrize(
    "more", [{}, {"weight": [1.5 + i for i in range(N)]}, {"patient_id": [i // 2 for i in range(N)]}]
)
def test_a_table_without_a_column_to_protect_is_told_so(more):
    table = {"mail": [f"p{i}@example.org" for i in range(N)], **more}
    found = shoal.propose(table)
    assert found.questions[0].startswith("no column is left to protect, so protect refuses: give those that ")
    with pytest.raises(PolicyError, match="no column has role 'quasi_identifier'"):
        released(table)


@pytest.mark.parametrize("look", [shoal.propose, shoal.profile])
def test_a_table_without_records_is_refused_in_words(look):
    with pytest.raises(TableError, match="the table has no records"):
        look(pa.table({"age": pa.array([], pa.int64()), "sex": pa.array([], pa.string())}))


def test_all_questions_are_asked_at_once():
    table = pa.table(
        {
            "age": [20 + i % 13 for i in range(N)],
            **{name: ODD_COLUMNS[name] for name in ("infinite", "huge", "weight", "far dates")},
        }
    )
    found = shoal.propose(table)
    assert [question.partition(":")[0] for question in found.questions] == ["infinite", "huge", "weight", "far dates"]
    assert found.text.count("# please decide: ") == 4
    assert found.first_looks[0].endswith(": 4")


def test_too_many_values_are_a_question_unless_their_prefixes_are_few():
    n = 3000
    table = pa.table(
        {
            "age": [20 + i % 60 for i in range(n)],
            "zip": [f"{(i * 37) % 1500 + 10000}" for i in range(n)],
            "word": [f"w{i % 1500}" for i in range(n)],
        }
    )
    found = shoal.propose(table)
    columns = tomllib.loads(found.text)["columns"]
    assert columns["zip"]["recode"] == {"prefix": 3}
    assert columns["word"]["role"] == "identifier"
    assert [question.partition(":")[0] for question in found.questions] == ["word"]
    assert shoal.protect(table, found, key=KEY).manifest.counts["n_released"] == n


def test_a_proposal_is_the_policy_of_its_text(tmp_path):
    table = pa.table({name: ODD_COLUMNS[name] for name in ("dates", "sizes", "zip", "salary")})
    found = shoal.propose(table)
    (tmp_path / "policy.toml").write_text(found.text)
    assert isinstance(found, shoal.Policy)
    assert found.digest() == load(tmp_path / "policy.toml").digest()
    assert "  sizes   quasi_identifier  ordinal   " in repr(found)


def test_a_dataframe_gets_the_proposal_of_its_csv(tmp_path):
    columns = {
        "born": ["1980-05-17", "1991-12-03", "1975-01-30"] * 10,
        "size": ["10-49", "1-9", "50+"] * 10,
        "n": ["12", "15", "170"] * 10,
    }
    lines = ["born,size,n", *(",".join(record) for record in zip(*columns.values(), strict=True))]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    of_frame, of_file = shoal.propose(columns), shoal.propose(tmp_path / "t.csv")
    assert of_frame.suggestions == of_file.suggestions
    assert of_frame.columns["born"].kind == "date"
    assert of_frame.columns["size"].order == ("1-9", "10-49", "50+")


def test_the_proposed_diversity_of_an_amount_has_a_tolerance():
    """Nearly all amounts are different: by equality any class would be diverse."""
    pay = [1000.25 + 37 * (at % 97) + at / 8 for at in range(200)]
    table = {
        "age": [20 + at % 13 for at in range(200)],
        "income": pay,
        "disease": ["asthma", "gout", "flu"] * 66 + ["flu"] * 2,
    }
    found = shoal.propose(table, scenario="public-use")
    asked = {each.column: each.tolerance for each in found.requirements if each.name == "distinct_l_diversity"}
    assert asked == {"income": "5%", "disease": None}
    assert '# tolerance = "5%"' in shoal.propose(table).text
    release = shoal.protect(table, found, key=KEY)
    assert not [note for note in release.manifest.notes if note.startswith("income: nearly all")]
