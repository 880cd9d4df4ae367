"""Noise does not come off by the digits of what is released, whatever the role and kind of its column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.stats import norm

import shoal
from attacks import lattice
from attacks.published import publish

N = 1500
DAY = 86_400 * 10**6  # microseconds
LAST = np.finfo(float).eps


def ages() -> Any:
    return np.clip(np.random.default_rng(7).normal(40, 14, N), 17, 90).astype(np.int64)


def hours() -> Any:
    draw = np.random.default_rng(8)
    return np.where(draw.random(N) < 0.5, 40, draw.integers(1, 99, N))


def days() -> Any:
    return np.random.default_rng(2).integers(0, 120, N)


def sums() -> Any:
    """Up to a milliard and to the unit, but only twenty different ones."""
    draw = np.random.default_rng(3)
    return draw.choice(draw.integers(1, 10**9, 20), N)


def stated(values: Any, alpha: float, step: float = 1) -> float:
    """How often noise of this size leaves a value where it was, to the nearest step."""
    return float(2 * norm.cdf(step / 2 / (np.sqrt(alpha) * values.std())) - 1)


def on_a_lattice(values: Any, alpha: float) -> Any:
    """Noise as it must not be: in parts of 2^-20, with all of its digits."""
    drawn = np.rint(np.random.default_rng(5).normal(size=N) * 2**20) / 2**20
    return values + np.sqrt(alpha * values.var(ddof=1)) * drawn


def policy(role: str, *rest: str, kind: str = "numeric", **noise: Any) -> dict[str, Any]:
    columns = {"zip": {"role": "quasi_identifier"}} | {name: {"role": role, "kind": kind} for name in ("x", *rest)}
    rule = {"name": "noise", "columns": ["x", *rest], **noise}
    return {"columns": columns, "perturbations": [rule], "output": {"shuffle": False}}


def table(values: Any, **more: Any) -> pa.Table:
    return pa.table({"zip": np.random.default_rng(1).choice(["a", "b", "c"], N), "x": values, **more})


OTHER_ROLES = [pytest.param(role, marks=pytest.mark.long) for role in ("other", "weight")]


@pytest.mark.gate(but="quasi_identifier-ages")
@pytest.mark.parametrize("values", [ages(), pytest.param(hours(), marks=pytest.mark.long)], ids=["ages", "hours"])
@pytest.mark.parametrize("role", ["sensitive", "quasi_identifier", *OTHER_ROLES])
def test_whole_numbers_stay_hidden(tmp_path: Path, values: Any, role: str) -> None:
    alpha, candidates = 0.3, np.arange(101.0)
    weak = on_a_lattice(values, alpha)
    assert lattice.rate(weak, values, candidates, 200 * LAST).succeeds(0.9)
    published = publish(table(values), policy(role, alpha=alpha), tmp_path)
    noisy = np.array([float(cell) for cell in published.records["x"].to_pylist()])
    assert lattice.rate(noisy, values, candidates, 200 * LAST).fails(stated(values, alpha))


def test_correlated_noise_is_no_lattice_in_its_first_column(tmp_path: Path) -> None:
    values, alpha = ages(), 0.3
    pay = values * 800 + np.random.default_rng(4).integers(0, 20_000, N)
    rules = policy("sensitive", "pay", alpha=alpha)
    rules["perturbations"][0]["kind"] = "correlated"
    published = publish(table(values, pay=pay), rules, tmp_path)
    noisy = np.array([float(cell) for cell in published.records["x"].to_pylist()])
    assert lattice.rate(noisy, values, np.arange(101.0), 200 * LAST).fails(stated(values, alpha))


@pytest.mark.parametrize("role", ["quasi_identifier", "other"])
def test_days_told_as_times_stay_hidden(tmp_path: Path, role: str) -> None:
    values, alpha, candidates = days(), 0.2, np.arange(120.0) * DAY
    c, weak = float(np.sqrt(alpha * values.var(ddof=1)) * DAY / 2**20), np.rint(on_a_lattice(values * DAY, alpha))
    assert lattice.rate_of_who_knows(c, weak, values * DAY, candidates).succeeds(0.9)
    start = np.datetime64("2024-01-01", "us")
    original = table(pa.array(start + (values * DAY).astype("timedelta64[us]")))
    pq.write_table(original, tmp_path / "original.parquet")
    rules = policy(role, kind="date", alpha=alpha)
    shoal.protect(tmp_path / "original.parquet", rules, output=tmp_path / "release.parquet")
    released = pq.read_table(tmp_path / "release.parquet")["x"].to_numpy()
    noisy = (released - start).astype("timedelta64[us]").astype(float)
    assert lattice.rate_of_who_knows(c, noisy, values * DAY, candidates).fails(stated(values, alpha))


def test_a_lattice_that_is_coarser_than_the_step_is_none(tmp_path: Path) -> None:
    """Rounded to the unit, noise in parts of 2^-20 is still in parts of hundreds where numbers go to a milliard."""
    values, alpha = sums(), 0.2
    candidates, c = np.unique(values).astype(float), float(np.sqrt(alpha * values.var(ddof=1)) / 2**20)
    weak = np.rint(on_a_lattice(values, alpha))
    assert lattice.rate_of_who_knows(c, weak, values, candidates).succeeds(0.5)
    published = publish(table(values), policy("sensitive", alpha=alpha), tmp_path)
    noisy = np.array([float(cell) for cell in published.records["x"].to_pylist()])
    assert lattice.rate_of_who_knows(c, noisy, values, candidates).fails(1 / len(candidates))
