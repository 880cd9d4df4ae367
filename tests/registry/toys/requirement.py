"""A requirement: not all records of a class have its most frequent value."""

from registry.package_copy import Edit, Toy

MODULE = '''"""Least others: some records of a class have another sensitive value than the most frequent one.

Monotone: a merged class has at least as many such records as its parts together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PolicyError
from shoal.kernels import Vector
from shoal.requirements.groups import Groups, Weaker
from shoal.requirements.shares import Shares


@dataclass(frozen=True)
class LeastOthers:
    """At least ``m`` known values of every group are not the most frequent one."""

    m: int
    """Least number of such records, 1 or more."""
    column: str
    """The sensitive column."""
    columns: tuple[str, ...] | None = None
    """The quasi-identifiers that make a class; left out: all of them."""
    name: Literal["least_others"] = "least_others"

    title: ClassVar[str] = "m others"
    formula: ClassVar[str] = "n - max n_s >= m"
    monotone: ClassVar[bool] = True
    measure: ClassVar[str] = "m"
    weaker: ClassVar[Weaker] = "smaller"
    of_records: ClassVar[bool] = False
    reads: ClassVar[Literal["counts"]] = "counts"
    least_records: ClassVar[None] = None
    native_test: ClassVar[None] = None
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid", "use_attribute_docstrings": True}

    def __post_init__(self) -> None:
        if self.m < 1:
            raise PolicyError.too_small("least_others.m", 1, self.m, "it counts records")

    @property
    def asked(self) -> int:
        return self.m

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self._others(groups) >= self.m

    def reached(self, groups: Groups) -> int:
        return int(self._others(groups).min())

    def _others(self, groups: Groups) -> Vector:
        shares = Shares.of(groups)
        return shares.known - shares.max_by_group(shares.counts.astype(np.float64), if_empty=0.0)
'''
TWIN = """def others(group):
    counts = Counter(value for value in group if value is not None)
    return sum(counts.values()) - max(counts.values(), default=0)


"""
EXAMPLE = """    "least_others": RequirementExample(
        written={"name": "least_others", "m": 2, "column": "disease"},
        read=shoal.requirements.LeastOthers(2, "disease"),
        of_s=shoal.requirements.LeastOthers(2, "s"),
        figure=lambda r, g, w, paths: twin.others(g),
        survey=({"name": "least_others", "m": 1, "column": "disease"},),
        loose=({"name": "least_others", "m": 1},),
    ),
"""
PREDICATE = """    "least_others": (
        lambda r, w, row: row[1] - row[4] >= r.figures["m"],
        lambda r, w, row: row[1] - row[4],
    ),
"""
HOME = "requirements.least_others"
STEPS = [
    [Edit("src/shoal/requirements/least_others.py", MODULE)],
    [
        Edit(
            "src/shoal/requirements/__init__.py",
            f"from shoal.{HOME} import LeastOthers as LeastOthers\n",
            before="# isort: on\n",
        ),
        Edit(
            "src/shoal/verifier/policy.py",
            '        "least_others": f"m {CLASSES}",\n',
            before='        "epsilon_privacy": f"',
        ),
        Edit("src/shoal/verifier/rules.py", PREDICATE, before='    "epsilon_privacy": ('),
    ],
    [Edit("tests/reference/requirements.py", TWIN, before="def alpha_k(group, k):\n")],
    [Edit("tests/requirement_examples.py", EXAMPLE, before="}\n\n\ndef parameters(field: str")],
    [
        Edit(
            "docs/requirements.md",
            "| `least_others` (`m`) | not all have the same value | `n - max n_s >= m` | a toy |\n",
            before="| `entropy_l_diversity` (`l`, real) |",
        ),
        Edit("docs/policy.md", "`least_others` (`m`), ", before="`dominance` (`share`, `contributors`)"),
    ],
]

SCRIPT = """
import shoal
from shoal.policy import json_schema
from survey_example import of_records, survey, survey_policy

asked = [{"name": "k_anonymity", "k": 3}, {"name": "least_others", "m": 2, "column": "disease"}]
for method in ("mdav", "mondrian"):
    policy = of_records(survey_policy(requirements=asked, method={"name": method}))
    release = shoal.protect(survey(60), policy)
    proof = shoal.verify(release.table, policy)
    assert proof.holds
    assert [verdict.requirement for verdict in proof.verdicts] == ["k_anonymity", "least_others"]
    assert "m others" in release.report()
    assert "m = 2" in release.report()
assert "least_others" in json_schema()["properties"]["requirements"]["items"]["discriminator"]["mapping"]
try:
    shoal.protect(survey(60), policy | {"method": {"name": "gensearch"}})
except shoal.ShoalError as reason:
    assert "least_others: gensearch needs a compiled test" in str(reason)
else:
    raise AssertionError("gensearch has no compiled test")
"""

OF_S = "LeastOthers(m=2, column='s', columns=None, name='least_others')"
TOY = Toy(
    STEPS,
    SCRIPT,
    checks=(
        "tests/registry/test_examples.py::test_every_class_has_an_example_and_every_example_a_class[requirements]",
        f"tests/requirements/test_requirements_laws.py::test_agrees_with_its_twin[{OF_S}]",
        f"tests/requirements/test_monotone.py::test_what_holds_of_all_parts_holds_of_the_merger[{OF_S}]",
        f"tests/methods/test_mondrian.py::test_every_requirement_is_held_by_every_block[0.0-{OF_S}-strict]",
        "tests/pipeline/test_pipeline_requirements.py::test_met_proved_and_missed[least_others-disease-.csv]",
        "tests/test_documents.py::test_every_requirement_is_told_and_worded",
        "tests/test_documents.py::test_every_formula_is_that_of_the_page_of_requirements",
    ),
    schema=("docs/policy.schema.json", "docs/policy_keys.md", "tests/stable_interface.txt"),
)
