"""Carriers of SPSS, Stata and SAS files: labels of columns and values, titles, documents, user-missing values.

What the library shows is taken from it; what it ignores (records of SPSS that it does not know, characteristics of
Stata) is searched for in the bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shoal.errors import SourceError
from shoal.sources.carriers.carrier import VALUE_LABELS, Carrier, some
from shoal.sources.carriers.spss_bytes import n_strange_records
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
WITHOUT_TEXTS = "write it anew without them, as 'shoal protect' does"
AS_MISSING = "write these cells as missing: whoever reads the file otherwise sees what they were"


def carriers(path: Path) -> Iterator[Carrier]:
    about = _parsed(path, metadataonly=True)[1]
    told = {name: text for name, text in about.column_names_to_labels.items() if text}
    yield from some("variable labels", len(told), columns=told)
    yield from _value_labels(path, about)
    loose = set(about.value_labels) - set(about.variable_to_label.values())
    yield from some("sets of value labels that belong to no column", len(loose), WITHOUT_LABELS)
    yield from some("titles", int(bool(about.file_label)), WITHOUT_TEXTS)
    yield from some("documents", len(about.notes or ()), WITHOUT_TEXTS)
    yield from some("sets of multiple responses", len(about.mr_sets or ()), WITHOUT_TEXTS)
    if path.suffix.lower() in (".sav", ".zsav"):
        yield from some("records of SPSS that are no cells", n_strange_records(path), WITHOUT_TEXTS)
    if path.suffix.lower() == ".dta":
        yield from some("characteristics", n_characteristics(path), WITHOUT_TEXTS)
    yield from _missing(path)


def _parsed(path: Path, **how: Any) -> Any:
    try:
        import pyreadstat
    except ImportError:
        raise SourceError.needs_extra(path, "pyreadstat") from None
    try:
        return getattr(pyreadstat, READERS[path.suffix.lower()])(str(path), **how)
    except MemoryError:
        raise
    except Exception:  # the library's errors have no common class, and may show a cell
        raise SourceError.damaged(path) from None


def _value_labels(path: Path, about: Any) -> Iterator[Carrier]:
    labels = {name: texts for name, texts in about.variable_value_labels.items() if texts}
    if not labels:
        return
    cells = _parsed(path, usecols=list(labels), output_format="dict")[0]
    n_there = {name: len(texts.keys() & set(cells[name])) for name, texts in labels.items()}
    n_strange = {name: n for name, texts in labels.items() if (n := len(texts) - n_there[name])}
    yield from some(VALUE_LABELS, sum(n_there.values()), columns=[name for name, n in n_there.items() if n])
    yield from some("value labels of values that no record has", sum(n_strange.values()), WITHOUT_LABELS, n_strange)


def _missing(path: Path) -> Iterator[Carrier]:
    """Cells that readers treat as missing although their values can be read. SPSS declares them, Stata does not."""
    suffix = path.suffix.lower()
    if suffix in (".sav", ".zsav", ".dta", ".sas7bdat"):
        about = _parsed(path, user_missing=True, output_format="dict", metadataonly="sav" in suffix)[1]
        named = dict.fromkeys([*(about.missing_ranges or ()), *(about.missing_user_values or ())])
        yield from some("values that count as missing", len(named), AS_MISSING, named)
