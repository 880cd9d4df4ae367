"""What a passage says: shares, counts, intervals, and numbers and phrases that nothing explains.

A number is explained if it is a share (5 %), a number of records, the end of an interval in the figure of a column, or
part of a declared phrase (k = 5). Every other number, and every phrase of words, may be a value of the original.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.gate.page.fixed_texts import fixed_texts
from shoal.gate.page.passages import BREAK, Passage, plain, without_invisible
from shoal.gate.page.written_dates import written_dates
from shoal.gate.page.written_numbers import ANYWHERE, BEFORE, NUMBER, meanings, number_of_text, written_numbers

COMPUTE: Any = pc  # its types do not name all functions
LONGEST = 8  # words of a phrase; of longer values the first ones are compared
END = rf"(?:\d{{4}}-\d{{2}}(?:-\d{{2}})?|{NUMBER})"
PERCENT = re.compile(r"%|\bper\s?cent(?:age)?\b", re.I)
SHARE = re.compile(rf"{BEFORE}(?P<number>{NUMBER}|{ANYWHERE})\s?(?:%|per\s?cent(?:age)?\b)", re.I)
COUNT = re.compile(
    rf"{BEFORE}(?P<number>{NUMBER}|{ANYWHERE})\s"
    r"(?:records?|persons?|units?|cells?|classes|groups?|households?|firms?)\b",
    re.I,
)
N_COLUMNS = re.compile(rf"{BEFORE}({NUMBER})\scolumns?\b")
INTERVAL = re.compile(rf"\[\s*({END})\s*,\s*({END})\s*\)")
OPEN = re.compile(rf"(<|>=)\s*({END})")
REACHED = re.compile(r"(?<![\w.])k = (\d+)(?![\w]|\.\d)")
VERSION = re.compile(r"(?<![\w.])\d+(?:\.\d+){2,}(?:[a-z]+\d+)?(?![\w])")
PRODUCED = re.compile(r"\bproduced (\d{4}-\d{2}-\d{2})")
DATE = re.compile(r"(?<![\w.-])\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?(?![\w-])")
WORD = re.compile(r"[^\W_]+")
SEGMENT = re.compile("[,;:|()\"'\u2018\u2019\u201c\u201d\x00\u2026]| and | or ")
HASH = re.compile(r"(?<![\w+/])(?=[0-9a-fA-F]*\d)(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{12,}")
FOLDERS = re.compile(r"(?<![\w/])(?:~|\.{1,2})?/(?:[\w.-]+/)*[\w.-]*\w|\b[A-Za-z]:\\\S|\\\\\w+\\")
FILE = re.compile(
    r"[^\s/\\]+\.(?:csv|tsv|txt|parquet|arrow|feather|dta|sav|sas7bdat|xlsx|toml|key|json|html|md)\b", re.I
)


@dataclass(frozen=True)
class ShownInterval:
    low: str | None
    high: str | None


@dataclass(frozen=True)
class Declaration:
    """What a page may say whatever the data hold.

    phrases    such as "k = 5", and the hash of the release
    columns    names of the released columns
    n_columns  their number
    labels     whole texts, such as the numbers of compared policies
    k          "k = 7" says the size of the smallest class, if that is at least k
    n_records  of the larger table; a larger number is no number of records
    """

    phrases: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    n_columns: int = 0
    labels: tuple[str, ...] = ()
    k: int = 0
    n_records: int = sys.maxsize

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(filter(None, map(plain, self.columns)))

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """Declared phrases and names of columns, the longest first. A name that is only of common words or digits is
        one where it is a whole item of a list or quoted, not within a sentence."""
        phrases = {phrase: rf"(?<![\w.]){re.escape(phrase)}(?!\w|\.\d)" for phrase in self.phrases}
        found = phrases | {name: _item(name) if _is_common(name) else _anywhere(name) for name in self.names}
        longest = sorted(found, key=len, reverse=True)
        return re.compile("|".join(found[text] for text in longest)) if found else None


def _is_common(name: str) -> bool:
    return set(normalized(name).split()) <= fixed_texts().words or not re.search(r"[^\W\d_]", name)


def _item(name: str) -> str:
    return rf"(?:(?<=['\u2018,|\x00]\s)|(?<=['\u2018])|^){re.escape(name)}(?=['\u2019]|,|: |\x00|$)"


def _anywhere(name: str) -> str:
    return rf"(?<!\w){re.escape(name)}(?!\w)"


@dataclass(frozen=True)
class PassageContent:
    passage: Passage
    shares: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()
    intervals: tuple[ShownInterval, ...] = ()
    numbers: tuple[str, ...] = ()
    segments: frozenset[str] = frozenset()  # whole texts, items of lists, quotations; normalized
    phrases: frozenset[str] = frozenset()  # of one word or more; normalized
    hashes: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    says_percent: bool = False  # without a number, as where the number is in the cell next to it

    def is_said(self, phrase: str) -> bool:
        """Whether the passage says it by more than the words that every page has."""
        if phrase in self.segments:
            return True
        return phrase in self.phrases and not set(phrase.split()) <= fixed_texts().words


def normalized(text: str) -> str:
    """Words in lower case, separated by blanks."""
    return " ".join(_words(text))


def _words(text: str) -> list[str]:
    """Normalized and in lower case as Arrow writes it, which is how cells are read: Python and other versions of Arrow
    write other letters for some."""
    lower: str = pc.utf8_lower(COMPUTE.utf8_normalize(pa.scalar(without_invisible(text), pa.string()), "NFKC")).as_py()
    return WORD.findall(lower)


def _said_in(part: str) -> str:
    """Its words; of a text without letters and digits, such as +++, the text itself."""
    return normalized(part) or plain(part)


def read_passage(passage: Passage, declared: Declaration, columns: Collection[str]) -> PassageContent:
    """``columns``: of the original, in plain text; in the figure of one of them, intervals are those of its values."""
    if passage.is_scale or passage.text in fixed_texts().passages or passage.text in declared.labels:
        return PassageContent(passage, says_percent=_says_percent(passage.text))
    text = _without(passage.text, declared)
    hashes, paths = tuple(HASH.findall(text)), (*FOLDERS.findall(text), *FILE.findall(text))
    written_shares, text = _taken(SHARE, text)
    written_counts, text = _taken(COUNT, text)
    shares = [each for token in written_shares for each in meanings(token)]
    counts = [meanings(token)[0] for token in written_counts]
    odd = [each for each in shares if abs(number_of_text(each)) > 100]
    odd += [each for each in counts if abs(number_of_text(each)) > declared.n_records]
    says_percent = _says_percent(text)
    text = N_COLUMNS.sub(lambda found: BREAK if number_of_text(found[1]) == declared.n_columns else found[0], text)
    text = PRODUCED.sub(BREAK, text)
    is_figure = bool(passage.subject) and passage.subject in columns
    dates = written_dates(OPEN.sub(BREAK, INTERVAL.sub(BREAK, text)) if is_figure else text)
    text = VERSION.sub(BREAK, text)
    intervals = list[ShownInterval]()
    if is_figure:
        intervals = [ShownInterval(low, high) for low, high in INTERVAL.findall(text)]
        text = INTERVAL.sub(BREAK, text)
        intervals += [
            ShownInterval(None, end) if sign == "<" else ShownInterval(end, None) for sign, end in OPEN.findall(text)
        ]
        text = OPEN.sub(BREAK, text)
    return PassageContent(
        passage,
        tuple(abs(number_of_text(share)) for share in shares),
        tuple(int(min(abs(number_of_text(count)), sys.maxsize)) for count in counts),  # 1e999 is no whole number
        tuple(intervals),
        tuple(dict.fromkeys((*odd, *written_numbers(DATE.sub(BREAK, text))))),
        frozenset(filter(None, map(_said_in, (text, *SEGMENT.split(text))))),
        frozenset(_phrases(text)) | dates,
        hashes,
        paths,
        says_percent,
    )


def _says_percent(text: str) -> bool:
    return bool(PERCENT.search(text))


def _taken(pattern: re.Pattern[str], text: str) -> tuple[list[str], str]:
    """The numbers that the pattern finds, and the text without them."""
    return [found["number"] for found in pattern.finditer(text)], pattern.sub(BREAK, text)


def _phrases(text: str) -> Iterable[str]:
    for part in text.split(BREAK):
        words = _words(part)
        for first in range(len(words)):
            for last in range(first + 1, min(first + LONGEST, len(words)) + 1):
                yield " ".join(words[first:last])


def _without(text: str, declared: Declaration) -> str:
    """The text without what is declared."""
    text = REACHED.sub(lambda found: BREAK if declared.k <= int(found[1]) <= declared.n_records else found[0], text)
    if text in declared.names:
        return ""
    return declared.pattern.sub(BREAK, text) if declared.pattern else text
