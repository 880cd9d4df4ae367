"""policy.toml to Policy and back; every complaint names the file and the key."""

import copy
import re
from pathlib import Path

import jsonschema
import pytest
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st

from method_examples import METHODS
from perturbation_examples import PERTURBATIONS
from requirement_examples import REQUIREMENTS
from shoal.errors import PolicyError
from shoal.policy import dump, json_schema, load
from survey_example import survey_policy, write_policy

SCHEMA = jsonschema.Draft202012Validator(json_schema())
FULL = {
    "seed": 7,
    "scenario": "internal",
    "source": {
        "format": "csv",
        "thousands": ".",
        "trim": True,
        "delimiter": ";",
        "quote": '"',
        "encoding": "cp1252",
        "decimal": ",",
        "header": False,
        "names": ["age", "sex"],
        "missing": ["", "NA"],
        "date_format": "%d.%m.%Y",
        "sheet": "people",
        "apostrophes": True,
    },
    "requirements": [example.written for example in REQUIREMENTS.values()],
    "method": METHODS["vmdav"].written,
    "blocking": {
        "method": "twod_tree",
        "limit": 5000,
        "dimensions": ["age"],
        "fuse": "supervised",
        "whole": True,
        "map": {},
        "repair": True,
        "passes": 2,
    },
    "suppression": {"limit": 0.25},
    "warn": {"unique": 0.1, "homogeneous": 0.2, "determined": 0.3},
    "output": {
        "spreadsheet_safe": True,
        "shuffle": True,
        "representation": "extents",
        "ends": True,
        "permute": True,
        "weights": "rounded",
        "household": "linked",
        "totals_by": ["town"],
    },
    "within": ["town"],
    "local_suppression": {"importance": {"age": 2.0}, "blanks": "value"},
    "perturbations": [entry for example in PERTURBATIONS.values() for entry in example.written],
    "columns": {
        "person": {"role": "identifier", "pseudonym": "secret.key"},
        "home": {"role": "household", "members": ["born", "age"]},
        "persons": {"role": "weight", "kind": "numeric"},
        "age": {
            "role": "quasi_identifier",
            "kind": "numeric",
            "decimals": 1,
            "grid": 5.0,
            "taxonomy": {"intervals": [5, 10]},
            "weight": 2.5,
        },
        "zip": {"role": "quasi_identifier", "kind": "nominal", "taxonomy": {"prefixes": [3, 1]}},
        "job": {"role": "quasi_identifier", "taxonomy": "jobs.csv"},
        "town": {"role": "quasi_identifier", "taxonomy": {"file": "towns.csv"}},
        "born": {"role": "quasi_identifier", "kind": "date", "taxonomy": {"date_parts": ["month", "year"]}},
        "grade": {"role": "quasi_identifier", "kind": "ordinal", "order": ["low", "high"]},
        "disease": {"role": "sensitive", "as_written": True},
        "pay": {"role": "sensitive", "kind": "numeric"},
        'a.b "c" d': {"role": "other"},
        "admitted": {"role": "other", "kind": "date", "recode": {"date_part": "month"}, "reason": "the board"},
        "area": {"role": "other", "recode": {"prefix": 2}},
        "district": {"role": "other", "taxonomy": {"prefixes": [3, 1]}, "recode": {"level": 1}},
        "length": {"role": "other", "kind": "numeric", "recode": {"width": 5.0}},
        "bed": {"role": "other", "kind": "numeric", "recode": {"intervals": [1.0, 3.0]}},
        "rent": {"role": "other", "kind": "numeric", "recode": {"top": 900.0, "bottom": 100.0}},
        "country": {"role": "other", "recode": {"merge": {"country": ["here", "there"]}}},
    },
}


def same(one, other):
    return one.model_dump() == other.model_dump()


kinds = st.sampled_from(["numeric", "ordinal", "nominal", "date"])


