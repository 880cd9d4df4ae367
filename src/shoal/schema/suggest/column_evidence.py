"""What is counted of one column: type, known and distinct values, labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from shoal.schema.suggest.name_patterns import matches

Cells: TypeAlias = "pa.ChunkedArray[Any]"
LABELED = 0.95  # share of the values with a label from which on they are categories
ALMOST = 0.9  # share of distinct values from which on texts tell persons apart
PIECE = 10_000  # distinct texts that are looked at together
FEW_VALUES = 12  # integers with at most this many distinct values are taken for codes or grades, not amounts
MANY = 20  # known values from which on shares mean something


@dataclass(frozen=True)
class ColumnEvidence:
    """One column with what its file states about it."""

    name: str
    cells: Cells
    label: str = ""
    measure: str = ""
    value_labels: Mapping[object, str] | None = None
    date_format: str | None = None
    n_misfits: int = 0  # texts that do not follow the date format

    def says(self, hints: str) -> bool:
        """Whether its name or label contains one of these words."""
        return matches(hints, self.name, self.label)

    def head(self, n: int) -> ColumnEvidence:
        """The same column with its first ``n`` cells only."""
        return replace(self, cells=self.cells.slice(0, n))

    @cached_property
    def plain(self) -> Any:
        """The cells, without a dictionary."""
        kind: Any = self.type
        return self.cells.cast(kind.value_type) if pa.types.is_dictionary(kind) else self.cells

    @property
    def type(self) -> Any:
        """The Arrow type of its cells."""
        return self.cells.type

    @cached_property
    def counts(self) -> tuple[Any, Any] | None:
        """The known values that occur and how often; None where cells are not single values: lists, structs, spans."""
        if pa.types.is_interval(self.plain.type):
            return None
        try:
            counted: Any = pc.value_counts(self.plain.drop_null())
        except pa.ArrowNotImplementedError:
            return None
        return counted.field("values"), counted.field("counts")

    @property
    def values(self) -> Any:
        """The distinct known values."""
        return self.counts[0] if self.counts else pa.array([], pa.string())

    @property
    def n_values(self) -> int:
        return len(self.values)

    @property
    def n_known(self) -> int:
        return len(self.cells) - self.cells.null_count

    @property
    def is_comparable(self) -> bool:
        return self.counts is not None

    @property
    def is_text(self) -> bool:
        return pa.types.is_string(self.plain.type) or pa.types.is_large_string(self.plain.type)

    @property
    def is_whole(self) -> bool:
        return pa.types.is_integer(self.type)

    @property
    def is_number(self) -> bool:
        kind = self.type
        return self.is_whole or pa.types.is_floating(kind) or pa.types.is_decimal(kind)

    @property
    def is_date(self) -> bool:
        return pa.types.is_date(self.type) or pa.types.is_timestamp(self.type) or self.date_format is not None

    @property
    def is_span(self) -> bool:
        """Whether it holds times of day or durations, which are no dates."""
        return pa.types.is_time(self.type) or pa.types.is_duration(self.type)

    @property
    def is_constant(self) -> bool:
        """Whether every record has the same value; a missing value next to a known one tells records apart."""
        return self.n_values == 1 and self.n_known == len(self.cells)

    @property
    def is_almost_distinct(self) -> bool:
        return self.n_values > MANY and self.n_values >= ALMOST * self.n_known

    @property
    def is_few(self) -> bool:
        """Whether its values are like codes: few, and on average each in more records than there are values."""
        return self.n_values <= FEW_VALUES and self.n_values**2 < self.n_known

    @property
    def repeats(self) -> bool:
        return self.n_values < self.n_known

    @cached_property
    def has_fractions(self) -> bool:
        if not self.is_number or self.is_whole:
            return False
        return bool(pc.any(pc.not_equal(self.values, pc.floor(self.values))).as_py())

    @cached_property
    def ascends(self) -> bool:
        """Whether it has whole numbers, all different, in ascending order with gaps."""
        plain: Any = self.plain.drop_null()
        if not self.is_whole or self.repeats or len(plain) < 2:
            return False
        is_sorted: Any = pc.all(pc.less(plain[:-1], plain[1:]))
        return bool(is_sorted.as_py()) and plain[-1].as_py() - plain[0].as_py() >= len(plain)

    @cached_property
    def is_consecutive(self) -> bool:
        """Whether it numbers the records: whole numbers, all different, without a gap."""
        if not self.is_whole or self.repeats or self.n_known <= MANY:
            return False
        ends: Any = pc.min_max(self.plain)
        return bool(ends["max"].as_py() - ends["min"].as_py() + 1 == self.n_known)

    @cached_property
    def texts(self) -> Any:
        """The distinct values as texts."""
        values: Any = self.values
        return values if self.is_text else pc.cast(values, pa.string())

    def share(self, pattern: str) -> float:
        """Share of the known cells whose text matches the pattern as a whole."""
        if not self.n_known or self.counts is None or not (self.is_text or self.is_whole):
            return 0.0
        fits: Any = pc.match_substring_regex(self.texts, f"^(?:{pattern})$")
        n = pc.sum(self.counts[1].filter(fits)).as_py() or 0
        return float(n / self.n_known)

    def fits(self, pattern: str, share: float) -> bool:
        """Whether the texts of at least this share of the known cells match the pattern; stops at too many misfits."""
        if not self.n_known or self.counts is None or not (self.is_text or self.is_whole):
            return False
        n_fit = self.n_known
        for start in range(0, self.n_values, PIECE):
            texts, n_cells = self.texts.slice(start, PIECE), self.counts[1].slice(start, PIECE)
            misfits: Any = pc.invert(pc.match_substring_regex(texts, f"^(?:{pattern})$"))
            n_fit -= pc.sum(n_cells.filter(misfits)).as_py() or 0
            if n_fit < share * self.n_known:
                return False
        return True

    @cached_property
    def labeled_share(self) -> float:
        """Share of the known cells whose value has a label."""
        if not self.value_labels or not self.n_known or self.counts is None:
            return 0.0
        labeled = {_number(value) for value in self.value_labels}
        n_of = zip(self.values.to_pylist(), self.counts[1].to_pylist(), strict=True)
        return float(sum(n for value, n in n_of if _number(value) in labeled) / self.n_known)

    @property
    def label_texts(self) -> tuple[str, ...]:
        """The labels of the values that occur, in the order of the values; user-missing codes do not occur."""
        labels = {_number(value): text for value, text in (self.value_labels or {}).items()}
        known: list[Any] = [value for value in map(_number, self.values.to_pylist()) if value in labels]
        return tuple(labels[value] for value in sorted(known))

    @property
    def has_labels(self) -> bool:
        return self.labeled_share >= LABELED

    @property
    def smallest_count(self) -> int:
        """Records of the rarest value."""
        return int(pc.min(self.counts[1]).as_py()) if self.counts and self.n_values else 0

    @property
    def largest_count(self) -> int:
        """Records of the most frequent value."""
        return int(pc.max(self.counts[1]).as_py()) if self.counts and self.n_values else 0


def _number(value: object) -> object:
    """1 and 1.0 are the same code."""
    return float(value) if isinstance(value, int | float) else value
