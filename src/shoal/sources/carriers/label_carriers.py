"""Carriers of SPSS, Stata and SAS files: labels of columns and values, titles, documents, user-missing values.

What the library shows is taken from it; what it ignores (records of SPSS that it does not know, characteristics of
Stata) is searched for in the bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shoal.errors import SourceError
from shoal.sources.carriers.carrier import VALUE_LABELS, Carrier, carrier_if_any
from shoal.sources.carriers.spss_bytes import n_unknown_records
from shoal.sources.carriers.stata_bytes import n_characteristics

READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
WITHOUT_LABELS = "drop the labels of values that the release does not hold"
WITHOUT_TEXTS = "write the file again without them, as 'shoal protect' does"
AS_MISSING = "write these cells as missing: other programs can read their values"


def carriers(path: Path) -> Iterator[Carrier]:
    metadata = _parse(path, metadataonly=True)[1]
    labels = {name: text for name, text in metadata.column_names_to_labels.items() if text}
    yield from carrier_if_any("variable labels", len(labels), columns=labels)
    yield from _value_labels(path, metadata)
    unattached = set(metadata.value_labels) - set(metadata.variable_to_label.values())
    yield from carrier_if_any("sets of value labels that belong to no column", len(unattached), WITHOUT_LABELS)
    yield from carrier_if_any("titles", int(bool(metadata.file_label)), WITHOUT_TEXTS)
    yield from carrier_if_any("documents", len(metadata.notes or ()), WITHOUT_TEXTS)
    yield from carrier_if_any("sets of multiple responses", len(metadata.mr_sets or ()), WITHOUT_TEXTS)
    if path.suffix.lower() in (".sav", ".zsav"):
        yield from carrier_if_any("records of SPSS other than cells", n_unknown_records(path), WITHOUT_TEXTS)
    if path.suffix.lower() == ".dta":
        yield from carrier_if_any("characteristics", n_characteristics(path), WITHOUT_TEXTS)
    yield from _user_missing(path)


def _parse(path: Path, **arguments: Any) -> Any:
    try:
        import pyreadstat
    except ImportError:
        raise SourceError.missing_package(path, "pyreadstat") from None
    try:
        return getattr(pyreadstat, READERS[path.suffix.lower()])(str(path), **arguments)
    except MemoryError:
        raise
    except Exception:  # the library's errors have no common class, and may show a cell
        raise SourceError.damaged(path) from None


def _value_labels(path: Path, metadata: Any) -> Iterator[Carrier]:
    labels = {name: texts for name, texts in metadata.variable_value_labels.items() if texts}
    if not labels:
        return
    cells = _parse(path, usecols=list(labels), output_format="dict")[0]
    n_used = {name: len(texts.keys() & set(cells[name])) for name, texts in labels.items()}
    n_unused = {name: n for name, texts in labels.items() if (n := len(texts) - n_used[name])}
    yield from carrier_if_any(VALUE_LABELS, sum(n_used.values()), columns=[name for name, n in n_used.items() if n])
    yield from carrier_if_any(
        "value labels of values that no record has", sum(n_unused.values()), WITHOUT_LABELS, n_unused
    )


def _user_missing(path: Path) -> Iterator[Carrier]:
    """Cells that readers treat as missing although their values can be read. SPSS declares them, Stata does not."""
    suffix = path.suffix.lower()
    if suffix in (".sav", ".zsav", ".dta", ".sas7bdat"):
        metadata = _parse(path, user_missing=True, output_format="dict", metadataonly="sav" in suffix)[1]
        columns = dict.fromkeys([*(metadata.missing_ranges or ()), *(metadata.missing_user_values or ())])
        yield from carrier_if_any("user-missing values", len(columns), AS_MISSING, columns)
