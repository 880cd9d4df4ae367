"""The experiments of GenSearch: the paper's numbers of splits, and two searches that agree."""

import pytest

from shoal.methods.generalization.gensearch.enumerate_partitions import enumerate_partitions
from shoal.methods.generalization.optimal import gensearch
from shoal.reproduce.gensearch_experiments import CENSUS, COARSE, COMBINED, FINER
from shoal.reproduce.gensearch_ground import ADULT, FIVES, adult, census_income


@pytest.mark.usefixtures("reference_data")
def test_the_numbers_of_splits_are_the_paper_s():
    assert adult().n_splits == 101  # Experiments 1 and 2
    assert adult(ages=(18, *FIVES)).n_splits == 102  # 4
    assert adult([name for name in ADULT if name != "native-country"], FINER).n_splits == 66  # 7
    assert census_income(CENSUS).n_splits == 30  # 3 and 6
    assert census_income(COARSE).n_splits == 21  # 5


@pytest.mark.usefixtures("reference_data")
def test_enumeration_and_search_over_boxes_prove_the_same_optimum():
    ground = census_income(COARSE)
    wanted = ground.wanted(COMBINED[0])
    one = enumerate_partitions(ground.table, ground.schema, wanted, cuts=ground.cuts, seed=None)
    other = gensearch(ground.table, ground.schema, wanted, cuts=ground.cuts)
    assert one.is_optimal
    assert other.is_optimal
    assert one.cost == other.cost == 3_569_500_034
