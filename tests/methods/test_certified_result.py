"""Results from certificates: those of the search that issued them, and no others."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from shoal import Column, CutTree, KAnonymity, Schema
from shoal.encode.count_table import CountTable
from shoal.errors import CertificateError
from shoal.methods import Gensearch
from shoal.plan.domain import CodeRanges

SCHEMA = Schema(Column(name, role="quasi_identifier", kind="numeric") for name in ("x", "y"))
COUNTS = CountTable(pa.table({"x": [1, 2, 2], "y": [1, 1, 2]}), np.array([3, 4, 5]))  # nobody has x = 1 and y = 2
REQUIREMENTS = [KAnonymity(3)]


def _tree_with_an_empty_block(domains):
    """x is cut, and then y where x = 1."""
    parts = (CodeRanges(((0, 2),)), CodeRanges(((0, 1),)), CodeRanges(((1, 2),)))
    nodes = [-1, 0, 1, 1, 0], [-1, 0, 1, 1, 0], [0, 1, 1, 2, 2]
    return CutTree(domains, (parts, parts), *(np.array(each) for each in nodes))


@pytest.mark.parametrize("loss", ["discernibility", "volume", "certainty"])
def test_the_result_is_that_of_the_search(loss):
    method = Gensearch(loss)
    found = method.find(COUNTS, SCHEMA, REQUIREMENTS)
    again = method.find_again(found.certificate, COUNTS, SCHEMA, REQUIREMENTS)
    assert again.certificate == found.certificate
    assert again.tree.to_json() == found.tree.to_json()
    assert (again.cost, again.lower_bound, again.is_optimal) == (found.cost, found.lower_bound, found.is_optimal)
    assert (again.n_nodes, again.losses) == (found.n_nodes, found.losses)
    assert (again.was_searched, found.was_searched) == (False, True)


def test_a_block_without_records_is_refused_unless_it_is_allowed():
    for empty_blocks in (True, False):
        method = Gensearch(empty_blocks=empty_blocks)
        found = method.find(COUNTS, SCHEMA, REQUIREMENTS)
        tree = _tree_with_an_empty_block(found.tree.domains)
        cost = 3.0**2 + 9.0**2
        other = replace(found.certificate, tree=tree.to_json(), cost=cost, lower_bound=1.0, is_optimal=False)
        if empty_blocks:
            assert method.find_again(other, COUNTS, SCHEMA, REQUIREMENTS).cost == cost
        else:
            with pytest.raises(CertificateError, match="blocks that the policy does not allow"):
                method.find_again(other, COUNTS, SCHEMA, REQUIREMENTS)


@pytest.mark.parametrize(
    ("method", "requirements", "counts", "names"),
    [
        (Gensearch(), [KAnonymity(4)], COUNTS, "requirements"),
        (Gensearch("volume"), REQUIREMENTS, COUNTS, "loss"),
        (Gensearch(empty_blocks=False), REQUIREMENTS, COUNTS, "empty_blocks"),
        (Gensearch(), REQUIREMENTS, CountTable(COUNTS.combinations, np.array([3, 4, 6])), "n_records"),
        (Gensearch(cuts={"x": []}), REQUIREMENTS, COUNTS, "splits, n_cells"),
    ],
)
def test_a_certificate_of_another_problem_is_refused(method, requirements, counts, names):
    certificate = Gensearch().find(COUNTS, SCHEMA, REQUIREMENTS).certificate
    with pytest.raises(CertificateError, match=rf"another problem .* \({names}\)"):
        method.find_again(certificate, counts, SCHEMA, requirements)
