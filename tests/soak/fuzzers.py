"""All fuzzers, and how many examples of each make a turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, seed, settings

from soak import certificates, comparisons, gate, maps, pages, policies, readers, whole_pipeline


@dataclass(frozen=True)
class Fuzzer:
    test: Callable[[], None]  # takes its examples from Hypothesis
    n_examples: int  # of a turn of about half a minute

    def run(self, at: int, n_examples: int | None = None) -> None:
        """The examples of this seed, the same at every call; what fails is made as small as it can be and raised."""
        chosen = settings(
            max_examples=n_examples or self.n_examples,
            derandomize=False,
            database=None,
            deadline=None,
            print_blob=False,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        chosen(seed(at)(self.test))()


FUZZERS = {
    "readers": Fuzzer(readers.fuzz, 400),
    "policies": Fuzzer(policies.fuzz, 300),
    "gate": Fuzzer(gate.fuzz, 100),
    "changed-releases": Fuzzer(gate.fuzz_changed_releases, 50),
    "certificates": Fuzzer(certificates.fuzz, 150),
    "comparisons": Fuzzer(comparisons.fuzz, 20),
    "maps": Fuzzer(maps.fuzz, 300),
    "pages": Fuzzer(pages.fuzz, 60),
    "whole-pipeline": Fuzzer(whole_pipeline.fuzz, 60),
}
