"""Maps of any shape from any numbers: every record at its nearest unit, and groups of k by way of the map."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import shoal
from reference.tables import tables
from shoal.errors import ShoalError

sides = st.integers(0, 7)


@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "size": draw(st.none() | st.integers(0, 30) | st.tuples(sides, sides)),
        "lattice": draw(st.sampled_from(["hexagonal", "rectangular"])),
        "shape": draw(st.sampled_from(["sheet", "cylinder", "toroid"])),
        "start": draw(st.sampled_from(["linear", "random"])),
        "training": draw(st.sampled_from(["batch", "sequential"])),
        "epochs": draw(st.none() | st.tuples(st.integers(0, 3), st.integers(0, 3))),
    }


@st.composite
def records(draw: st.DrawFn) -> np.ndarray:
    X = draw(tables())
    if draw(st.booleans()):
        X = X * draw(st.sampled_from([1e-300, 1e-9, 1e9, 1e150, 1e300]))
    if draw(st.integers(0, 4)) == 0:
        X = X.copy()
        X[draw(st.integers(0, len(X) - 1)), draw(st.integers(0, X.shape[1] - 1))] = draw(
            st.sampled_from([np.nan, np.inf, -np.inf])
        )
    return X


@given(records(), rules(), st.integers(0, 5), st.sampled_from(["refuse", "known"]), st.integers(0, 3))
def fuzz(X: np.ndarray, given_rules: dict[str, Any], k: int, missing: Any, seed: int) -> None:
    try:
        wanted = shoal.MapRules(**given_rules)
        trained = shoal.som(X, rules=wanted, seed=seed, missing=missing)
    except ShoalError:
        return
    assert trained.units.shape == (trained.n_units, X.shape[1])
    assert np.isfinite(trained.units).all()
    distances = np.nansum((X[:, None, :] - trained.units[None]) ** 2, axis=2)  # (n_records, n_units)
    assert (distances[np.arange(len(X)), trained.labels] <= distances.min(axis=1) * (1 + 1e-9)).all()
    assert trained.labels.tolist() == shoal.som(X, rules=wanted, seed=seed, missing=missing, threads=1).labels.tolist()
    try:
        shoal.micro_som(X, k, seed=seed, rules=wanted, missing=missing).check(k)
    except ShoalError:
        return
