"""What names, labels and values of single columns suggest."""

import tomllib

import pyarrow as pa
import pytest

import shoal
from shoal.errors import PolicyError
from shoal.policy.proposal.missing_codes import missing_codes
from shoal.policy.proposal.reading_options import WrittenTexts, thousands
from shoal.schema.suggest import ColumnEvidence, suggest, suggestion
from shoal.schema.suggest.known_orders import known_order
from shoal.sources import ReadOptions

N = 60


def column(name, values, **more):
    return ColumnEvidence(name, pa.chunked_array([values]), **more)


def suggested(name, values, **more):
    return suggestion(column(name, values, **more))


def test_a_number_identifies_nobody_by_being_distinct():
    assert suggested("amount", [37 * i * i % 10007 for i in range(N)]).role == "quasi_identifier"
    assert suggested("amount", list(range(100, 100 + N))).role == "identifier"  # it numbers the records
    assert suggested("remark", [f"r{i}" for i in range(N)]).role == "identifier"
    assert suggested("remark", [f"r{i // 2}" for i in range(N)]).role == "quasi_identifier"


@pytest.mark.parametrize(
    "value",
    ["a{}@b.org", "DE89 3704 0044 0532 0130 {}", "+49 30 1234{}", "(212) 555-01{}", "078-05-11{}", "10.0.0.{}",
     "https://a.org/{}", "123e4567-e89b-12d3-a456-4266141740{}"],
)  # fmt: skip
def test_values_written_like_identifiers(value):
    values = [value.format(10 + i % 7) for i in range(N)]  # however often they repeat
    assert suggested("contact", values).role == "identifier"


