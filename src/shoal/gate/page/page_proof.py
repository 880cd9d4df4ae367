"""The proof of a finished page: it is read like a stranger would read it, and compared with the original.

page, original -> PageProof

The page must not show: a value, or a combination of values, that fewer than k records have; a number of records below
k, or one that leaves fewer than k; a share that stands for fewer than k records; an interval of fewer than k, or one
that ends where fewer than k lie beyond; a path, the seed, a hash that is not the release's; a column that is not
released; an element that no page needs, such as a script. ``docs/editions.md`` says what it cannot know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import pyarrow as pa

from shoal.gate.page.decoded_texts import decoded_texts
from shoal.gate.page.fixed_texts import fixed_texts
from shoal.gate.page.html_passages import html_passages
from shoal.gate.page.json_passages import json_passages
from shoal.gate.page.markdown_passages import markdown_passages
from shoal.gate.page.original_counts import OriginalCounts, Said, end_of, measured
from shoal.gate.page.original_table import OriginalTable
from shoal.gate.page.passages import plain, without_shortened
from shoal.gate.page.readings import (
    Declaration,
    PassageContent,
    ShownInterval,
    normalized,
    read_passage,
)
from shoal.gate.page.shown_combinations import CombinationCounts, ShownCombination
from shoal.gate.page.written_numbers import number_of_text

PageForm = Literal["html", "md", "json"]
FaultKind = Literal[
    "value", "combination", "crowded", "count", "share", "interval", "path", "seed", "hash", "column", "markup"
]
READERS = {"html": html_passages, "md": markdown_passages, "json": json_passages}
COMMON_SEED = 1000  # a smaller seed is recognized only next to the word


@dataclass(frozen=True)
class PageFault:
    """Something that the page must not show; never the value itself."""

    kind: FaultKind
    place: str  # the heading above it
    column: str = ""

    def __str__(self) -> str:
        of = f" of {self.column}" if self.column else ""
        return f"{WORDS[self.kind].format(of=of)} (under '{self.place or 'the title'}')"


WORDS: dict[FaultKind, str] = {
    "value": "a value{of} that fewer than k records have",
    "combination": "values{of} that fewer than k records have together",
    "crowded": "values of so many columns in one line that their combinations are not counted",
    "count": "a number below k, or one that leaves fewer than k",
    "share": "a share that stands for fewer than k records",
    "interval": "an interval{of} of fewer than k records, or with fewer than k beyond its ends",
    "path": "a path or the name of a file",
    "seed": "the seed",
    "hash": "a hash that is not that of the release",
    "column": "the name of a column that is not released",
    "markup": "an element that no page needs, and that may show more than its text says",
}


@dataclass(frozen=True)
class PageProof:
    n_passages: int
    faults: tuple[PageFault, ...]

    @property
    def holds(self) -> bool:
        return not self.faults

    def __bool__(self) -> bool:
        return self.holds


def prove_page(
    page: str, form: PageForm, protected: OriginalTable, phrases: Sequence[str] = (), labels: Sequence[str] = ()
) -> PageProof:
    """``phrases``: what the page may say whatever the data hold, such as "l = 2" and the hash of the release;
    ``labels``: the same as a whole text."""
    passages = without_shortened(READERS[form](page))
    unusual = [each for each in passages if each.text not in fixed_texts().passages]
    passages += [replace(each, text=plain(text)) for each in unusual for text in decoded_texts(each.text)]
    n_columns, n_records = len(protected.released), max(protected.n_records, *protected.n_released)
    declared = Declaration(tuple(phrases), protected.released, n_columns, tuple(labels), protected.k, n_records)
    readings = [read_passage(each, declared, protected.by_plain_name) for each in passages]
    distinct = list({(each.passage.text, each.passage.subject): each for each in readings}.values())
    checker = _Checker(protected, *_counts(distinct, protected), percents=_next_to_percent(readings))
    found = [fault for reading in distinct for fault in checker.faults(reading)]
    shown = checker.combinations(readings)
    countable = [each for each in shown if each.is_countable]
    few = CombinationCounts.of(protected.total, countable, protected.unit, protected.k).held_by_few()
    found += [PageFault("combination", each.place, ", ".join(chosen)) for each, chosen in few]
    found += [PageFault("crowded", each.place) for each in shown if not each.is_countable]
    return PageProof(len(passages), tuple(dict.fromkeys(found)))


def _next_to_percent(readings: Sequence[PassageContent]) -> frozenset[tuple[str, str]]:
    """Text and subject of the passages of a line, row or paragraph that says percent without a number."""
    blocks = {reading.passage.block for reading in readings if reading.says_percent}
    beside = (reading.passage for reading in readings if reading.passage.block in blocks)
    return frozenset((passage.text, passage.subject) for passage in beside)


def _counts(
    readings: Sequence[PassageContent], protected: OriginalTable
) -> tuple[OriginalCounts, OriginalCounts | None]:
    """How often the original has what the page says, as it was read and as it was recoded."""
    phrases = {
        phrase for reading in readings for phrase in reading.phrases | reading.segments if reading.is_said(phrase)
    }
    numbers = {number_of_text(number) for reading in readings for number in reading.numbers}
    ends: dict[str, set[float]] = {}
    for reading in readings:
        name = protected.by_plain_name.get(reading.passage.subject)
        for interval in reading.intervals:
            if name is not None and _is_measured(protected.schema.field(name).type):
                ends.setdefault(name, set()).update(_ends(interval, protected.schema.field(name).type))
    counts = OriginalCounts.of(protected.total, protected.schema.names, phrases, numbers, ends, protected.unit)
    recoded, unit = protected.recoded, protected.unit
    if recoded is None:
        return counts, None
    columns = tuple(dict.fromkeys((*recoded.columns, *([unit] if unit else ()))))
    return counts, OriginalCounts.of(recoded.total, columns, phrases, numbers, {}, unit)


def _is_measured(kind: pa.DataType) -> bool:
    return measured(pa.array([], kind)) is not None


def _ends(interval: ShownInterval, kind: pa.DataType) -> list[float]:
    return [end_of(end, kind) for end in (interval.low, interval.high) if end is not None]


@dataclass(frozen=True)
class _Checker:
    protected: OriginalTable
    counts: OriginalCounts
    recoded: OriginalCounts | None = None
    percents: frozenset[tuple[str, str]] = frozenset()

    def _held_by(self, name: str, said: Said) -> tuple[int, ...]:
        """The numbers of records with the value, as it was read and as it was recoded."""
        of_recoded = (self.recoded.held_by(name, said),) if self.recoded else ()
        return (self.counts.held_by(name, said), *of_recoded)

    def _is_frequent(self, name: str, said: Said) -> bool:
        return max(self._held_by(name, said)) >= self.protected.k

    def faults(self, reading: PassageContent) -> Iterator[PageFault]:
        place = reading.passage.place
        if reading.passage.is_odd:
            yield PageFault("markup", place)
        if reading.hashes:
            yield PageFault("hash", place)
        if reading.paths or any(self._names_file(reading, name) for name in self.protected.names):
            yield PageFault("path", place)
        if any(map(self._is_small_share, self._shares(reading))):
            yield PageFault("share", place)
        if any(map(self._is_small_count, (*reading.counts, *self._whole_numbers(reading)))):
            yield PageFault("count", place)
        if self._says_seed(reading):
            yield PageFault("seed", place)
        yield from self._columns(reading)
        yield from self._intervals(reading)
        for name, _ in self._values(reading, rare=True):
            yield PageFault("value", place, name)

    def _names_file(self, reading: PassageContent, name: str) -> bool:
        return bool(normalized(name)) and reading.is_said(normalized(name))

    def _shares(self, reading: PassageContent) -> list[float]:
        if (reading.passage.text, reading.passage.subject) not in self.percents:
            return list(reading.shares)
        return [*reading.shares, *(abs(number_of_text(number)) for number in self._bare(reading))]

    def _is_small_share(self, share: float) -> bool:
        """Whether the share, or the rest, stands for fewer than k records, but for some."""
        k, smallest = self.protected.k, min((self.protected.n_records, *self.protected.n_released))
        parts = (share, 100 - share)
        return 0 < share < 100 and any(part * smallest / 100 < k - 1e-9 for part in parts)

    def _is_small_count(self, count: int) -> bool:
        if count in self.protected.n_released:
            return False
        totals = (self.protected.n_records, *self.protected.n_released)
        rests = [total - count for total in totals]
        differences = list(map(abs, rests)) if count in totals else []  # all records tell how many were suppressed
        return any(0 < part < self.protected.k for part in (count, *rests, *differences))

    def _whole_numbers(self, reading: PassageContent) -> list[int]:
        """Any of them may be a number of records, whatever the words around it."""
        numbers = [abs(number_of_text(number)) for number in self._bare(reading)]
        return [int(number) for number in numbers if number.is_integer()]

    def _bare(self, reading: PassageContent) -> list[str]:
        """The numbers that are no frequent values of the column of the figure."""
        subject = self._subject(reading)
        if subject and self._is_own_value(subject, reading):
            return []
        forms = {number: (number_of_text(number), normalized(number)) for number in reading.numbers}
        return [
            number
            for number, said in forms.items()
            if not subject or not any(self._is_frequent(subject, each) for each in said)
        ]

    def _is_own_value(self, subject: str, reading: PassageContent) -> bool:
        """Whether the whole text is a frequent value of the column of the figure, such as: Region 3"""
        text = reading.passage.text
        said: list[Said] = [normalized(text)] if normalized(text) in reading.segments else []
        said += [number_of_text(text)] if text in reading.numbers else []
        return any(self._is_frequent(subject, each) for each in said)

    def _says_seed(self, reading: PassageContent) -> bool:
        seed = self.protected.seed
        if seed is None:
            return False
        if re.search(rf"\bseed\b\W{{0,5}}(?:=|is|of)?\W{{0,5}}{seed}\b", reading.passage.text, re.I):
            return True
        return seed >= COMMON_SEED and any(number_of_text(number) == seed for number in reading.numbers)

    def _columns(self, reading: PassageContent) -> Iterator[PageFault]:
        said = {words for words in self.protected.hidden_names if words in reading.phrases | reading.segments}
        if any(map(reading.is_said, said)) or any(name in reading.passage.text for name in self.protected.wordless):
            yield PageFault("column", reading.passage.place)

    def _intervals(self, reading: PassageContent) -> Iterator[PageFault]:
        name = self._subject(reading)
        for interval in reading.intervals:
            kind = self.protected.schema.field(name).type if name else pa.null()
            if name is None or self.protected.unit or not _is_measured(kind) or self._is_few(name, interval, kind):
                yield PageFault("interval", reading.passage.place, name or "")

    def _is_few(self, name: str, interval: ShownInterval, kind: pa.DataType) -> bool:
        """Whether fewer than k records are in it, or beyond one of its ends."""
        k, known = self.protected.k, self.counts.n_known[name]
        below = [self.counts.n_below[name, end] for end in _ends(interval, kind)]
        beyond = [part for n in below for part in (n, known - n)]
        within = [below[1] - below[0]] if len(below) == 2 else []
        return any(part < k for part in (*beyond, *within))

    def _subject(self, reading: PassageContent) -> str | None:
        """The column of the figure that the passage belongs to."""
        return self.protected.by_plain_name.get(reading.passage.subject)

    def _values(self, reading: PassageContent, *, rare: bool) -> Iterator[tuple[str, Said]]:
        """Columns and values that the passage shows: those of fewer than k, or all. In the figure of a column, its own
        frequent values explain what they say."""
        subject, k = self._subject(reading), self.protected.k
        said: set[Said] = {phrase for phrase in reading.phrases | reading.segments if reading.is_said(phrase)}
        said |= {number_of_text(number) for number in self._bare(reading)}
        if subject:
            said = _unexplained(said, {each for each in said if self._is_frequent(subject, each)})
        for name in self.protected.schema.names:
            for each in said:
                held = self._held_by(name, each)
                if any(0 < n < k for n in held) or (any(held) and not rare):
                    yield name, each

    def combinations(self, readings: Sequence[PassageContent]) -> list[ShownCombination]:
        """Values of at least two columns that are shown in one line, row or paragraph."""
        blocks: dict[int, list[PassageContent]] = {}
        for reading in readings:
            blocks.setdefault(reading.passage.block, []).append(reading)
        found = []
        for block in blocks.values():
            values: dict[str, set[Said]] = {}
            for reading in block:
                for name, each in self._values(reading, rare=False):
                    values.setdefault(name, set()).add(each)
            if len(values) > 1 and len(set().union(*values.values())) > 1:
                frozen = {name: frozenset(said) for name, said in values.items()}
                found.append(ShownCombination(block[0].passage.place, frozen))
        return list({(each.place, tuple(each.values.items())): each for each in found}.values())


def _unexplained(said: set[Said], frequent: set[Said]) -> set[Said]:
    """Without frequent values, their parts, and what contains them."""
    words = [f" {each} " for each in frequent if isinstance(each, str)]
    return {
        each
        for each in said - frequent
        if not (isinstance(each, str) and any(f" {each} " in word or word in f" {each} " for word in words))
    }
