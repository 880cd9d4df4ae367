"""How many persons of the population share the key of a class: what journalist and marketer risk are computed from."""

from __future__ import annotations

import numpy as np

from shoal.errors import PolicyError
from shoal.kernels import Vector
from shoal.requirements.groups import Groups


def check_population(name: str, column: str | None, sampling_fraction: float | None) -> None:
    """Raises PolicyError where two sources of population sizes are given, or a fraction that cannot be right."""
    if column is not None and sampling_fraction is not None:
        raise PolicyError.two_populations(name)
    if sampling_fraction is not None and not 0 < sampling_fraction <= 1:
        raise PolicyError.no_fraction(f"{name}.sampling_fraction", sampling_fraction)


def population_sizes(groups: Groups, column: str | None, sampling_fraction: float | None) -> Vector:
    """(n_groups,) persons of the population: the sum of the weights, or the records divided by the sampling fraction,
    or the records where the table is the population; never fewer than the records."""
    sizes = groups.contributed.totals if column is not None else groups.totals / (sampling_fraction or 1.0)
    return np.maximum(sizes, groups.totals)