def test_a_value_that_only_some_records_have_is_not_constant():
    assert suggested("same", ["x"] * N).role == "other"
    assert suggested("test result", ["positive", None] * (N // 2)).role == "quasi_identifier"


@pytest.mark.parametrize("name", ["strat_weight", "hh_weight", "pw", "wt", "wgt_final", "pop_wt", "w", "indwgt wgt"])
def test_kin_of_weights(name):
    assert suggested(name, [1.5 + i for i in range(N)]).role == "weight"


def test_repeated_numbers_of_patients_are_units():
    assert suggested("patient_id", [f"P{i // 3}" for i in range(N)]).role == "unit"
    assert suggested("patient_id", [f"P{i}" for i in range(N)]).role == "identifier"
    assert suggested("case", [i // 2 for i in range(N)]).role == "unit"


def test_members_of_households_are_numbered():
    table = pa.table({"hhid": [i // 3 for i in range(N)], "person_no": [i % 3 + 1 for i in range(N)]})
    assert [found.role for found in suggest(table)] == ["household", "other"]
    alike = pa.table({"hhid": [i // 3 for i in range(N)], "person_no": [1] * N})
    assert suggest(alike)[1].reason.startswith("all records have the same value")


def test_places_that_many_records_share_are_no_identifiers():
    assert suggested("region_name", ["north", "south"] * (N // 2)).role == "quasi_identifier"
    assert suggested("name", [f"person {i // 2}" for i in range(N)]).role == "identifier"


def test_labels_of_nearly_all_values_make_categories():
    codes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] * 4
    labels = {float(code): f"region {code}" for code in range(1, 16)}
    assert suggested("v", codes, value_labels=labels).kind == "nominal"
    assert suggested("v", codes, value_labels=labels, measure="ordinal").kind == "ordinal"
    assert suggested("v", codes, value_labels={1.0: "one"}).kind == "numeric"
    scale = {1: "low", 2: "medium", 3: "high"}
    assert suggested("v", [1, 2, 3] * 20, value_labels=scale).kind == "ordinal"


def test_labels_in_the_order_of_their_codes_are_ordinal_whatever_missing_codes_are_called():
    scale = {-99.0: "keine Angabe", 1.0: "niedrig", 2.0: "mittel", 3.0: "hoch"}
    assert suggested("v", [1.0, 2.0, 3.0] * 20, value_labels=scale).kind == "ordinal"
    ages = {float(at): f"{10 * at}-{10 * at + 9}" for at in range(1, 13)}
    assert suggested("v", [float(1 + i % 12) for i in range(N)], value_labels=ages).kind == "ordinal"
    assert (
        suggested("v", [3.0, 2.0, 1.0] * 20, value_labels={1.0: "hoch", 2.0: "niedrig", 3.0: "mittel"}).kind
        == "nominal"
    )


def test_labels_of_columns_are_read_for_hints():
    found = suggested("v17", [1000.5 * i for i in range(N)], label="Net income of the household")
    assert (found.role, found.reason) == ("sensitive", "its label suggests sensitive, released unchanged")


@pytest.mark.parametrize(
    "values",
    [
        ("low", "Medium", "HIGH"),
        ("none", "primary", "secondary", "tertiary"),
        ("1-9", "10-49", "50-249", "250+"),
        ("under 18", "18 to 64", "65 and over"),
        ("Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"),
        ("ISCED 0", "ISCED 2", "ISCED 10"),
        ("<=50K", ">50K"),
    ],
)
def test_orders_that_are_known(values):
    assert known_order(values[::-1]) == values


@pytest.mark.parametrize("values", [("red", "green"), ("low", "blue"), ("1", "2", "3"), ("1-9", "other"), ("a",)])
def test_orders_that_are_not(values):
    assert known_order(values) is None


def test_codes_of_missing_values_are_only_named_with_a_rough_share():
    ages = [20 + i % 50 for i in range(970)] + [999] * 30
    assert missing_codes(column("age", ages)) == {999: "about 3 %"}
    assert missing_codes(column("age", [*range(20, 90), 999])) == {}  # the value of a single record is never shown
    assert missing_codes(column("age", [i % 100 for i in range(1000)])) == {}
    assert missing_codes(column("income", [1000 + 7 * i for i in range(90)] + [-9] * 10)) == {-9: "about 10 %"}
    text = shoal.propose({"age": ages}).text
    assert "# 999 (about 3 % of its values) stands apart" in text
    assert "source" not in tomllib.loads(text)


@pytest.mark.parametrize(
    ("texts", "decimal", "found"),
    [
        (["1.234.567", "12.000", "7"], None, "."),
        (["1,234.50", "12,000.00", "7.25"], None, ","),
        (["1.234", "12.345"], None, None),  # may as well be decimals
        (["1.234", "12.345"], ",", "."),
        (["1'234'567", "12"], None, "'"),
        (["1.234.567", "a"], None, None),
        (["1234.567", "1.234.567"], None, None),
    ],
)
def test_separators_of_thousands(texts, decimal, found):
    assert thousands(WrittenTexts.of_columns(pa.table({"x": texts})), decimal) == found


def test_hierarchies_are_written_where_the_pattern_fits():
    n = 100
    table = {
        "age": [20 + i % 60 for i in range(n)],
        "plz": [f"0{4100 + i % 30}" for i in range(n)],
        "odd_zip": [f"0{4100 + i % 30}" if i % 20 else "x" for i in range(n)],
        "icd10": [f"{'ACK'[i % 3]}{10 + i % 9}.{i % 8}" for i in range(n)],
        "nuts3": [f"DE{1 + i % 3}{i % 7}A" for i in range(n)],
        "nace": [f"{10 + i % 5}.{i % 9}" for i in range(n)],
        "born": [f"19{50 + i % 40}-05-{1 + i % 28:02}" for i in range(n)],
    }
    text = shoal.propose(table).text
    used = {"plz": {"prefixes": [3, 2, 1]}, "nuts3": {"prefixes": [4, 3, 2]}, "nace": {"prefixes": [2]}}  # 10.1: a code
    assert taxonomies(text) == used
    assert taxonomies(text.replace("# taxonomy = ", "taxonomy = ")) == used | {
        "age": {"intervals": [5, 10, 20]},
        "icd10": {"prefixes": [3, 1]},
        "born": {"date_parts": ["month", "year", "decade"]},
    }


def taxonomies(text):
    columns = tomllib.loads(text)["columns"]
    return {name: rule["taxonomy"] for name, rule in columns.items() if "taxonomy" in rule}


def test_only_taxonomies_that_the_method_uses_are_written():
    n = 100
    table = {
        "born": [f"19{50 + i % 40}-05-{1 + i % 28:02}" for i in range(n)],
        "age": [20 + i % 60 for i in range(n)],
        "plz": [f"0{4100 + i % 30}" for i in range(n)],
        "icd10": [f"{'ACK'[i % 3]}{10 + i % 9}.{i % 8}" for i in range(n)],
    }
    proposed = shoal.propose(table)
    assert list(taxonomies(proposed.text)) == ["plz"]
    assert not any("not used" in note for note in shoal.protect(table, proposed, key=bytes(32)).manifest.notes)


def test_the_taxonomy_of_a_stratum_is_not_used():
    firms = {"nace": [f"{10 + i % 4}.{i % 2}" for i in range(N)], "turnover": [31 * i * i % 9973 for i in range(N)]}
    proposed = shoal.propose(firms)
    assert proposed.within == ("nace",)
    assert taxonomies(proposed.text) == {}
    assert not any("not used" in note for note in shoal.protect(firms, proposed, key=bytes(32)).manifest.notes)


def test_strata_are_proposed_where_every_industry_has_k_firms():
    firms = {"nace": [f"{10 + i % 4}" for i in range(N)], "turnover": [31 * i * i % 9973 for i in range(N)]}
    assert tomllib.loads(shoal.propose(firms).text)["within"] == ["nace"]
    rare = {**firms, "nace": ["99", *firms["nace"][1:]]}
    text = shoal.propose(rare).text
    assert "within" not in tomllib.loads(text)
    assert '# within = ["nace"]' in text
    persons = {**firms, "sex": ["f", "m"] * (N // 2)}
    assert "within" not in shoal.propose(persons).text


@pytest.mark.parametrize(("n", "is_possible"), [(1, False), (4, False), (5, True), (0, True)])
@pytest.mark.parametrize("industry", ["99", None])
def test_a_stratum_has_k_firms_or_more_also_that_of_the_missing(industry, n, is_possible):
    industries = [industry] * n + [f"{10 + i % 4}" for i in range(N - n)]
    firms = {"nace": industries, "turnover": [31 * i * i % 9973 for i in range(N)]}
    assert shoal.propose(firms).within == (("nace",) if is_possible else ())


def test_unknown_scenarios_are_refused():
    with pytest.raises(PolicyError, match="public-use"):
        shoal.propose({"age": [1, 2, 3]}, scenario="public")


def test_words_for_missing_that_are_given_stay_with_those_that_are_found(tmp_path):
    path = tmp_path / "survey.csv"
    records = (f"{20 + i % 30 if i % 7 else -9},{'?' if i % 5 == 0 else 'north'}\n" for i in range(N))
    path.write_text("age,region\n" + "".join(records))
    found = shoal.propose(path, options=ReadOptions(missing=("", "-9")))
    assert found.source.missing == ("", "-9", "?")
