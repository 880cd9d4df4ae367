"""Small changes of a policy: edits of its text, lines to paste, and the candidates of every kind of column."""

import tomllib
from datetime import date

import pyarrow as pa
import pytest

from shoal.policy import ReleasePlan, load
from shoal.policy.change.candidate_changes import (
    RiskyColumns,
    advised_change,
    candidate_changes,
    combination_of,
    joint_changes,
)
from shoal.policy.change.coarser_rules import coarser_rules
from shoal.policy.change.policy_change import PolicyChange, policy_at, policy_of_text, policy_source
from shoal.policy.change.policy_edit import PolicyEdit, edit_lines, edited_text, edits_of
from shoal.policy.change.value_facts import ValueFacts
from survey_example import survey, survey_policy

EDITS = (
    PolicyEdit(("columns", "age"), {"recode": {"width": 10}}),
    PolicyEdit(("columns", "a b"), {"role": "identifier", "taxonomy": None}),
    PolicyEdit(("requirements", 0), {"k": 4}),
    PolicyEdit(("requirements",), {"name": "distinct_l_diversity", "column": "ill", "l": 2}, is_new=True),
    PolicyEdit(("output",), {"permute": True}),
)
COLUMNS = {
    "age": {"role": "other", "kind": "numeric", "recode": {"width": 10}},
    "a b": {"role": "identifier"},
    "ill": {"role": "sensitive"},
}
REQUIREMENTS = [{"name": "k_anonymity", "k": 4}, {"name": "distinct_l_diversity", "column": "ill", "l": 2}]
LAYOUTS = {
    "tables": """# why
[[requirements]]
name = "k_anonymity"
k = 3

[columns.age]
role = "other"  # who knows it?
kind = "numeric"

[columns.age.recode]
width = 5

[columns."a b"]
role = "quasi_identifier"
taxonomy = { prefixes = [3, 1] }

[columns.ill]
role = "sensitive"
""",
    "inline": """# why
requirements = [{ name = "k_anonymity", k = 3 }]
columns.age = { role = "other", kind = "numeric", recode = { width = 5 } }
columns."a b" = { role = "quasi_identifier", taxonomy = { prefixes = [3, 1] } }
columns.ill = { role = "sensitive" }
# who knows it?
""",
    "dotted": """# why
columns.age.role = "other"  # who knows it?
columns.age.kind = "numeric"
columns.age.recode.width = 5
columns."a b".role = "quasi_identifier"
columns."a b".taxonomy.prefixes = [3, 1]
columns.ill.role = "sensitive"
[[requirements]]
name = "k_anonymity"
k = 3
""",
    "apart": """# why
[columns]
age = { role = "other", kind = "numeric" }  # who knows it?
ill.role = "sensitive"
"a b" = { role = "quasi_identifier", taxonomy = { prefixes = [3, 1] } }
[[requirements]]
name = "k_anonymity"
k = 3
[output]
""",
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_edits_are_made_in_every_layout_and_keep_comments(layout):
    text = edited_text(LAYOUTS[layout], EDITS)
    content = tomllib.loads(text)
    assert content == {"columns": COLUMNS, "requirements": REQUIREMENTS, "output": {"permute": True}}
    assert "# why" in text
    assert "# who knows it?" in text


@pytest.mark.parametrize("layout", LAYOUTS)
def test_lines_that_are_pasted_do_what_the_edits_do(layout):
    lines = edit_lines(LAYOUTS[layout], EDITS)
    assert pasted(tomllib.loads(LAYOUTS[layout]), lines) == tomllib.loads(edited_text(LAYOUTS[layout], EDITS))


def test_lines_say_what_they_replace():
    assert edit_lines(LAYOUTS["tables"], EDITS) == (
        "# in [columns.age]:",
        "recode = {width = 10}  # instead of recode = {width = 5}",
        '# in [columns."a b"]:',
        'role = "identifier"  # instead of role = "quasi_identifier"',
        "# remove taxonomy = {prefixes = [3, 1]}",
        "# in [[requirements]] number 1:",
        "k = 4  # instead of k = 3",
        "[[requirements]]",
        'name = "distinct_l_diversity"',
        'column = "ill"',
        "l = 2",
        "[output]",
        "permute = true",
    )


def pasted(content, lines):
    """The policy as a reader of the lines would edit it, by another parser."""
    blocks: list[list[str]] = []
    for line in lines:
        if line.startswith(("# in ", "[")):
            blocks.append([])
        blocks[-1].append(line)
    for head, *keys in blocks:
        at = place(content, head)
        for line in keys:
            if line.startswith("# remove "):
                for key in tomllib.loads(line.removeprefix("# remove ")):
                    del at[key]
            else:
                at.update(tomllib.loads(line))
    return content


def place(content, head):
    """The table that the head of a block names, made where it is not there."""
    if head.startswith("[["):
        content.setdefault(head.strip("[]"), []).append({})
        return content[head.strip("[]")][-1]
    if "number" in head:
        name, number = head.removeprefix("# in [[").rstrip(":").split("]] number ")
        return content[name][int(number) - 1]
    named = tomllib.loads(head.removeprefix("# in ").rstrip(":"))
    while named:
        (name, named), = named.items()  # fmt: skip
        content = content.setdefault(name, {})
    return content


def test_lines_of_a_warning_become_edits():
    lines = '[output]\npermute = true\n[columns.x]\nrole = "identifier"\n[[requirements]]\nname = "k_anonymity"\nk = 2'
    assert edits_of(lines) == (
        PolicyEdit(("output",), {"permute": True}),
        PolicyEdit(("columns", "x"), {"role": "identifier"}),
        PolicyEdit(("requirements",), {"name": "k_anonymity", "k": 2}, is_new=True),
    )
    (change,) = advised_change(lines)
    assert [step.words for step in change.steps][:2] == ["sensitive values permuted within classes", "x dropped"]
    assert advised_change("") == ()


DAYS = [date(2020, 1, 1), date(2024, 6, 5)]
COARSER = {  # column, cells, method -> what is tried
    "numbers": ({"kind": "numeric"}, [0, 1, 55, 100], [{"width": 10}, {"width": 50}]),
    "intervals": ({"kind": "numeric", "recode": {"width": 5}}, [0, 100], [{"width": 10}, {"width": 20}]),
    "dates": ({"kind": "date"}, DAYS, [{"date_part": "month"}, {"date_part": "year"}]),
    "quarters": ({"kind": "date", "recode": {"date_part": "quarter"}}, DAYS,
                 [{"date_part": "year"}, {"date_part": "decade"}]),
    "decades": ({"kind": "date", "recode": {"date_part": "decade"}}, DAYS, []),
    "codes": ({}, ["01067", "99084"], [{"prefix": 4}, {"prefix": 2}]),
    "prefixes": ({"recode": {"prefix": 2}}, ["01067", "99084"], [{"prefix": 1}]),
    "words": ({}, ["red", "red", "red", "blue", "green"], [{"merge": {"other values": ["blue", "green"]}}]),
    "tree": ({"taxonomy": {"prefixes": [3, 1]}}, ["01067"], [{"level": 1}]),
    "next level": ({"taxonomy": {"prefixes": [3, 1]}, "recode": {"level": 1}}, ["01067"], [{"level": 2}]),
    "root": ({"taxonomy": {"prefixes": [3, 1]}, "recode": {"level": 2}}, ["01067"], []),
    "one number": ({"kind": "numeric"}, [5, 5], []),
    "nothing known": ({"kind": "numeric"}, [None, None], []),
}  # fmt: skip


@pytest.mark.parametrize("case", COARSER)
def test_the_next_coarser_values_of_every_kind(case):
    keys, cells, expected = COARSER[case]
    rules = _coarser({"role": "other", **keys}, cells)
    assert [each["recode"] for each in rules if not {"top", "bottom"} & set(each["recode"])] == expected


def _coarser(column, cells, **more):
    policy = load({"columns": {"x": column, "q": {"role": "quasi_identifier"}}, **more})
    facts = ValueFacts.of(pa.chunked_array([pa.array(cells)]), 3)
    return [each.content for each in coarser_rules(ReleasePlan.of(policy), "x", policy.columns["x"], facts)]


def test_tails_get_top_and_bottom_codes():
    numbers = [float(number) for number in range(1000)]
    assert {"recode": {"top": 990}} in _coarser({"role": "other", "kind": "numeric"}, numbers)
    assert {"recode": {"bottom": 10}} in _coarser({"role": "other", "kind": "numeric"}, numbers)


def test_extents_get_levels_and_grids():
    mondrian = {"method": {"name": "mondrian"}, "requirements": [{"name": "k_anonymity", "k": 2}]}
    tree = {"role": "quasi_identifier", "taxonomy": {"prefixes": [3, 1]}}
    assert _coarser(tree, ["01067"], **mondrian) == [{"min_level": 1}]
    assert _coarser(tree | {"min_level": 1}, ["01067"], **mondrian) == [{"min_level": 2}]
    number = {"role": "quasi_identifier", "kind": "numeric", "grid": 5}
    assert _coarser(number, [0, 100], **mondrian) == [{"grid": 10}, {"grid": 20}]
    day = {"role": "quasi_identifier", "kind": "date", "grid": "month"}
    assert _coarser(day, DAYS, **mondrian) == [{"grid": "quarter"}, {"grid": "year"}]


def test_every_candidate_of_the_survey_is_a_policy_as_pasted():
    policy, table = load(survey_policy()), survey()
    names = ("amount", "note", "zip", "age", "born", "weight")
    facts = {name: ValueFacts.of(table[name], 3) for name in names}
    risky = RiskyColumns(names, ("amount", "note"), facts, ("disease",), ("[output]\npermute = true",))
    text, found = policy_source(policy), [*candidate_changes(policy, risky), *joint_changes(policy, risky)]
    titles = [change.title for change in found]
    for title in ("k = 4", "k = 6", "amount dropped", "note as a quasi-identifier", "born by year",
                  "every weight replaced by the mean of its stratum",
                  "zip at level 1 of its taxonomy", "at least 2 different values of disease in every class",
                  "amount dropped; note dropped"):  # fmt: skip
        assert titles.count(title) == 1, title
    for change in found:
        changed = policy_of_text(change.text(text), policy)
        assert changed.digest() != policy.digest()
        assert load(pasted(tomllib.loads(text), edit_lines(text, change.edits))).digest() == changed.digest()


def test_limits_that_are_exceeded_ask_for_the_k_and_the_closeness_that_keep_them():
    """In classes of k nobody is found with a chance above 1 / k, and t-closeness bounds what a class tells."""
    limits = {"linked_persons": 0.07, "prosecutor_risk": 0.1, "attribute_disclosure": 0.3, "suppressed": 0.01}
    found = candidate_changes(load(survey_policy()), RiskyColumns(limits=limits))
    assert [change.title for change in found if change.title.startswith("k")] == ["k = 4", "k = 6", "k = 10", "k = 15"]
    content = {"name": "t_closeness", "column": "disease", "t": 0.3, "distance": "equal"}
    closeness = PolicyEdit(("requirements",), content, is_new=True)
    assert [change.edits for change in found if "disease" in change.title] == [(closeness,)]
    none = candidate_changes(
        load(survey_policy()), RiskyColumns(limits={"linked_persons": 0.0, "prosecutor_risk": 1.0})
    )
    assert [change.title for change in none] == ["k = 4", "k = 6"]


def test_changes_that_contradict_each_other_are_not_joined():
    wide = PolicyChange.of("wide", PolicyEdit(("columns", "age"), {"recode": {"width": 10}}))
    wider = PolicyChange.of("wider", PolicyEdit(("columns", "age"), {"recode": {"width": 20}}))
    dropped = PolicyChange.of("dropped", PolicyEdit(("columns", "age"), {"role": "identifier"}))
    protected = PolicyChange.of("protected", PolicyEdit(("columns", "age"), {"role": "quasi_identifier"}))
    assert combination_of([wide, wider]) is None
    assert combination_of([wide, dropped]) is None
    assert combination_of([wide, protected, wide]) == PolicyChange((*wide.steps, *protected.steps))


def test_a_policy_for_another_folder_names_the_same_files(tmp_path):
    (tmp_path / "regions.csv").write_text("a;x;*\nb;x;*\n")
    file = tmp_path / "policy.toml"
    file.write_text('[columns.r]\nrole = "quasi_identifier"\ntaxonomy = "regions.csv"  # of the atlas\n')
    policy, away = load(file), tmp_path / "away"
    away.mkdir()
    text = file.read_text()
    assert policy_at(text, policy, tmp_path / "other.toml") == text
    (away / "other.toml").write_text(policy_at(text, policy, away / "other.toml"))
    moved = load(away / "other.toml").columns["r"].taxonomy
    assert (away / moved.file).resolve() == (tmp_path / "regions.csv").resolve()


@pytest.mark.parametrize(("kind", "distance"), [("numeric", "ordered"), ("date", "ordered"), ("nominal", "equal")])
def test_amounts_and_dates_are_to_be_near_by_size(kind, distance):
    """Of values that are nearly all different, no class of a few has the shares of all."""
    columns = {"age": {"role": "quasi_identifier"}, "pay": {"role": "sensitive", "kind": kind}}
    policy = load({"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}]})
    found = candidate_changes(policy, RiskyColumns(limits={"attribute_disclosure": 0.3}))
    asked = [edit.content for change in found for edit in change.edits if edit.content.get("name") == "t_closeness"]
    assert asked == [{"name": "t_closeness", "column": "pay", "t": 0.3, "distance": distance}]
