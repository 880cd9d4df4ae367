"""Microaggregation in a pipeline of scikit-learn."""

import numpy as np
import pandas as pd
import pytest

import shoal

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from shoal.sklearn import Microaggregator

OWN_GROUP = "a fitted record gets the centroid of its own group, a new one the nearest"


@pytest.mark.gate(
    but=(
        "Microaggregator(k=2)-check_estimator_cloneable",
        "Microaggregator(k=2)-check_estimator_tags_renamed",
        "Microaggregator(k=2)-check_valid_tag_types",
    )
)
@parametrize_with_checks(
    [Microaggregator(k=2)],
    expected_failed_checks=lambda estimator: {
        "check_transformer_general": OWN_GROUP,
        "check_transformer_data_not_an_array": OWN_GROUP,
    },
)
def test_conventions_of_scikit_learn(estimator, check):
    check(estimator)


def records(n=60, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d)) * [1.0, 100.0, 0.01][:d]


@pytest.mark.parametrize("k", [2, 3, 7])
def test_fit_transform_is_mdav_by_hand(k):
    X = records()
    labels = shoal.mdav(shoal.standardize(X), k).labels
    by_hand = np.array([X[labels == label].mean(axis=0) for label in labels])
    released = Microaggregator(k=k).fit_transform(X)
    np.testing.assert_allclose(released, by_hand, rtol=1e-12)
    assert np.unique(released, axis=0, return_counts=True)[1].min() >= k


def test_a_new_record_gets_the_nearest_centroid():
    X, new = records(), records(20, seed=1)
    model = Microaggregator(k=4).fit(X)
    deviations = X.std(axis=0)
    distances = (((new[:, None] - model.centroids_) / deviations) ** 2).sum(axis=2)
    np.testing.assert_array_equal(model.transform(new), model.centroids_[distances.argmin(axis=1)])


def test_parameters_and_clones():
    model = Microaggregator(k=9)
    assert model.get_params() == {"k": 9}
    assert clone(model).get_params() == {"k": 9}
    assert not hasattr(clone(model.fit(records())), "centroids_")
    assert model.set_params(k=3).k == 3


def test_dataframes_come_back():
    frame = pd.DataFrame(records(), columns=["a", "b", "c"], index=range(100, 160))
    model = Microaggregator(k=3).set_output(transform="pandas")
    released = model.fit_transform(frame)
    assert list(released.columns) == list(model.get_feature_names_out()) == ["a", "b", "c"]
    assert released.index.equals(frame.index)
    np.testing.assert_array_equal(released.to_numpy(), Microaggregator(k=3).fit_transform(frame.to_numpy()))


def test_in_a_pipeline():
    X = records()
    released = make_pipeline(StandardScaler(), Microaggregator(k=5)).fit_transform(X)
    assert np.unique(released, axis=0, return_counts=True)[1].min() >= 5


@pytest.mark.parametrize(("k", "words"), [(1, "2 or more"), (61, "needs at least 61 records"), (2.5, "integer")])
def test_a_k_that_cannot_be(k, words):
    with pytest.raises(ValueError, match=words):
        Microaggregator(k=k).fit(records())