@st.composite
def policies(draw):
    """Any policy without files, as a dictionary."""
    names = draw(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=5, unique=True))
    columns = {}
    for name in names:
        role = draw(st.sampled_from(["identifier", "quasi_identifier", "sensitive", "weight", "household", "other"]))
        if role in ("weight", "household") and any(column["role"] == role for column in columns.values()):
            role = "other"  # only one can be
        columns[name] = {"role": role, "kind": draw(kinds)}
        if columns[name]["kind"] == "ordinal" and draw(st.booleans()):
            columns[name]["order"] = draw(st.lists(st.text(max_size=5), min_size=1, max_size=4, unique=True))
        if (role, columns[name]["kind"]) == ("quasi_identifier", "numeric") and draw(st.booleans()):
            columns[name]["decimals"] = draw(st.integers(-3, 6))
    requirements = [{"name": "k_anonymity", "k": draw(st.integers(2, 9))} for _ in range(draw(st.integers(0, 2)))]
    sensitive = [name for name in names if columns[name]["role"] == "sensitive"]
    if sensitive:
        requirements.append({"name": "distinct_l_diversity", "l": draw(st.integers(2, 9)), "column": sensitive[0]})
    policy = {"columns": columns, "requirements": requirements, "seed": draw(st.integers(0, 2**40))}
    if draw(st.booleans()):
        policy["suppression"] = {"limit": draw(st.floats(0, 1))}
    if draw(st.booleans()):
        policy["method"] = {"name": "mdav", "k": draw(st.integers(9, 20))}
    return policy


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(policies())
def test_there_and_back(policy):
    loaded = load(policy)
    text = dump(loaded)
    assert same(load(tomlkit.parse(text).unwrap()), loaded)
    assert dump(load(tomlkit.parse(text).unwrap())) == text


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(policies())
def test_the_schema_takes_what_load_takes(policy):
    SCHEMA.validate(policy)
    SCHEMA.validate(tomlkit.parse(dump(load(policy))).unwrap())


def test_the_full_policy_there_and_back(tmp_path):
    loaded = load(write_policy(FULL, tmp_path / "policy.toml"))
    (tmp_path / "again.toml").write_text(dump(loaded))
    again = load(tmp_path / "again.toml")
    assert same(loaded, again)
    assert loaded.digest() == again.digest()
    assert loaded.requirements == tuple(example.read for example in REQUIREMENTS.values())
    assert loaded.k == 4
    SCHEMA.validate(FULL)


def keys_of(schema, at=None):
    """Every key that the schema names, with its path."""
    at = schema if at is None else at
    if "$ref" in at:
        return keys_of(schema, schema["$defs"][at["$ref"].rsplit("/", 1)[-1]])
    inside = [at.get("items"), at.get("additionalProperties"), *at.get("anyOf", ()), *at.get("oneOf", ())]
    found = set(at.get("properties", ()))
    for part in [*at.get("properties", {}).values(), *inside]:
        if isinstance(part, dict):
            found |= keys_of(schema, part)
    return found


def written_keys(value):
    if isinstance(value, dict):
        return set(value) | set().union(*map(written_keys, value.values()))
    return set().union(*map(written_keys, value)) if isinstance(value, list) else set()


CONTROLLED = {"output": {"categories": "controlled"}}  # not together with extents and their ends
LIMITED = {"columns": {"job": {"min_level": 1, "max_level": 1}}}  # not with every method
OTHER_METHODS = [example.written for name, example in METHODS.items() if name != "vmdav"]


@pytest.mark.slow
@pytest.mark.parametrize("method", OTHER_METHODS, ids=lambda method: method["name"])
def test_every_method_survives_toml(tmp_path, method):
    asked = FULL | {"method": method} | ({"output": {}} if method["name"] == "none" else {})
    loaded = load(write_policy(asked, tmp_path / "policy.toml"))
    (tmp_path / "again.toml").write_text(dump(loaded))
    assert same(loaded, load(tmp_path / "again.toml"))
    SCHEMA.validate(asked)


def test_the_schema_names_every_key_and_no_other():
    written = written_keys(FULL).union(
        written_keys(CONTROLLED), written_keys(LIMITED), *map(written_keys, OTHER_METHODS)
    )
    assert keys_of(json_schema()) == written - set(FULL["columns"])


def test_every_key_is_explained():
    schema = json_schema()
    for room in (schema, *schema["$defs"].values()):
        for key, about in room.get("properties", {}).items():
            assert about.get("description") or "$ref" in about or key == "name", (room.get("title"), key)


