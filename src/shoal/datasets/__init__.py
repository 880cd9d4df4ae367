"""Data sets: public reference sets, and generators of synthetic tables of any size.

    reference.py          ReferenceSet: read from a local folder, verified by digests; never downloaded
    casc.py               census, tarragona, eia: the CASC project
    uci.py                adult with its taxonomies, census_income: the UCI repository
    catalog.py            the reference sets available on this machine

    random_draws.py       random generators per chunk of fixed size
    batches.py            a stream of record batches, chunk by chunk
    points.py             uniform and clustered numbers
    lookalike.py          a larger table that resembles a given one
    census_codes.py       columns, values and taxonomies of the synthetic census
    census_households.py  composition of the households of the synthetic census
    persons.py            attributes of its persons
    census_population.py  the synthetic census itself
    named_persons.py      the roster: persons with names and addresses
    corruption.py         a copy of a table with typing errors, by typos.py

Every generator is available as ``name(...) -> pa.Table`` and ``name_batches(...) -> iterator of pa.RecordBatch``; the
numeric ones also as ``name_array(...) -> (n, d) float64``. The same seed gives the same table in all forms.
The names below are imported on first use, so that importing this package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.datasets.casc import census, eia, tarragona
    from shoal.datasets.catalog import available
    from shoal.datasets.census_codes import (
        CENSUS_COLUMNS,
        CENSUS_EDUCATION_ORDER,
        CENSUS_MUNICIPALITY_PREFIXES,
        CENSUS_REGIONS,
        census_taxonomies,
    )
    from shoal.datasets.census_population import synthetic_census, synthetic_census_batches
    from shoal.datasets.corruption import corrupt
    from shoal.datasets.lookalike import resample_and_jitter, resample_and_jitter_batches
    from shoal.datasets.named_persons import roster, roster_batches
    from shoal.datasets.points import (
        clustered,
        clustered_array,
        clustered_batches,
        uniform,
        uniform_array,
        uniform_batches,
    )
    from shoal.datasets.uci import adult, adult_taxonomies, census_income

__all__ = [
    "CENSUS_COLUMNS",
    "CENSUS_EDUCATION_ORDER",
    "CENSUS_MUNICIPALITY_PREFIXES",
    "CENSUS_REGIONS",
    "adult",
    "adult_taxonomies",
    "available",
    "census",
    "census_income",
    "census_taxonomies",
    "clustered",
    "clustered_array",
    "clustered_batches",
    "corrupt",
    "eia",
    "resample_and_jitter",
    "resample_and_jitter_batches",
    "roster",
    "roster_batches",
    "synthetic_census",
    "synthetic_census_batches",
    "tarragona",
    "uniform",
    "uniform_array",
    "uniform_batches",
]

_MODULES = {
    "casc": ("census", "eia", "tarragona"),
    "catalog": ("available",),
    "census_codes": (
        "CENSUS_COLUMNS",
        "CENSUS_EDUCATION_ORDER",
        "CENSUS_MUNICIPALITY_PREFIXES",
        "CENSUS_REGIONS",
        "census_taxonomies",
    ),
    "corruption": ("corrupt",),
    "lookalike": ("resample_and_jitter", "resample_and_jitter_batches"),
    "points": (
        "clustered",
        "clustered_array",
        "clustered_batches",
        "uniform",
        "uniform_array",
        "uniform_batches",
    ),
    "census_population": ("synthetic_census", "synthetic_census_batches"),
    "named_persons": ("roster", "roster_batches"),
    "uci": ("adult", "adult_taxonomies", "census_income"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
