"""An intruder who knows the method, on a small release of one method in random order."""

import numpy as np
import pyarrow as pa

from shoal.assessment.risk.informed.informed_linkage import InformedAttack
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.assessment.table_pair import TablePair
from shoal.methods.perturbation.perturbation_method import rng_from_seed
from shoal.schema import Column, Schema

N = 60


def numbers(seed=0, n=N):
    rng = np.random.default_rng(seed)
    plain = rng.normal(size=(n, 3)) @ rng.normal(size=(3, 3))
    return pa.table({"x": np.round(plain[:, 0], 1), "y": 100 * plain[:, 1], "z": plain[:, 2]})


def words(seed=0, n=N):
    rng = np.random.default_rng(seed)
    return pa.table({name: rng.choice(list("abcdefgh")[:size], n) for name, size in (("v", 4), ("w", 8), ("u", 5))})


def schema_of(table, kind):
    return Schema([Column(name, "quasi_identifier", kind) for name in table.column_names])


def attack_on(table, method, kind="numeric", *, seed=1, drop=0, **more):
    """The attack on a release in random order, of which the last ``drop`` records were suppressed; and its truth."""
    schema, n = schema_of(table, kind), len(table)
    released = method.perturb(table, schema, rng_from_seed(seed))
    order = np.random.default_rng(seed).permutation(n)[: n - drop]
    truth = np.full(n, -1)
    truth[order] = np.arange(len(order))
    aligned = TablePair.of(table, released.take(order), schema).aligned(truth)
    found = InformedAttack.of(aligned, PublishedMethods((method,), **more), table.column_names)
    assert isinstance(found, InformedAttack)
    return found, aligned


def all_ratios(attack, n_released, *, own_only=False):
    """(n_persons, n_records) log ratios of all pairs; ``own_only``: without what their partners tell."""
    pairs = np.indices((attack.n_original, n_released)).reshape(2, -1)
    likelihoods = [each for each in attack.search.likelihoods if each.columns or not own_only]
    total = sum(likelihood.log_ratios(*pairs) for likelihood in likelihoods)
    return total.reshape(attack.n_original, n_released)
