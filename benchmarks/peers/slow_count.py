"""k of a table, counted record by record with a dictionary: slow and simple. Missing is a value of its own."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path


def smallest_class(path: Path) -> int:
    """The last column is sensitive; the others are quasi-identifiers."""
    with path.open(newline="", encoding="utf-8") as file:
        _, *records = csv.reader(file)
    return min(Counter(tuple(record[:-1]) for record in records).values())
