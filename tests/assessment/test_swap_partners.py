"""Partners of swapped values, against a slow twin and on Census: what was exchanged moved in both directions."""

from dataclasses import replace

import numpy as np
import pytest

import shoal
from informed_example import N, attack_on, numbers
from reference import informed as reference
from shoal.assessment.risk.informed.exchange_likelihood import ExchangeLikelihood


@pytest.mark.gate(but=("method0-0", "method0-9"))
@pytest.mark.parametrize("drop", [0, 9])
@pytest.mark.parametrize("method", [shoal.RankSwap(p=60), shoal.DataSwap(rate=0.5)])
def test_ratios_of_partners(method, drop):
    attack, aligned = attack_on(numbers(), method, drop=drop)
    of_columns = [each for each in attack.search.likelihoods if each.columns]
    exchange = next(each for each in attack.search.likelihoods if isinstance(each, ExchangeLikelihood))
    pairs = np.indices((N, N - drop)).reshape(2, -1)
    ratios = {each.columns[0]: each.log_ratios(*pairs).reshape(N, N - drop) for each in of_columns}
    twin = reference.partner_ratios(aligned.original.to_pydict(), aligned.released.to_pydict(), ratios)
    found = replace(exchange, n_steps=1).log_ratios(*pairs).reshape(N, N - drop)
    np.testing.assert_allclose(found, twin, rtol=1e-9, atol=1e-12)  # sums near 0
    assert np.isfinite(twin).any()
    assert (twin != 0).any()


@pytest.mark.usefixtures("reference_data")
@pytest.mark.gate(but="method0-13")
@pytest.mark.parametrize(
    ("method", "d"), [(shoal.RankSwap(p=50), 13), (shoal.RankSwap(p=15), 2), (shoal.DataSwap(rate=0.5), 3)]
)
def test_exchanges_give_away_who_is_who(method, d):
    """Without partners, 19, 5 and 72 % are found: what moved from one record to another also moved back."""
    census = shoal.datasets.census().slice(0, 500)
    attack, _ = attack_on(census.select(census.column_names[:d]), method)
    assert not attack.notes
    assert attack.links(np.arange(len(census))).chances.mean() > 0.99


def test_partners_of_large_tables_are_found_person_by_person():
    attack, _ = attack_on(numbers(n=2000), shoal.RankSwap(p=15))
    assert attack.links(np.arange(0, 2000, 10)).chances.mean() > 0.95
