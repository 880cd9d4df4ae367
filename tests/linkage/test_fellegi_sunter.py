"""EM against recordlinkage, against its slow twin, and levels of agreement."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.linkage import em
from shoal.errors import PolicyError
from shoal.linkage.agreement import EqualityAgreement, NumericAgreement, TextAgreement, column_agreements
from shoal.linkage.fellegi_sunter import count_patterns, estimate_model
from shoal.linkage.linkage_tables import encode_linkage_tables
from shoal.linkage.string_similarity import string_similarity
from shoal.schema import Column, Schema

# The sixteen patterns of four columns that agree or not, and how many pairs show each.
PATTERNS = np.array([[(number >> column) & 1 for column in range(4)] for number in range(16)], dtype=np.int8)
COUNTS = np.array([5200, 610, 480, 70, 390, 52, 45, 15, 300, 41, 33, 11, 28, 12, 14, 95])


def test_it_learns_what_recordlinkage_learns():
    """Computed once with recordlinkage 0.16 (pandas 2.1.4, numpy 1.26.4): the pairs as a frame of 0 and 1, then
    ECMClassifier(init="jaro", max_iter=100000, atol=1e-13).fit; p, m_probs and u_probs of agreement. It stops once a
    step changes less than a hundred-thousandth, which is how far the two may differ."""
    model = estimate_model(PATTERNS, COUNTS, [2] * 4)
    assert model.share == pytest.approx(0.01912076559259584, rel=1e-5)
    m = [0.8851952021994173, 0.908535376967947, 0.9230405065346213, 0.8960836105812157]
    u = [0.10763102556313128, 0.08746436602838877, 0.07174309336269677, 0.05614084102445119]
    assert [column[1] for column in model.m] == pytest.approx(m, rel=1e-5)
    assert [column[1] for column in model.u] == pytest.approx(u, rel=1e-5)
    log_weights = [2.1070992403134685, 2.340602362027009, 2.5545815290231113, 2.7701701723389505]  # natural
    assert [weight[1] * np.log(2) for weight in model.weights] == pytest.approx(log_weights, rel=1e-5)


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_it_agrees_with_its_twin(seed, n_steps):
    chance = np.random.default_rng(seed)
    n_levels = [2, 3, 4]
    pairs = np.column_stack([chance.integers(-1, n, 60) for n in n_levels])
    pairs[:4] = [[0, 0, 0], [1, 1, 1], [1, 2, 2], [0, 0, 3]]  # every level occurs
    model = estimate_model(
        *count_patterns(pairs.astype(np.int8), np.ones(len(pairs), dtype=np.int64)), n_levels, most_steps=n_steps
    )
    m, u, share = em(pairs.tolist(), n_levels, n_steps)
    assert model.share == pytest.approx(share, rel=1e-9)
    for ours, theirs in ((model.m, m), (model.u, u)):
        for column, expected in zip(ours, theirs, strict=True):
            assert column == pytest.approx(np.array(expected), rel=1e-8, abs=1e-12)


def test_an_unknown_level_is_no_evidence():
    patterns, counts = np.array([[0], [1], [-1]], dtype=np.int8), np.array([40, 5, 7])
    (weights,) = estimate_model(patterns, counts, [2]).weights
    assert (len(weights), weights[-1]) == (3, 0.0)
    assert weights[0] != 0


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 5))
def test_patterns_are_counted(seed, n, d):
    levels = np.random.default_rng(seed).integers(-1, 3, (n, d)).astype(np.int8)
    patterns, counts = count_patterns(levels, np.ones(len(levels), dtype=np.int64))
    rows, expected = np.unique(levels, axis=0, return_counts=True)
    assert dict(zip(map(tuple, patterns), counts, strict=True)) == dict(zip(map(tuple, rows), expected, strict=True))


def test_a_level_that_nobody_knows_weighs_nothing():
    assert all(weight[-1] == 0 for weight in estimate_model(PATTERNS, COUNTS, [2] * 4).weights)


def test_levels():
    schema = Schema(
        [
            Column("age", "quasi_identifier", "numeric"),
            Column("grade", "quasi_identifier", "ordinal", order=("low", "mid", "high")),
            Column("sex", "quasi_identifier", "nominal"),
            Column("name", "quasi_identifier", "nominal"),
        ]
    )
    crowd = [f"{a}{b}{c}" for a in "abcde" for b in "vwxyz" for c in "klmno"]
    one = pa.table({
        "age": [30.0, 30.0, 30.0, 30.0, None] + [float(x) for x in np.linspace(0, 60, 125)],
        "grade": ["low", "low", "low", "low", "mid"] + ["mid"] * 125,
        "sex": ["f"] * 130,
        "name": ["martha", "martha", "martha", "martha", "martha", *crowd],
    })  # fmt: skip
    other = pa.table({
        "age": [30.0, 31.0, 36.0, 60.0, 30.0],
        "grade": ["low", "mid", "high", None, "mid"],
        "sex": ["f", "m", None, "f", "m"],
        "name": ["martha", "marhta", "marxxa", "dixon", None],
    })  # fmt: skip
    one = one.set_column(2, "sex", [["f"] * 129 + ["m"]])
    age, grade, sex, name = column_agreements(encode_linkage_tables(one, other, schema))
    five = np.arange(5)
    assert isinstance(age, NumericAgreement)
    assert age.levels(five, five).tolist() == [3, 2, 1, 0, -1]
    assert grade.levels(five, five).tolist() == [2, 1, 0, -1, 2]
    assert isinstance(sex, EqualityAgreement)
    assert sex.levels(five, five).tolist() == [1, 0, -1, 1, 0]
    assert isinstance(name, TextAgreement)
    assert name.levels(five, five).tolist() == [3, 2, 1, 0, -1]


def test_likeness_of_published_pairs():
    """Jaro-Winkler of Winkler's examples, and the edit distance over the longer length."""
    texts = ("martha", "marhta", "dixon", "dicksonx", "kitten", "sitting")
    found = string_similarity(texts, np.array([0, 2, 0]), np.array([1, 3, 0]))
    assert found == pytest.approx([0.9611, 0.8133, 1.0], abs=1e-4)
    assert string_similarity(texts, np.array([4]), np.array([5]), "edit") == pytest.approx([1 - 3 / 7])
    with pytest.raises(PolicyError, match="jaro_winkler"):
        string_similarity(texts, np.array([0]), np.array([1]), "soundex")