WRONG = [
    (["sead"], 1, "sead: there is no such key. Did you mean 'seed'?"),
    (["seed"], "x", "seed must be a whole number"),
    (["seed"], -1, "seed: input should be greater than or equal to 0"),
    (["columns"], {}, "columns: dictionary should have at least 1 item"),
    (["columns", "age", "roll"], "other", "columns.age.roll: there is no such key. Did you mean 'role'?"),
    (["columns", "age", "role"], "othr", "columns.age.role must be 'identifier', 'quasi_identifier'"),
    (["columns", "age", "kind"], "number", "columns.age.kind must be 'numeric'"),
    (["columns", "age", "role"], "wieght", "got \"wieght\". Did you mean 'weight'?"),
    (["columns", "age"], {"kind": "numeric"}, "columns.age.role is missing. Add it."),
    (["columns", "age"], "other", "columns.age must be a table"),
    (["columns", "age", "order"], ["1"], "columns.age.order is only allowed with kind = 'ordinal', got kind = 'n"),
    (["columns", "grade", "order"], ["a", "a"], "columns.grade.order contains a value twice"),
    (["columns", "grade", "decimals"], 2, "columns.grade.decimals is only allowed with kind = 'numeric'"),
    (["columns", "grade", "grid"], 2, "columns.grade.grid is only allowed with kind = 'numeric' or 'date'"),
    (["columns", "age", "grid"], 0, "columns.age.grid must be a number above 0, got 0"),
    (["columns", "age", "grid"], "week", "columns.age.grid = 'week' is only allowed with kind = 'date'"),
    (["columns", "age", "decimals"], 99, "columns.age.decimals must be from -15 to 15, got 99"),
    (["columns", "age", "decimals"], "two", "columns.age.decimals must be a whole number"),
    (["columns", "age", "pseudonym"], "k", "columns.age.pseudonym is only allowed with role = 'identifier'"),
    (["columns", "zip", "taxonomy"], {}, "columns.zip.taxonomy: a taxonomy needs exactly one of file, prefixes"),
    (["columns", "zip", "taxonomy"], {"prefix": [1]}, "columns.zip.taxonomy.prefix: there is no such key"),
    (["columns", "zip", "taxonomy", "intervals"], [5], "exactly one of file, prefixes, intervals, date_parts, got"),
    (["columns", "zip", "taxonomy"], {"date_parts": ["hour"]}, "columns.zip.taxonomy.date_parts[1] must be"),
    (["requirements", 0], {"k": 5}, "requirements[1].name is missing. It can be: alpha_k_anonymity, beta_likeness, "),
    (["requirements", 0, "name"], "k_anonimity", "requirements[1].name is 'k_anonimity'. Did you mean 'k_anonymity'?"),
    (["requirements", 0, "kk"], 5, "requirements[1].kk: there is no such key. Did you mean 'k'?"),
    (["requirements", 0], {"name": "k_anonymity"}, "requirements[1].k is missing"),
    (["requirements", 0, "k"], "five", "requirements[1].k must be a whole number"),
    (["requirements", 0, "k"], 2.5, "requirements[1].k must be a whole number"),
    (["requirements", 0, "k"], 1, "requirements[1]: k_anonymity.k must be 2 or more, got 1"),
    (["requirements", 1, "l"], 1, "requirements[2]: distinct_l_diversity.l must be 2 or more, got 1"),
    (
        ["requirements", 0, "columns"],
        ["agee"],
        "requirements[1].columns: the policy has no column 'agee'. Did you mean",
    ),
    (["requirements", 0, "columns"], ["disease"], "column 'disease' must have role 'quasi_identifier'"),
    (
        ["requirements", 1, "column"],
        "desease",
        "requirements[2].column: the policy has no column 'desease'. Did you me",
    ),
    (["requirements", 1, "column"], "age", "requirements[2].column: column 'age' must have role 'sensitive'"),
    (["requirements", 3, "c"], 0, "requirements[4]: recursive_l_diversity.c must be a number above 0, got 0"),
    (["requirements", 5, "t"], 2, "requirements[6]: t_closeness.t must be from 0 to 1, got 2"),
    (["requirements", 9, "columns"], ["zip"], "requirements[10].columns: classes on zip do not show 'age'. Add it, or"),
    (["requirements", 5, "distance"], "far", "requirements[6].distance must be 'equal', 'ordered' or"),
    (["requirements", 5, "column"], "disease", "distance = 'ordered' needs values with an order; column 'disease' is"),
    (["requirements", 5, "distance"], "hierarchical", "needs a taxonomy of column 'pay'. Declare one as columns.pay."),
    (["requirements", 9, "column"], "pay", "requirements[10].column: column 'pay' must have role 'quasi_identifier'"),
    (["requirements", 8, "sigma"], 0, "requirements[9]: epsilon_privacy.sigma must be 1 or more, got 0"),
    (["requirements"], "k", "requirements must be a list"),
    (
        ["method", "name"],
        "mdva",
        "method.name is 'mdva'. Did you mean 'mdav'? It can be: genetic, gensearch, global_recoding, mdav, mhm,",
    ),
    (["blocking", "passes"], 0, "blocking.passes: input should be greater than or equal to 1"),
    (
        ["blocking", "dimensions"],
        ["persons"],
        "blocking.dimensions: column 'persons' must have role 'quasi_identifier'",
    ),
    (["blocking"], {"map": {"size": 9}}, "blocking.map is only allowed with blocking.method = 'som', got 'auto'"),
    (["blocking"], {"method": "som", "whole": True}, "blocking.whole is only allowed with blocking.method = 'auto' or"),
    (
        ["blocking"],
        {"method": "univariate", "dimensions": ["age", "zip"]},
        "blocking.dimensions: blocking.method = 'univariate' divides one column into intervals, but there are 2",
    ),
    (["method"], {"name": "micro_som", "grow": 3}, "method: method.grow must be 4 or more, got 3"),
    (["method"], {"name": "micro_som", "map": {"size": 0}}, "method.map: map.size must be 1 or more, got 0"),
    (["method"], {"name": "micro_som", "map": {"sise": 9}}, "method.map.sise: there is no such key. Did you mean 's"),
    (["method"], {"name": "micro_som", "map": {"shape": "ball"}}, "method.map.shape must be 'sheet', 'cyl"),
    (["method", "kk"], 3, "method.kk: there is no such key. Did you mean 'k'?"),
    (["method", "k"], 1, "method.k must be 2 or more, got 1"),
    (["method", "k"], 2, "method.k must be 3 or more, got 2: k_anonymity requires k = 3"),
    (["suppression", "limit"], 1.5, "suppression.limit: input should be less than or equal to 1"),
    (["suppression", "limt"], 0.5, "suppression.limt: there is no such key. Did you mean 'limit'?"),
    (["source", "delimiter"], ";;", "source.delimiter: a delimiter is one ASCII character"),
    (["source", "encoding"], "utf-99", "source.encoding: there is no encoding 'utf-99'"),
    (["source", "date_format"], "dd.mm", "source.date_format: a date format names its fields with %"),
    (["source", "quote"], ";", "source: delimiter and quote must be different"),
    (["output", "shuffel"], True, "output.shuffel: there is no such key. Did you mean 'shuffle'?"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "value", "words"), WRONG, ids=lambda v: v if isinstance(v, str) else None)
