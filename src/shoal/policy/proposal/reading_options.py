"""How the texts of a CSV are written: blanks around cells, separators of thousands, words that mean "missing"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.sources.padding import trim_cells

MISSING_WORDS = frozenset({"NA", "N/A", "n/a", "NULL", "null", "None", "NaN", "nan", "?", "-", ".", "#N/A", "missing"})
SEPARATORS = {".": ",", ",": ".", "'": ".", " ": "."}  # of thousands, and the decimal mark that goes with it
N_TRIED = 1000  # texts that rule out most columns


@dataclass(frozen=True)
class WrittenTexts:
    """The distinct known texts of a column as written, and without blanks around them."""

    written: Any
    trimmed: Any

    @classmethod
    def of_columns(cls, table: pa.Table) -> list[WrittenTexts]:
        """Those of all text columns."""
        texts = (pc.unique(column.drop_null()) for column in table.columns if pa.types.is_string(column.type))
        return [cls(written, trim_cells(written)) for written in texts]

    @property
    def missing_words(self) -> set[str]:
        """Words that usually mean "missing"."""
        words = pa.array(sorted(MISSING_WORDS))
        return set(self.trimmed.filter(pc.is_in(self.trimmed, value_set=words)).to_pylist())

    @property
    def has_blanks_around(self) -> bool:
        """Whether some text has blanks before or after it."""
        return bool(pc.any(pc.not_equal(self.written, self.trimmed), min_count=0).as_py())

    def has_groups(self, mark: str, decimal: str | None) -> bool:
        """Whether all known texts are numbers in groups of three digits, and some could be nothing else: several
        groups, or one group and a decimal mark."""
        point = SEPARATORS[mark]
        group, fraction = f"[+-]?[0-9]{{1,3}}([{mark}][0-9]{{3}})", f"[{point}][0-9]+"
        ordinary = f"^({group}+|[+-]?[0-9]{{1,3}})({fraction})?$"
        certain = f"^({group}{{2,}}({fraction})?|{group}{fraction})$"
        known = self.trimmed.filter(pc.not_equal(self.trimmed, pa.scalar("")))
        if not len(known) or not (_all(known.slice(0, N_TRIED), ordinary) and _all(known, ordinary)):
            return False
        return _any(known, f"^{group}+({fraction})?$" if decimal == point else certain)


def missing_words(texts: list[WrittenTexts]) -> tuple[str, ...]:
    """Words found in text columns that usually mean "missing", blanks around them ignored."""
    return tuple(sorted(set[str]().union(*(column.missing_words for column in texts))))


def thousands(texts: list[WrittenTexts], decimal: str | None) -> str | None:
    """The separator of thousands that whole columns are written with; None where there is none, or where it may as well
    be the decimal mark."""
    return next((mark for mark in SEPARATORS if any(column.has_groups(mark, decimal) for column in texts)), None)


def _any(texts: Any, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(texts, pattern), min_count=0).as_py())


def _all(texts: Any, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(texts, pattern), min_count=0).as_py())
