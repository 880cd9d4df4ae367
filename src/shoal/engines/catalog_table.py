"""A table of a catalog, by its name: `table:census.persons`. Only Spark has catalogs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

SIGN = "table:"


@dataclass(frozen=True)
class CatalogTable:
    name: str  # as in SQL: catalog.schema.table


def catalog_table(source: Any) -> Any:
    """The table that a source names; any other source as it is, so a file whose name begins with the sign if it is
    given by its full path."""
    text = os.fspath(source) if isinstance(source, str | os.PathLike) else ""
    return CatalogTable(text.removeprefix(SIGN)) if isinstance(text, str) and text.startswith(SIGN) else source
