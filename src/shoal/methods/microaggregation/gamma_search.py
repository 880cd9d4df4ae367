"""The gamma of V-MDAV that loses least: 41 values from 0 to 2, and MDAV for comparison.

arrays of one block -> VmdavPartition(Partition)

All runs are of the same records. They share the order in which records are taken and lists of nearest records, so that
all together cost a few times a single run; and a run ends as soon as its groups lose more than the best so far. So the
result never loses more than the best of the 41 values, or than MDAV.
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
        runs, best, least = kernels.VmdavRuns(self.X, self.k), None, float("inf")
        with progress.stage("choosing gamma", len(GAMMAS)) as at:
            for n_done, gamma in enumerate(_coarse_first()):
                found = self._run(runs, gamma, float("inf") if self.splits else least * ROUNDING)
                if found and (sse := found.sse(self.X)) < least:
                    best, least = VmdavPartition(found.labels, gamma), sse
                at(n_done + 1)
        plain = mdav(self.X, self.k)
        return best if best and least <= plain.sse(self.X) else VmdavPartition(plain.labels, None)

    def errors(self) -> tuple[float, ...]:
        """The SSE with each of ``GAMMAS``."""
        runs = kernels.VmdavRuns(self.X, self.k)
        found = (self._run(runs, gamma, float("inf")) for gamma in GAMMAS)
        return tuple(partition.sse(self.X) for partition in found if partition)

    def _run(self, runs: kernels.VmdavRuns, gamma: float, most_sse: float) -> Partition | None:
        """The partition with this gamma; None if the SSE of its groups exceeds ``most_sse``."""
        state = runs.with_gain(self.gain(gamma), most_sse)
        while state.step(GROUPS_PER_STEP) >= self.k and state.sse <= most_sse:
            pass
        return None if state.sse > most_sse else self.join(state.labels())


def _coarse_first() -> list[float]:
    """The gammas in an order that finds a good one early: every fourth, then the others, small ones first."""
    steps = sorted(range(len(GAMMAS)), key=lambda step: (step % 4 != 0, abs(GAMMAS[step] - 0.2)))
    return [GAMMAS[step] for step in steps]
