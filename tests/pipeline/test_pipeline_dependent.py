"""Released columns that depend on quasi-identifiers: the warning, and the lines that resolve it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
import tomlkit

import shoal
from shoal.assessment.exposure import Exposure
from shoal.pipeline.protect.exposures import dependent_exposures
from shoal.policy import load
from shoal.report.external.public_attacks import warnings
from shoal.report.external.share_steps import ShareSteps
from survey_example import shell, write_csv, write_policy

pytestmark = [pytest.mark.linkage]

N, KEY = 600, bytes(32)
KINDS = {"age": "numeric", "schooling": "numeric", "zip": "numeric"}


def people() -> pa.Table:
    """Birth is a function of age, income depends on age and schooling; the size of shoes depends on nothing."""
    draw = np.random.default_rng(1)
    age, schooling = draw.integers(18, 91, N), draw.integers(0, 4, N)
    return pa.table(
        {
            "age": age,
            "schooling": schooling,
            "zip": draw.integers(0, 30, N),
            "income": (20_000 + 300 * age + 8_000 * schooling + draw.normal(0, 3_000, N)).round(-3),
            "shoe": draw.integers(36, 46, N),
            "birth": 2024 - age,
        }
    )


def policy(others: tuple[str, ...], method: str = "mdav", **more: object) -> dict[str, object]:
    known = {name: {"role": "quasi_identifier", "kind": kind} for name, kind in KINDS.items()}
    roles = {name: {"role": "other" if name in others else "identifier"} for name in people().column_names[3:]}
    requirements = [{"name": "k_anonymity", "k": 3}]
    return {"requirements": requirements, "method": {"name": method}, "columns": {**known, **roles}, **more}


def dependent(rules: dict[str, object]) -> list[Exposure]:
    found = shoal.protect(people(), rules, key=KEY).assessment
    return [each for each in found.exposures if each.kind == "dependent"]


def with_lines(rules: dict[str, object], lines: str) -> dict[str, object]:
    """The policy with the columns that a warning proposes."""
    proposed = tomlkit.parse(lines).unwrap()["columns"]
    return {**rules, "columns": {**rules["columns"], **proposed}}  # type: ignore[dict-item]


@pytest.mark.gate(but="mdav")
@pytest.mark.parametrize("method", ["mdav", "mondrian"])
def test_the_most_dependent_columns_are_named_and_the_proposed_lines_resolve_it(method: str) -> None:
    rules = policy(("income", "shoe", "birth"), method)
    (warning,) = dependent(rules)
    assert warning.columns == ("birth", "income")
    assert warning.share > 2 * warning.limit
    assert "shoe" not in warning.remedy
    assert dependent(with_lines(rules, warning.remedy)) == []


def test_the_share_without_the_columns_is_that_of_a_release_without_them() -> None:
    (warning,) = dependent(policy(("birth",)))
    without = shoal.protect(people(), policy(()), key=KEY).assessment
    assert warning.limit == pytest.approx(100 * without.linkages["informed"].risk)


def test_columns_that_depend_on_nothing_and_a_high_limit_are_no_warning() -> None:
    assert dependent(policy(("shoe",))) == []
    assert dependent(policy(("birth",), warn={"dependent": 1})) == []


def test_a_share_of_a_sample_is_told_by_the_end_of_its_interval_where_it_is_a_bound() -> None:
    """The external page says "up to"."""
    rules = policy(("birth",))
    found = shoal.protect(people(), rules, key=KEY).assessment.linkages["regression"]
    steps = ShareSteps(10_000, 3)
    (counted,) = dependent_exposures(load(rules), {"regression": found})
    (sampled,) = dependent_exposures(load(rules), {"regression": replace(found, n_population=10 * N)})
    assert (counted.upper, counted.share) == (None, sampled.share)
    assert sampled.upper == pytest.approx(100 * replace(found, n_population=10 * N).interval[1])
    said = [warnings([each], steps) for each in (counted, sampled)]
    assert said[0] == warnings([replace(counted, upper=counted.share)], steps) != said[1]


def test_the_shell_and_the_external_page_warn(tmp_path) -> None:
    data, rules = write_csv(people(), tmp_path / "p.csv"), write_policy(policy(("birth",)), tmp_path / "policy.toml")
    page, release = tmp_path / "page.md", tmp_path / "r.csv"
    written = shell("protect", data, "-p", rules, "-o", release, "--report", page, "--edition", "external")
    assert written.code == 0
    assert "warning: Who learns from the release how 'birth'" in written.out
    assert "depend on quasi-identifiers: up to" in page.read_text(encoding="utf-8")
    assert "warning: Who learns from the release how 'birth'" in shell("assess", data, release, "-p", rules).out
