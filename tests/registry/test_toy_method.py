"""A method that does not exist yet: the steps of CONTRIBUTING.md are enough for policy, gate, report and tests."""

import pytest

from registry.package_copy import Edit, PackageCopy, public_name, steps_in_contributing
from shoal.errors import PolicyError
from shoal.policy import load
from survey_example import survey_policy

MOST = 5  # edits: a new file or a place in a file; documents, golden case and changelog together

TOY = '''"""Sorted runs: groups of k records that follow each other on the first coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.kernels import Matrix
from shoal.methods.microaggregation.microaggregation_method import MicroaggregationMethod
from shoal.plan import Partition


def sorted_runs(X: Matrix, k: int) -> Partition:
    """Groups of ``k`` to 2k - 1 records."""
    labels = np.empty(len(X), dtype=np.int64)
    labels[np.argsort(X[:, 0], kind="stable")] = np.minimum(np.arange(len(X)) // k, len(X) // k - 1)
    return Partition(labels)


@dataclass(frozen=True)
class SortedRuns(MicroaggregationMethod):
    """Sorted runs as the method of a policy."""

    name: Literal["sorted_runs"] = "sorted_runs"

    def plan(self, X: Matrix, k: int, seed: int) -> Partition:
        return sorted_runs(X, k)
'''
HOME = "methods.microaggregation.sorted_runs"
STEPS = [
    [Edit("src/shoal/methods/microaggregation/sorted_runs.py", TOY)],
    [Edit("src/shoal/methods/__init__.py", f"from shoal.{HOME} import SortedRuns as SortedRuns\n", "# isort: on\n")],
    [public_name("microaggregation", HOME, "sorted_runs")],
    [
        Edit(
            "tests/method_examples.py",
            '    "sorted_runs": MethodExample(written={"name": "sorted_runs"}, runs=({"name": "sorted_runs"},)),\n',
            before='    "none": MethodExample(\n',
        )
    ],
    [
        Edit("docs/policy.md", "\n`sorted_runs` groups records that follow each other.\n"),
        Edit("tests/golden/cases.py", '    "runs": case(method={"name": "sorted_runs"}),\n', '    "mdav_households": '),
        Edit("CHANGELOG.md", "- A new method: sorted runs.\n"),
    ],
]

SCRIPT = """
import shoal
from shoal.policy import json_schema
from survey_example import survey, survey_policy

policy = survey_policy(method={"name": "sorted_runs"})
release = shoal.protect(survey(60), policy)
assert shoal.verify(release.table, policy).holds
assert release.manifest.k_reached >= 3
assert "sorted_runs" in release.report()
assert "sorted_runs" in json_schema()["properties"]["method"]["discriminator"]["mapping"]
groups = shoal.microaggregation.sorted_runs(shoal.standardize([[1.0], [9.0], [2.0], [8.0]]), 2)
assert groups.labels.tolist() == [0, 1, 0, 1]
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the tree in which the steps are taken."""
    found = PackageCopy.of(tmp_path_factory.mktemp("method"))
    found.take(STEPS, "policy_schema")
    return found


def test_the_steps_are_those_of_contributing_and_few():
    assert len(STEPS) <= MOST
    assert steps_in_contributing("method") == (len(STEPS), len(STEPS))


@pytest.mark.gate
def test_a_method_is_registered_by_its_steps(copy):
    with pytest.raises(PolicyError, match=r"method\.name is 'sorted_runs'"):  # here, without them
        load(survey_policy(method={"name": "sorted_runs"}))
    copy.python(SCRIPT)


@pytest.mark.long
def test_the_tests_of_all_methods_know_it(copy):
    copy.test(
        "tests/registry/test_examples.py::test_every_class_has_an_example_and_every_example_a_class[method]",
        "tests/pipeline/test_pipeline_methods.py::test_every_method_is_proven[sorted_runs]",
        "tests/policy/test_policy_load.py::test_every_method_survives_toml[sorted_runs]",
    )
