"""A pairing that is certainly wrong, and honest releases that must not be taken for one."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.pairing_check import pairing_warnings
from shoal.assessment.table_pair import TablePair
from shoal.assessment.wrong_pairing import is_certainly_wrong
from shoal.errors import LinkageError
from shoal.schema import Column, Schema

N = 120


def tables(seed):
    """Columns that depend on each other, and some that do not."""
    draw = np.random.default_rng(seed)
    common = draw.normal(size=(N, 1))
    return {
        "correlated": common + 0.5 * draw.normal(size=(N, 6)),
        "independent": draw.normal(size=(N, 5)),
        "skewed": np.exp(1.5 * common + 0.3 * draw.normal(size=(N, 8))),
        "integers": np.round(20 + 10 * common + 4 * draw.normal(size=(N, 4))),
        "clusters": 10 * draw.integers(0, 5, size=(N, 1)) + draw.normal(size=(N, 4)),
    }


def grouped(X, k):
    labels = np.asarray(shoal.mdav(shoal.standardize(X), k).labels)
    return np.array([X[labels == label].mean(0) for label in labels])


def releases(X, seed):
    """From light to so heavy that nothing of a record is left."""
    draw = np.random.default_rng(seed)
    yield from (shoal.rank_swap(X, p=p, seed=seed) for p in (5, 50, 100))
    yield from (
        shoal.noise(X, alpha=a, kind=kind, seed=seed) for a in (0.1, 1, 25) for kind in ("independent", "correlated")
    )
    yield from (grouped(X, k) for k in (3, 25, N // 2, N))
    yield from (np.round(X / (w * X.std(0))) * w * X.std(0) for w in (1, 10))
    yield np.column_stack([draw.permutation(column) for column in X.T])
    yield np.column_stack([X[:, 0], *(draw.permutation(column) for column in X.T[1:])])


def aligned(X, released, truth):
    names = [f"x{at}" for at in range(X.shape[1])]
    schema = Schema([Column(name, "quasi_identifier", "numeric") for name in names])
    both = (pa.table(dict(zip(names, values.T, strict=True))) for values in (X, np.asarray(released, np.float64)))
    return TablePair.of(*both, schema).aligned(truth)


def is_refused(X, released, truth):
    pair = aligned(X, released, truth)
    return bool(pairing_warnings(pair, pair.schema.names)) and is_certainly_wrong(pair)


@pytest.mark.gate
@pytest.mark.parametrize("seed", range(2))
def test_no_honest_release_is_refused_however_heavily_protected(seed):
    for X in tables(seed).values():
        for released in releases(X, seed):
            assert not is_refused(X, released, np.arange(N))


@pytest.mark.gate(but="0")
@pytest.mark.parametrize("seed", range(2))
def test_a_permuted_release_of_dependent_columns_is_refused(seed):
    draw = np.random.default_rng(seed)
    for name in ("correlated", "skewed", "clusters"):
        X = tables(seed)[name]
        for released in (grouped(X, 3), shoal.rank_swap(X, p=5, seed=seed), X):
            assert is_refused(X, released, draw.permutation(N))


@pytest.mark.parametrize("seed", range(2))
def test_the_release_of_another_table_is_refused_or_doubted(seed):
    """Other persons of the same population may be as far from the original as records without a structure."""
    X, other = tables(seed), tables(seed + 100)
    assert is_refused(X["clusters"], grouped(other["clusters"], 3), np.arange(N))
    for name in ("correlated", "skewed", "integers"):
        pair = aligned(X[name], grouped(other[name], 3), np.arange(N))
        assert pairing_warnings(pair, pair.schema.names)


def test_of_few_pairs_nothing_is_certain():
    X = tables(0)["correlated"][:29]
    assert not is_refused(X, X[::-1], np.arange(29))


def people(n=60, first=0):
    draw = np.random.default_rng(first)
    common = draw.normal(size=n)
    columns = {name: np.round(40 + 9 * common + draw.normal(size=n)) for name in ("age", "hours", "years")}
    return pa.table({"id": np.arange(first, first + n), **columns})


@pytest.mark.parametrize(
    ("original", "released", "how", "words"),
    [
        (people(), people(40), {"truth": "position"}, "so their order does not show"),
        (people(40), people(), {"truth": "position"}, "more than the original"),
        (people(), people(first=1000), {"id": "id"}, "60 of the 60 ids of the release do not occur in the original"),
        (people(), people().take(np.roll(np.arange(60), 9)), {"truth": "position"}, "the stated pairs are wrong"),
        (people(), people().slice(0, 0), {"truth": np.full(60, -1)}, "the release has no records"),
        (people(), pa.table({"other": [1.0, 2.0]}), {"truth": np.full(60, -1)}, "no column in common"),
    ],
    ids=["fewer records", "more records", "other ids", "other order", "no records", "other columns"],
)
def test_a_wrong_pair_of_files_is_a_clear_error(original, released, how, words):
    with pytest.raises(LinkageError, match=words):
        shoal.assess(original, released, **how)


def test_the_id_that_paired_the_records_proves_nothing():
    """The ids of the release were permuted: they agree by construction, and nothing else does."""
    table = people()
    others = table.take(np.roll(np.arange(60), 9)).set_column(0, "id", table["id"])
    with pytest.raises(LinkageError, match="the stated pairs are wrong"):
        shoal.assess(table, others, id="id")


def test_the_same_file_twice_is_a_note():
    notes = shoal.assess(people(), people(), truth="position").notes
    assert any("Both files are the same in all 4 columns" in note for note in notes)
