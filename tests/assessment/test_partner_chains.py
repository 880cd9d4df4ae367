"""Chains of partners: swaps are undone where values may have moved anywhere."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.risk.informed import partner_chains
from shoal.assessment.risk.informed.exchange_likelihood import ExchangedColumn
from shoal.assessment.risk.informed.partner_chains import PartnerChains

KEY = bytes(32)


def swapped_pairs(n, d, seed, share_tied=0.0):
    """Original values and released ones, swapped between pairs of records; some records are not released."""
    chance = np.random.default_rng(seed)
    X = np.column_stack([chance.permutation(n) for _ in range(d)])
    tied = chance.random(X.shape) < share_tied
    X[tied] = X[tied] // 2
    Y = X.copy()
    for j in range(d):
        order = chance.permutation(n)
        one, other = order[: n // 2], order[n // 2 : n // 2 * 2]
        Y[one, j], Y[other, j] = X[other, j], X[one, j]
    records = np.flatnonzero(chance.random(n) < 0.9)
    return X, Y[records], records


def column(own, shown):
    """Owners and holders by looking at every value."""

    def only(values, value):
        found = np.flatnonzero(values == value)
        return int(found[0]) if len(found) == 1 else -1

    return ExchangedColumn(
        "x", np.array([only(own, value) for value in shown]), np.array([only(shown, value) for value in own])
    )


def twin_holds(columns, person, record):
    """Follows one pair to all that follow from it."""
    known, waiting = {(person, record)}, [(person, record)]
    while waiting:
        i, r = waiting.pop()
        for each in columns:
            owner, holder = int(each.owners[r]), int(each.holders[i])
            if owner >= 0 and holder >= 0 and each.owners[holder] == i and (owner, holder) not in known:
                known.add((owner, holder))
                waiting.append((owner, holder))
    persons, records = zip(*known, strict=True)
    return len(set(persons)) == len(persons) and len(set(records)) == len(records)


@pytest.mark.gate(but=("0-0.3", "1-0.3", "2-0.0"))
@pytest.mark.parametrize("share_tied", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_with_following_every_pair(seed, share_tied):
    X, Y, records = swapped_pairs(24, 3, seed, share_tied)
    columns = [column(X[:, j], Y[:, j]) for j in range(3)]
    found = PartnerChains.of(columns, ())
    expected = [[twin_holds(columns, i, r) for r in range(len(Y))] for i in range(len(X))]
    assert found.holds.tolist() == expected
    assert found.holds[records, np.arange(len(Y))].all()  # the truth contradicts nothing, whoever was suppressed


def policy(p):
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in "abc"}
    return {"columns": columns, "perturbations": [{"name": "rank_swap", "p": p}]}


def numbers(n):
    chance = np.random.default_rng(5)
    return pa.table({name: chance.normal(size=n).round(6) for name in "abc"})


def test_everybody_is_found_where_values_move_anywhere():
    table = numbers(300)
    made = shoal.protect(table, policy(100.0), key=KEY)
    assert shoal.assess(table, made.records, policy(100.0), key=KEY).linkages["informed"].risk == 1


@pytest.mark.gate
def test_a_note_says_where_chains_were_not_followed(monkeypatch):
    monkeypatch.setattr(partner_chains, "MOST_PAIRS", 1000)
    table = numbers(100)
    for p, is_noted in ((100.0, True), (10.0, False)):
        made = shoal.protect(table, policy(p), key=KEY)
        notes = shoal.assess(table, made.records, policy(p), key=KEY).notes
        assert any("chains of partners" in note for note in notes) == is_noted
