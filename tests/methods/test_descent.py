"""A search without heat takes gains only, and of several ends the best is kept."""

import numpy as np
import pytest

import shoal
from shoal import kernels
from shoal.methods.microaggregation.annealing import AnnealingProblem
from shoal.methods.microaggregation.neighborhoods import nearest_records
from shoal.methods.microaggregation.refine import anneal_chains, anneal_tiles, budget_of, refine
from shoal.methods.microaggregation.search_budget import N_STAGES, ProposalBudget


@pytest.mark.parametrize(("d", "k"), [(1, 2), (2, 3), (3, 5), (5, 3), (17, 4)])
def test_no_proposal_of_a_descent_adds_loss(d, k):
    """Looked at after every few proposals, from random groups: joins, swaps, splits and dissolved groups."""
    chance = np.random.default_rng(d)
    X = chance.normal(size=(90, d))
    labels = np.sort(np.arange(90) % (90 // (k + 1)))[chance.permutation(90)].astype(np.int64)
    search = kernels.Annealing(X, labels, k, nearest_records(X, 20, 1), 7)
    search.plan(6000, 0.0, 0.0)
    losses = [shoal.Partition(labels).sse(X)]
    while search.step(20):
        found = shoal.Partition(search.labels())
        assert k <= found.sizes.min()
        assert found.sizes.max() < 2 * k
        losses.append(found.sse(X))
        assert search.sse == pytest.approx(losses[-1])
    assert (np.diff(losses) <= 1e-9).all()
    assert losses[-1] < 0.9 * losses[0]


def ends(n_good):
    """Records in pairs, and partitions of them: the first ``n_good`` pairs together, the others torn apart."""
    X = np.repeat(np.arange(20.0), 2)[:, None]
    torn = np.arange(40) // 2
    torn[2 * n_good :] = np.roll(torn[2 * n_good :], 1)
    return X, torn.astype(np.int64)


class Played(AnnealingProblem):
    """A search whose ends are known beforehand, the descent first."""

    def plays(self, *n_good):
        object.__setattr__(self, "script", [ends(n)[1] for n in n_good])
        return self

    def run_chains(self, starts, stages, seeds, at):
        return [self.script.pop(0) for _ in starts]

    def run_tiles(self, labels, stage, seed, at):
        return self.script.pop(0)


def ground():
    return Played.of(ends(0)[0], 2, 1)


@pytest.mark.parametrize(("descended", "chains", "best"), [(9, (3, 12, 5), 12), (9, (3, 8, 5), 9), (2, (7,), 7)])
def test_of_all_chains_the_best_end_is_kept(descended, chains, best):
    found, _ = anneal_chains(
        ground().plays(descended, *chains),
        ends(0)[1],
        np.random.SeedSequence(0),
        ProposalBudget([10, *(5 for _ in chains)]),
    )
    assert found.tolist() == ends(best)[1].tolist()


@pytest.mark.parametrize(("descended", "last", "best"), [(9, 4, 9), (4, 9, 9)])
def test_of_descent_and_annealing_in_legs_the_better_end_is_kept(descended, last, best):
    script = [descended, *(1 for _ in range(N_STAGES - 1)), last]
    found, spent = anneal_tiles(
        ground().plays(*script), ends(0)[1], np.random.SeedSequence(0), ProposalBudget([1] * (N_STAGES + 1))
    )
    assert found.tolist() == ends(best)[1].tolist()
    assert spent == [1] * (N_STAGES + 1)


@pytest.mark.parametrize("n", [30, 10_000])
@pytest.mark.parametrize("proposals", [0, 7, 100_001, 7_654_321])
def test_all_proposals_are_given_out(n, proposals):
    given = budget_of(None, proposals, n)
    assert given.descent(n) + sum(given.chains(n, 1)) == proposals


def test_a_group_of_2k_is_divided_first():
    X = np.random.default_rng(0).normal(size=(12, 2))
    refined = refine(X, shoal.Partition(np.repeat([0, 1], 6)), 3, proposals=0)
    assert refined.sizes.tolist() == [3, 3, 3, 3]
