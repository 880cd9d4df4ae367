"""What a policy is told to become can be done."""

from fractions import Fraction

import pytest

from shoal.policy import ReleasePlan, load
from shoal.policy.policy_advice import advice_to_round

POLICY = {"columns": {"x": {"role": "quasi_identifier", "kind": "numeric"}}, "method": {"k": 3}}


@pytest.mark.parametrize(
    ("step", "decimals"),
    [(Fraction(1, 100), 2), (Fraction(50), -2), (Fraction(10**15), -15), (Fraction(4 * 10**15), None)],
)
def test_means_are_made_as_coarse_as_values_where_decimals_can(step, decimals):
    assert advice_to_round(ReleasePlan.of(load(POLICY)), {"x": step}).strip() == (
        "" if decimals is None else f"[columns.x]\ndecimals = {decimals}"
    )
