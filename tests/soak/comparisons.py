"""Comparisons: every combination of a grid is a line, with figures or with a reason."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import shoal
from method_examples import METHODS
from shoal.errors import ShoalError
from shoal.policy import load, with_settings
from survey_example import survey, survey_policy

GRID: dict[str, list[Any]] = {
    "method.name": [*METHODS, "nothing"],
    "method.k": [1, 2, 3, 7, 100],
    "method.split_households": [True, False],
    "requirements.0.k": [2, 3, 40, "x"],
    "suppression.limit": [0, 0.5, 1, 2],
    "output.representation": ["centroids", "extents", "anatomy", "no"],
    "output.shuffle": [True],
    "output.permute": [True, False],
    "seed": [0, 1, -1],
    "within": [["zip"], ["grade"], ["nobody"]],
    "columns.age.role": ["quasi_identifier", "sensitive", "other"],
    "perturbations": [[{"name": "rank_swap", "columns": ["age"], "p": 20}], []],
    "requirements.7.k": [3],
}


@st.composite
def grids(draw: st.DrawFn) -> dict[str, list[Any]]:
    keys = draw(st.lists(st.sampled_from(sorted(GRID)), max_size=2, unique=True))
    return {key: draw(st.lists(st.sampled_from(GRID[key]), max_size=2)) for key in keys}


@given(grids(), st.integers(1, 40), st.integers(0, 5), st.sampled_from(["html", "md"]))
def fuzz(grid: dict[str, list[Any]], n: int, seed: int, suffix: str) -> None:
    policy, table = survey_policy(method={"name": "mdav", "split_households": True}), survey(n, seed)
    with TemporaryDirectory() as folder:
        page = Path(folder) / f"page.{suffix}"
        try:
            comparison = shoal.compare(table, policy, grid=grid, report=page)
        except ShoalError:
            assert not page.exists()
            return
        assert page.stat().st_size
    n_lines = 1
    for values in grid.values():
        n_lines *= len(values)
    assert len(comparison.policies) == n_lines
    for tried in comparison.policies:
        assert (tried.outcome is None) == bool(tried.reason)
        if tried.outcome is not None and tried.outcome.proven:
            assert tried.outcome.k_reached >= (with_settings(load(policy), tried.settings).k or 1)
