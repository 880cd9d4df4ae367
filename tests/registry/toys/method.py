"""A method: groups of records that follow each other."""

from registry.package_copy import Edit, Toy, public_name

MODULE = '''"""Sorted runs: groups of k records that follow each other on the first coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from shoal.kernels import Matrix
from shoal.methods.microaggregation.microaggregation_method import MicroaggregationMethod
from shoal.plan import Partition


def sorted_runs(X: ArrayLike, k: int) -> Partition:
    """Groups of ``k`` to 2k - 1 records."""
    first = np.asarray(X)[:, 0]
    labels = np.empty(len(first), dtype=np.int64)
    labels[np.argsort(first, kind="stable")] = np.minimum(np.arange(len(first)) // k, len(first) // k - 1)
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
    [Edit("src/shoal/methods/microaggregation/sorted_runs.py", MODULE)],
    [
        Edit("src/shoal/methods/__init__.py", f"from shoal.{HOME} import SortedRuns as SortedRuns\n", "# isort: on\n"),
        Edit("src/shoal/verifier/policy.py", '        "sorted_runs": GROUPS,\n', before='        "vmdav": f"gamma'),
    ],
    [public_name("microaggregation", HOME, "sorted_runs")],
    [
        Edit(
            "tests/method_examples.py",
            '    "sorted_runs": MethodExample(written={"name": "sorted_runs"}, runs=({"name": "sorted_runs"},)),\n',
            before='    "none": MethodExample(\n',
        )
    ],
    [
        Edit("tools/method_pages.py", '"sorted_runs", ', before='"mhm", "mst_partition"'),
        Edit("docs/api.md", "| `sorted_runs` | runs of k records | |\n", before="| `mu_approx` | see"),
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

TOY = Toy(
    STEPS,
    SCRIPT,
    checks=(
        "tests/registry/test_examples.py::test_every_class_has_an_example_and_every_example_a_class[method]",
        "tests/pipeline/test_pipeline_methods.py::test_every_method_is_proven[sorted_runs]",
        "tests/policy/test_policy_load.py::test_every_method_survives_toml[sorted_runs]",
        "tests/test_documents.py::test_every_method_has_a_page",
        "tests/test_public_names.py::test_the_page_lists_every_name_of_a_namespace[microaggregation]",
    ),
    schema=("docs/methods.md", "docs/policy.schema.json", "docs/policy_keys.md", "tests/stable_interface.txt"),
)
