"""Correlations, eigenvalues and tables of two columns, against numpy, pandas and scipy."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy.stats.contingency import association

from shoal.assessment.utility import column_classes
from shoal.assessment.utility.column_classes import CategoryClasses, NumberClasses, classes_of, table_of_two
from shoal.assessment.utility.contingency_change import contingency_change, cramers_v
from shoal.assessment.utility.correlation_change import correlation_change, correlations
from shoal.errors import ArrayError
from shoal.schema import Column


def draw(n: int = 200, seed: int = 1) -> Any:
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, 4)).cumsum(axis=1) * [1, 1e6, 1e-3, 5] + [0, 1e8, 3, 0]
    return X, generator


def test_correlations_are_those_of_numpy():
    X, _ = draw()
    np.testing.assert_allclose(correlations(X), np.corrcoef(X.T), atol=1e-9)


def test_with_missing_values_those_of_pandas_which_take_every_pair_by_itself():
    X, generator = draw()
    X[generator.random(X.shape) < 0.2] = np.nan
    np.testing.assert_allclose(correlations(X), pd.DataFrame(X).corr().to_numpy(), atol=1e-9)


def test_what_did_not_change_is_zero_in_any_order():
    X, generator = draw()
    found = correlation_change(X, X[generator.permutation(len(X))])
    assert found.largest < 1e-9
    assert found.largest_eigenvalue_difference < 1e-9
    assert found.variance_shares[0] == pytest.approx(found.variance_shares[1])


def test_differences_and_eigenvalues_by_definition():
    X, generator = draw()
    Y = X + generator.normal(size=X.shape) * X.std(axis=0)
    found = correlation_change(X, Y, names=("a", "b", "c", "d"))
    sizes = np.abs(np.corrcoef(X.T) - np.corrcoef(Y.T))[np.triu_indices(4, 1)]
    assert (found.largest, found.mean) == (pytest.approx(sizes.max()), pytest.approx(sizes.mean()))
    values = [np.sort(np.linalg.eigvalsh(np.corrcoef(each.T)))[::-1] for each in (X, Y)]
    assert found.largest_eigenvalue_difference == pytest.approx(np.abs(values[0] - values[1]).max())
    assert found.variance_shares == (pytest.approx(25 * values[0][0]), pytest.approx(25 * values[1][0]))


def test_a_column_that_became_constant_lost_its_correlations():
    X, _ = draw()
    Y = X.copy()
    Y[:, 0] = 7.0
    found = correlation_change(X, Y)
    assert found.largest == pytest.approx(np.abs(np.corrcoef(X.T)[0, 1:]).max())
    constant = np.column_stack([np.full(200, 1e8), X[:, 1]])
    with pytest.raises(ArrayError, match="fewer than two columns vary"):
        correlation_change(constant, constant)


def test_matrices_of_other_shapes_are_refused():
    X, _ = draw()
    for one, other in ((X, X[:, :2]), (X[:, 0], X)):
        with pytest.raises(ArrayError):
            correlation_change(one, other)


def words(values: Any) -> Any:
    return pa.chunked_array([pa.array(values)])


def column(name: str) -> Column:
    return Column(name, "quasi_identifier")


def test_tables_of_two_columns_by_counting():
    generator = np.random.default_rng(2)
    before = {name: generator.choice(list("abcd"), 300, p=[0.4, 0.3, 0.2, 0.1]).tolist() for name in ("x", "y")}
    before["y"] = [
        a if keep else b for a, b, keep in zip(before["x"], before["y"], generator.random(300) < 0.4, strict=True)
    ]
    after = {name: generator.permutation(values).tolist() for name, values in before.items()}
    kinds = {name: classes_of(column(name), words(values)) for name, values in before.items()}
    members = [[kinds[n].membership(words(t[n]), by_extents=False) for n in ("x", "y")] for t in (before, after)]
    change = contingency_change(["x", "y"], *members)
    assert change is not None
    (found,) = change.pairs
    counts = [Counter(zip(t["x"], t["y"], strict=True)) for t in (before, after)]
    moved = sum(abs(counts[0][cell] - counts[1][cell]) for cell in product("abcd", "abcd")) / 600
    assert found.total_variation == pytest.approx(100 * moved)
    for v, count in ((found.v_before, counts[0]), (found.v_after, counts[1])):
        table = np.array([[count[a, b] for b in "abcd"] for a in "abcd"])
        assert v == pytest.approx(association(table, method="cramer"), abs=1e-9)


def test_independent_shuffles_lose_the_association_and_no_margin():
    values = list("ab") * 100
    kind = classes_of(column("x"), words(values))
    same, other = (
        kind.membership(words(values), by_extents=False),
        kind.membership(words(sorted(values)), by_extents=False),
    )
    change = contingency_change(["x", "y"], [same, same], [same, other])
    assert change is not None
    assert (change.pairs[0].v_before, change.pairs[0].v_after) == (pytest.approx(1), pytest.approx(0, abs=1e-9))
    assert change.pairs[0].total_variation == pytest.approx(50)
    np.testing.assert_allclose(other.margin, same.margin)


def test_a_constant_column_has_no_association():
    assert cramers_v(np.array([[5.0, 0.0], [3.0, 0.0]])) == 0
    assert cramers_v(np.zeros((2, 2))) == 0


def test_extents_are_in_several_classes_in_parts():
    kind = CategoryClasses.of(column("x"), words(["a", "a", "b", "c"]))
    members = kind.membership(words(["{a, b}", "a", None, "{a, b, c}"]), by_extents=True)
    assert kind.names == ("a", "b", "c", "rarer values", "missing")
    np.testing.assert_allclose(
        members.of(slice(None)),
        [[0.5, 0.5, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 1], [1 / 3, 1 / 3, 1 / 3, 0, 0]],
    )
    ages = NumberClasses.of(Column("x", "quasi_identifier", "numeric"), words(list(range(100))))
    members = ages.membership(words(["[0, 20)", "*", None]), by_extents=True)
    np.testing.assert_allclose(members.of(slice(0, 1))[0][:3], [9 / 20, 10 / 20, 1 / 20])
    np.testing.assert_allclose(members.of(slice(None)).sum(axis=1), 1)
    assert members.of(slice(2, 3))[0, -1] == 1


def test_tables_are_counted_or_added_up_alike(monkeypatch):
    generator = np.random.default_rng(3)
    texts = words(generator.choice(["a", "b", "{a, b}", "c"], 50).tolist())
    kind = CategoryClasses.of(column("x"), words(list("abc")))
    member, other = (kind.membership(each, by_extents=True) for each in (texts, words(texts.to_pylist()[::-1])))
    counted = table_of_two(member, other)
    slow = sum(np.outer(member.of(slice(at, at + 1)), other.of(slice(at, at + 1))) for at in range(50))
    np.testing.assert_allclose(counted, slow)
    monkeypatch.setattr(column_classes, "MOST_STATES", 0)
    np.testing.assert_allclose(table_of_two(member, other, 7), slow)


def test_rare_values_are_one_class():
    values = ["often"] * 5 + ["rare", "seldom"]
    assert CategoryClasses.of(column("x"), words(values), fewest=2).names == ("often", "rarer values", "missing")
