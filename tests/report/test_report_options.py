"""The report names every option of the policy that shapes a release."""

from dataclasses import replace

import pytest

from method_examples import METHODS
from shoal.policy import json_schema, load
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
    for key in set(json_schema()["$defs"][PARTS[part]]["properties"]) - without_default:
        assert f"{key} = " in text
