"""The reference sets available on this machine."""

from __future__ import annotations

from shoal.datasets.casc import CENSUS, EIA, TARRAGONA
from shoal.datasets.reference import find_file
from shoal.datasets.uci import ADULT, CENSUS_INCOME

_ALL = (CENSUS, TARRAGONA, EIA, ADULT, CENSUS_INCOME)


def available() -> tuple[str, ...]:
    """Names of the sets whose file exists; the content is verified only on loading."""
    return tuple(each.name for each in _ALL if find_file(each.file))
