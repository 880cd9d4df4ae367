"""The gamma of V-MDAV that loses least: 41 values from 0 to 2, and MDAV for comparison.

arrays of one block -> VmdavPartition(Partition)

All runs are of the same records. They share the order in which records are taken and lists of nearest records, so that
all together cost a few times a single run. A run ends as soon as its groups lose more than the best so far, and it is
the run of all gammas with which every group so far would be the same. So the result never loses more than the best of
the 41 values, or than MDAV.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shoal import kernels, progress
from shoal.kernels import Labels, Matrix
from shoal.methods.microaggregation.mdav import mdav
from shoal.plan import Partition

N_STEPS = 20  # of gamma up to 1
GAMMAS = tuple(step / N_STEPS for step in range(2 * N_STEPS + 1))  # 0, 0.05, ... 2
GROUPS_PER_STEP = 10_000  # formed between two returns to Python
ROUNDING = 1 + 1e-9  # the SSE of a kernel is rounded: a run may exceed the best by this factor before it ends


@dataclass(frozen=True, eq=False, repr=False)
class VmdavPartition(Partition):
    """A partition by V-MDAV and its gamma; None where MDAV lost less than with every gamma."""

    gamma: float | None

    @property
    def rule(self) -> str:
        """Such as "gamma 0.2"."""
        return "MDAV" if self.gamma is None else f"gamma {self.gamma:g}"


@dataclass(frozen=True, eq=False)
class GammaSearch:
    """V-MDAV of the same records with many gammas.

    gain    the factor of the extension test on squared distances
    join    the last records, -1, join the groups that a run has formed
    splits  joining may split groups, and so lower the SSE: a run then never ends early
    """

    X: Matrix
    k: int
    gain: Callable[[float], float]
    join: Callable[[Labels], Partition]
    splits: bool

    def best(self) -> VmdavPartition:
        """The partition with the least SSE; the first on ties, and MDAV last."""
        plain = mdav(self.X, self.k)
        runs, best, least = self._runs(), None, plain.sse(self.X)
        tried: set[int] = set()
        with progress.stage("choosing gamma", len(GAMMAS)) as at:
            for place in _coarse_first():
                if place not in tried:
                    found, same = self._run(runs, place, float("inf") if self.splits else least * ROUNDING)
                    tried.update(same)
                    if found and ((sse := found.sse(self.X)) < least or (best is None and sse == least)):
                        best, least = VmdavPartition(found.labels, GAMMAS[place]), sse
                at(len(tried))
        return best or VmdavPartition(plain.labels, None)

    def errors(self) -> tuple[float, ...]:
        """The SSE with each of ``GAMMAS``."""
        runs, errors = self._runs(), dict[int, float]()
        for place in range(len(GAMMAS)):
            if place not in errors:
                found, same = self._run(runs, place, float("inf"))
                errors |= dict.fromkeys(same, found.sse(self.X) if found else float("inf"))
        return tuple(errors[place] for place in range(len(GAMMAS)))

    def _runs(self) -> kernels.VmdavRuns:
        return kernels.VmdavRuns(self.X, self.k, [self.gain(gamma) for gamma in GAMMAS])

    def _run(self, runs: kernels.VmdavRuns, place: int, most_sse: float) -> tuple[Partition | None, range]:
        """The partition with a gamma, None if the SSE of its groups exceeds ``most_sse``; and the places of all gammas
        that form the same groups, or the same until they exceed it."""
        state = runs.with_gain(place, most_sse)
        while state.step(GROUPS_PER_STEP) >= self.k and state.sse <= most_sse:
            pass
        first, last = state.same_gains
        return None if state.sse > most_sse else self.join(state.labels()), range(first, last + 1)


def _coarse_first() -> list[int]:
    """The places of the gammas in an order that finds a good one early: every fourth, then the others, small ones
    first."""
    return sorted(range(len(GAMMAS)), key=lambda place: (place % 4 != 0, abs(GAMMAS[place] - 0.2)))