def test_a_complaint_names_file_and_key(tmp_path, path, value, words):
    policy = copy.deepcopy(FULL)
    at = policy
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value
    with pytest.raises(PolicyError, match=r"^rules\.toml, ") as complaint:
        load(write_policy(policy, tmp_path / "rules.toml"))
    assert words in str(complaint.value)
    assert "pydantic" not in str(complaint.value)
    with pytest.raises(PolicyError, match=r"^policy, "):
        load(policy)


@pytest.mark.parametrize(("path", "value", "words"), WRONG, ids=lambda v: v if isinstance(v, str) else None)
def test_what_the_schema_refuses_load_refuses(path, value, words):
    """An editor that checks never complains of what would be loaded."""
    policy = copy.deepcopy(FULL)
    at = policy
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value
    if re.search(
        "no such key|is missing|input should be|must be (a (whole number|table|list)|true|')|at least|at most", words
    ):
        assert not SCHEMA.is_valid(policy)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"requirements": [{"name": "k_anonymity", "k": "5"}]}, 'must be a whole number, got "5". Remove'),
        ({"requirements": [{"name": "k_anonymity", "k": 5.0}]}, "requirements[1].k must be a whole number, got 5.0."),
        ({"requirements": [{"name": "k_anonymity", "k": True}]}, "requirements[1].k must be a whole number, got true."),
        ({"requirements": {"name": "k_anonymity", "k": 5}}, "requirements: write [[requirements]] in two pairs"),
        ({"method": {"name": "mdav", "k": "5"}}, 'method.k must be a whole number, got "5". Remove the quotes.'),
        ({"output": {"shuffle": "yes"}}, 'output.shuffle must be true or false, got "yes".'),
        ({"output": {"shuffle": 1}}, "output.shuffle must be true or false, got 1."),
        ({"suppression": {"limit": "0.1"}}, 'suppression.limit must be a number, got "0.1". Remove the quotes.'),
        ({"within": "zip"}, 'within must be a list, got "zip". For one value: within = ["zip"].'),
        ({"source": {"missing": "NA"}}, 'source.missing must be a list, got "NA". For one value: missing = ["NA"].'),
        ({"source": {"missing": [-9]}}, "source.missing[1] must be a text, got -9."),
        ({"method": "mdav"}, 'method must be a table, got "mdav".'),
        ({"blocking": {"limit": "many"}}, "blocking.limit must be 'auto' or a whole number, got \"many\"."),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_never_guessed(more, words):
    with pytest.raises(PolicyError) as complaint:
        load(survey_policy() | more)
    assert words in str(complaint.value)


