"""The lattice of a map agrees with plain geometry, on sheets, cylinders and toroids."""

import numpy as np
import pytest
from hypothesis import given

from reference import som as twin
from reference.lattices import lattices
from shoal.blocking.som.map_rules import MapRules
from shoal.blocking.som.sizing import lattice_for
from shoal.errors import PolicyError


@given(lattices())
def test_distances_are_those_of_the_plane(lattice):
    row, column = np.divmod(np.arange(lattice.n_units), lattice.columns)
    shift = lattice.parity[row][:, None] - lattice.parity[row][None]
    gaps = lattice.row_gaps[row[:, None], row] + lattice.column_gaps[1 + shift, column[:, None], column]
    expected = [
        [
            twin.lattice_distance(a, b, lattice.rows, lattice.columns, lattice.form, lattice.shape)
            for b in range(lattice.n_units)
        ]
        for a in range(lattice.n_units)
    ]
    assert np.allclose(np.sqrt(gaps) / 2, expected)


@given(lattices())
def test_neighbors_are_the_units_one_step_away(lattice):
    for unit, found in enumerate(lattice.neighbors):
        expected = twin.neighbors(unit, lattice.rows, lattice.columns, lattice.form, lattice.shape)
        assert found[found >= 0].tolist() == expected


@pytest.mark.parametrize(
    ("n", "variances", "rules", "sides"),
    [  # worked out by hand from the rule of the Toolbox
        (100_000, [1.0, 1.0, 1.0], MapRules(), (43, 37)),  # 1582 units
        (100_000, [1.0, 1.0, 1.0], MapRules(lattice="rectangular"), (40, 40)),
        (10_000, [4.0, 1.0], MapRules(), (33, 15)),  # 500 units, twice as high as wide
        (10_000, [1.0, 1e-3], MapRules(), (24, 21)),  # the second axis hardly matters: equal sides
        (10_000, [1.0, 0.0], MapRules(), (1, 500)),  # on a line: a chain
        (10_000, [1.0], MapRules(), (1, 500)),
        (10_000, [0.0, 0.0], MapRules(), (24, 21)),
        (10, [1.0, 1.0], MapRules(), (3, 3)),  # no more units than records
        (1, [0.0], MapRules(), (1, 1)),
        (10_000, [1.0, 1.0], MapRules(size=120, shape="toroid"), (12, 10)),
        (10_000, [1.0, 1.0], MapRules(size=(5, 8)), (5, 8)),
    ],
)
def test_the_size_follows_the_rule(n, variances, rules, sides):
    lattice = lattice_for(rules, n, np.array(variances))
    assert (lattice.rows, lattice.columns) == sides


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"size": (3, 4), "shape": "toroid"}, "must be even"),
        ({"size": 0}, "map.size must be 1 or more"),
        ({"size": (0, 4)}, "map.size must be 1 or more"),
        ({"epochs": (0, 0)}, "map.epochs must be 1 or more"),
        ({"lattice": "hexagon"}, "Did you mean 'hexagonal'"),
        ({"shape": "torus"}, "It can be: sheet, cylinder, toroid"),
        ({"training": "slow"}, "It can be: batch, sequential"),
    ],
)
def test_rules_that_cannot_be(rules, words):
    with pytest.raises(PolicyError, match=words):
        MapRules(**rules)
