"""The fuzzers of ``make soak`` on a few examples each, so that they keep up with what they feed."""

import pytest

from soak.fuzzers import FUZZERS


@pytest.mark.gate(but=("maps", "policies", "gate"))
@pytest.mark.parametrize("name", FUZZERS)
def test_a_few_examples(name: str) -> None:
    FUZZERS[name].run(0, n_examples=3)