def test_a_misspelled_key_of_a_taxonomy_gets_the_keys_there_are():
    policy = survey_policy()
    policy["columns"] |= {"zip": {"role": "quasi_identifier", "taxonomy": {"prefix": [3]}}}
    with pytest.raises(PolicyError, match="'prefixes'\\? It can be: file, prefixes, intervals, date_parts"):
        load(policy)


def test_several_complaints_at_once(tmp_path):
    policy = survey_policy(seed=-1, output={"shuffel": True})
    with pytest.raises(PolicyError, match=r"(?s)2 problems\.\n  output\.shuffel.*\.\n  seed"):
        load(policy)


def test_a_key_twice(tmp_path):
    path = write_policy(survey_policy(), tmp_path / "policy.toml")
    path.write_text(path.read_text() + '\n[columns.age]\nrole = "identifier"\n')
    n_lines = len(path.read_text().splitlines())
    with pytest.raises(
        PolicyError, match=rf"policy\.toml, line {n_lines - 1}: 'age' is there already\. .* keep one of"
    ):
        load(path)
    path.write_text('[method]\nname = "mdav"\nk = 3\nk = 4\n')
    with pytest.raises(PolicyError, match=r"policy\.toml, line 4: 'k' is there already"):
        load(path)


def test_digest_sees_all_that_decides(tmp_path):
    (tmp_path / "jobs.csv").write_text("a;*\n")
    first = load(write_policy(FULL, tmp_path / "policy.toml")).digest()
    assert load(write_policy(FULL, tmp_path / "other.toml")).digest() == first
    assert load(write_policy(FULL | {"seed": 8}, tmp_path / "policy.toml")).digest() == first  # told apart from it
    assert load(write_policy(FULL | {"output": {"shuffle": False}}, tmp_path / "policy.toml")).digest() != first
    (tmp_path / "jobs.csv").write_text("b;*\n")
    assert load(write_policy(FULL, tmp_path / "policy.toml")).digest() != first


def test_a_default_that_is_written_down_changes_no_digest():
    plain, written = survey_policy(), survey_policy(method={"name": "mdav", "merge": True}, output={"permute": False})
    assert load(plain).digest() == load(written).digest()


def test_order_and_apostrophes_change_no_digest_of_values():
    plain = load(survey_policy()).digest_of_values()
    for output in ({"shuffle": True}, {"spreadsheet_safe": True}):
        changed = load(survey_policy(output=output))
        assert changed.digest_of_values() == plain
        assert changed.digest() != load(survey_policy()).digest()
    assert load(survey_policy(output={"permute": True})).digest_of_values() != plain


def test_methods_and_requirements_without_options_differ_in_their_digest():
    methods = [load(survey_policy(method={"name": name})).digest() for name in ("mdav", "vmdav", "mondrian")]
    required = [
        load(survey_policy(requirements=[{"name": name, "l": 2, "column": "disease"}])).digest()
        for name in ("distinct_l_diversity", "entropy_l_diversity")
    ]
    assert len({*methods, *required}) == 5


def test_files_of_a_policy_are_beside_it(tmp_path):
    policy = load(write_policy(FULL, tmp_path / "policy.toml"))
    names = {"policy.toml", "secret.key", "jobs.csv", "towns.csv"}
    assert {path.name for path in policy.files} == names
    assert {path.parent for path in policy.files} == {tmp_path}
    assert {path.name for path in load(FULL).files} == names - {"policy.toml"}
    assert load(FULL).path_of(Path("x.csv")) == Path("x.csv")


def test_a_summary_holds_no_value():
    text = repr(load(FULL).summary())
    assert not [word for word in ("low", "high", "secret", "jobs.csv", "NA", "%d") if f"'{word}" in text]
