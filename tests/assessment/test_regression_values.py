"""Masked values that other columns of a release give back: the attack is carried out, and stated."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.risk.regression_coordinates import RegressionTable
from shoal.assessment.risk.regression_values import learned_values

KEY = bytes(32)
N = 500


def taxpayers(seed: int = 1) -> pa.Table:
    draw = np.random.default_rng(seed)
    income = draw.lognormal(10, 0.5, N).round(-2)
    columns = {
        "age": draw.integers(20, 80, N),
        "income": income,
        "tax": (0.3 * income).round(),
        "shoe": draw.integers(36, 46, N),
    }
    return pa.table({**columns, "sex": draw.choice(["f", "m"], N)})


def policy(other: str, **more: object) -> dict[str, object]:
    known = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("age", "income")}
    others = {name: {"role": "other" if name == other else "identifier"} for name in ("tax", "shoe", "sex")}
    return {"columns": {**known, **others}, **more}


NOISE = {"perturbations": [{"name": "noise", "alpha": 1.0}]}
MEANS = {"requirements": [{"name": "k_anonymity", "k": 5}], "method": {"name": "mdav"}}
NAME = "interval disclosure of income"


@pytest.mark.gate(but="method1")
@pytest.mark.parametrize("method", [NOISE, MEANS])
def test_a_tax_gives_a_masked_income_back_and_this_is_stated(method: dict[str, object]) -> None:
    """A simple intruder orders the records by tax and takes the tenth of the incomes released in this order."""
    table = taxpayers()
    release = shoal.protect(table, policy("tax", **method), key=KEY)
    found = release.assessment.findings
    shown = release.table
    order, tax = np.sort(shown["income"].to_numpy()), shown["tax"].to_numpy()
    true = dict(zip(table["tax"].to_pylist(), table["income"].to_pylist(), strict=True))
    ranks, reach = np.argsort(np.argsort(tax)), N // 20
    low, high = order[np.maximum(ranks - reach, 0)], order[np.minimum(ranks + reach, N - 1)]
    incomes = np.array([true[each] for each in tax.tolist()])
    assert found[f"{NAME}, regression"].estimate > found[NAME].estimate + 5  # over twelve keys 14 more, deviation 3.7
    assert found[f"{NAME}, regression"].estimate > 100 * np.mean((low <= incomes) & (incomes <= high)) - 15


@pytest.mark.gate(but=("method1-shoe", "method1-sex"))
@pytest.mark.parametrize("other", ["shoe", "sex"])
@pytest.mark.parametrize("method", [NOISE, MEANS])
def test_columns_that_tell_nothing_are_no_attack(method: dict[str, object], other: str) -> None:
    """Not even where they have two values, around which half of the records lie."""
    found = shoal.protect(taxpayers(), policy(other, **method), key=KEY).assessment.findings
    assert NAME in [each.name for each in found]
    assert f"{NAME}, regression" not in [each.name for each in found]


def test_a_release_of_one_column_has_nothing_to_learn_from() -> None:
    schema = shoal.Schema([shoal.Column("income", "quasi_identifier", "numeric")])
    table = taxpayers().select(["income"])
    assert learned_values("income", table["income"].to_numpy(), RegressionTable(table, schema), np.arange(N)) == []
