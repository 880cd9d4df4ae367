"""What is wrong in a policy: every complaint names the file and the key, and nothing is guessed."""

import copy
import re
import tomllib

import jsonschema
import pytest

from policy_examples import FULL
from shoal.errors import ColumnError, PerturbationError, PolicyError, TableError
from shoal.policy import json_schema, load
from survey_example import survey_policy, write_policy

SCHEMA = jsonschema.Draft202012Validator(json_schema())
WRONG = [
    (["sead"], 1, "sead: there is no such key. Did you mean 'seed'?"),
    (["seed"], "x", "seed must be a whole number"),
    (["seed"], -1, "seed must be at least 0, got -1."),
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
    (["requirements", 0, "name"], ["k_anonymity"], "requirements[1].name"),
    (["method", "name"], {"mdav": 5}, "method.name"),
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
    (["blocking", "passes"], 0, "blocking.passes must be at least 1, got 0."),
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
    (
        ["method"],
        {"name": "gensearch", "suppression": 0.3},
        "method.suppression is 0.3, but suppression.limit is 0.25: the method could suppress more records than the",
    ),
    (
        ["method"],
        {"name": "global_recoding", "suppression": 0.26},
        "Set suppression.limit = 0.26, or method.suppression = 0.25.",
    ),
    (["suppression", "limit"], 1.5, "suppression.limit must be at most 1, got 1.5. For 1.5 %, write 0.015."),
    (["limits"], {"linked_persons": 15}, "limits.linked_persons must be at most 1, got 15. For 15 %, write 0.15."),
    (["suppression", "limt"], 0.5, "suppression.limt: there is no such key. Did you mean 'limit'?"),
    (["source", "delimiter"], ";;", "source.delimiter: a delimiter is one ASCII character"),
    (["source", "encoding"], "utf-99", "source.encoding: there is no encoding 'utf-99'"),
    (["source", "date_format"], "dd.mm", "source.date_format: a date format names its fields with %"),
    (["source", "quote"], ";", "source: delimiter and quote must be different"),
    (["output", "shuffel"], True, "output.shuffel: there is no such key. Did you mean 'shuffle'?"),
]


@pytest.mark.gate(
    but=(
        "path0-1-sead: there is no such key. Did you mean 'seed'?",
        "path1-x-seed must be a whole number",
        "path2--1-seed must be at least 0, got -1.",
        "path11-value11-columns.grade.order contains a value twice",
        "path18-k-columns.age.pseudonym is only allowed with role = 'identifier'",
    )
)
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


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ({"name": "mondrian", "loss": "certainty"}, r"method\.loss is only allowed with method\.mode = 'greedy'"),
        (
            {"name": "mondrian", "mode": "greedy", "target": "disease"},
            r"method\.target is only allowed with method\.loss",
        ),
        ({"name": "gensearch", "target": "disease"}, r"method\.target is only allowed with method\.loss = 'classif"),
    ],
)
def test_a_key_of_a_method_that_would_change_nothing_is_refused(method, words):
    with pytest.raises(PolicyError, match=words):
        load(survey_policy(method=method))


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


@pytest.mark.parametrize("names", [("x", "X"), ("\u00e9t\u00e9", "e\u0301te\u0301"), ("stra\u00dfe", "STRASSE")])
def test_names_that_a_database_takes_for_one_are_refused(names):
    columns = {name: {"role": "quasi_identifier"} for name in names}
    with pytest.raises(PolicyError, match="differ only in case or in how letters are encoded"):
        load({"columns": columns})


@pytest.mark.parametrize("name", ["age", "main diagnosis", "a.b", 'the "best"', "Größe"])
def test_a_line_that_is_advised_is_toml_whatever_the_column_is_called(name):
    said = {
        ("local_suppression", "importance", name): ColumnError.free_blanks(name),
        ("columns", name, "recode"): PerturbationError.calendar_pattern(name, "month", 0.5, 30.0),
        ("columns", name, "level"): TableError.shared_in_household(name, 3),
    }
    for path, error in said.items():
        (line,) = re.findall(r"(?:as|it:|Set) (\S[^:]*? = (?:\{ .*? \}|'\w+'))", str(error))
        found = tomllib.loads(line)
        for key in path:
            found = found[key]
