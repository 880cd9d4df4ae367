"""How many persons of the population share the key of a class: what journalist and marketer risk are computed from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from shoal.errors import PolicyError
from shoal.kernels import Vector
from shoal.requirements.groups import Groups
from shoal.requirements.requirement import Requirement


def check_population(name: str, column: str | None, sampling_fraction: float | None, population: str | None) -> None:
    """Raises PolicyError where several sources of population sizes are given, or a fraction that cannot be right."""
    if sum(source is not None for source in (column, sampling_fraction, population)) > 1:
        raise PolicyError.two_populations(name)
    if sampling_fraction is not None and not 0 < sampling_fraction <= 1:
        raise PolicyError.no_fraction(f"{name}.sampling_fraction", sampling_fraction)


def population_sizes(
    groups: Groups, column: str | None, sampling_fraction: float | None, population: str | None = None
) -> Vector:
    """(n_groups,) persons of the population: those of its table, the sum of the weights, or the records divided by the
    sampling fraction, or the records where the table is the population; never fewer than the records."""
    if population is not None:
        sizes = groups.population
    else:
        sizes = groups.contributed.totals if column is not None else groups.totals / (sampling_fraction or 1.0)
    return np.maximum(sizes, groups.totals)


def populations(requirements: Iterable[Requirement]) -> list[str]:
    """The files of the population that requirements name, each once."""
    wanted: Iterable[Any] = (each for each in requirements if each.reads == "population")
    return list(dict.fromkeys(each.population for each in wanted))
