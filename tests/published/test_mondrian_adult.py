"""Mondrian on Adult, eight quasi-identifiers, beside what other tools reach on the same records."""

import pytest

import shoal
from shoal import datasets
from shoal.encode.combination_counts import count_combinations
from shoal.losses import Certainty, measure
from shoal.methods.generalization.global_recoding import GlobalRecoding
from shoal.methods.generalization.mondrian import Mondrian

ARX_LOCAL = {5: 253_100, 10: 438_252, 50: 1_965_180, 100: 3_712_676}
STRICT = {5: 270_000, 10: 470_000, 50: 2_180_000, 100: 4_270_000}
PUBLISHED_NCP = 12.19  # percent at k = 10, of a well-known strict Mondrian


@pytest.fixture(scope="module")
def adult(reference_data):
    table = datasets.adult().drop_columns("salary-class")
    schema = shoal.Schema(
        shoal.Column(name, role="quasi_identifier", kind="numeric" if name == "age" else "nominal")
        for name in table.column_names
    )
    return count_combinations(table, table.column_names), schema


def discernibility(tree, counts):
    return int((measure(tree, counts).totals ** 2).sum())


@pytest.mark.gate(but=("10", "50"))
@pytest.mark.parametrize("k", STRICT)
def test_strict_mondrian_with_ordered_categories(adult, k):
    counts, schema = adult
    tree = Mondrian("strict").cut(counts, schema, [shoal.KAnonymity(k)])
    totals = measure(tree, counts).totals
    assert totals.min() >= k
    assert discernibility(tree, counts) <= STRICT[k]


@pytest.mark.gate(but=("5", "50"))
@pytest.mark.parametrize("k", ARX_LOCAL)
def test_greedy_is_below_local_recoding_of_arx(adult, k):
    counts, schema = adult
    tree = Mondrian("greedy").cut(counts, schema, [shoal.KAnonymity(k)])
    assert measure(tree, counts).totals.min() >= k
    assert discernibility(tree, counts) <= ARX_LOCAL[k]


def test_certainty_beside_the_published_figure(adult):
    counts, schema = adult
    tree = Mondrian("greedy", "certainty").cut(counts, schema, [shoal.KAnonymity(10)])
    assert Certainty().percent(measure(tree, counts)) <= PUBLISHED_NCP


@pytest.mark.gate
def test_multidimensional_cuts_beat_global_recoding(adult):
    counts, schema = adult
    wanted = [shoal.KAnonymity(100)]
    everywhere = GlobalRecoding("cuts").cut(counts, schema, wanted)
    own = Mondrian("strict").cut(counts, schema, wanted)
    assert 3 * discernibility(own, counts) < discernibility(everywhere, counts)
