"""Pictures of columns show nobody: no bin of fewer than k records, no extreme, no rare word."""

import re
from datetime import date, timedelta

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.assess.utility.distributions import distribution, inner_edges


def shown(kind, values, released=None, k=3, **options):
    before = pa.chunked_array([pa.array(values)])
    after = before if released is None else pa.chunked_array([pa.array(released)])
    return distribution(shoal.Column("x", kind=kind, **options), before, after, k)


@given(st.integers(0, 2**32), st.integers(1, 400), st.integers(2, 20), st.booleans())
def test_every_bin_of_numbers_holds_k(seed, n, k, whole):
    values = np.random.default_rng(seed).lognormal(3, 1.5, n)
    values = values.round() if whole else values
    edges = inner_edges(values, k)
    counts = np.bincount(np.searchsorted(edges, values, side="right"), minlength=len(edges) + 1)
    assert len(edges) == 0 or counts.min() >= k


def test_extremes_are_not_shown():
    found = shown("numeric", [*range(100), 98765.4321, -98765.4321])
    text = " ".join(found.bins)
    assert "98765" not in text
    assert found.bins[0].startswith("<")
    assert found.bins[-1].startswith(">=")


def test_rare_words_are_merged():
    found = shown("nominal", ["a"] * 5 + ["b"] * 4 + ["CANARY"] + ["also rare"] * 2)
    assert found.bins[:2] == ("a", "b")
    assert "CANARY" not in " ".join(found.bins)
    assert found.bins[2] == "rarer values"


@pytest.mark.parametrize("kind", ["numeric", "nominal", "date"])
def test_shares_add_up_and_alike_columns_look_alike(kind):
    days = [date(1990, 1, 1) + timedelta(days=40 * i) for i in range(300)]
    values = {"numeric": list(range(300)), "nominal": ["x", "y", "z"] * 100, "date": days}[kind]
    found = shown(kind, values)
    assert sum(found.original) == pytest.approx(100)
    assert found.original == found.released


def test_categories_keep_their_order():
    found = shown("ordinal", ["high", "low", "middle"] * 5, order=("low", "middle", "high"))
    assert found.bins == ("low", "middle", "high")


def test_missing_has_a_bin_of_its_own():
    assert shown("numeric", [*map(float, range(50)), *[None] * 10]).bins[-1] == "missing"
    assert shown("nominal", ["a"] * 5 + [None] * 5).bins == ("a", "missing")


def test_edges_are_round_numbers():
    edges = inner_edges(np.random.default_rng(0).normal(1000, 300, 5000), 5)
    assert all(re.fullmatch(r"-?\d+", f"{edge:g}") for edge in edges)
