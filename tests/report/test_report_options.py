"""The report names every option of the policy that shapes a release."""

from dataclasses import replace

import pytest

from method_examples import METHODS
from shoal.policy import json_schema, load
from shoal.policy.parts import BLOCKING_OPTIONS
from shoal.report.sections import provenance
from shoal.report.text_nodes import Table
from survey_example import survey_policy

PARTS = {"blocking": "BlockingRules", "suppression": "Suppression", "output": "Output"}


def options(made, policy):
    """The facts of the section on how the release was produced, for a manifest with this policy."""
    manifest = replace(made.manifest, policy=load(policy).summary())
    (table,) = (part for part in provenance.section(manifest, made.assessment).parts if isinstance(part, Table))
    return {row[0].text: row[1].text for row in table.rows}


@pytest.mark.parametrize("name", METHODS)
def test_every_option_of_a_method_that_the_policy_sets_is_in_the_report(made, name):
    example = METHODS[name]
    shown = options(made, survey_policy(method=example.written, **(example.besides or {})))["Method"]
    assert shown.startswith(name)
    for key in set(example.written) - {"name"}:
        assert f"{key} = " in shown


@pytest.mark.parametrize("part", PARTS)
def test_every_option_of_blocking_suppression_and_output_is_in_the_report(made, part):
    shown = options(made, survey_policy())
    text = shown[provenance.PARTS[part]]
    without_default = {"dimensions", "representation", "totals_by"}
    of_other_methods = {"map"}  # of som; the survey's blocking.method is auto
    for key in set(json_schema()["$defs"][PARTS[part]]["properties"]) - without_default - of_other_methods:
        assert f"{key} = " in text


@pytest.mark.parametrize("method", ["auto", "twod_tree", "som", "none"])
def test_options_of_blocking_are_shown_where_the_method_has_them(made, method):
    """As a policy writes them: there is no null in TOML."""
    shown = options(made, survey_policy(blocking={"method": method}))["Blocking"]
    for names, methods in BLOCKING_OPTIONS.items():
        for name in set(names) - {"dimensions"}:
            assert (f"{name} = " in shown) == (method in methods)
    assert "null" not in shown
    assert '": ' not in shown
